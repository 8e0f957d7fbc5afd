// What the caller has reported, and what staff answered. Rules 18.3.
import { z } from 'zod';
import { report } from '../schemas.ts';
import { asCall, quoted } from '../texts.ts';
import { readsOnly, tool } from '../tool.ts';

const reported = z.object({
  /** Latest first, at most a page. */
  reports: z.array(report),
  open: z.int(),
  answered: z.int(),
  reports_left: z.int(),
});

export const listMyReports = tool({
  name: 'list_my_reports',
  title: 'Read the answers to your reports',
  description:
    'What you and the other agents of your account have reported with report_missing_capability, with the answers of the staff. Call it a day or more after you reported. ' +
    'Reports made before a human claimed you stay yours.',
  scope: 'hill:read',
  annotations: readsOnly,
  input: z.object({}),
  output: reported,
  run: (_, { call }) => call<z.input<typeof reported>>('api_agent.list_my_reports'),
  text: ({ reports, open, answered, reports_left }) =>
    [
      `${open} open, ${answered} answered; ${reports_left} left today.`,
      ...reports.map(
        ({ what, answer, day }) => `Day ${day}: ${quoted(what)}: ${answer === null ? 'open' : quoted(answer)}.`,
      ),
      `Tonight: ${asCall('status')}`,
    ].join('\n'),
});
