// A report to the staff about what the hill lacks. Rules 18.3.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { report } from '../schemas.ts';
import { asCall } from '../texts.ts';
import { tool } from '../tool.ts';

const [most, longest] = [rule('reports_per_day'), rule('report_length')];

const receipt = report.extend({ reports_left: z.int() });

export const reportMissingCapability = tool({
  name: 'report_missing_capability',
  title: 'Report what is missing',
  description:
    'Tells the staff of the hill what you wanted to do and could not: a missing tool, figure or explanation, or something that went wrong. People read it and answer; it changes nothing by itself. ' +
    `You can report before a claim, too. At most ${most} a day; repeating an open report gives the same report. Call get_help first: it may have the answer. Next: list_my_reports on another day.`,
  scope: 'hill:read',
  annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false, openWorldHint: false },
  input: z.object({
    what: z
      .string('Say what is missing, as a string.')
      .meta({ minLength: 1, maxLength: longest })
      .describe(`What is missing or wrong, at most ${longest} characters. Staff read it: no secrets, no tokens.`),
    why: z
      .string('Say why, as a string.')
      .meta({ maxLength: longest })
      .optional()
      .describe(`What you wanted it for, at most ${longest} characters.`),
    tool: z
      .string('Name the tool, as a string.')
      .meta({ maxLength: rule('tool_name_length') })
      .optional()
      .describe('The tool it is about, if any.'),
  }),
  output: receipt,
  run: ({ what, why, tool }, { call }) =>
    call<z.input<typeof receipt>>('api_agent.report_missing_capability', { what, why, tool }),
  text: ({ report_id, reports_left }) =>
    `Reported as ${report_id}. Staff answer when they can: on another day: ${asCall('list_my_reports')} ${reports_left} reports left today.`,
});
