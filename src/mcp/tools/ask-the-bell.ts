// mcp/tools/ask-the-bell.ts · a what-if: a night that the agent describes, resolved by the engine of the bell. Rules 12.1.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { fate, outcome, played, stake, tieBreak, via } from '../schemas.ts';
import { asCall } from '../texts.ts';
import { readsOnly, tool } from '../tool.ts';

// PostgreSQL keeps the numbers of a night exactly; as JSON they may be any number.
const cents = z.number().describe('Cents of USD.');
const seq = z.number();
const name = z.string().describe('An account, by its name in the night: a slug, or what you called it.');

const answer = z.object({
  night: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('For moves: the night file made of them. Change it and send it back as night.'),
  accounts: z
    .array(
      z.object({
        account: name,
        accountId: z.string().optional(),
        name: z.string().optional(),
        me: z.boolean().optional(),
        newcomer: z.boolean().optional().describe('True: no account of the hill has that name, so it counts as a newcomer.'),
      }),
    )
    .optional()
    .describe('For moves: whom each name stands for.'),
  result: z
    .object({
      day: z.int(),
      slots: z.array(
        z.object({
          slot: z.int(),
          outcome,
          peace_count: z.int(),
          war_count: z.int(),
          burned_cents: cents,
          occupants: z.array(z.object({ account: name, days_held: z.int(), via, points: z.number() })),
          evicted: z.array(name),
        }),
      ),
      queue: z.array(z.object({ account: name, from_slot: z.int(), seq, served_slot: z.int().nullable() })),
      charges: z.array(z.object({ account: name, slot: z.int(), move: played, cents, burned: z.boolean() })),
    })
    .describe('The result, in the form of every night: all places, the queue in order, the cost of each move.'),
  places: z
    .array(z.object({ slot: z.int(), outcome: z.string(), law: z.string().describe('Why the place has this outcome, and what follows.') }))
    .describe('The reason for each place on which somebody moved or sat.'),
  decisions: z
    .array(
      z.object({
        account: name,
        from_slot: z.int().optional().describe('Where the move was made; absent for a holder that left.'),
        move: played.optional(),
        about_slot: z.int().optional().describe('The place decided on; absent for an entry that stays in the queue.'),
        seq: seq.optional(),
        fate,
        rule: z.string().describe('Its sentence is in rules.'),
        tie_break: tieBreak,
        key: z.string().optional().describe('The field of the night file that decides.'),
        key_seq: seq.optional().describe('The move with that field.'),
        own_value: z.string().optional(),
        rival: name.optional(),
        rival_seq: seq.optional(),
        rival_value: z.string().optional(),
        why: z.string(),
      }),
    )
    .describe('The reasons for each move, place by place.'),
  rules: z.record(z.string(), z.string()).describe('The rules that decided, each in a sentence with its section.'),
});

/** The asker's moves that get a seat, as calls. */
function nextCalls({ day, slots, charges }: z.infer<typeof answer>['result'], accounts: z.infer<typeof answer>['accounts'] = []): string[] {
  const me = accounts.find((each) => each.me)?.account;
  if (me === undefined) return [];
  const paying = charges.filter(({ account, slot }) => account === me && slots[slot - 1]?.occupants.some((seat) => seat.account === me));
  if (paying.length === 0) return [`You would get no seat. A recommendation: ${asCall('status')}`];
  return paying.map(
    ({ slot, move, cents }) =>
      `${asCall('play', { slot, move, ...(move === 'WAR' ? { stake_cents: cents } : {}), day })} costs ${cents} cents.`,
  );
}

export const askTheBell = tool({
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
            .describe("Instant, to suppose another seniority. By default the account's own; a newcomer is younger than all."),
          at: z.string().optional().describe('Instant of the deposit. By default deposits follow the order of this list.'),
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
    night: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'Instead of moves, a night file: {"day": 12, "open_slots": [1,2,3], "accounts": [{"account": "a", "reputation": 0.75, "since": "2026-01-01T00:00:00Z"}], ' +
          '"holders": [{"slot": 3, "account": "a", "days_held": 2}], "moves": [{"seq": 1, "account": "a", "slot": 3, "move": "PEACE", "at": "2026-03-01T10:00:00Z"}]}. ' +
          'WAR has stake_cents. Every account that moves is in accounts.',
      ),
  }),
  output: answer,
  run: ({ moves, holders_stay, night }, { call }) =>
    call('api_agent.ask_the_bell', { moves: moves && JSON.stringify(moves), night: night && JSON.stringify(night), holders_stay }),
  text: ({ result, places, decisions, accounts }) => {
    const newcomers = (accounts ?? []).flatMap(({ account, newcomer }) => (newcomer ? [account] : []));
    // where holders stay among themselves there is nothing to explain
    const quiet = result.slots.flatMap(({ slot, outcome, peace_count, occupants }) =>
      outcome === 'PEACE' && peace_count === occupants.length && occupants.every(({ via }) => via === 'holder') ? [slot] : [],
    );
    const reasons = decisions.filter(({ from_slot, about_slot }) => !quiet.includes(from_slot ?? about_slot ?? 0));
    const told = places.flatMap(({ slot, outcome }) => {
      if (quiet.includes(slot)) return [];
      const { occupants, burned_cents } = result.slots[slot - 1] as (typeof result.slots)[number];
      const sit = occupants.map(({ account, via, points }) => `${account} (${via}, ${points} points)`).join(', ') || 'nobody';
      return `${slot} ${outcome}: ${sit}${burned_cents > 0 ? `, ${burned_cents} cents burn` : ''}.`;
    });
    const shown = rule('brief_length');
    return [
      ...told,
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
