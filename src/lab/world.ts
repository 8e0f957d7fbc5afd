// One world: accounts that play night after night on the functions of the hill, in a database of its own.
import type pg from 'pg';
import { type Decision, sight as sees, type View } from '../strategies/strategy.ts';
import { idOf, roll, shuffled } from './dice.ts';
import { Figures, type WorldFigures } from './figures.ts';
import { type BoardlessView, type NightRecord, type PlacesRecord, type Prices, pricesOf, Sight } from './sight.ts';
import { decided, type Ready } from './strategies.ts';
import { firstDay, instantOf } from './template.ts';

interface Rules {
  readonly dailyCapCents: number;
  readonly maxStakeCents: number;
  /** After so many nights accounts imitate each other; 0: never. */
  readonly evolve: number;
  /** What a point is worth to whoever imitates. */
  readonly pointCents: number;
}

export interface World extends Rules {
  /** What sets it apart from others of the same seed. */
  readonly label: string;
  readonly seed: number;
  readonly nights: number;
  /** The name of a strategy for each account. */
  readonly players: readonly string[];
}

interface Account {
  readonly id: string;
  readonly agent: string;
  readonly name: string;
  readonly token: string;
  strategy: Ready;
}

type Move = NonNullable<Decision['moves']>[number];

/** Cents: what each account begins with, as in the demonstration, and what its human pays when little is left. */
const welcome = { granted: 1_500, paid: 2_000 };
const topUp = 20_000;

/** Plays a world to its end, and gives what came of it. `onNight` hears of each night. */
export async function playWorld(
  db: pg.Client,
  world: World,
  strategies: ReadonlyMap<string, Ready>,
  onNight: () => void,
): Promise<WorldFigures> {
  const accounts = await admit(db, world, strategies);
  const [prices] = (await db.query<Prices>(pricesOf)).rows as [Prices];
  const sight = new Sight(prices);
  const figures = new Figures(world, new Map(accounts.map(({ id }, n) => [id, n])));
  sight.take(null, await placesAfter(db, firstDay - 1));
  for (let night = 1; night <= world.nights; night++) {
    const day = firstDay + night - 1;
    await playDay(db, world, accounts, sight, day);
    await ring(db, day);
    const record = await nightOf(db, day);
    sight.take(record, await placesAfter(db, day));
    figures.take(
      night,
      record,
      accounts.map(({ strategy }) => strategy.name),
    );
    if (world.evolve > 0 && night % world.evolve === 0) imitate(world, accounts, figures, night);
    await prepareAdvice(db, accounts, day + 1);
    onNight();
  }
  const { rows: wrong } = await db.query<{ wrong: string }>('select lab.wrong() as wrong');
  if (wrong[0]) throw new Error(`the books of world ${world.label} ${world.seed} do not balance: ${wrong[0].wrong}`);
  const began = performance.now();
  await db.query('select lab.resolve($1)', [firstDay - 1]);
  return figures.done(performance.now() - began);
}

/** Accounts with their ids, their agents and tokens, by the functions of the hill; who is senior the dice decide. */
async function admit(db: pg.Client, world: World, strategies: ReadonlyMap<string, Ready>): Promise<Account[]> {
  const { seed, label } = world;
  const accounts = shuffled(`${seed} seniority`, world.players).map((player, n): Account => {
    const strategy = strategies.get(player) as Ready;
    const name = `${strategy.title} ${n + 1}`;
    const ofIt = (what: string) => idOf(`${seed} ${what} ${n}`);
    return { id: ofIt('account'), agent: ofIt('agent'), token: `${label} ${ofIt('token')}`, name, strategy };
  });
  const columns = [
    accounts.map(({ id }) => id),
    accounts.map(({ agent }) => agent),
    accounts.map(({ name }) => name),
    accounts.map(({ token }) => token),
  ];
  await db.query('begin');
  await db.query(
    `select engine.open_account(a.id, a.name, false)
       from unnest($1::uuid[], $2::text[]) with ordinality a (id, name, n) order by a.n`,
    [columns[0], columns[2]],
  );
  await db.query('update hill.mandates set daily_cap_cents = $1, max_stake_cents = $2', [
    world.dailyCapCents,
    world.maxStakeCents,
  ]);
  await db.query('select trusted.note_caps(a) from unnest($1::uuid[]) a', [columns[0]]);
  await db.query(
    `insert into hill.agents (id, account_id, name, model, created_at)
     select a.agent, a.id, a.name, 'a strategy', engine.now()
       from unnest($1::uuid[], $2::uuid[], $3::text[]) a (id, agent, name)`,
    columns.slice(0, 3),
  );
  await db.query(
    'select api_worker.give_token(a.agent, a.token) from unnest($1::uuid[], $2::text[]) a (agent, token)',
    [columns[1], columns[3]],
  );
  await db.query('select api_worker.fuel_agent(a, $2, $3) from unnest($1::uuid[]) a', [
    columns[0],
    welcome.granted,
    welcome.paid,
  ]);
  await db.query('commit');
  // or the planner takes the first night's deposits for those of a hill where nobody is
  await db.query(
    'analyze hill.accounts, hill.agents, hill.mandates, hill.wallets, hill.reservations, hill.lots, oauth.access_tokens',
  );
  return accounts;
}

const placesAfter = async (db: pg.Client, night: number): Promise<PlacesRecord> =>
  one(db, 'select lab.places($1) as it', [night]);
const nightOf = async (db: pg.Client, night: number): Promise<NightRecord> =>
  one(db, 'select lab.night($1) as it', [night]);

async function one<T>(db: pg.Client, text: string, values: unknown[]): Promise<T> {
  const { rows } = await db.query<{ it: T }>({ name: text, text, values });
  return rows[0]?.it as T;
}

/**
 * From hour to hour: who decides at an hour sees the hill as it is when the hour begins. What they announce comes
 * first, then the first move of each, then the second; in an order that the dice decide anew each hour.
 */
async function playDay(db: pg.Client, world: World, accounts: Account[], sight: Sight, day: number): Promise<void> {
  await db.query('select lab.fuel($1, $2, $3)', [
    accounts.map(({ id }) => id),
    Math.min(world.dailyCapCents, topUp),
    topUp,
  ]);
  let board: Promise<View['leaders']> | undefined;
  const leaders = () => {
    board ??= boardAfter(db, day - 1);
    return board;
  };
  const desk = new Desk(db, day);
  await desk.look(accounts);
  const hours = [...new Set(accounts.flatMap(({ strategy }) => strategy.hours))].sort((a, b) => a - b);
  for (const hour of hours) {
    const deciding = shuffled(
      `${world.seed} ${day} ${hour}`,
      accounts.filter(({ strategy }) => strategy.hours.includes(hour)),
    );
    const views = await desk.views(deciding, sight, hour);
    const decisions = await Promise.all(
      deciding.map(({ strategy }, i) => decided(strategy, views[i] as BoardlessView, leaders)),
    );
    await desk.announce(deciding, decisions, hour);
    desk.deposit(deciding, decisions, hour);
  }
  await desk.send();
}

interface Call extends Move {
  readonly account: Account;
  readonly instant: string;
  /** The first move of an account at an hour, or its second. */
  readonly round: number;
}

/**
 * What is seen and done on a day. Moves are sealed until the bell, and what is an account's own changes by its moves
 * alone: so all are looked at once, and moves wait until somebody has to see what came of them, or the clock goes on.
 */
class Desk {
  readonly #db: pg.Client;
  readonly #day: number;
  readonly #own = new Map<Account, View['me']>();
  #announced: View['announcements'] | null = null;
  #calls: Call[] = [];

  constructor(db: pg.Client, day: number) {
    this.#db = db;
    this.#day = day;
  }

  async look(accounts: Account[]): Promise<void> {
    const own = await one<View['me'][]>(this.#db, 'select lab.look($1, $2) as it', [
      ...[accounts.map(({ id }) => id), this.#day],
    ]);
    for (const [i, account] of accounts.entries()) this.#own.set(account, own[i] as View['me']);
  }

  async views(deciding: Account[], sight: Sight, hour: number): Promise<BoardlessView[]> {
    const advised = deciding.filter(({ strategy }) => strategy.advised);
    const moved = deciding.filter((account) => this.#calls.some((call) => call.account === account));
    if (advised.length + moved.length > 0) await this.send();
    const unknown = deciding.filter((account) => !this.#own.has(account));
    if (unknown.length > 0) await this.look(unknown);
    const announced: View['announcements'] =
      this.#announced ?? (await one(this.#db, 'select lab.announced($1, $2) as it', [this.#day, sees.announcements]));
    this.#announced = announced;
    const advice =
      advised.length === 0
        ? []
        : await one<View['advice'][]>(this.#db, 'select to_jsonb(lab.advice($1, $2)) as it', [
            ...[instantOf(this.#day, hour), advised.map(({ token }) => token)],
          ]);
    return deciding.map((account) =>
      sight.view(
        ...[this.#day, hour, this.#own.get(account) as View['me'], announced],
        advice[advised.indexOf(account)] ?? [],
      ),
    );
  }

  async announce(deciding: Account[], decisions: Decision[], hour: number): Promise<void> {
    const said = deciding.flatMap(({ token }, i) =>
      (decisions[i]?.announcements ?? []).map((announcement) => ({ token, message: null, ...announcement })),
    );
    if (said.length === 0) return;
    await this.send();
    await one(this.#db, 'select lab.announce($1, $2, $3, $4, $5) as it', [
      instantOf(this.#day, hour),
      said.map(({ token }) => token),
      said.map(({ slot }) => slot),
      said.map(({ intention }) => intention),
      said.map(({ message }) => message),
    ]);
    this.#announced = null;
  }

  /** The first move of each, then the second. */
  deposit(deciding: Account[], decisions: Decision[], hour: number): void {
    const instant = instantOf(this.#day, hour);
    const most = Math.max(...decisions.map(({ moves = [] }) => moves.length));
    for (let round = 0; round < most; round++)
      for (const [i, account] of deciding.entries()) {
        const move = decisions[i]?.moves?.[round];
        if (move) this.#calls.push({ account, instant, round, ...move });
      }
  }

  /** Deposits the moves that wait. */
  async send(): Promise<void> {
    const calls = this.#calls;
    if (calls.length === 0) return;
    this.#calls = [];
    await one(this.#db, 'select lab.deposit($1, $2, $3, $4, $5, $6, $7) as it', [
      calls.map(({ instant }) => instant),
      calls.map(({ round }) => round),
      calls.map(({ account }) => account.token),
      calls.map(({ slot }) => slot),
      calls.map(({ move }) => move),
      calls.map(({ stake_cents }) => stake_cents ?? null),
      calls.map(({ message }) => message ?? null),
    ]);
    for (const { account } of calls) this.#own.delete(account);
  }
}

/** The first of the board, which is a table of its own: most worlds have nobody who reads it. */
async function boardAfter(db: pg.Client, night: number): Promise<View['leaders']> {
  await db.query('select api_worker.build_boards()');
  if (night % boardsKept === 0) await db.query('select api_worker.drop_old_boards()');
  return one(db, 'select lab.leaders($1, $2) as it', [night, sees.leaders]);
}

/** Boards of so many nights are dropped at once. */
const boardsKept = 10;

/** The bell, and what follows it: wallets. */
async function ring(db: pg.Client, day: number): Promise<void> {
  await db.query('select api_worker.set_clock($1, null)', [instantOf(day + 1, 0)]);
  await db.query('select api_worker.ring_next_bell()');
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const piece: { after?: string } | null = await one(db, 'select api_worker.settle_wallets($1) as it', [after]);
    after = piece?.after;
  }
}

/** What the tool status needs of those whom it advises: of all holders it would take a third of the time. */
async function prepareAdvice(db: pg.Client, accounts: Account[], day: number): Promise<void> {
  const advised = accounts.filter(({ strategy }) => strategy.advised).map(({ id }) => id);
  if (advised.length > 0) await db.query('select engine.keep_prospects($1, $2)', [day, advised]);
}

/**
 * Each account looks at another one that the dice choose, and takes over its strategy if that paid more, the more the
 * likelier: with many accounts, the replicator dynamics.
 */
function imitate({ seed, evolve, pointCents }: World, accounts: Account[], figures: Figures, night: number): void {
  const paid = figures.payoffs(evolve, pointCents);
  const range = Math.max(...paid) - Math.min(...paid);
  if (range === 0) return;
  const before = accounts.map(({ strategy }) => strategy);
  for (const [n, account] of accounts.entries()) {
    const other = (n + 1 + Math.floor(roll(`${seed} ${night} looks ${n}`) * (accounts.length - 1))) % accounts.length;
    const gain = ((paid[other] as number) - (paid[n] as number)) / range;
    if (roll(`${seed} ${night} takes ${n}`) < gain) account.strategy = before[other] as Ready;
  }
}
