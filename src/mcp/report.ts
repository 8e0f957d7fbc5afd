// mcp/report.ts · a report as the tools show it. Specification 4.2.
import { z } from 'zod';

export const reportRecord = z.object({
  report_id: z.string(),
  day: z.int().describe('The day on which it was made.'),
  at: z.string().describe('ISO 8601, UTC.'),
  what: z.string(),
  why: z.string().nullable(),
  tool: z.string().nullable(),
  status: z.enum(['open', 'answered']),
  answer: z.string().nullable().describe('What staff say. Null while it is open.'),
  answered_at: z.string().nullable(),
});
