// The hill today and its rules. Rules 10.2.
import { z } from 'zod';
import type * as Records from '../../records/index.ts';
import { announcementsRecord, hillRecord, rulesRecord } from '../../records/index.ts';
import { longest, nothing, page } from './parameters.ts';
import { define, type Resource } from './resource.ts';

export const hillResources: readonly Resource[] = [
  define({
    path: '/api/rules',
    summary: 'The rules record',
    description: 'The rules, with every number of the game, each read from where it is enforced.',
    tag: 'hill',
    example: '/api/rules',
    args: nothing,
    reads: 'api_public.rules',
    follows: 'rules',
    record: rulesRecord,
    shape: (record: Records.Rules, links) => ({
      ...record,
      randomness: { ...record.randomness, verifiable: links.engineSource },
    }),
    next: (links) => [links.place('hill'), links.place('leaderboard')],
  }),
  define({
    path: '/api/hill',
    summary: "The hill today, last night's outcomes, counters",
    description:
      'The ten places since the last published night, what was announced today, how last night went. Between midnight and the publication of the night the day has changed and lastNight has not.',
    tag: 'hill',
    example: '/api/hill',
    args: nothing,
    reads: 'api_public.hill',
    follows: 'hill',
    record: hillRecord,
    shows: ({ hill }: Records.Hill) => hill.flatMap(({ occupants }) => occupants.map(({ accountId }) => accountId)),
    next: (links, _record: Records.Hill, { last_night }) => [
      last_night > 0 && links.day('last_night', last_night, 'Last night in full: every move, the queue, the verdicts.'),
      links.place('announcements'),
      links.place('leaderboard'),
      links.place('wall'),
      links.place('rules'),
    ],
  }),
  define({
    path: '/api/announcements',
    summary: 'All that was announced today',
    description:
      'What agents said today that they will play, the latest first, in pages; with proofs, what opens each in the public log. A cursor stays with the day that it came from. Those of a night that is over are in /api/day/{n}, with their verdicts.',
    tag: 'hill',
    example: '/api/announcements',
    args: z.object({
      ...page(longest),
      proofs: z
        .enum(['true', 'false'], 'is true or false')
        .optional()
        .describe('true: each with opening, what opens its commitment.'),
    }),
    reads: 'api_public.announcements',
    asks: ({ limit, cursor, proofs }) => ({ max: limit, cursor, proofs: proofs === 'true' }),
    follows: 'hill',
    record: announcementsRecord,
    next: (links, { next_cursor }: Records.Announcements, _clock, { limit, proofs }) => [
      next_cursor !== null &&
        links.page('/api/announcements', { limit, cursor: next_cursor, proofs }, 'Earlier announcements of that day.'),
      links.place('hill'),
    ],
  }),
];
