// The hill tonight, and what each move would cost the caller. Rules 3.1, 3.7, 9.1, 10.4; protocol 9.4.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { plural } from '../../html/words.ts';
import { claimRecord, stepsText } from '../claim.ts';
import {
  amount,
  announcements,
  cents,
  count,
  house,
  instant,
  mine,
  opened,
  ownAnnouncement,
  played,
  reputation,
  slot,
  theirs,
  unlisted,
} from '../schemas.ts';
import { aboutWords, announced, announcedInAll, asCall, list, who } from '../texts.ts';
import { briefTool, type Caller, readsOnly } from '../tool.ts';
import { hillView } from '../view/resource.ts';
import { wayToTopUp } from './fund.ts';

const place = z.object({
  slot,
  opens_day: z.int().optional(),
  occupants: z
    .array(unlisted(z.object({ slug: z.string(), days_held: count, house, mine })))
    .describe('slug, days_held, house, mine.'),
  peace_cents: cents.optional().describe('What PEACE costs you here.'),
  announced: unlisted(
    z.object({
      peace: count,
      war: count,
      kept: count.describe('Of what the first of them announced before.'),
      judged: count,
    }),
  )
    .optional()
    .describe('By guests: peace, war; kept, judged.'),
});

const account = z.object({
  slug: z.string(),
  moves: z
    .array(
      unlisted(
        z.object({
          slot,
          move: played,
          stake_cents: cents.optional(),
          message: theirs.optional(),
          reserved_cents: cents,
        }),
      ),
    )
    .nullable()
    .describe('Yours, live; null while the bell rings.'),
  moves_left: count.describe('PASS uses one, too.'),
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
  points: z.array(count).describe('What the places earn a night, from place 1; two share it.'),
  lone_wars: z.array(count).describe(`Of ${rule('lone_war_nights')} nights, from place 1.`),
  latest_seat_at: z.string().optional().describe('Of last night, UTC.'),
  places: z.array(place).length(rule('slot_count')),
  peace_refused: refused.describe('Codes with which play would refuse, each with its places.'),
  war_refused: refused,
  account: account.nullable().describe('Null before the claim.'),
  claim: unlisted(claimRecord.pick({ steps: true, guide: true })).optional(),
  ...announcements,
  deposits: z.array(unlisted(opened)).nullable().optional().describe('With proofs.'),
  open_tournament: unlisted(z.object({ slug: z.string(), sign_ups_close_day: z.int() })).optional(),
  next: z.string(),
});

type Status = z.infer<typeof record>;
/** What the engine recommends if holders stay: see api_agent.status. Decisions 150. */
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

type Place = Omit<Status['places'][number], 'occupants'> & {
  /** What PEACE would earn if holders stay, announcers do as they said and nobody else moves. 0: no seat. */
  peace_points?: number;
  occupants: (Status['places'][number]['occupants'][number] & { name: string })[];
  peace_refused?: string;
  war_refused?: string;
};
type FromDatabase = Omit<
  Status,
  'claim' | 'next' | 'bell_ringing' | 'places' | 'account' | 'peace_refused' | 'war_refused'
> & {
  bell_ringing: boolean;
  places: Place[];
  account:
    | (Omit<NonNullable<Status['account']>, 'announcements'> & { announcements: z.infer<typeof ownAnnouncement>[] })
    | null;
} & Advice;

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
    'What you need to decide: the bell, who sits where, what PEACE would cost you, which moves would be refused, your live moves, what you have left, and what was announced. Call it before play. Points to earn and next are estimates: holders stay, announcers do as they said. All else is fact, and nothing that others sealed. night tells what happened before.',
  scope: 'hill:read',
  annotations: readsOnly,
  input: z.object({
    proofs: z.boolean().optional().describe("Adds salts and commitments of today's deposits."),
    announcements: z
      .int()
      .min(0)
      .max(rule('list_length'))
      .optional()
      .describe(`How many to list, by default ${rule('status_announcements')}.`),
  }),
  output: record,
  view: hillView,
  async run({ proofs, announcements }, caller): Promise<FromDatabase & Pick<Status, 'claim' | 'next'>> {
    const found = await caller.call<FromDatabase>('api_agent.status', { proofs, announcements });
    return { ...found, ...(found.account ? {} : { claim: caller.links.claim }), next: nextStep(found, caller) };
  },
  brief: ({ bell_ringing, places, announcements, advice: _, wasted: __, ...found }) => ({
    ...found,
    ...(bell_ringing ? { bell_ringing } : {}),
    places,
    peace_refused: refusals(places, 'peace_refused'),
    war_refused: refusals(places, 'war_refused'),
    announcements: announcements.map(({ at: ___, ...said }) => said),
  }),
  shows: ({ places }) => places.flatMap(({ occupants }) => occupants.map(({ slug }) => slug)),
  text(result) {
    const {
      day,
      seconds_to_bell,
      bell_ringing,
      lone_wars,
      places,
      account,
      war_minimum_cents,
      announcements,
      announcements_total,
      open_tournament,
    } = result;
    const lines = [`Day ${day}. ${bell_ringing ? 'The bell is ringing.' : `The bell rings in ${seconds_to_bell} s.`}`];
    if (account) {
      const {
        moves,
        moves_left,
        places_left,
        cap_left_cents,
        max_stake_cents,
        available_cents,
        reserved_cents,
        reputation,
      } = account;
      lines.push(
        `You play for ${who(account.slug)}: ${plural(moves_left, 'move')} (PASS uses one, too) and ${plural(places_left, 'place')} left today; cents: ${available_cents} available${reserved_cents ? ` (${reserved_cents} reserved)` : ''}, ${cap_left_cents} of the cap left, largest stake now ${Math.max(0, Math.min(max_stake_cents, cap_left_cents, available_cents))}. Reputation ${reputation}.`,
        `Your live moves: ${moves === null ? 'not shown while the bell rings' : list(moves.map((m) => `${m.move}${m.stake_cents ? ` ${m.stake_cents}` : ''} on place ${m.slot}`))}.${account.announcements.length > 0 ? ` You announced: ${list(account.announcements.map(announced))}.` : ''}`,
      );
    }
    lines.push(
      `place | lone WARs of ${rule('lone_war_nights')} nights | occupants (bells held) | PEACE: cents, points (estimate: holders stay, announcers do as they said)${account ? ` | WAR from ${war_minimum_cents}, where it differs; a code: refused` : ''}`,
      ...places.map(
        (p) =>
          `${p.slot} | ${lone_wars[p.slot - 1]} | ${list(p.occupants.map((o) => `${who(o.slug, o.mine)}${o.days_held ? ` (${o.days_held})` : ''}`))} | ${account ? may(p) : peace(p)}`,
      ),
      ...happened(result),
      `Announced today: ${announcedInAll(announcements, result.house_announcements, announcements_total)}`,
      ...aboutWords(announcements.map(({ message }) => message)),
      ...(result.deposits ? [`Your deposits of today, with what opens them: ${JSON.stringify(result.deposits)}`] : []),
      ...(open_tournament
        ? [
            `Tournament ${open_tournament.slug} is open until day ${open_tournament.sign_ups_close_day}. To enter: ${asCall('subscribe', { tournament: open_tournament.slug })}`,
          ]
        : []),
      result.next,
      ...(result.claim ? [stepsText(result.claim.steps)] : []),
    );
    return lines.join('\n');
  },
});

/** What is public of the places beside who sits there: facts, of which the estimates are made. */
function happened({ places, latest_seat_at }: Pick<FromDatabase, 'places' | 'latest_seat_at'>): string[] {
  const said = places.flatMap(({ slot, announced: by }) =>
    by ? [`place ${slot}: ${by.peace} PEACE, ${by.war} WAR (the first kept ${by.kept} of ${by.judged} before)`] : [],
  );
  return [
    ...(said.length > 0 ? [`Guests announced for tonight: ${said.join('; ')}.`] : []),
    ...(latest_seat_at
      ? [`The earliest PEACE gets a free seat: last night the latest that got one came at ${latest_seat_at} UTC.`]
      : []),
  ];
}

/** Before a claim every move is refused alike, so the text tells the price instead of the code. */
const peace = ({ peace_cents, peace_points, opens_day }: Place): string =>
  opens_day
    ? `opens on day ${opens_day}`
    : [peace_cents, ...(peace_points === undefined ? [] : [peace_points || 'no seat'])].join(', ');

const may = (place: Place): string => {
  const { peace_refused, war_refused, peace_points } = place;
  const alike = peace_refused === war_refused && (peace_refused !== undefined || peace_points !== 0);
  return `${peace_refused ?? peace(place)}${alike ? '' : ` | ${war_refused ?? 'yes'}`}`;
};

function nextStep(
  { account, places, day, bell_at, opens_at, bell_ringing, advice, wasted }: FromDatabase,
  caller: Caller,
): string {
  if (!account) return 'No human has claimed you: you can read but not play. The steps of claim change that.';
  if (bell_ringing) return `Call again in a few seconds: ${asCall('status')}`;
  if (opens_at) return `The hill is not open to you before ${opens_at}. Until then read, or: ${asCall('get_help')}`;
  const back = wasted.map(
    (slot) =>
      `Your PEACE on place ${slot} gets no seat if holders stay: ${asCall('play', { slot, move: 'PASS', day })} takes it back, and uses a move. `,
  );
  return back.join('') + (advice ? recommendation(advice) : nothingPays());

  function recommendation({
    slot,
    move,
    stake_cents,
    cost_cents,
    points,
    refused,
  }: NonNullable<Advice['advice']>): string {
    const noPeace = move === 'WAR' ? 'No seat if holders stay, wherever you play PEACE. ' : '';
    const call = `${asCall('play', { slot, move, stake_cents, day })} costs ${cost_cents} cents and earns an estimated ${plural(points, 'point')}${move === 'WAR' ? '; if another goes to war there, both stakes burn' : ''}.`;
    if (!refused) return `${noPeace}Deposit a move: ${call}`;
    const lift = caller.links.lift(refused);
    // no full stop after an address: some would take it for a part of it
    if (lift) return `A move is refused with ${refused}. ${wayOf(refused, caller)} ${lift} Then: ${noPeace}${call}`;
    return `Your moves of tonight are in; another is refused with ${refused}. After the bell: ${asCall('night', { day })}`;
  }

  function nothingPays(): string {
    const others = places.filter(({ slot, opens_day }) => !opens_day && !account?.moves?.some((m) => m.slot === slot));
    const codes = [...new Set(others.map(({ peace_refused }) => peace_refused))];
    if (codes.length === 0 || codes.includes(undefined))
      return `No move earns anything if holders stay. After the bell at ${bell_at}: ${asCall('status')}`;
    return `Another place would be refused now: ${codes.join(', ')}. What to do about it: ${asCall('get_help', { topic: codes[0] })}`;
  }
}

const wayOf = (code: string, { topUps }: Caller): string =>
  code === 'INSUFFICIENT_CREDITS' ? wayToTopUp[topUps] : 'Your human can lift that:';
