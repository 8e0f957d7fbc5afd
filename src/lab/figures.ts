// What came of a world, counted while it is played: so much as the tables and plots need, however long it lasts.
import { type Columns, columnsOf, csvHead, csvLine } from '../archives/csv.ts';
import type { NightRecord } from './sight.ts';
import type { World } from './world.ts';

/** Cents; of accounts and nights. */
export interface Sums {
  /** Accounts that played it, once for each night. */
  played: number;
  points: number;
  cents: number;
  peace: number;
  war: number;
  seated: number;
  evicted: number;
  burned: number;
  queued: number;
  served: number;
}

interface PlaceSums {
  VACANT: number;
  PEACE: number;
  WAR: number;
  BURN: number;
  burned_cents: number;
}

export interface WorldFigures {
  readonly label: string;
  readonly seed: number;
  /** The lines of each file. */
  readonly csv: Readonly<Record<FileName, string>>;
  readonly strategies: Readonly<Record<string, Sums>>;
  readonly places: readonly PlaceSums[];
  /** By days held: how many paid rent, and how much. */
  readonly rents: readonly { readonly moves: number; readonly cents: number }[];
  /** By nights: how many stays on a place lasted so long. */
  readonly stays: readonly number[];
  /** Of each strategy and night: how many accounts played it, and their points. */
  readonly nightly: Readonly<
    Record<string, { readonly accounts: readonly number[]; readonly points: readonly number[] }>
  >;
  /** How often what was announced was kept, by intention and verdict: `PEACE betrayed`. */
  readonly words: Readonly<Record<string, number>>;
  /** What resolving its nights again took, and nothing else. */
  readonly floorMs: number;
}

interface AccountRow extends Sums {
  readonly world: string;
  readonly seed: number;
  readonly account: number;
  readonly strategy: string;
}
interface NightRow {
  readonly world: string;
  readonly seed: number;
  readonly night: number;
  readonly strategy: string;
  readonly accounts: number;
  readonly points: number;
  readonly cents: number;
}
interface PlaceRow extends PlaceSums {
  readonly world: string;
  readonly seed: number;
  readonly place: number;
}
interface WordRow {
  readonly world: string;
  readonly seed: number;
  readonly strategy: string;
  readonly intention: string;
  readonly verdict: string;
  readonly announcements: number;
}
interface CountRow {
  readonly world: string;
  readonly seed: number;
  readonly n: number;
  readonly count: number;
  readonly cents?: number;
}

const inWorld = ['world', 'seed'] as const;
const columns = {
  accounts: columnsOf<AccountRow>(
    ...([...inWorld, 'account', 'strategy', 'points', 'cents', 'peace', 'war'] as const),
    ...(['seated', 'evicted', 'burned', 'queued', 'served'] as const),
  ),
  nights: columnsOf<NightRow>(...inWorld, 'night', 'strategy', 'accounts', 'points', 'cents'),
  words: columnsOf<WordRow>(...inWorld, 'strategy', 'intention', 'verdict', 'announcements'),
  places: columnsOf<PlaceRow>(...inWorld, 'place', 'VACANT', 'PEACE', 'WAR', 'BURN', 'burned_cents'),
  rents: { world: of('world'), seed: of('seed'), days_held: of('n'), moves: of('count'), cents: of('cents') },
  stays: { world: of('world'), seed: of('seed'), nights: of('n'), stays: of('count') },
} satisfies Record<string, Columns<never>>;

function of(name: keyof CountRow) {
  return (row: CountRow) => row[name];
}

export type FileName = keyof typeof columns;
export const fileNames = Object.keys(columns) as FileName[];
export const headOf = (file: FileName): string => csvHead(columns[file] as Columns<never>);

const none = (): Sums => ({
  ...{ played: 0, points: 0, cents: 0, peace: 0, war: 0 },
  ...{ seated: 0, evicted: 0, burned: 0, queued: 0, served: 0 },
});
/** Points have one decimal, and so have their sums. */
const exact = (points: number): number => Math.round(points * 10) / 10;

export class Figures {
  readonly #world: World;
  readonly #accounts: ReadonlyMap<string, number>;
  readonly #own: Sums[];
  /** The strategy that each account plays last. */
  #names: readonly string[] = [];
  readonly #strategies: Record<string, Sums> = {};
  readonly #nightly: Record<string, { accounts: number[]; points: number[] }> = {};
  readonly #places: PlaceSums[] = [];
  readonly #rents: { moves: number; cents: number }[] = [];
  readonly #stays: number[] = [];
  /** By strategy, intention and verdict. */
  readonly #words = new Map<string, number>();
  /** Who sits where, and for how many nights. */
  #sitting = new Map<string, number>();
  /** Points and cents of each account at the end of each generation. */
  #generation: { points: number; cents: number }[] = [];
  #nights = '';

  constructor(world: World, accounts: ReadonlyMap<string, number>) {
    this.#world = world;
    this.#accounts = accounts;
    this.#own = Array.from(accounts, none);
    this.#generation = this.#own.map(({ points, cents }) => ({ points, cents }));
    for (const name of new Set(world.players)) this.#nightly[name] = { accounts: [], points: [] };
  }

  /** `names`: the strategy of each account in this night. */
  take(night: number, { places, moves, announcements }: NightRecord, names: readonly string[]): void {
    this.#names = names;
    const before = Object.fromEntries(Object.keys(this.#nightly).map((name) => [name, { ...this.#sums(name) }]));
    for (const name of names) this.#sums(name).played += 1;
    for (const { account, move, cents, result, days_held } of moves) {
      this.#count(account, names, (sums) => {
        sums.cents += cents;
        sums[move === 'PEACE' ? 'peace' : 'war'] += 1;
        if (result === 'evicted' || result === 'burned' || result === 'queued') sums[result] += 1;
      });
      if (move === 'PEACE') {
        this.#rents[days_held ?? 0] ??= { moves: 0, cents: 0 };
        const rent = this.#rents[days_held ?? 0] as { moves: number; cents: number };
        rent.moves += 1;
        rent.cents += cents;
      }
    }
    for (const { account, intention, verdict } of announcements) {
      const said = `${names[this.#accounts.get(account) as number]} ${intention} ${verdict}`;
      this.#words.set(said, (this.#words.get(said) ?? 0) + 1);
    }
    this.#seat(places, names);
    this.#tellNight(night, names, before);
  }

  #seat(places: NightRecord['places'], names: readonly string[]): void {
    const sitting = new Map<string, number>();
    for (const { slot, outcome, burned_cents, occupants } of places) {
      this.#places[slot - 1] ??= { VACANT: 0, PEACE: 0, WAR: 0, BURN: 0, burned_cents: 0 };
      const sums = this.#places[slot - 1] as PlaceSums;
      sums[outcome] += 1;
      sums.burned_cents += burned_cents;
      for (const { account, points, via, days_held } of occupants) {
        sitting.set(`${slot} ${account}`, days_held + 1);
        this.#count(account, names, (own) => {
          own.points = exact(own.points + points);
          own.seated += 1;
          if (via === 'queue') own.served += 1;
        });
      }
    }
    for (const [seat, nights] of this.#sitting) if ((sitting.get(seat) ?? 0) <= nights) this.#endStay(nights);
    this.#sitting = sitting;
  }

  #endStay(nights: number): void {
    this.#stays[nights] = (this.#stays[nights] ?? 0) + 1;
  }

  #tellNight(night: number, names: readonly string[], before: Readonly<Record<string, Sums>>): void {
    for (const [name, nightly] of Object.entries(this.#nightly)) {
      const { points, cents } = this.#sums(name);
      const row: NightRow = {
        ...{ world: this.#world.label, seed: this.#world.seed, night, strategy: name },
        accounts: names.filter((one) => one === name).length,
        points: exact(points - (before[name]?.points ?? 0)),
        cents: cents - (before[name]?.cents ?? 0),
      };
      nightly.accounts.push(row.accounts);
      nightly.points.push(row.points);
      this.#nights += csvLine(columns.nights, row);
    }
  }

  #sums(name: string): Sums {
    this.#strategies[name] ??= none();
    return this.#strategies[name] as Sums;
  }

  #count(account: string, names: readonly string[], add: (sums: Sums) => void): void {
    const n = this.#accounts.get(account) as number;
    add(this.#own[n] as Sums);
    add(this.#sums(names[n] as string));
  }

  /** What each account gained a night since this was asked last: its points at what they are worth, less its cents. */
  payoffs(nights: number, pointCents: number): number[] {
    const paid = this.#own.map(({ points, cents }, n) => {
      const before = this.#generation[n] as { points: number; cents: number };
      return ((points - before.points) * pointCents - (cents - before.cents)) / nights;
    });
    this.#generation = this.#own.map(({ points, cents }) => ({ points, cents }));
    return paid;
  }

  done(floorMs: number): WorldFigures {
    for (const nights of this.#sitting.values()) this.#endStay(nights);
    const { label, seed } = this.#world;
    const place = { world: label, seed };
    const rents = Array.from(this.#rents, (rent) => rent ?? { moves: 0, cents: 0 });
    const stays = Array.from(this.#stays, (count) => count ?? 0);
    const words = [...this.#words].sort().map(([said, announcements]): WordRow => {
      const [strategy = '', intention = '', verdict = ''] = said.split(' ');
      return { ...place, strategy, intention, verdict, announcements };
    });
    const lines = <T>(of: Columns<T>, rows: readonly T[]) => rows.map((row) => csvLine(of, row)).join('');
    return {
      label,
      seed,
      csv: {
        accounts: lines(
          columns.accounts,
          this.#own.map((sums, n) => ({ ...place, account: n + 1, strategy: this.#names[n] as string, ...sums })),
        ),
        nights: this.#nights,
        words: lines(columns.words, words),
        places: lines(
          columns.places,
          this.#places.map((sums, n) => ({ ...place, place: n + 1, ...sums })),
        ),
        rents: lines(
          columns.rents,
          rents.map(({ moves, cents }, n) => ({ ...place, n, count: moves, cents })),
        ),
        stays: lines(
          columns.stays,
          stays.map((count, n) => ({ ...place, n, count })).filter(({ count }) => count > 0),
        ),
      },
      strategies: this.#strategies,
      places: this.#places,
      rents,
      stays,
      nightly: this.#nightly,
      words: Object.fromEntries(
        Array.from(
          Map.groupBy(words, ({ intention, verdict }) => `${intention} ${verdict}`),
          ([said, rows]) => [said, rows.reduce((sum, { announcements }) => sum + announcements, 0)],
        ),
      ),
      floorMs,
    };
  }
}
