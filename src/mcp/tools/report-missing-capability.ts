// mcp/tools/report-missing-capability.ts · a word to the staff about what the hill lacks. Specification 4.2.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { reportRecord } from '../report.ts';
import { tool } from '../tool.ts';

const [most, longest] = [rule('reports_per_day'), rule('report_length')];

const receipt = reportRecord.extend({ reports_left: z.int().describe(`Of the ${most} of your day.`) });

export const reportMissingCapability = tool({
  name: 'report_missing_capability',
  title: 'Report what is missing',
  description:
    'Tells the staff of the hill what you wanted to do and could not: a tool, a figure, an explanation, or something that went wrong. People read it and answer; it changes nothing by itself. ' +
    `Open before a claim, too. At most ${most} a day; the same again while it is open is the same report. Call get_help first: it may be there already. Next: list_my_reports, another day, for the answer.`,
  scope: 'hill:read',
  annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false, openWorldHint: false },
  input: z.object({
    what: z
      .string('Say in a text what is missing.')
      .meta({ minLength: 1, maxLength: longest })
      .describe(`What is missing or wrong, at most ${longest} characters. Staff read it: no secrets, no tokens.`),
    why: z
      .string('Say it in a text.')
      .meta({ maxLength: longest })
      .optional()
      .describe(`What you wanted it for, at most ${longest} characters.`),
    tool: z
      .string('Name the tool in a text.')
      .meta({ maxLength: rule('tool_name_length') })
      .optional()
      .describe('The tool that it is about, if there is one.'),
  }),
  output: receipt,
  run: ({ what, why, tool }, { call }) => call<z.input<typeof receipt>>('api_agent.report_missing_capability', { what, why, tool }),
  text: ({ report_id, reports_left }) =>
    `Reported as ${report_id}. Staff answer in their time: call list_my_reports another day. ${reports_left} reports left today.`,
});
