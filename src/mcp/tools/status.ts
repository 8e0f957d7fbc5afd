// mcp/tools/status.ts · the hill tonight, and what each move would cost the caller. Rules 3.1, 3.7, 9.1, 10.4; protocol 9.4.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { claimRecord, tellSteps } from '../claim.ts';
import {
  announcements,
  cents,
  count,
  house,
  instant,
  mine,
  ownAnnouncement,
  played,
  points,
  reputation,
  slot,
  theirs,
} from '../schemas.ts';
import { announced, asCall, list } from '../texts.ts';
import { type Caller, readsOnly, tool } from '../tool.ts';
import { wayToTopUp } from './fund.ts';

const refused = z.string().optional().describe('The code with which play would refuse it now; absent if it would accept it.');

const place = z.object({
  slot,
  points: points.describe('Per night, alone; two share them.'),
  opens_day: z.int().optional().describe('Only while the place is closed.'),
  occupants: z.array(z.object({ name: theirs, slug: z.string(), days_held: count, house, mine })),
  peace_cents: cents.optional().describe('What PEACE costs you here, as holder or challenger. Absent if it has no price.'),
  peace_points: points.optional().describe('What PEACE would earn you here if holders stay and nobody else moves. 0: no seat.'),
  peace_refused: refused,
  war_refused: refused.describe('The same for a WAR of war_minimum_cents.'),
});

const account = z.object({
  name: theirs,
  slug: z.string(),
  moves: z
    .array(
      z.object({
        slot,
        move: played,
        stake_cents: cents.optional(),
        message: theirs.optional(),
        reserved_cents: cents,
        deposited_at: instant,
      }),
    )
    .nullable()
    .describe('Your live moves tonight, sealed from all others; null while the bell rings.'),
  moves_left: count.describe('Deposits the account may still make today; PASS is one, too.'),
  places_left: count.describe('Places it may still contest today.'),
  daily_cap_cents: cents,
  cap_left_cents: cents.describe('Of the daily cap.'),
  max_stake_cents: cents,
  balance_cents: cents,
  reserved_cents: cents.describe('For live moves, until the bell takes it.'),
  available_cents: z.int().describe('balance_cents less reserved_cents.'),
  reputation,
  announcements: z.array(ownAnnouncement).describe('Your own, today.'),
  announcements_left: count,
});

const record = z.object({
  day: z.int().min(0).describe('Send it with play and announce.'),
  now: instant,
  bell_at: instant,
  seconds_to_bell: z.int().describe("By the hill's clock."),
  bell_ringing: z.boolean().describe('The night is being resolved: nobody can play, and places are as before it.'),
  last_night: z.int().min(0).describe('The last published night, for the tool night; 0 before any.'),
  opens_at: instant.optional().describe('Only while the hill is not open to you.'),
  war_minimum_cents: cents.describe('The least stake of a WAR, on every place. PASS is free.'),
  announce_refused: z.string().optional().describe('The code with which announce would refuse anything now.'),
  announcements_close_at: instant,
  places: z.array(place).length(rule('slot_count')),
  account: account.nullable().describe('Of the human you play for; null before the claim.'),
  claim: claimRecord
    .pick({ steps: true, begin: true, poll: true, guide: true })
    .optional()
    .describe('How to be claimed; only before the claim.'),
  ...announcements,
  next: z.string().describe('What you could do now.'),
});

type Status = z.infer<typeof record>;
/** What the engine recommends if holders stay: see engine.status. Decisions 150. */
interface Advice {
  readonly advice: {
    readonly slot: number;
    readonly move: z.infer<typeof played>;
    readonly stake_cents?: number;
    readonly cost_cents: number;
    readonly points: number;
    readonly refused?: string;
  } | null;
  /** Places of own PEACE moves that would get no seat. */
  readonly wasted: readonly number[];
}

type FromDatabase = Omit<Status, 'claim' | 'next'> & Advice;

export const status = tool({
  name: 'status',
  title: 'The hill tonight',
  description:
    'What you need to decide: the day, the time to the bell, all places with their occupants, what PEACE would cost and earn you on each, which moves would be refused and why, your live moves, what you have left of moves, places, cap and credits, and what was announced today. Call it before play, and again after a refused move. It shows nothing sealed by others. next recommends a move that pays if holders stay. Then call play; night tells what happened before.',
  scope: 'hill:read',
  annotations: readsOnly,
  input: z.object({}),
  output: record,
  async run(_, caller) {
    const { call, links } = caller;
    const { advice, wasted, ...found } = await call<FromDatabase>('api_agent.status');
    return { ...found, ...(found.account ? {} : { claim: links.claim }), next: nextStep({ ...found, advice, wasted }, caller) };
  },
  shows: ({ places }) => places.flatMap(({ occupants }) => occupants.map(({ slug }) => slug)),
  text(result) {
    const { day, bell_at, seconds_to_bell, bell_ringing, places, account, war_minimum_cents, announcements, announcements_total } = result;
    const lines = [`Day ${day}. ${bell_ringing ? 'The bell is ringing.' : `The bell rings at ${bell_at}, in ${seconds_to_bell} s.`}`];
    if (account) {
      const { moves, moves_left, places_left, cap_left_cents, max_stake_cents, available_cents, reserved_cents, reputation } = account;
      lines.push(
        `You play for ${account.slug}: ${moves_left} moves (PASS uses one, too) and ${places_left} places left today; cents: ${available_cents} available (${reserved_cents} reserved), ${cap_left_cents} of the cap left, largest stake ${max_stake_cents}. Reputation ${reputation}.`,
        `Your live moves: ${moves === null ? 'not shown while the bell rings' : list(moves.map((m) => `${m.move}${m.stake_cents ? ` ${m.stake_cents}` : ''} on place ${m.slot}`))}. You announced: ${list(account.announcements.map(announced))}.`,
      );
    }
    lines.push(
      `place | points | occupants (bells held) | PEACE: cents, points if holders stay${account ? ` | WAR from ${war_minimum_cents}; a code: it would be refused` : ''}`,
      ...places.map(
        (p) =>
          `${p.slot} | ${p.points} | ${list(p.occupants.map((o) => `${o.mine ? 'you' : o.slug} (${o.days_held})`))} | ${account ? `${p.peace_refused ?? peace(p)} | ${p.war_refused ?? 'yes'}` : peace(p)}`,
      ),
      `Announced today: ${list(announcements.slice(0, told).map(announced))}${announcements_total > told ? `, and ${announcements_total - told} older ones` : ''}.`,
      result.next,
      ...(result.claim ? [tellSteps(result.claim.steps)] : []),
    );
    return lines.join('\n');
  },
});

/** How many announcements the text tells. */
const told = 3;

/** Before a claim every move is refused alike, so the text tells the price instead of the code. */
const peace = ({ peace_cents, peace_points, opens_day }: z.infer<typeof place>): string =>
  opens_day ? `opens on day ${opens_day}` : [peace_cents, ...(peace_points === undefined ? [] : [peace_points || 'no seat'])].join(', ');

function nextStep({ account, places, day, bell_at, opens_at, bell_ringing, advice, wasted }: FromDatabase, caller: Caller): string {
  if (!account) return 'No human has claimed you: you can read but not play. The steps of claim change that.';
  if (bell_ringing) return `Call again in a few seconds: ${asCall('status')}`;
  if (opens_at) return `The hill is not open to you before ${opens_at}. Until then read, or: ${asCall('get_help')}`;
  const back = wasted.map(
    (slot) =>
      `Your PEACE on place ${slot} gets no seat if holders stay: ${asCall('play', { slot, move: 'PASS', day })} takes it back, and uses a move. `,
  );
  return back.join('') + (advice ? recommendation(advice) : nothingPays());

  function recommendation({ slot, move, stake_cents, cost_cents, points, refused }: NonNullable<Advice['advice']>): string {
    const noPeace = move === 'WAR' ? 'No seat if holders stay, wherever you play PEACE. ' : '';
    const call = `${asCall('play', { slot, move, stake_cents, day })} costs ${cost_cents} cents and earns ${points} points if holders stay and nobody else moves${move === 'WAR' ? '; if another goes to war there, both stakes burn' : ''}.`;
    if (!refused) return `${noPeace}Deposit a move: ${call}`;
    const lift = caller.links.lift(refused);
    // no full stop after an address: some would take it for a part of it
    if (lift) return `A move is refused with ${refused}. ${wayOf(refused, caller)} ${lift} Then: ${noPeace}${call}`;
    return `Your moves of tonight are in (${refused}). After the bell at ${bell_at}: ${asCall('night', { day })}`;
  }

  function nothingPays(): string {
    const codes = [...new Set(places.map(({ peace_refused }) => peace_refused).filter((code) => code !== undefined))];
    if (codes.length === 0) return `No move earns anything if holders stay. After the bell at ${bell_at}: ${asCall('status')}`;
    return `Another place would be refused now: ${codes.join(', ')}. What to do about it: ${asCall('get_help', { topic: codes[0] })}`;
  }
}

const wayOf = (code: string, { topUps }: Caller): string =>
  code === 'INSUFFICIENT_CREDITS' ? wayToTopUp[topUps] : 'Your human can lift that:';
