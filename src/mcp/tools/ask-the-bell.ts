// A what-if: a night that the agent describes, resolved by the engine of the bell. Rules 12.1.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { plural } from '../../html/words.ts';
import { fate, outcome, played, stake, tieBreak, unlisted, via } from '../schemas.ts';
import { asCall } from '../texts.ts';
import { briefTool, readsOnly } from '../tool.ts';

// PostgreSQL keeps the numbers of a night exactly; as JSON they may be any number.
const cents = z.number();
const seq = z.number();
/** An account, by its name in the night: a slug, or what the caller called it. */
const name = z.string();

const result = z.object({
  day: z.int(),
  slots: z.array(
    z.object({
      slot: z.int(),
      outcome,
      peace_count: z.int(),
      war_count: z.int(),
      burned_cents: cents,
      occupants: z.array(unlisted(z.object({ account: name, days_held: z.int(), via, points: z.number() }))),
      evicted: z.array(name),
    }),
  ),
  queue: z.array(z.object({ account: name, from_slot: z.int(), seq, served_slot: z.int().nullable() })),
  charges: z.array(unlisted(z.object({ account: name, slot: z.int(), move: played, cents, burned: z.boolean() }))),
});

const decision = z.object({
  account: name,
  /** Where the move was made; absent for a holder that left. */
  from_slot: z.int().optional(),
  move: played.optional(),
  /** The place decided on; absent for an entry that stays in the queue. */
  about_slot: z.int().optional(),
  fate,
  rule: z.string().describe('Its sentence is in rules.'),
  tie_break: tieBreak,
  rival: name.optional(),
  why: z.string(),
});

/** With full: numbers of moves in the night file, and its fields that decided. */
const inTheFile = z.object({
  seq: seq.optional(),
  key: z.string().optional(),
  key_seq: seq.optional(),
  own_value: z.string().optional(),
  rival_seq: seq.optional(),
  rival_value: z.string().optional(),
});

const sentences = z.record(z.string(), z.string());

/**
 * The text of a JSON object, which strict modes of function calling can describe; the object itself is taken, too.
 */
const nightFile = z
  .unknown()
  .refine((given) => z.record(z.string(), z.unknown()).safeParse(given).success || isObjectText(given), {
    message: 'night is a JSON object: a night file.',
  })
  .meta({ type: 'string' });

function isObjectText(given: unknown): boolean {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(String(given))).success;
  } catch {
    return false;
  }
}

const answer = z.object({
  night: z.record(z.string(), z.unknown()).optional().describe('With full: the night file made of moves.'),
  accounts: z
    .array(
      unlisted(
        z.object({
          account: name,
          accountId: z.string().optional(),
          name: z.string().optional(),
          me: z.boolean().optional(),
          newcomer: z.boolean().optional(),
        }),
      ),
    )
    .optional()
    .describe('Whom each name in moves stands for.'),
  result: z.object({
    ...result.shape,
    slots: z.array(result.shape.slots.element.partial().required({ slot: true, outcome: true, occupants: true })),
    queue: z.array(unlisted(result.shape.queue.element)).optional(),
  }),
  laws: sentences.describe('Why a place has its outcome.'),
  decisions: z
    .array(unlisted(decision.extend(inTheFile.shape)))
    .describe('account, from_slot, move, about_slot, fate, rule, tie_break, rival, why.'),
  rules: sentences,
});

interface Found {
  night?: Record<string, unknown>;
  accounts?: z.infer<typeof answer>['accounts'];
  result: z.infer<typeof result>;
  places: readonly { slot: number; outcome: z.infer<typeof outcome>; law: string }[];
  decisions: (z.infer<typeof decision> & z.infer<typeof inTheFile>)[];
  rules: Record<string, string>;
}

/** What became of the moves that were listed. The rest is as whoever asks supposed it: holders stay, or leave. */
function brief({ accounts, result, places, decisions, rules }: Found): z.infer<typeof answer> {
  const listed = accounts && new Set(accounts.map(({ account }) => account));
  const asked = (account: string) => listed === undefined || listed.has(account);
  const shown = decisions.filter(({ account }) => asked(account));
  const touched = new Set(shown.flatMap(({ from_slot, about_slot }) => [from_slot, about_slot]));
  const slots = result.slots.filter(({ slot }) => touched.has(slot));
  return {
    ...(accounts ? { accounts } : {}),
    result: {
      day: result.day,
      slots: slots.map(({ slot, outcome, occupants, evicted, burned_cents }) => ({
        ...{ slot, outcome, occupants },
        ...(evicted.length > 0 ? { evicted } : {}),
        ...(burned_cents > 0 ? { burned_cents } : {}),
      })),
      charges: result.charges.filter(({ account }) => asked(account)),
    },
    laws: lawsOf(places.filter(({ slot }) => touched.has(slot))),
    decisions: shown.map((one) => decision.parse(one)),
    rules: Object.fromEntries(shown.map(({ rule }) => [rule, rules[rule] as string])),
  };
}

const lawsOf = (places: Found['places']) => Object.fromEntries(places.map(({ outcome, law }) => [outcome, law]));

/** The asker's moves that get a seat, as calls. */
function nextCalls({ day, slots, charges }: Found['result'], accounts: Found['accounts'] = []): string[] {
  const me = accounts.find((each) => each.me)?.account;
  if (me === undefined) return [];
  const paying = charges.filter(
    ({ account, slot }) => account === me && slots[slot - 1]?.occupants.some((seat) => seat.account === me),
  );
  if (paying.length === 0) return [`You would get no seat. A recommendation: ${asCall('status')}`];
  return paying.map(
    ({ slot, move, cents }) =>
      `${asCall('play', { slot, move, ...(move === 'WAR' ? { stake_cents: cents } : {}), day })} costs ${cents} cents.`,
  );
}

export const askTheBell = briefTool({
  name: 'ask_the_bell',
  title: 'Ask the bell what would happen',
  description:
    'A what-if, free and without consequences: describe a night, and the real engine resolves it, with the reason for every place and move. Call it to compare plans before you play, ' +
    'or to learn how ties break. Give moves, a short list on top of the hill as it stands in public now (holders, who stay at peace unless you list them; days held, reputations), or night, a whole night file. ' +
    `It knows no sealed move, not even your own: list every move that should count, yours too. At most ${rule('what_if_moves')} moves. Next: play, if you like the answer.`,
  scope: 'hill:read',
  annotations: readsOnly,
  input: z.object({
    moves: z
      .array(
        z.strictObject({
          who: z.string().describe('me, the slug or id of an account, or any other name for a newcomer.'),
          slot: z.int().describe(`A place, 1 to ${rule('slot_count')}.`),
          move: played,
          stake_cents: stake.describe('WAR only; by default the least stake.'),
          reputation: z
            .number()
            .optional()
            .describe('From 0 to 1, to suppose another one. By default as it counts tonight; 0 for a newcomer.'),
          since: z
            .string()
            .optional()
            .describe(
              "Instant, to suppose another seniority. By default the account's own; a newcomer is younger than all.",
            ),
          at: z
            .string()
            .optional()
            .describe('Instant of the deposit. By default deposits follow the order of this list.'),
        }),
      )
      .optional()
      .describe('What everybody plays. A holder not listed stays at peace, unless holders_stay is false.'),
    holders_stay: z
      .boolean()
      .optional()
      .describe(
        'With moves: every holder not listed, you too, plays PEACE on its place, before all others. Default true; false: they leave.',
      ),
    night: nightFile
      .optional()
      .describe('Instead of moves, a night file as JSON. get_help has its form: topic night_file.'),
    full: z
      .boolean()
      .optional()
      .describe('True adds the night file made of moves, every place, the queue, and what became of everybody.'),
  }),
  output: answer,
  run: async ({ moves, holders_stay, night, full = false }, { call }) => ({
    full,
    ...(await call<Found>('api_agent.ask_the_bell', {
      moves: moves && JSON.stringify(moves),
      night: typeof night === 'string' ? night : JSON.stringify(night),
      holders_stay,
    })),
  }),
  brief: ({ full, ...found }) => (full ? { ...found, laws: lawsOf(found.places) } : brief(found)),
  text: ({ result, places, decisions, accounts }) => {
    const newcomers = (accounts ?? []).flatMap(({ account, newcomer }) => (newcomer ? [account] : []));
    // where holders stay among themselves there is nothing to explain
    const quiet = result.slots.flatMap(({ slot, outcome, peace_count, occupants }) =>
      outcome === 'PEACE' && peace_count === occupants.length && occupants.every(({ via }) => via === 'holder')
        ? [slot]
        : [],
    );
    const reasons = decisions.filter(({ from_slot, about_slot }) => !quiet.includes(from_slot ?? about_slot ?? 0));
    const lines = places.flatMap(({ slot, outcome }) => {
      if (quiet.includes(slot)) return [];
      const { occupants, burned_cents } = result.slots[slot - 1] as (typeof result.slots)[number];
      const sit =
        occupants.map(({ account, via, points }) => `${account} (${via}, ${plural(points, 'point')})`).join(', ') ||
        'nobody';
      return `${slot} ${outcome}: ${sit}${burned_cents > 0 ? `, ${burned_cents} cents burn` : ''}.`;
    });
    const shown = rule('brief_length');
    return [
      ...lines,
      ...(quiet.length > 0 ? [`Holders stay at peace, unchallenged, on places ${quiet.join(', ')}.`] : []),
      ...(places.length === 0 ? ['Nobody moves: every place ends empty.'] : []),
      ...reasons
        .slice(0, shown)
        .map(
          ({ account, move, from_slot, about_slot, fate, why }) =>
            `${account}${move ? ` ${move} on ${from_slot}` : ` on ${about_slot}`}: ${fate}, ${why}.`,
        ),
      ...(reasons.length > shown ? [`${reasons.length - shown} more reasons are in decisions.`] : []),
      ...(newcomers.length > 0 ? [`Taken for newcomers, for no account has that slug: ${newcomers.join(', ')}.`] : []),
      ...nextCalls(result, accounts),
    ].join('\n');
  },
});
