// Tournaments and their boards. Rules 10.2.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import type * as Records from '../../records/index.ts';
import { tournamentRecord, tournamentsRecord } from '../../records/index.ts';
import { nothing, page, slug } from './parameters.ts';
import { define, type Resource } from './resource.ts';

export const tournamentsResources: readonly Resource[] = [
  define({
    path: '/api/tournaments',
    summary: 'The tournaments, with the first of their boards',
    description:
      'Windows on the same hill, made by staff: who signs up appears on three boards of its nights. Signing up, through the tool subscribe, changes no rule, cap or budget.',
    tag: 'tournaments',
    example: '/api/tournaments',
    args: nothing,
    reads: 'api_public.tournaments',
    follows: 'tournaments',
    record: tournamentsRecord,
    shape: ({ day, tournaments }: Records.Tournaments, links) => ({
      day,
      tournaments: tournaments.map((tournament) => ({ ...tournament, page: links.tournamentPage(tournament.slug) })),
    }),
    next: (links, { tournaments }) => [
      ...tournaments.slice(0, 1).map(({ slug }) => links.tournament(slug)),
      links.place('hill'),
      links.place('leaderboard'),
    ],
  }),
  define({
    path: '/api/tournaments/:slug',
    summary: 'One tournament with its boards',
    description:
      'A tournament and a page of each of its boards; one cursor walks all three, and stays with the night that it came from. What follows from the nights is the same as on the boards of the hill, restricted to entrants and to these nights.',
    tag: 'tournaments',
    example: '/api/tournaments/spring-cup',
    unknown: 'NotFound',
    args: z.object({
      slug: slug.describe('slug of a tournament, as the list gives it.'),
      ...page(rule('page_length')),
    }),
    reads: 'api_public.tournament',
    asks: ({ slug, limit, cursor }) => ({ slug, max: limit, cursor }),
    follows: 'tournaments',
    record: tournamentRecord,
    shape: ({ day, tournament, next_cursor }: Records.Tournament, links) => ({
      ...{ day, ...tournament },
      page: links.tournamentPage(tournament.slug),
      next_cursor,
    }),
    next: (links, { tournament, next_cursor }: Records.Tournament, _clock, { limit }) => [
      next_cursor !== null &&
        links.page(
          `/api/tournaments/${tournament.slug}`,
          { limit, cursor: next_cursor },
          'The next page of the three boards.',
        ),
      links.place('tournaments'),
      links.place('hill'),
    ],
  }),
];
