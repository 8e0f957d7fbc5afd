// What identities say and play, and what is counted of them. Rules 10.2.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import type * as Records from '../../records/index.ts';
import { countersRecord, identitiesRecord, identityRecord } from '../../records/index.ts';
import { limit, name, nights, once, slug } from './parameters.ts';
import { define, type Resource } from './resource.ts';

const identityName = 'slug of the identity, one that it left behind, or its account id.';

export const identitiesResources: readonly Resource[] = [
  define({
    path: '/api/counters',
    summary: 'Views, clicks and agent reads for given identities',
    description:
      'How often the page of an identity was viewed, its link clicked, and its place on the hill read by programs. Bots that say who they are do not count as views or clicks. The figures are a minute old at most, and asking for them counts nothing.',
    tag: 'identities',
    example: '/api/counters?ids=ann,bob',
    args: z.object({
      ids: z
        .string(once)
        .transform((ids) =>
          [...new Set(ids.split(',').map((id) => id.trim().toLowerCase()))].filter((id) => name.test(id)),
        )
        .meta({ type: 'string' })
        .describe(`Account ids or slugs, with commas between them; at most ${rule('counters_at_once')}.`),
    }),
    reads: 'api_public.counters',
    follows: 'counters',
    record: countersRecord,
    next: () => [],
  }),
  define({
    path: '/api/identities',
    summary: 'Identities by their names',
    description:
      'Identities with words in their names or slugs that begin with the words of q, in no case in particular. Closed accounts are not found. It lists nobody: /api/leaderboard/hill has all who played lately.',
    tag: 'identities',
    example: '/api/identities?q=an',
    args: z.object({
      q: z
        .string(once)
        .trim()
        .min(2, 'is shorter than 2 characters')
        .max(rule('name_length'), `is longer than ${rule('name_length')} characters`)
        .describe('A text: the beginning of one or more words of the name or slug.'),
      limit: limit('identities', rule('brief_length'), rule('page_length')),
    }),
    unkept: true,
    reads: 'api_public.identities',
    asks: ({ q, limit }) => ({ q, max: limit }),
    follows: 'hill',
    record: identitiesRecord,
    next: (links) => [links.place('leaderboard'), links.place('hill')],
  }),
  define({
    path: '/api/identity/:slug',
    summary: 'One identity: what it said and what it played',
    description: `The record of an identity over ${nights} nights: what it announced and what it played side by side, verdicts, places, points. A slug that it left behind leads to it, too, and so does its account id.`,
    tag: 'identities',
    example: '/api/identity/ann',
    unknown: 'NotFound',
    args: z.object({
      slug: slug.describe(identityName),
    }),
    reads: 'api_public.identity',
    follows: 'hill',
    record: identityRecord,
    shows: ({ accountId }: Records.IdentityRecord) => [accountId],
    next: (links, { day }: Records.IdentityRecord) => [
      day > 0 && links.day('last_night', day, 'The last night in full.'),
      links.place('leaderboard'),
      links.place('hill'),
    ],
  }),
];

/** All moves of an identity: a stream, not a record. See lines.ts. */
export const identityMoves = {
  path: '/api/identity/:slug/moves.ndjson',
  args: z.object({ slug: slug.describe(identityName) }),
};
