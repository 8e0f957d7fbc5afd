// Real nights again, one after the other, with other moves of one account: what each comes to then.
import type pg from 'pg';
import { rule } from '../db/rules.ts';
import { type Decision, sight as sees, type View } from '../strategies/strategy.ts';
import { type BoardlessView, type NightRecord, type PlacesRecord, type Prices, pricesOf, Sight } from './sight.ts';
import { decided, type Ready } from './strategies.ts';

/** A night file, when its day began, and what was announced that day: announcements.ndjson. */
export interface RealNight {
  readonly day: number;
  readonly midnight: number;
  readonly file: NightFile;
  readonly announcements: readonly Said[];
}

interface NightFile {
  readonly day: number;
  readonly open_slots: readonly number[];
  readonly accounts: readonly { readonly account: string; readonly since: string; readonly reputation: number }[];
  readonly holders: readonly { readonly slot: number; readonly account: string; readonly days_held: number }[];
  readonly moves: readonly FileMove[];
}

interface FileMove {
  readonly seq: number;
  readonly account: string;
  readonly slot: number;
  readonly move: 'PEACE' | 'WAR';
  readonly stake_cents: number;
  readonly at: string;
}

interface Said {
  readonly occupant: { readonly accountId: string };
  readonly slot: number;
  readonly intention: 'PEACE' | 'WAR' | 'PASS';
  readonly message?: string | null | undefined;
  readonly at: string;
}

/** For whom a strategy plays: an account of the hill, or one that comes as the youngest. */
export interface Seat {
  readonly account: string;
  readonly since: string;
  readonly dailyCapCents: number;
  readonly maxStakeCents: number;
}

/** Of a night. */
export interface Earned {
  readonly day: number;
  readonly points: number;
  readonly cents: number;
}

interface Live {
  readonly move: 'PEACE' | 'WAR';
  readonly stake_cents: number;
  readonly cents: number;
  readonly at: string;
}

/** In a database without nights, within one transaction of a superuser's that is rolled back in the end. */
export class Replay {
  readonly #db: pg.Client;
  #sight: Sight;
  #places: PlacesRecord = [];

  private constructor(db: pg.Client, prices: Prices) {
    this.#db = db;
    this.#sight = new Sight(prices);
  }

  static async begin(db: pg.Client): Promise<Replay> {
    const { rows } = await db.query<Prices>(pricesOf);
    await db.query("begin; set local session_replication_role = 'replica'; select engine.begin_following()");
    return new Replay(db, rows[0] as Prices);
  }

  /** As it was. Returns where the night differs from what its file comes to by itself. */
  async follow({ file, announcements }: RealNight): Promise<string[]> {
    await this.#follow(file, announcements);
    const { rows } = await this.#db.query<{ difference: string }>('select lab.differences($1) as difference', [file]);
    return rows.map(({ difference }) => difference);
  }

  /** Tries something, and undoes it: what is seen of the nights before stays. */
  async trying<T>(work: () => Promise<T>): Promise<T> {
    const [places, sight] = [this.#places, this.#sight];
    await this.#db.query('savepoint trying');
    try {
      this.#sight = sight.copy();
      return await work();
    } finally {
      [this.#places, this.#sight] = [places, sight];
      await this.#db.query('rollback to savepoint trying');
    }
  }

  /** With the moves of a strategy instead of those of its account. */
  async play(night: RealNight, strategy: Ready, seat: Seat): Promise<Earned> {
    const { day, file } = night;
    const announced = night.announcements.filter(({ occupant }) => occupant.accountId !== seat.account);
    const live = new Map<number, Live>();
    let [moves, said] = [0, [] as Said[]];
    for (const hour of strategy.hours) {
      const view = await this.#view(night, announced, seat, hour, live, moves, strategy.advised);
      const { announcements = [], moves: wanted = [] } = await decided(strategy, view, () => this.#leaders(day - 1));
      said = [
        ...said,
        ...announcements.map((one) => ({ occupant: { accountId: seat.account }, at: instant(night, hour, 0), ...one })),
      ];
      for (const [n, move] of wanted.entries())
        if (
          file.open_slots.includes(move.slot) &&
          (await this.#deposit(live, move, moves, seat, instant(night, hour, n + 1)))
        )
          moves += 1;
    }
    await this.#follow(withMoves(file, seat, live), [...announced, ...said]);
    return this.earned(day, seat.account);
  }

  /** What an account came to in a night that was followed. */
  async earned(day: number, account: string): Promise<Earned> {
    const { rows } = await this.#db.query<Earned>(
      `select $1::int as day,
              coalesce((select sum(s.points) from hill.seats s where s.day = $1 and s.account_id = $2), 0)::float8 as points,
              coalesce((select s.granted_cents + s.paid_cents from hill.settlements s
                         where s.day = $1 and s.account_id = $2), 0) as cents`,
      [day, account],
    );
    return rows[0] as Earned;
  }

  async #follow(file: NightFile, announcements: readonly Said[]): Promise<void> {
    await this.#db.query('select lab.follow($1, $2)', [file, JSON.stringify(announcements)]);
    const { rows } = await this.#db.query<{ night: NightRecord; places: PlacesRecord }>(
      'select lab.night($1) as night, lab.places($1) as places',
      [file.day],
    );
    const { night, places } = rows[0] as { night: NightRecord; places: PlacesRecord };
    this.#places = places;
    this.#sight.take(night, places);
  }

  async #leaders(night: number): Promise<View['leaders']> {
    const { rows } = await this.#db.query<{ leaders: View['leaders'] }>('select lab.leaders($1, $2) as leaders', [
      ...[night, sees.leaders],
    ]);
    return rows[0]?.leaders ?? [];
  }

  async #view(
    night: RealNight,
    announced: readonly Said[],
    seat: Seat,
    hour: number,
    live: ReadonlyMap<number, Live>,
    moves: number,
    advised: boolean,
  ): Promise<BoardlessView> {
    const { day, file } = night;
    this.#sight.open(file.open_slots);
    const { rows } = await this.#db.query<{ reputation: number }>(
      'select reputation::float8 as reputation from engine.reputations(array[$1::uuid], $2)',
      [seat.account, day],
    );
    const reserved = [...live.values()].reduce((sum, { cents }) => sum + cents, 0);
    const me = {
      account: seat.account,
      name: 'the strategy',
      credits_cents: seat.dailyCapCents - reserved,
      left_today_cents: seat.dailyCapCents - reserved,
      most_stake_cents: seat.maxStakeCents,
      moves_left: rule('moves_per_day') - moves,
      reputation: rows[0]?.reputation ?? 0,
      live: [...live].map(([slot, { move, stake_cents }]) => ({ slot, move, stake_cents: stake_cents || null })),
    };
    const now = instant(night, hour, 0);
    const said = announced.filter(({ at }) => at <= now);
    const heard = said
      .map(({ occupant, slot, intention, message }) => ({
        account: occupant.accountId,
        slot,
        intention,
        message: message ?? null,
      }))
      .reverse();
    return this.#sight.view(
      day,
      hour,
      me,
      heard,
      advised ? await this.#advice(file, said, seat, now, live, moves) : [],
    );
  }

  async #advice(
    file: NightFile,
    said: readonly Said[],
    seat: Seat,
    now: string,
    live: ReadonlyMap<number, Live>,
    moves: number,
  ): Promise<View['advice']> {
    await this.#db.query('savepoint advising');
    const { rows } = await this.#db.query<{ advice: View['advice'] }>(
      'select lab.advise($1, $2, $3, $4, $5, $6, $7, $8, $9) as advice',
      [
        ...[seat.account, seat.since, file, now, JSON.stringify(said)],
        ...[JSON.stringify([...live].map(([slot, move]) => ({ slot, ...move }))), moves],
        ...[seat.dailyCapCents, seat.maxStakeCents],
      ],
    );
    await this.#db.query('rollback to savepoint advising; release savepoint advising');
    return rows[0]?.advice ?? [];
  }

  async #deposit(
    live: Map<number, Live>,
    { slot, move, stake_cents = 0 }: NonNullable<Decision['moves']>[number],
    moves: number,
    seat: Seat,
    at: string,
  ): Promise<boolean> {
    const before = live.get(slot);
    if (move === 'PASS' && !before) return false;
    const held = this.#places
      .find((place) => place.slot === slot)
      ?.occupants.find(({ account }) => account === seat.account)?.days_held;
    const reserved = [...live.values()].reduce((sum, { cents }) => sum + cents, 0);
    const { rows } = await this.#db.query<{ cents: number; refused: string | null }>(
      'select cents, refused from lab.judge($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      [
        ...[move, stake_cents, held ?? 0, before !== undefined, before?.cents ?? 0],
        ...[moves, live.size, reserved, seat.dailyCapCents, seat.maxStakeCents],
      ],
    );
    const { cents = 0, refused = null } = rows[0] ?? {};
    if (refused !== null) return false;
    if (move === 'PASS') live.delete(slot);
    else live.set(slot, { move, stake_cents: move === 'WAR' ? stake_cents : 0, cents, at });
    return true;
  }
}

/** An hour of the day, and some seconds. */
const instant = ({ midnight }: RealNight, hour: number, seconds: number): string =>
  new Date(midnight + hour * 3_600_000 + seconds * 1_000).toISOString();

function withMoves(file: NightFile, { account, since }: Seat, live: ReadonlyMap<number, Live>): NightFile {
  const others = file.moves.filter((move) => move.account !== account);
  const last = Math.max(0, ...file.moves.map(({ seq }) => seq));
  const known = file.accounts.filter((one) => one.account !== account);
  return {
    ...file,
    accounts: live.size === 0 ? known : [...known, { account, since, reputation: 0 }],
    moves: [
      ...others,
      ...[...live].map(([slot, { move, stake_cents, at }], n) => ({
        seq: last + n + 1,
        account,
        slot,
        move,
        stake_cents,
        at,
      })),
    ],
  };
}
