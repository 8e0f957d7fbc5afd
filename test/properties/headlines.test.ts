// The headline of a night: on random nights it says what the result says, is short, and leaves no gap. Rules 10.14.
import { expect, test } from 'vitest';
import { useDatabase } from '../support/hill/database.ts';
import { microseconds } from '../support/hill/instant.ts';
import {
  type Integer,
  type Night,
  type NightMove,
  type NightResult,
  parseExactly,
  stringifyExactly,
} from '../support/hill/night.ts';
import { crowdedNight, randomNight } from '../support/naive/random-nights.ts';
import { seed } from '../support/random.ts';

const db = useDatabase();
const NIGHTS = 150;

const names = [
  ...['Raider Rita', 'Ann', 'Closed account', 'The Very Long Name Of An Account That Wanted All Sixty Letters.'],
  ...['%1$s; $9.99 burns', '孫子 兵法の鬼', 'שלום', '👨‍👩‍👧 family', "O'Brien & <b>"],
];

interface Told {
  readonly night: Night;
  readonly result: NightResult;
  readonly headline: string;
  /** By account of the file. */
  readonly named: Readonly<Record<string, string>>;
}

async function tell(nights: Night[]): Promise<Told[]> {
  const { rows } = await db.owner.query<{ result: string; headline: string; named: Record<string, string> }>(
    `select engine.resolution_json(n.night, r.resolution)::text as result,
            engine.night_headline(n.night, r.resolution, a.names) as headline,
            a.named
       from jsonb_array_elements($1::jsonb) with ordinality t (file, place)
      cross join lateral (select engine.parse_night(t.file) as night offset 0) n
      cross join lateral (select engine.resolve_places(n.night) as resolution offset 0) r
      cross join lateral (
        select jsonb_object_agg(x.account, x.chosen) as names, jsonb_object_agg(x.name, x.chosen) as named
          from (select a.account, a.name, ($2::text[])[1 + (row_number() over (order by a.name) + t.place) % cardinality($2)] as chosen
                  from engine.night_names(n.night) a) x) a
      order by t.place`,
    [stringifyExactly(nights), names],
  );
  return rows.map(({ headline, result, named }, place) => ({
    night: nights[place] as Night,
    result: parseExactly(result) as NightResult,
    headline,
    named: named ?? {},
  }));
}

const outcomes = ({ slots }: NightResult, outcome: string) =>
  slots.filter((slot) => slot.outcome === outcome).map(({ slot }) => slot);
const listed = (slots: readonly number[]) =>
  slots.length > 3
    ? `${slots.length} places`
    : slots.length === 1
      ? slots[0] === 1
        ? 'the top'
        : `place ${slots[0]}`
      : slots.join(', ').replace(/, (\d+)$/, ' and $1');
const where = (slots: readonly number[], lead?: number) =>
  slots.length === 1 && slots[0] === lead
    ? 'there'
    : slots.length === 1 && slots[0] === 1
      ? 'at the top'
      : `on ${listed(slots)}`;
const money = (cents: bigint) =>
  `$${(cents / 100n).toLocaleString('en-US')}.${(cents % 100n).toString().padStart(2, '0')}`;
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const begins = (name: string) =>
  name === 'Closed account' ? '(?:closed|another)' : escaped([...name].slice(0, 5).join(''));

/** How a headline ends that names who burned: the first two on the highest place that did. */
function whoBurned(night: Night, burned: readonly number[], named: Told['named'], end: string): RegExp {
  const order = (a: NightMove, b: NightMove) => {
    const [one, two] = [a, b].map(({ at, seq }) => [microseconds(at) as bigint, BigInt(seq)]) as [bigint[], bigint[]];
    return Number(
      one[0] === two[0] ? (one[1] as bigint) - (two[1] as bigint) : (one[0] as bigint) - (two[0] as bigint),
    );
  };
  const [one, two] = night.moves
    .filter(({ slot, move }) => slot === burned[0] && move === 'WAR')
    .sort(order)
    .map(({ account }) => begins(named[account] as string));
  const all = night.moves.filter(({ slot, move }) => move === 'WAR' && burned.includes(slot));
  const others = new Set(all.map(({ account }) => account)).size - 2;
  const more = others === 1 ? 'another' : burned.length > 1 ? 'others' : `${others} others`;
  return new RegExp(`; .*${one}.*${others > 0 ? `, .*${two}.* and ${more}` : ` and .*${two}.*`} burn ${escaped(end)}$`);
}

test('a headline is short, whole, and says what the night came to', async () => {
  const told = await tell([
    ...Array.from({ length: NIGHTS }, (_, place) => randomNight(seed + place)),
    ...Array.from({ length: 4 }, (_, place) => crowdedNight(seed + place, 90)),
  ]);
  const begun = new Set<string>();
  const briefly = new Set<boolean>();
  for (const { night, result, headline, named } of told) {
    const burned = result.slots.reduce((sum, { burned_cents }) => sum + BigInt(burned_cents as Integer), 0n);
    // Night files may have stakes beyond what all the money in the world is worth.
    expect([...headline].length, headline).toBeLessThanOrEqual(burned < 10n ** 12n ? 120 : 150);
    expect(headline).toMatch(/^\S(?!.* {2}).*\S$/);
    expect(headline).not.toMatch(/null|undefined|%2/);

    const held = result.slots.filter(({ occupants }) => occupants.length > 0);
    const [lead] = held;
    for (const { account } of lead?.occupants ?? []) {
      const name = named[account] as string;
      expect(headline).toMatch(new RegExp(begins(name)));
    }
    // what burns at the top, where nobody is left, is told in the end
    if (lead) expect(headline.replace(/;[^;]*$/, '').includes('the top'), headline).toBe(lead.slot === 1);
    else expect(headline).toMatch(/^Nobody /);

    if (night.moves.length === 0) {
      expect(headline).toMatch(/^Nobody moves/);
      continue;
    }
    const burns = outcomes(result, 'BURN');
    const byWar = lead?.outcome === 'WAR';
    expect(/ by war\b/.test(headline), headline).toBe(byWar);
    const wars = outcomes(result, 'WAR').filter((slot) => slot !== lead?.slot);
    if (burns.length > 0) {
      const brief = `; ${money(burned)} burns ${where(burns, lead?.slot)}`;
      if (headline.endsWith(brief))
        expect(Math.max(...Object.values(named).map((name) => name.length))).toBeGreaterThan(12);
      else expect(headline).toMatch(whoBurned(night, burns, named, `${money(burned)} ${where(burns, lead?.slot)}`));
      briefly.add(headline.endsWith(brief));
    } else if (wars.length > 0) {
      const who = wars.length > 1 ? 'warriors take' : byWar ? 'another warrior takes' : 'a warrior takes';
      expect(headline.endsWith(`; ${who} ${listed(wars)}`), headline).toBe(true);
    } else expect(headline).toMatch(/; (the rest stands empty|peace everywhere|peace elsewhere)$/);
    begun.add(/ (joins|still share|rises?|takes?|holds|sits?) /.exec(headline.replace(/;[^;]*$/, ''))?.[1] ?? 'Nobody');
  }
  expect([...briefly].sort()).toEqual([false, true]);
  expect([...begun].sort()).toEqual(expect.arrayContaining(['holds', 'sit', 'sits', 'take', 'takes']));
});

test('is the same for the same night, whatever the order of its file', async () => {
  const nights = Array.from({ length: 20 }, (_, place) => randomNight(seed + place));
  const turned = nights.map((night) => ({
    ...night,
    moves: night.moves.toReversed(),
    holders: night.holders.toReversed(),
  }));
  const headlines = async (of: Night[]) => (await tell(of)).map(({ headline }) => headline);
  expect(await headlines(turned)).toEqual(await headlines(nights));
});

const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, '0')}:00Z`;
const nightOf = (
  moves: readonly [account: string, slot: number, war?: number][],
  holders: readonly [string, number, number][] = [],
) =>
  ({
    day: 12,
    open_slots: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    accounts: [...new Set(moves.map(([account]) => account))].map((account) => ({
      account,
      reputation: 0.5,
      since: '2026-01-01T00:00:00Z',
      house: false,
    })),
    holders: holders.map(([account, slot, days_held]) => ({ account, slot, days_held })),
    moves: moves.map(([account, slot, war = 0], seq) => ({
      ...{ seq: seq + 1, account, slot, at: at(seq) },
      ...{ move: war ? 'WAR' : 'PEACE', stake_cents: war },
    })),
  }) as unknown as Night;

test('reads like one', async () => {
  const nights: Record<string, Night> = {
    'a raider, and two fires': nightOf([
      ['a', 1],
      ['b', 4, 800],
      ['c', 4, 900],
      ['d', 6, 860],
      ['e', 6, 900],
    ]),
    'a lone warrior': nightOf(
      [
        ['a', 1, 800],
        ['b', 1],
        ['c', 3],
      ],
      [['b', 1, 1]],
    ),
    'wars everywhere': nightOf([
      ['a', 1, 800],
      ['b', 2, 800],
      ['c', 7, 800],
    ]),
    'the end of a reign': nightOf(
      [
        ['a', 1, 800],
        ['b', 1],
      ],
      [['b', 1, 11]],
    ),
    'a reign': nightOf(
      [
        ['a', 1],
        ['b', 2, 800],
        ['c', 3, 800],
      ],
      [['a', 1, 6]],
    ),
    'two at the top': nightOf(
      [
        ['a', 1],
        ['b', 1],
        ['c', 9],
      ],
      [
        ['a', 1, 2],
        ['b', 1, 2],
      ],
    ),
    'one more at the top': nightOf(
      [
        ['a', 1],
        ['b', 1],
      ],
      [['a', 1, 2]],
    ),
    'two new at the top': nightOf([
      ['a', 1],
      ['b', 1],
      ['c', 2, 800],
      ['d', 3, 800],
      ['e', 4, 800],
      ['f', 5, 800],
    ]),
    'from the queue': nightOf([
      ['a', 1, 800],
      ['b', 1, 800],
      ['c', 2],
      ['d', 2],
      ['e', 2],
    ]),
    'two from the queue': nightOf([
      ['a', 1, 800],
      ['b', 1, 800],
      ['c', 2],
      ['d', 2],
      ['e', 2],
      ['f', 2],
    ]),
    'two raiders': nightOf([
      ['a', 1, 800],
      ['b', 5, 800],
    ]),
    'a raider below an empty top': nightOf([
      ['b', 4, 800],
      ['c', 9],
    ]),
    'a fire above': nightOf([
      ['a', 1, 800],
      ['b', 1, 800],
      ['c', 2, 800],
      ['d', 2, 800],
      ['e', 6],
    ]),
    'all in flames': nightOf([
      ['a', 1, 800],
      ['b', 1, 1_234_567],
    ]),
    'an empty top': nightOf([
      ['a', 3],
      ['b', 3],
      ['c', 5, 900],
    ]),
    'a closed account': nightOf([['g', 1]]),
    'two of them': nightOf([
      ['g', 1],
      ['h', 1],
    ]),
    'a hidden one joins': nightOf(
      [
        ['a', 1],
        ['i', 1],
      ],
      [['a', 1, 2]],
    ),
    nobody: nightOf([]),
    'nobody any more': nightOf([], [['a', 1, 3]]),
  };
  const { rows } = await db.owner.query<{ headline: string }>(
    `select engine.night_headline(n.night, r.resolution, a.names) as headline
       from jsonb_array_elements($1::jsonb) with ordinality t (file, place)
      cross join lateral (select engine.parse_night(t.file) as night offset 0) n
      cross join lateral (select engine.resolve_places(n.night) as resolution offset 0) r
      cross join lateral (
        select jsonb_object_agg(a.account, $2::jsonb ->> a.name) as names from engine.night_names(n.night) a) a
      order by t.place`,
    [
      stringifyExactly(Object.values(nights)),
      {
        a: 'Raider Rita',
        b: 'Old Bob',
        c: 'Cyd',
        d: 'Dee',
        e: 'Eve',
        f: 'Fay',
        g: 'Closed account',
        h: 'Closed account',
        i: 'Hidden by staff',
      },
    ],
  );
  expect(
    Object.fromEntries(Object.keys(nights).map((name, place) => [name, rows[place]?.headline])),
  ).toMatchInlineSnapshot(`
    {
      "a closed account": "A closed account takes the top; the rest stands empty",
      "a fire above": "Eve sits highest, on place 6; Raider Rita, Old Bob and others burn $32.00 on 1 and 2",
      "a hidden one joins": "A hidden account joins Raider Rita at the top; the rest stands empty",
      "a lone warrior": "Raider Rita takes the top by war; peace elsewhere",
      "a raider below an empty top": "Old Bob takes place 4 by war and sits highest; peace elsewhere",
      "a raider, and two fires": "Raider Rita takes the top; Old Bob, Cyd and others burn $34.60 on 4 and 6",
      "a reign": "Raider Rita holds the top for the 8th night; warriors take 2 and 3",
      "all in flames": "Nobody is left on the hill; Raider Rita and Old Bob burn $12,353.67 at the top",
      "an empty top": "Raider Rita and Old Bob sit highest, on place 3; a warrior takes place 5",
      "from the queue": "Eve rises to the top from the queue; Raider Rita and Old Bob burn $16.00 there",
      "nobody": "Nobody moves: the hill stands empty",
      "nobody any more": "Nobody moves, and everybody has left the hill",
      "one more at the top": "Old Bob joins Raider Rita at the top; the rest stands empty",
      "the end of a reign": "Raider Rita takes the top by war from Old Bob after 12 nights; the rest stands empty",
      "two at the top": "Raider Rita and Old Bob still share the top; peace everywhere",
      "two from the queue": "Eve and Fay rise to the top from the queue; Raider Rita and Old Bob burn $16.00 there",
      "two new at the top": "Raider Rita and Old Bob take the top; warriors take 4 places",
      "two of them": "A closed account and another take the top; the rest stands empty",
      "two raiders": "Raider Rita takes the top by war; another warrior takes place 5",
      "wars everywhere": "Raider Rita takes the top by war; warriors take 2 and 7",
    }
  `);
});
