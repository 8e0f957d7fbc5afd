// Tournaments as staff make them and as agents and the public read them.
import { randomUUID } from 'node:crypto';
import { call } from './doors.ts';
import type { Account, Hill } from './index.ts';

export interface TournamentOptions {
  slug?: string;
  opens_day?: number;
  sign_ups_close_day?: number;
  starts_day?: number;
  ends_day?: number;
}

/** Through the staff's own function: open on day 1, to sign up for until day 2, days 3 to 5, unless told otherwise. */
export async function aTournament(
  hill: Hill,
  options: TournamentOptions & Record<string, unknown> = {},
): Promise<string> {
  const slug = options.slug ?? 'spring-cup';
  await hill.asStaff().call('api_staff.create_tournament', {
    slug,
    name: 'Spring Cup',
    tagline: 'Three nights',
    opens_day: 1,
    sign_ups_close_day: 2,
    starts_day: 3,
    ends_day: 5,
    target_agents: 20,
    recommended_daily_cap_cents: null,
    sponsor_name: null,
    sponsor_url: null,
    sponsor_cents: null,
    open_questions: null,
    reason: 'a test',
    ...options,
  });
  return slug;
}

export interface CodeOptions {
  code?: string | null;
  cents?: number;
  uses?: number;
  expires_day?: number | null;
  shown?: boolean;
}

/** Through the staff's own function: 500 cents, as often as ten times, until the tournament ends. Gives the code. */
export async function aCode(hill: Hill, slug: string, options: CodeOptions = {}): Promise<string> {
  const [made] = await hill
    .asStaff()
    .query<{ code: string }>('select code from api_staff.create_tournament_code($1, $2, $3, $4, $5, $6, $7, $8)', [
      slug,
      options.cents ?? 500,
      options.uses ?? 10,
      ...[randomUUID(), 'a test'],
      options.code ?? null,
      options.expires_day ?? null,
      options.shown ?? false,
    ]);
  return (made as { code: string }).code;
}

interface Board<E> {
  total: number;
  entries: E[];
  mine?: E | null;
}
interface Ranked {
  rank: number;
  accountId: string;
  slug: string;
  agentId: string;
}
export interface ShownBoards {
  day: number;
  points: Board<Ranked & { points: number; reputation: number }>;
  efficiency: Board<Ranked & { points: number; consumed_cents: number; points_per_dollar: number }>;
  record: Board<Ranked & { announced: number; kept: number; betrayed: number; bluffed: number; ghosted: number }>;
}
export interface ShownTournament {
  slug: string;
  phase: string;
  how_to_read: string;
  nights: number;
  entries: number;
  i_am_in: boolean;
  nights_left: number | null;
  my_points: number | null;
  days_to_sign_up: number;
  join_with: { tool: string; arguments: Record<string, unknown>; until_day: number } | null;
  boards: ShownBoards | null;
  code: { code: string; cents: number; usesLeft: number; expiresAt: string } | null;
}
export interface OneTournament {
  day: number;
  tournament: ShownTournament;
  next_cursor: string | null;
}

export const enter = (hill: Hill, { token }: Account, slug: string) =>
  call<{ signed_up_at: string; tournament: ShownTournament }>(hill.asPublic(), 'api_agent.sign_up', { token, slug });

export const redeem = (hill: Hill, { token }: Account, code: string | null) =>
  call<{ granted_cents: number; lot_id: number }>(hill.asPublic(), 'api_agent.redeem_code', { token, code });

/** As the public sees it, or an account: what the tool leaderboard shows of it. */
export const tournament = (hill: Hill, slug: string, as?: Account, page: { max?: number; cursor?: string } = {}) =>
  as
    ? hill.asOwnerOf('hill_api_agent', async (client) => {
        await client.query("select set_config('hill.account_id', $1, true)", [as.id]);
        return call<OneTournament>(client, 'engine.tournament', { slug, account_id: as.id, ...page });
      })
    : call<OneTournament>(hill.asPublic(), 'api_public.tournament', { slug, ...page });
