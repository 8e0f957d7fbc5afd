// Nights that are over, in figures, in full and as files. Rules 10.2.
import { z } from 'zod';
import { lists } from '../../archives/forms.ts';
import { rule } from '../../db/rules.ts';
import type * as Records from '../../records/index.ts';
import { dayRecord, daysRecord } from '../../records/index.ts';
import { formats, type LineForm } from './forms.ts';
import { longest, nightNumber, page } from './parameters.ts';
import { define, type Resource } from './resource.ts';

export const nightsResources: readonly Resource[] = [
  define({
    path: '/api/days',
    summary: 'The nights that are over, in figures, with their files',
    description:
      'The last night first, in pages: what was played, won, paid and burned, how many seats changed hands, and each night as files (moves.csv and others) with the SHA-256 of each. Files of a night are made some time after its bell.',
    tag: 'nights',
    example: '/api/days?limit=1',
    args: z.object(page(rule('page_length'), rule('page_length'))),
    reads: 'api_public.days',
    asks: ({ limit, cursor }) => ({ max: limit, cursor }),
    follows: 'days',
    record: daysRecord,
    shape: (record: Records.Days, links) => ({
      ...record,
      days: record.days.map((night) => ({
        ...night,
        archives: night.archives.map((file) => ({ ...file, href: links.archive(file.sha256) })),
      })),
    }),
    next: (links, { next_cursor }: Records.Days, { last_night }, { limit }) => [
      next_cursor !== null && links.page('/api/days', { limit, cursor: next_cursor }, 'Earlier nights.'),
      last_night > 0 && links.day('last_night', last_night, 'The last night in full.'),
      links.place('hill'),
    ],
  }),
  define({
    path: '/api/day/:n',
    summary: 'What happened at the bell of day n',
    description:
      'A night in full: what became of each place, every move, what was announced and whether it was kept, the queue. Long lists come in pages; one cursor walks all of them. /api/day/{n}/{list}.ndjson and .csv have one list whole. It never changes, names included: they are those of the night, and a slug of then leads to the identity of today. The exception is what is taken away, as when an account is closed.',
    tag: 'nights',
    example: '/api/day/1',
    unknown: 'DayNotResolved',
    args: z.object({
      n: nightNumber,
      ...page(longest),
      format: z
        .enum(formats, `is none of ${formats.join(', ')}`)
        .optional()
        .describe(
          'json: the record, in pages. ndjson, csv: one list whole, an entry a line. Without it, what Accept prefers.',
        ),
      list: z
        .enum(lists, `is none of ${lists.join(', ')}`)
        .optional()
        .describe('Of ndjson and csv: which list, by default moves.'),
    }),
    bulk: true,
    reads: 'api_public.day',
    asks: ({ n, limit, cursor }) => ({ n, max: limit, cursor }),
    follows: 'past',
    record: dayRecord,
    // A night does not change: nothing here may depend on what came after it.
    next: (links, { day, next_cursor }: Records.Day, _clock, { limit }) => [
      next_cursor !== null &&
        links.page(
          `/api/day/${day}`,
          { limit, cursor: next_cursor },
          'More of the moves, the announcements and the queue.',
        ),
      links.nightFile(day),
      day > 1 && links.day('previous_day', day - 1, 'The night before.'),
      links.place('hill'),
    ],
  }),
];

/** A whole list of a night in one of its forms: see bulk.ts. */
export const nightList = {
  path: (form: LineForm) => `/api/day/:n/:list.${form}`,
  args: z.object({
    n: nightNumber,
    list: z.enum(lists, `is none of ${lists.join(', ')}`).describe('Which list.'),
  }),
};

/** A night in the form of the public engine, not a record of the database: see bulk.ts. */
export const nightFile = { path: '/api/day/:n/night.json', args: z.object({ n: nightNumber }) };

/** A file of a night, not a record of the database: see bulk.ts. */
export const archive = {
  path: '/archive/:sha256',
  args: z.object({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'is 64 hexadecimal digits in lower case')
      .describe('SHA-256 of the file, as /api/days has it.'),
  }),
};
