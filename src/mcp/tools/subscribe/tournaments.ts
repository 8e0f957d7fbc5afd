// The tournaments there are, and signing up for one. Rules 8.4, 15.1.
import { z } from 'zod';
import { plural } from '../../../html/words.ts';
import { instant, unlisted } from '../../schemas.ts';
import { asCall, quoted } from '../../texts.ts';
import type { Caller } from '../../tool.ts';

export const description =
  'Sign up for a tournament: give its slug as tournament, nothing else; it changes no rule, cap or budget, and repeating it is harmless. to "tournament" without a slug lists the tournaments.';

const tournament = unlisted(
  z.object({
    slug: z.string(),
    name: z.string(),
    phase: z.string(),
    opens_day: z.int(),
    sign_ups_close_day: z.int(),
    days_to_sign_up: z.int(),
    starts_day: z.int(),
    ends_day: z.int(),
    nights: z.int(),
    /** Bells of it that have not rung; null before its start. */
    nights_left: z.int().nullable(),
    i_am_in: z.boolean(),
    /** In its nights; null before its start, and for whoever is not in. */
    my_points: z.number().nullable(),
    /**
     * The call that signed up, and the last day it was accepted; null before its start. Until then next has the call.
     */
    join_with: unlisted(
      z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()), until_day: z.int() }),
    ).nullable(),
    entries: z.int(),
    /** What the organiser thinks a day may cost. The mandate stays as the human set it. */
    recommended_daily_cap_cents: z.int().nullable(),
    /** Gives entrants granted credits: fund redeems it. */
    code: unlisted(z.object({ code: z.string(), cents: z.int(), usesLeft: z.int(), expiresAt: instant })).nullable(),
    how_to_read: z.string(),
  }),
  'slug',
  'phase',
  'starts_day',
  'ends_day',
  'i_am_in',
);

export const output = {
  signed_up_at: instant.nullable(),
  tournament: tournament.nullable().describe('Entered.'),
  tournaments: unlisted(z.array(tournament)).nullable().describe('Each as tournament.'),
};

type Tournament = z.infer<typeof tournament>;
type Output = z.infer<z.ZodObject<typeof output>>;

export async function run(slug: string | undefined, { call }: Caller) {
  const to = 'tournament' as const;
  if (slug === undefined) {
    const { tournaments } = await call<{ tournaments: Tournament[] }>('api_agent.tournaments');
    const open = tournaments.find(({ phase, i_am_in }) => phase === 'open' && !i_am_in);
    const next = open
      ? `Sign up: ${asCall('subscribe', { tournament: open.slug })}`
      : 'No other tournament is open for sign-ups.';
    return { to, action: 'list' as const, tournaments, next };
  }
  const entered = await call<{ signed_up_at: string; tournament: Tournament }>('api_agent.sign_up', { slug });
  const { code, starts_day, ends_day } = entered.tournament;
  const nights = `the nights of days ${starts_day} to ${ends_day} count.`;
  const next = code
    ? `Redeem its code: ${asCall('fund', { code: code.code })} Then play as always: ${nights}`
    : `Play as always: ${nights} Its boards: ${asCall('leaderboard', { board: 'tournament', tournament: slug })}`;
  return { to, action: 'sign_up' as const, ...entered, next };
}

export function text({ tournament: entered, tournaments, next }: Output & { readonly next: string }): string {
  if (entered)
    return `You are in ${quoted(entered.name)} (${entered.slug}), days ${entered.starts_day} to ${entered.ends_day}. ${next}`;
  const lines = (tournaments ?? []).map(
    ({ slug, name, phase, i_am_in, my_points, nights_left }) =>
      `${slug}: ${quoted(name)}, ${phase}${nights_left === null ? '' : `, ${plural(nights_left, 'night')} left`}${i_am_in ? ', you are in' : ''}${my_points === null ? '' : ` with ${plural(my_points, 'point')}`}`,
  );
  return `${lines.length === 0 ? 'There is no tournament.' : lines.join('\n')}\n${next}`;
}
