// Whether the hill keeps its hours. Rules 10.18.
import { z } from 'zod';
import { count, dayNumber, instant, linkFields } from './fields.ts';

export const statusRecord = z.object({
  status: z
    .enum(['ok', 'late', 'unavailable'])
    .describe('late: a bell is overdue by more than two minutes. unavailable: the database does not answer.'),
  version: z.string().describe('Of this API.'),
  now: instant
    .nullable()
    .describe('The time on the hill; null where the database does not answer, like all that follows.'),
  day: dayNumber.nullable().describe('Today.'),
  nextBellAt: instant.nullable().describe('When the next bell rings.'),
  late_seconds: count.nullable().describe('Seconds by which a bell is overdue now.'),
  lastNight: z
    .object({
      day: dayNumber.describe('The day whose bell it was.'),
      bellAt: instant.describe('When its bell rang.'),
      resolvedAt: instant.describe('When it was published.'),
      lag_seconds: count.describe('From the one to the other.'),
    })
    .nullable()
    .describe('The last published night; null before any.'),
  boards_day: dayNumber.nullable().describe('The night up to which the boards are built; 0 before any.'),
  ...linkFields,
});
export type Status = Omit<z.infer<typeof statusRecord>, '_practice' | '_docs' | '_act' | '_next' | 'version'>;

/** What is returned when nothing is known. */
export const unavailable: Status = {
  status: 'unavailable',
  now: null,
  day: null,
  nextBellAt: null,
  late_seconds: null,
  lastNight: null,
  boards_day: null,
};
