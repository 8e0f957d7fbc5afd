// Workers that run the code of src/worker on a database of which they lose their connection, or with which they die, at
// any of their statements. What they leave behind another one takes up.
import type pg from 'pg';
import { archiveNight } from '../../../src/worker/archives.ts';
import { refreshSealedCount } from '../../../src/worker/calls.ts';
import { NotSealed } from '../../../src/worker/closing.ts';
import { publishLog } from '../../../src/worker/log.ts';
import { NotVouched } from '../../../src/worker/log-head.ts';
import { bringUpToDate, forget } from '../../../src/worker/tasks.ts';
import type { Random } from '../../support/random.ts';
import { stepClock } from '../clock.ts';
import { compareBoards, noteOrder, tookPlace } from '../compare.ts';
import type { Family, StepKind } from '../family.ts';
import { checkLog } from '../log.ts';
import { bellAt, Contradiction, ring } from '../model.ts';
import { isVouchedFor, type Outside, restarted, settingsOf } from '../outside.ts';
import { momentIn, type World } from '../world.ts';
import { postAll } from './events.ts';
import { forgotten } from './tokens.ts';

/** Before or after the server did the statement of this number. Then it has another connection, or is dead. */
interface Death {
  readonly statement: number;
  readonly when: 'before' | 'after';
  readonly of: 'connection' | 'process';
}

const tasks = ['bells', 'count', 'log', 'files', 'forget'] as const;
type Task = (typeof tasks)[number];

interface Worker {
  readonly tasks: readonly Task[];
  readonly death: Death | null;
}

const gone = () => new Error('Connection terminated unexpectedly');

/** Lets workers do one statement at a time, in an order that the seed has drawn. */
class Turns {
  readonly #order: number[];
  readonly #waiting: (() => void)[][];
  readonly #working: Set<number>;
  #busy = false;

  constructor(workers: number, order: readonly number[]) {
    this.#order = [...order];
    this.#waiting = Array.from({ length: workers }, () => []);
    this.#working = new Set(this.#waiting.keys());
  }

  async one<T>(worker: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting[worker]?.push(begin);
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#busy = false;
      // first whatever this answer makes its worker ask
      setImmediate(() => this.#next());
    }
  }

  leave(worker: number): void {
    this.#working.delete(worker);
    this.#next();
  }

  #next(): void {
    const ready = [...this.#working].filter((worker) => this.#waiting[worker]?.length);
    if (this.#busy || ready.length === 0 || ready.length < this.#working.size) return;
    const drawn = this.#order.shift() ?? 0;
    const begin = this.#waiting[ready.includes(drawn) ? drawn : (ready[0] as number)]?.shift();
    this.#busy = begin !== undefined;
    begin?.();
  }
}

/** A real worker waits for half a minute for whoever holds what it needs. */
const shortly = (text: string) => text.replace(/lock_timeout = \d+/, "lock_timeout = '40ms'");

/** The pool of a worker that meets its death. */
function mortal(world: World, worker: number, death: Death | null, turns: Turns) {
  const pool = world.hill.as('worker');
  const state = { done: 0, died: false };
  const isDead = () => state.died && death?.of === 'process';
  const statement =
    (ask: (args: unknown[]) => Promise<unknown>, end: () => Promise<void>) =>
    (...args: unknown[]) => {
      const given = args[0] as string | { text: string };
      const text = shortly(typeof given === 'string' ? given : given.text);
      if (text.includes('pg_notify')) return Promise.resolve(); // a courtesy
      // the model has no house
      if (text.includes('api_worker.play_house')) return Promise.resolve({ rows: [{ result: 0, changed: null }] });
      const values = [typeof given === 'string' ? text : { ...given, text }, ...args.slice(1)];
      return turns.one(worker, async () => {
        if (isDead()) throw gone();
        state.done += 1;
        const dies = !state.died && state.done === death?.statement;
        if (dies) state.died = true;
        if (dies && death?.when === 'before') {
          await end();
          throw gone();
        }
        const answer = await ask(values);
        if (!dies) return answer;
        await end();
        throw gone();
      });
    };
  const connect = async () => {
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    let ended = false;
    const end = async () => {
      if (ended) return;
      ended = true;
      client.on('error', () => {});
      await world.hill.admin.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
      client.release(true);
    };
    const query = statement((args) => (ended ? Promise.reject(gone()) : client.query(...(args as [string]))), end);
    const release = (error?: Error) => {
      if (isDead()) return void end();
      if (!ended) client.release(error);
    };
    return new Proxy(client, { get: (_, name) => ({ query, release })[name as 'query'] ?? Reflect.get(client, name) });
  };
  const query = statement(
    (args) => pool.query(...(args as [string])),
    async () => {},
  );
  const db = new Proxy(pool, {
    get: (_, name) => ({ query, connect })[name as 'query'] ?? Reflect.get(pool, name, pool),
  });
  return { db: db as pg.Pool, died: () => state.died };
}

/** The pool of a worker that nothing happens to. */
export const aWorker = (world: World): pg.Pool => mortal(world, 0, null, new Turns(1, [])).db;

/** What it could not do, the first of it. */
export async function doTasks(
  { hill, outside }: World,
  db: pg.Pool,
  does: readonly Task[],
  known: Outside = outside,
): Promise<unknown> {
  const sign = async () => void (await publishLog(db, settingsOf(hill, known)));
  const work: Readonly<Record<Task, () => Promise<unknown>>> = {
    bells: () => bringUpToDate(db, sign, () => {}),
    count: () => refreshSealedCount(db),
    log: sign,
    files: async () => {
      while (await archiveNight(db));
    },
    forget: () => forget(db),
  };
  let failure: unknown;
  for (const task of does)
    await work[task]().catch((error: unknown) => {
      failure ??= error;
    });
  return failure;
}

/** Whatever was published meanwhile is what the model makes of it. */
export async function learnNights(world: World): Promise<number> {
  const [{ night = 0 } = {}] = await world.hill.rows<{ night: number }>(
    'select last_night as night from hill.settings',
  );
  const before = world.model.lastNight;
  while (world.model.lastNight < night) {
    if (momentIn(world).today <= world.model.lastNight + 1)
      throw new Contradiction(`Night ${night} is published, and it is not over`);
    await tookPlace(world, ring(world.model));
    await checkSealed(world);
  }
  return night - before;
}

/** A night in which somebody moved was sealed, or says why it was not. */
async function checkSealed({ hill, model, reached }: World): Promise<void> {
  const [night] = await hill.rows<{ moved: boolean; sealed: boolean; unsealed: string | null }>(
    `select exists (select from hill.moves m where m.day = $1) as moved,
            exists (select from hill.sealed_nights s where s.day = $1) as sealed, trusted.unsealed($1) as unsealed`,
    [model.lastNight],
  );
  if (night?.unsealed) reached.add('a night that was published unsealed');
  if (night?.sealed ? night.unsealed !== null : night?.moved !== (night?.unsealed !== null))
    throw new Contradiction(`Night ${model.lastNight} is neither sealed nor says why: ${JSON.stringify(night)}`);
}

/** A day whose closing nobody can sign is waited for no longer: two minutes have passed of the real time. */
async function pastPatience({ hill }: Pick<World, 'hill'>): Promise<unknown[]> {
  await hill.root.query(
    'begin; set local session_replication_role = replica; ' +
      "update hill.closed_days set closed_real_at = closed_real_at - interval '2 minutes'; commit",
  );
  return hill.rows('select from hill.settings where closed_day > last_night');
}

/** Whether all that follows the bells is done. */
async function noteWhatIsLeft({ hill, reached }: World): Promise<void> {
  const [left] = await hill.rows<{ closed: boolean; boards: boolean }>(
    `select s.closed_day > s.last_night as closed, b.night < s.last_night as boards
       from hill.settings s
      cross join (select (api_public.clock() ->> 'boards_night')::int as night) b`,
  );
  if (left?.closed) reached.add('a worker that was killed between its closing and its bell');
  if (left?.boards) reached.add('a worker that was killed after its bell and before its boards');
}

const aDeath = (random: Random): Death | null =>
  random.chance(0.75)
    ? {
        statement: 1 + random.below(random.pick([4, 12, 30])),
        when: random.pick(['before', 'after'] as const),
        of: random.pick(['connection', 'process'] as const),
      }
    : null;

const workers: StepKind<{ workers: readonly Worker[]; order: readonly number[]; patience: boolean; back: number }> = {
  odds: 3,
  fault: true,
  draw: (_, random) => {
    const two = random.chance(0.3);
    // files are written in one transaction, in whose middle another worker's turn would never come
    const some = () =>
      random.shuffle(two ? tasks.filter((one) => one !== 'files') : tasks).slice(0, 1 + random.below(3));
    return {
      workers: Array.from({ length: two ? 2 : 1 }, () => ({
        tasks: random.chance(0.8) ? (['bells'] as const) : some(),
        death: aDeath(random),
      })),
      order: Array.from({ length: 40 }, () => random.below(2)),
      patience: random.chance(0.3),
      back: random.chance(0.15) ? random.pick([60_000, 3_600_000, 30 * 3_600_000]) : 0,
    };
  },
  step: async (world, { workers: all, order, patience, back }) => {
    const { outside, reached } = world;
    await noteOrder(world);
    const { length: waiting } = patience ? await pastPatience(world) : [];
    const [signed, first] = [world.log.signed.size, all[0]];
    const vouched = await isVouchedFor(world);
    const turns = new Turns(all.length, order);
    const ran = await Promise.all(
      all.map(async ({ tasks: does, death }, i) => {
        const { db, died } = mortal(world, i, death, turns);
        const known = i === 0 ? outside : { ...outside, memory: { signed: null } };
        const failure = await doTasks(world, db, does, known);
        turns.leave(i);
        return { died: died(), failure };
      }),
    );
    const deaths = ran.filter(({ died }) => died).length;
    if (ran[0]?.died && all[0]?.death?.of === 'process') restarted(world);
    const rung = await learnNights(world);
    await checkLog(world);
    if (deaths > 0) await noteWhatIsLeft(world);
    if (all.length > 1 && deaths > 0 && rung > 0) reached.add('two workers at a bell of which one was killed');
    const failures = ran.flatMap(({ died, failure }) => (died || !failure ? [] : [failure]));
    for (const failure of failures) if (!isExpected(failure, vouched, all.length > 1)) throw failure;
    if (!vouched && world.log.signed.size > signed)
      throw new Contradiction('A worker signed the log, and nobody vouched for its database');
    if (deaths === 0 && all.length === 1 && first?.tasks.includes('bells')) {
      if ((vouched && isDue(world)) || (waiting > 0 && rung === 0))
        throw new Contradiction('A bell did not ring that nothing was in the way of');
      await compareBoards(world);
    }
    if (all.some(({ tasks: does }) => does.includes('forget'))) await forgetAll(world);
    // and its machine comes back with another clock
    if (deaths > 0 && back > 0) await stepClock(world, Math.max(world.now - back, bellAt(0) + 1));
    return { rung, ran: ran.map(({ died, failure }) => ({ died, failure: nameOf(failure) })) };
  },
};

/** Also what a worker had not come to. */
async function forgetAll(world: World): Promise<void> {
  await forget(aWorker(world));
  allForgotten(world);
}

/** Clients go once their devices have gone. */
function allForgotten({ model, now }: World): void {
  forgotten(model, now);
  forgotten(model, now);
}

const nameOf = (failure: unknown) => (failure as Error | undefined)?.name;
const isDue = (world: World) => momentIn(world).today > world.model.lastNight + 1;

/** Nobody vouches for the database, or not to this worker, or another has signed at the same time. */
const isExpected = (failure: unknown, vouched: boolean, several: boolean): boolean =>
  vouched
    ? several &&
      (failure instanceof NotSealed ||
        failure instanceof NotVouched ||
        (failure as Error).message.startsWith('The log changed'))
    : failure instanceof NotSealed || failure instanceof NotVouched;

/** Nothing fails any more: all that waited is done in a few passes of a worker, and what a DBA verifies holds. */
const calm: StepKind<{ files?: boolean }> = {
  odds: 0.1,
  fault: true,
  draw: (_, random) => ({ files: random.chance(0.3) }),
  step: async (world, { files }) => {
    const { hill, outside } = world;
    const db = aWorker(world);
    world.reading?.release(true);
    world.reading = null;
    await noteOrder(world);
    // as the runbook has it
    if (!(await isVouchedFor(world))) await publishLog(db, settingsOf(hill, outside, true));
    let failure: unknown;
    for (let pass = 0; pass < 2; pass++)
      failure = await doTasks(world, db, files ? tasks : tasks.filter((one) => one !== 'files'));
    await learnNights(world);
    allForgotten(world);
    await checkLog(world);
    if (failure) throw failure;
    if (isDue(world)) throw new Contradiction('A bell is due, and nothing is in its way');
    await compareBoards(world);
    await postAll(world);
    await verify(world);
    return undefined;
  },
};

/** As sql/verify does it. */
async function verify({ hill, model }: World): Promise<void> {
  const wrong = await hill.rows<{ name: string; wrong: number; example: string }>(
    `select c.name, c.wrong, c.example
       from (table engine_checks union all
             select s.* from generate_series(greatest(1, $1 - 2), $1) d (day)
              cross join lateral engine.check_seal(d.day) s
              where exists (select from trusted.logged_lines(d.day) l where l.kind = 'night')) c
      where c.wrong > 0`.replace(
      'table engine_checks',
      checks.map((one) => `select * from engine.${one}()`).join(' union all '),
    ),
    [model.lastNight],
  );
  if (wrong.length > 0) throw new Contradiction(`What a DBA verifies does not hold: ${JSON.stringify(wrong)}`);
  const [left] = await hill.rows(
    `select n.generation, n.size, n.signed, i.days
       from (select h.generation, h.size::int, exists (select from hill.log_checkpoints c where (c.generation, c.size) = (h.generation, h.size)) as signed
               from hill.log_heads h order by h.generation desc, h.size desc limit 1) n
      cross join (select array_agg(n.day) as days from hill.nights n where to_regclass('hill.' || engine.queue_index(n.day)) is null) i
      where not n.signed or i.days is not null`,
  );
  if (left) throw new Contradiction(`Work is left: ${JSON.stringify(left)}`);
}
const checks = [
  'check_balances',
  'check_settlements',
  'check_reputations',
  'check_boards',
  'check_nights',
  'check_tables',
  'check_tournaments',
  'check_payments',
];

export const working: Family = { steps: { workers, calm } };
