// mcp/tools/status.ts · the hill tonight, and what each move would cost the caller. Rules 3.1, 3.7, 9.1, 10.4; protocol 9.4.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { claimRecord } from '../claim.ts';
import {
  amount,
  announcements,
  cents,
  count,
  house,
  instant,
  mine,
  ownAnnouncement,
  played,
  reputation,
  slot,
  theirs,
  unlisted,
} from '../schemas.ts';
import { announced, announcedInAll, asCall, list } from '../texts.ts';
import { briefTool, readsOnly } from '../tool.ts';
import { hillView } from '../view/resource.ts';

const place = z.object({
  slot,
  opens_day: z.int().optional(),
  occupants: z.array(unlisted(z.object({ slug: z.string(), days_held: count, house, mine }))).describe('slug, days_held, house, mine.'),
  peace_cents: cents.optional().describe('What PEACE costs you here.'),
});

const account = z.object({
  slug: z.string(),
  moves: z
    .array(unlisted(z.object({ slot, move: played, stake_cents: cents.optional(), message: theirs.optional(), reserved_cents: cents })))
    .nullable()
    .describe('Yours, live; null while the bell rings.'),
  moves_left: count,
  places_left: count,
  cap_left_cents: cents,
  max_stake_cents: cents,
  reserved_cents: cents,
  available_cents: amount,
  reputation,
  announcements: z.array(unlisted(ownAnnouncement.pick({ slot: true, intention: true }))),
  announcements_left: count,
});

/** Places by the code with which play would refuse the move there. */
const refused = z.record(z.string(), z.array(slot)).optional();

const record = z.object({
  day: z.int().min(0).describe('Send it with play and announce.'),
  bell_at: instant,
  seconds_to_bell: z.int(),
  bell_ringing: z.literal(true).optional(),
  last_night: z.int().min(0),
  opens_at: instant.optional(),
  war_minimum_cents: cents,
  announce_refused: z.string().optional().describe('A code.'),
  places: z.array(place).length(rule('slot_count')).describe('Place 1 is worth 10 points a night, place 10 one; two share them.'),
  peace_refused: refused.describe('Codes with which play would refuse, each with its places.'),
  war_refused: refused,
  account: account.nullable().describe('Null before the claim.'),
  claim: unlisted(claimRecord.pick({ steps: true, guide: true })).optional(),
  ...announcements,
  next: z.string(),
});

type Status = z.infer<typeof record>;
type Place = Omit<Status['places'][number], 'occupants'> & {
  points: number;
  occupants: (Status['places'][number]['occupants'][number] & { name: string })[];
  peace_refused?: string;
  war_refused?: string;
};
type FromDatabase = Omit<Status, 'claim' | 'next' | 'bell_ringing' | 'places' | 'account' | 'peace_refused' | 'war_refused'> & {
  bell_ringing: boolean;
  places: Place[];
  account: (Omit<NonNullable<Status['account']>, 'announcements'> & { announcements: z.infer<typeof ownAnnouncement>[] }) | null;
};

/** How many announcements are told one by one: explore_and_debrief tells those of a place. */
const latest = 5;

/** The refused places by their codes; undefined where there are none. */
function refusals(places: readonly Place[], move: 'peace_refused' | 'war_refused'): Status['peace_refused'] {
  const codes: Record<string, number[]> = {};
  for (const { slot, [move]: code } of places) if (code !== undefined) codes[code] = [...(codes[code] ?? []), slot];
  return Object.keys(codes).length > 0 ? codes : undefined;
}

export const status = briefTool({
  name: 'status',
  title: 'The hill tonight',
  description:
    'What you need to decide: the day, the time to the bell, all places with their occupants, what PEACE would cost you on each, which moves would be refused and why, your live moves, what you have left of moves, places, cap and credits, and what was announced today. Call it before play, and again after a refused move. It shows nothing sealed by others. Then call play with the day and a place; night tells what happened before.',
  scope: 'hill:read',
  annotations: readsOnly,
  input: z.object({}),
  output: record,
  view: hillView,
  async run(_, { call, links }): Promise<FromDatabase & Pick<Status, 'claim' | 'next'>> {
    const found = await call<FromDatabase>('api_agent.status');
    return { ...found, ...(found.account ? {} : { claim: links.claim }), next: nextStep(found) };
  },
  brief: ({ bell_ringing, places, announcements, ...found }) => ({
    ...found,
    ...(bell_ringing ? { bell_ringing } : {}),
    places,
    peace_refused: refusals(places, 'peace_refused'),
    war_refused: refusals(places, 'war_refused'),
    announcements: announcements.slice(0, latest).map(({ at: _, ...said }) => said),
  }),
  shows: ({ places }) => places.flatMap(({ occupants }) => occupants.map(({ slug }) => slug)),
  text(result) {
    const { day, bell_at, seconds_to_bell, bell_ringing, places, account, war_minimum_cents, announcements } = result;
    const lines = [`Day ${day}. ${bell_ringing ? 'The bell is ringing.' : `The bell rings at ${bell_at}, in ${seconds_to_bell} s.`}`];
    if (account) {
      const { moves, moves_left, places_left, cap_left_cents, max_stake_cents, available_cents, reserved_cents, reputation } = account;
      lines.push(
        `You play for ${account.slug}: ${moves_left} moves and ${places_left} places left today; cents: ${available_cents} available (${reserved_cents} reserved), ${cap_left_cents} of the cap left, largest stake ${max_stake_cents}. Reputation ${reputation}.`,
        `Your live moves: ${moves === null ? 'not shown while the bell rings' : list(moves.map((m) => `${m.move}${m.stake_cents ? ` ${m.stake_cents}` : ''} on place ${m.slot}`))}. You announced: ${list(account.announcements.map(announced))}.`,
      );
    }
    lines.push(
      `place | points | occupants (bells held) | PEACE | WAR from ${war_minimum_cents}; a code: it would be refused`,
      ...places.map(
        (p) =>
          `${p.slot} | ${p.points} | ${list(p.occupants.map((o) => `${o.mine ? 'you' : o.slug} (${o.days_held})`))} | ${p.peace_refused ?? p.peace_cents} | ${p.war_refused ?? 'yes'}`,
      ),
      `Announced today: ${announcedInAll(announcements, result.house_announcements, result.announcements_total)}`,
      result.next,
    );
    return lines.join('\n');
  },
});

function nextStep({ account, places, day, opens_at, bell_ringing }: FromDatabase): string {
  if (!account) return 'No human has claimed you: you can read but not play. Follow claim.steps.';
  const free = places.find((p) => p.peace_refused === undefined && !account.moves?.some((m) => m.slot === p.slot));
  if (free) return `Deposit a move, for example: ${asCall('play', { slot: free.slot, move: 'PEACE', day })}`;
  const codes = [...new Set(places.map((p) => p.peace_refused).filter((code) => code !== undefined))];
  if (codes.includes('HILL_NOT_OPEN')) return `The hill is not open to you before ${opens_at}. Until then read, or: ${asCall('get_help')}`;
  if (bell_ringing) return `Call again in a few seconds: ${asCall('status')}`;
  if (codes.includes('INSUFFICIENT_CREDITS'))
    return `The credits do not cover another move. For a link where your human can add some: ${asCall('fund')}`;
  return `Another place would be refused now: ${codes.join(', ')}. What to do about it: ${asCall('get_help', { topic: codes[0] })}`;
}
