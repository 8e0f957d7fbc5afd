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
  const adviseAnybody = [...strategies.values()].some(({ advised }) => advised);
  for (let night = 1; night <= world.nights; night++) {
    const day = firstDay + night - 1;
    await playDay(db, world, accounts, sight, day);
    await ring(db, day, adviseAnybody);
    const record = await nightOf(db, day);
    sight.take(record, await placesAfter(db, day));
    figures.take(
      night,
      record,
      accounts.map(({ strategy }) => strategy.name),
    );
    if (world.evolve > 0 && night % world.evolve === 0) imitate(world, accounts, figures, night);
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
  const hours = [...new Set(accounts.flatMap(({ strategy }) => strategy.hours))].sort((a, b) => a - b);
  for (const hour of hours) {
    const deciding = shuffled(
      `${world.seed} ${day} ${hour}`,
      accounts.filter(({ strategy }) => strategy.hours.includes(hour)),
    );
    const views = await look(db, deciding, sight, day, hour);
    const decisions = await Promise.all(
      deciding.map(({ strategy }, i) => decided(strategy, views[i] as BoardlessView, leaders)),
    );
    await announce(db, deciding, decisions);
    await deposit(db, deciding, decisions);
  }
}

interface Seen {
  readonly announced: View['announcements'];
  readonly own: View['me'][];
}

async function look(
  db: pg.Client,
  deciding: Account[],
  sight: Sight,
  day: number,
  hour: number,
): Promise<BoardlessView[]> {
  const { announced, own } = await one<Seen>(db, 'select to_jsonb(l) as it from lab.look($1, $2, $3, $4) l', [
    ...[instantOf(day, hour), deciding.map(({ id }) => id), day, sees.announcements],
  ]);
  const advised = deciding.filter(({ strategy }) => strategy.advised);
  const advice =
    advised.length === 0
      ? []
      : await one<View['advice'][]>(db, 'select to_jsonb(lab.advice($1)) as it', [advised.map(({ token }) => token)]);
  return deciding.map((account, i) =>
    sight.view(day, hour, own[i] as View['me'], announced, advice[advised.indexOf(account)] ?? []),
  );
}

async function announce(db: pg.Client, deciding: Account[], decisions: Decision[]): Promise<void> {
  const said = deciding.flatMap(({ token }, i) =>
    (decisions[i]?.announcements ?? []).map((announcement) => ({ token, message: null, ...announcement })),
  );
  if (said.length > 0)
    await one(db, 'select lab.announce($1, $2, $3, $4) as it', [
      said.map(({ token }) => token),
      said.map(({ slot }) => slot),
      said.map(({ intention }) => intention),
      said.map(({ message }) => message),
    ]);
}

/** The first move of each, then the second: of one account there is one move in each statement. */
async function deposit(db: pg.Client, deciding: Account[], decisions: Decision[]): Promise<void> {
  const most = Math.max(...decisions.map(({ moves = [] }) => moves.length));
  for (let round = 0; round < most; round++) {
    const calls = deciding.flatMap(({ token }, i): (Move & { token: string })[] => {
      const move = decisions[i]?.moves?.[round];
      return move ? [{ token, ...move }] : [];
    });
    await one(db, 'select lab.deposit($1, $2, $3, $4, $5) as it', [
      calls.map(({ token }) => token),
      calls.map(({ slot }) => slot),
      calls.map(({ move }) => move),
      calls.map(({ stake_cents }) => stake_cents ?? null),
      calls.map(({ message }) => message ?? null),
    ]);
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

/** The bell, and what follows it: wallets, and what the tool status needs if anybody asks it. */
async function ring(db: pg.Client, day: number, prospects: boolean): Promise<void> {
  await db.query('select api_worker.set_clock($1, null)', [instantOf(day + 1, 0)]);
  await db.query('select api_worker.ring_next_bell()');
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const piece: { after?: string } | null = await one(db, 'select api_worker.settle_wallets($1) as it', [after]);
    after = piece?.after;
  }
  if (prospects) await db.query('select api_worker.keep_prospects()');
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
