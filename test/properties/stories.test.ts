// Headlines and stories of nights that the demonstration's population plays, each sentence taken apart and held against
// the night files, resolved by the second engine. HILL_TEST_TOLD=75 plays so many nights. Rules 10.14, 10.20.
import { beforeAll, expect, test } from 'vitest';
import type { Day, Story } from '../../src/records/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aPopulation, everybody } from '../support/hill/a-demo-season.ts';
import { useHill } from '../support/hill/index.ts';
import type { Night, NightMove, Occupant, SlotResult } from '../support/hill/night.ts';
import { resolveNaively } from '../support/naive/naive-engine.ts';
import { seed } from '../support/random.ts';
import { until } from '../support/until.ts';

const nights = Number(process.env.HILL_TEST_TOLD ?? 30);
/** Silent nights first: what the strategies do by chance hangs on the number of the day. */
const before = 1 + (seed % 20);
const hill = useHill();
const web = useWebDoor(hill, undefined, { HILL_LIMIT_READS: '1000000/60' });

/** A night as its file and the second engine have it, with accounts by name. */
interface Known {
  readonly headline: string;
  readonly stories: readonly Story[];
  readonly slots: readonly (SlotResult & { readonly occupants: readonly Occupant[] })[];
  readonly holders: readonly { readonly slot: number; readonly name: string; readonly days: number }[];
  readonly moves: readonly (NightMove & { readonly name: string })[];
  /** What was announced, by name and place. */
  readonly said: ReadonlyMap<string, string>;
}
const known = new Map<number, Known>();
const names = new Map<string, string>();
const at = (day: number) => known.get(day) as Known;

async function read(day: number): Promise<void> {
  const night = await web.read<Day>(`/api/day/${day}`);
  const file = await web.read<Night>(`/api/day/${day}/night.json`);
  for (const { occupant } of night.moves) names.set(occupant.accountId, occupant.name);
  const name = (account: string) => names.get(account) as string;
  known.set(day, {
    headline: night.headline,
    stories: night.stories,
    slots: resolveNaively(file).slots.map((slot) => ({
      ...slot,
      occupants: slot.occupants.map((one) => ({ ...one, account: name(one.account) })),
    })),
    holders: file.holders.map(({ slot, account, days_held }) => ({
      slot,
      name: name(account),
      days: Number(days_held),
    })),
    moves: file.moves
      .map((move) => ({ ...move, name: name(move.account) }))
      .sort((a, b) => Number(a.seq) - Number(b.seq)),
    said: new Map(night.announcements.map((said) => [`${said.occupant.name} ${said.slot}`, said.intention])),
  });
}

beforeAll(async () => {
  const accounts = await aPopulation(hill);
  const ring = async (night: number) => {
    await hill.clock.ringBell();
    await until('readers see the night', async () => (await fetch(`${web.baseUrl}/api/day/${night}`)).ok);
  };
  for (let day = before + 1; day <= before + nights; day++) {
    await hill.clock.toDay(day, '00:05');
    await hill.asWorker().playHouse();
    await hill.clock.at('09:00');
    await everybody(hill, web.baseUrl, accounts, day, 'announce');
    await hill.clock.at('12:00');
    await everybody(hill, web.baseUrl, accounts, day, 'play');
    await ring(day);
    await read(day);
  }
});

/* What the nights say, in plain loops. */

const moved = (day: number, name: string, slot: number) =>
  at(day).moves.find((move) => move.name === name && move.slot === slot)?.move;
const sat = (day: number, name: string): number[] =>
  known.has(day)
    ? at(day)
        .slots.filter(({ occupants }) => occupants.some((one) => one.account === name))
        .map(({ slot }) => slot)
    : [];
const result = (day: number, slot: number) => at(day).slots[slot - 1] as SlotResult;
const warriors = (day: number, slot: number) =>
  at(day)
    .moves.filter((move) => move.slot === slot && move.move === 'WAR')
    .map(({ name }) => name);
/** Who held a place, moved there and sits there no more; how many nights it had held it. */
const thrown = (day: number, slot: number) =>
  at(day)
    .holders.filter((one) => one.slot === slot && moved(day, one.name, slot) && !sat(day, one.name).includes(slot))
    .map(({ name, days }) => ({ name, nights: days + 1 }));
const took = (day: number, name: string, slot: number) =>
  result(day, slot).outcome === 'WAR' && warriors(day, slot)[0] === name;
/** The nights of the window up to one, of those that were played, on which something was so, and where. */
const since = (day: number, where: (day: number, slot: number) => boolean) =>
  [...known.keys()]
    .filter((then) => then > day - 30 && then <= day)
    .flatMap((then) => at(then).slots.map(({ slot }) => ({ day: then, slot })))
    .filter(({ day, slot }) => where(day, slot));
const placeOf = (text: string | undefined): number =>
  /\btop\b/.test(text ?? '') ? 1 : Number(/\d+$/.exec(text ?? '')?.[0]);
const dollars = (text: string | undefined): number => Math.round(Number(text?.replaceAll(/[$,]/g, '')) * 100);
const highest = (day: number) => at(day).slots.find(({ occupants }) => occupants.length > 0)?.slot ?? 0;

const where = '(at the top|on place \\d+)';
const place = '(the top|place \\d+)';

interface Fact {
  readonly kind: Story['kind'];
  readonly form: RegExp;
  /** What it rests on, if it is so; the words of the sentence that are in brackets. */
  holds(day: number, words: string[]): { names: string[]; nights: { day: number; slot: number }[] } | string;
}

const betrayed = (day: number, name: string, slot: number, promise: string) =>
  at(day).said.get(`${name} ${slot}`) === (promise === 'peace' ? 'PEACE' : 'PASS') && moved(day, name, slot) === 'WAR';

const facts: readonly Fact[] = [
  {
    kind: 'betrayal',
    form: new RegExp(
      `^(.+) promised (peace|to stay away) (?:at |on |from )${place} and (took|kept) it by war(?: from (.+?)(?: and (.+))?)?$`,
    ),
    holds(day, [name = '', promise = '', spot, verb, ...from]) {
      const slot = placeOf(spot);
      const lost = thrown(day, slot).map((one) => one.name);
      const kept = at(day).holders.some((one) => one.name === name && one.slot === slot);
      if (!betrayed(day, name, slot, promise) || !took(day, name, slot) || kept !== (verb === 'kept'))
        return 'no betrayal';
      const told = from.filter(Boolean);
      if (told.toSorted().join() !== lost.toSorted().join()) return `threw out ${lost}`;
      return { names: [name, ...told], nights: [{ day, slot }] };
    },
  },
  {
    kind: 'betrayal',
    form: new RegExp(`^(.+) promised (peace|to stay away) (?:at |on |from )${place}, went to war and burned (\\$.+)$`),
    holds(day, [name = '', promise = '', spot, stake]) {
      const slot = placeOf(spot);
      const move = at(day).moves.find((one) => one.name === name && one.slot === slot);
      if (!betrayed(day, name, slot, promise) || warriors(day, slot).length < 2) return 'no betrayal';
      if (Number(move?.stake_cents) !== dollars(stake)) return `burned ${move?.stake_cents}`;
      return { names: [name], nights: [{ day, slot }] };
    },
  },
  {
    kind: 'rivalry',
    form: new RegExp(`^(.+) v\\. (.+): the (\\d+)(?:st|nd|rd|th) burn in (\\d+) nights, now ${where}$`),
    holds(day, [one = '', other = '', times, span, spot]) {
      const met = since(day, (day, slot) => {
        const all = warriors(day, slot);
        return all.length <= 4 && all.includes(one) && all.includes(other);
      });
      const earlier = met.filter((then) => then.day < day);
      const nights = [...earlier, { day, slot: placeOf(spot) }];
      if (!warriors(day, placeOf(spot)).includes(one) || nights.length !== Number(times))
        return `${nights.length} burns`;
      if (day - (nights[0]?.day ?? 0) + 1 !== Number(span)) return `since ${nights[0]?.day}`;
      return { names: [one, other], nights };
    },
  },
  {
    kind: 'feud',
    form: new RegExp(`^(.+) throws (.+) out for the (\\d+)(?:st|nd|rd|th) time in (\\d+) nights, now off ${place}$`),
    holds(day, [name = '', other = '', times, span, spot]) {
      const so = since(
        day,
        (day, slot) => took(day, name, slot) && thrown(day, slot).some((one) => one.name === other),
      );
      const nights = [...so.filter((then) => then.day < day), { day, slot: placeOf(spot) }];
      if (!so.some((then) => then.day === day && then.slot === placeOf(spot))) return 'not tonight';
      if (nights.length !== Number(times)) return `${nights.length} times`;
      if (day - (nights[0]?.day ?? 0) + 1 !== Number(span)) return `since ${nights[0]?.day}`;
      return { names: [name, other], nights };
    },
  },
  {
    kind: 'own_goal',
    form: new RegExp(`^(.+) goes to war ${where} after (\\d+) nights? there, and loses its own seat$`),
    holds(day, [name = '', spot, count]) {
      const slot = placeOf(spot);
      const lost = thrown(day, slot).find((one) => one.name === name);
      if (moved(day, name, slot) !== 'WAR' || result(day, slot).outcome !== 'BURN' || lost?.nights !== Number(count))
        return `lost ${JSON.stringify(lost)}`;
      return {
        names: [name],
        nights: [
          { day: day - lost.nights, slot },
          { day, slot },
        ],
      };
    },
  },
  {
    kind: 'reign_ends',
    form: /^(.+) takes place (\d+) by war from (.+) after (\d+) nights$/,
    holds(day, [name = '', spot, other = '', count]) {
      const slot = Number(spot);
      const [longest] = thrown(day, slot).toSorted((a, b) => b.nights - a.nights);
      const lost = thrown(day, slot).find((one) => one.name === other);
      if (!took(day, name, slot) || lost?.nights !== Number(count) || longest?.nights !== lost.nights)
        return `lost ${JSON.stringify(lost)}`;
      return {
        names: [name, other],
        nights: [
          { day: day - lost.nights, slot },
          { day, slot },
        ],
      };
    },
  },
  {
    kind: 'reign',
    form: /^(.+) holds place (\d+) for the (\d+)(?:st|nd|rd|th) night in a row$/,
    holds(day, [name = '', spot, count]) {
      const slot = Number(spot);
      let first = day;
      while (sat(first - 1, name).includes(slot) && moved(first, name, slot)) first--;
      if (!sat(day, name).includes(slot) || day - first + 1 !== Number(count)) return `since ${first}`;
      return {
        names: [name],
        nights: [
          { day: first, slot },
          { day, slot },
        ],
      };
    },
  },
  {
    kind: 'run',
    form: /^(.+) has a seat on the (\d+)(?:st|nd|rd|th) night in a row$/,
    holds(day, [name = '', count]) {
      let first = day;
      while (sat(first - 1, name).length > 0) first--;
      if (sat(day, name).length === 0 || day - first + 1 !== Number(count)) return `since ${first}`;
      return {
        names: [name],
        nights: [
          { day: first, slot: sat(first, name)[0] as number },
          { day, slot: sat(day, name)[0] as number },
        ],
      };
    },
  },
  {
    kind: 'bluff',
    form: new RegExp(`^(.+) threatened war ${where} and takes a seat there in peace$`),
    holds(day, [name = '', spot]) {
      const slot = placeOf(spot);
      const seat = result(day, slot).occupants.find((one) => one.account === name);
      if (at(day).said.get(`${name} ${slot}`) !== 'WAR' || moved(day, name, slot) !== 'PEACE' || seat?.via !== 'peace')
        return 'no bluff';
      return { names: [name], nights: [{ day, slot }] };
    },
  },
  {
    kind: 'first_seat',
    form: new RegExp(`^(.+) has a seat for the first time, ${where}$`),
    holds(day, [name = '', spot]) {
      for (const then of known.keys()) if (then < day && sat(then, name).length > 0) return `sat on day ${then}`;
      if (sat(day, name)[0] !== placeOf(spot)) return 'no seat';
      return { names: [name], nights: [{ day, slot: placeOf(spot) }] };
    },
  },
  {
    kind: 'comeback',
    form: new RegExp(`^(.+) is back on the hill after (\\d+) nights without a seat, ${where}$`),
    holds(day, [name = '', count, spot]) {
      let last = day - 1;
      while (known.has(last) && sat(last, name).length === 0) last--;
      if (day - last - 1 !== Number(count) || Number(count) < 7 || sat(day, name)[0] !== placeOf(spot))
        return `last on day ${last}`;
      return {
        names: [name],
        nights: [
          { day: last, slot: sat(last, name)[0] as number },
          { day, slot: placeOf(spot) },
        ],
      };
    },
  },
];

test(`each story of ${nights} nights is so, HILL_SEED=${seed}`, () => {
  const seen = new Map<string, number>();
  for (const [day, { stories }] of known) {
    expect(stories.length, `day ${day}`).toBeLessThanOrEqual(3);
    const told = { names: [] as string[], slots: [] as number[] };
    expect(new Set(stories.map(({ kind }) => kind)).size, `day ${day}`).toBe(stories.length);
    for (const { kind, text, accounts, nights } of stories) {
      const line = `day ${day}: ${text}`;
      expect([...text].length, line).toBeLessThanOrEqual(140);
      const fact = facts.find((one) => one.kind === kind && one.form.test(text));
      expect(fact, line).toBeDefined();
      const found = fact?.holds(day, fact.form.exec(text)?.slice(1) ?? []);
      expect(found, line).toEqual({ names: accounts.map(({ name }) => name), nights });
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      // who is named moved that night, and is a guest; the house is in no story
      for (const { name, house } of accounts) {
        expect(
          at(day).moves.some((move) => move.name === name),
          line,
        ).toBe(true);
        expect(house, line).toBe(false);
      }
      // no two of the same fact
      const slot = nights.at(-1)?.slot as number;
      expect(
        told.names.filter((name) => accounts.some((one) => one.name === name)),
        line,
      ).toEqual([]);
      expect(told.slots, line).not.toContain(slot);
      told.names.push(...accounts.map(({ name }) => name));
      told.slots.push(slot);
    }
    // a broken promise that won a place comes before all others
    const broken = at(day).slots.filter(({ slot, outcome }) => {
      const [name = ''] = warriors(day, slot);
      return outcome === 'WAR' && ['PEACE', 'PASS'].includes(at(day).said.get(`${name} ${slot}`) ?? '');
    });
    if (broken.length > 0) expect(stories[0]?.kind, `day ${day}`).toMatch(/betrayal|rivalry|feud/);
  }
  // a season of which there is something to tell
  const all = [...known.values()].flatMap(({ stories }) => stories).length;
  expect(all).toBeGreaterThan(nights * 2);
  expect([...seen.keys()]).toEqual(expect.arrayContaining(['betrayal', 'feud', 'reign', 'run', 'first_seat']));
});

const burned =
  /^(.+?)(?:, (.+?))? and (.+) burn (\$[\d,.]+) (?:(there)|(at the top)|on (?:place (\d+)|([\d, and]+)|(\d+) places))$/;

/** What a headline says of who sits highest. */
function leads(day: number): string {
  const slot = highest(day);
  const { occupants = [], outcome } = at(day).slots[slot - 1] ?? {};
  const [one, two] = [...occupants].sort((a, b) => Number(b.days_held) - Number(a.days_held));
  if (!one) return 'Nobody is left on the hill';
  const war = outcome === 'WAR';
  const held = Number(one.days_held) > 0;
  if (slot > 1 && war) return `${one.account} ${held ? 'holds' : 'takes'} place ${slot} by war and sits highest`;
  if (slot > 1)
    return `${two ? `${one.account} and ${two.account} sit` : `${one.account} sits`} highest, on place ${slot}`;
  if (two) {
    if (Number(two.days_held) > 0) return `${one.account} and ${two.account} still share the top`;
    if (held) return `${two.account} joins ${one.account} at the top`;
    return `${one.account} and ${two.account} ${one.via === 'queue' && two.via === 'queue' ? 'rise to the top from the queue' : 'take the top'}`;
  }
  if (!held && one.via === 'queue') return `${one.account} rises to the top from the queue`;
  const [lost, ...others] = at(day).holders.filter((holder) => holder.slot === 1);
  const from =
    lost && others.length === 0 && lost.days >= 2 && lost.name !== one.account && moved(day, lost.name, 1)
      ? ` from ${lost.name} after ${lost.days + 1} nights`
      : '';
  const nth = Number(one.days_held) + 1;
  const ending = nth % 100 > 10 && nth % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][nth % 10] ?? 'th');
  return `${one.account} ${held ? 'holds' : 'takes'} the top${war ? ' by war' : ''}${held ? ` for the ${nth}${ending} night` : from}`;
}

test(`each headline of ${nights} nights is so, HILL_SEED=${seed}`, () => {
  let fires = 0;
  for (const [day, { headline, slots, moves }] of known) {
    expect([...headline].length, headline).toBeLessThanOrEqual(120);
    if (moves.length === 0) {
      expect(headline).toMatch(/^Nobody moves/);
      continue;
    }
    const [, start = '', end = ''] = /^(.*); (.*)$/.exec(headline) ?? [];
    const told = leads(day);
    // how long it was held is left out where names are long
    expect([told, told.replace(/ (?:for the|from) .*/, '')], headline).toContain(start);
    const burns = slots.filter(({ outcome }) => outcome === 'BURN');
    const lone = slots.filter(({ slot, outcome }) => outcome === 'WAR' && slot !== highest(day));
    if (burns.length > 0) {
      const words = burned.exec(end);
      expect(words, headline).not.toBeNull();
      const [, one, two, last, cents, there, top, only, several, count] = words as RegExpExecArray;
      const where = burns.map(({ slot }) => slot);
      if (count) expect(Number(count), headline).toBe(where.length);
      else
        expect(there ? [highest(day)] : top ? [1] : (only ?? several)?.split(/, | and /).map(Number), headline).toEqual(
          where,
        );
      const first = warriors(day, where[0] as number);
      const others = new Set(where.flatMap((slot) => warriors(day, slot))).size - 2;
      const more = others === 1 ? 'another' : where.length > 1 ? 'others' : `${others} others`;
      expect([one, two, last], headline).toEqual(
        others === 0 ? [first[0], undefined, first[1]] : [first[0], first[1], more],
      );
      expect(dollars(cents), headline).toBe(burns.reduce((sum, { burned_cents }) => sum + Number(burned_cents), 0));
      fires++;
    } else if (lone.length > 0) expect(end).toMatch(/^(?:another|a) warrior takes |^warriors take /);
    else expect(end).toMatch(/^(?:the rest stands empty|peace (?:elsewhere|everywhere))$/);
  }
  expect(fires).toBeGreaterThan(nights / 6);
});
