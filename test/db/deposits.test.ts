// Deposits that travel together: each gets its own answer, in the order of arrival; one that has to wait delays nobody
// else; and whatever breaks on the way, none is lost, made twice, or bought for the next day. Rules 2.3, 3. How long
// the others wait is told by hand: HILL_TEST_DELAYS=10 (seconds of each).
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Move } from '../../src/db/deposits.ts';
import { deposits } from '../../src/db/deposits.ts';
import { makePool } from '../../src/db/pool.ts';
import { type Receipt, useHill } from '../support/hill/index.ts';
import { populate } from '../support/hill/population.ts';
import { aLog } from '../support/hill/worker.ts';
import { aProxy } from '../support/peers/proxy.ts';
import { until } from '../support/until.ts';

const hill = useHill();
beforeAll(() => hill.asRoot((root) => populate(root, { accounts: 200, moves: false, history: false, tokens: true })));

interface Player {
  readonly id: string;
  readonly token: string;
}
let known = 0;
/** Each an account that has not played. */
const players = (count: number): Player[] =>
  Array.from({ length: count }, () => {
    known += 1;
    return { id: `01900000-0000-7000-8000-${known.toString(16).padStart(12, '0')}`, token: `population-${known}` };
  });
const aPlayer = () => players(1)[0] as Player;

/** As a web process has it, with more patience where nothing is about time. */
function aWay({ lanes = 1, max = 6, url = hill.url('web'), statementTimeoutMs = 30_000, waitMs = 30_000 } = {}) {
  const pool = makePool({ url, name: 'test deposits', log: aLog().log, max, statementTimeoutMs, waitMs });
  onTestFinished(() => pool.end());
  const deposit = deposits(pool, lanes);
  const play = ({ id, token }: Player, move: Partial<Move> = {}) =>
    deposit<Receipt>(id, token, { slot: 1, move: 'PEACE', ...move });
  return { pool, play };
}

/** Runs a statement in a transaction that stays open until the function that this gives is called. */
async function hold(statement: string, values: unknown[] = []): Promise<() => Promise<void>> {
  const client = await hill.root.connect();
  await client.query('begin');
  await client.query(statement, values);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}
const holdTonight = () => hold('lock table hill.sealed_moves in share mode');
const holdAccount = ({ id }: Player) => hold('select from hill.reservations where account_id = $1 for update', [id]);

/** Sessions that wait for somebody's lock, when there are so many. */
const waiting = (count = 1) =>
  until('sessions that wait', async () => {
    const found = await hill.rows<{ pid: number }>(
      `select pid from pg_stat_activity
        where datname = current_database() and application_name = 'test deposits' and wait_event_type = 'Lock'`,
    );
    return found.length >= count && found.map(({ pid }) => pid);
  });

interface Stored {
  readonly account: string;
  readonly at: string;
  readonly move: string;
  readonly message: string | null;
  readonly ended: string | null;
  /** The transaction that wrote it. */
  readonly by: string;
}
const stored = (of: readonly Player[]) =>
  hill.rows<Stored>(
    `select account_id as account, engine.iso(at) as at, move, message, ended, xmin::text as by
       from hill.sealed_moves where account_id = any ($1) order by seq`,
    [of.map(({ id }) => id)],
  );
/** How many came in each. */
const statements = (rows: readonly Stored[]) =>
  [...Map.groupBy(rows, ({ by }) => by).values()].map(({ length }) => length);
const code = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );

describe('calls at once', () => {
  test('go in a few statements, 64 in each at most, are numbered as they came, and each gets its own receipt', async () => {
    const { play } = aWay();
    const all = players(100);

    const receipts = await Promise.all(all.map((one, i) => play(one, { slot: 1 + (i % 3), message: `I am ${i}` })));

    expect(receipts.map(({ slot, message }) => ({ slot, message }))).toEqual(
      all.map((_, i) => ({ slot: 1 + (i % 3), message: `I am ${i}` })),
    );
    const rows = await stored(all);
    expect(rows.map(({ account }) => account)).toEqual(all.map(({ id }) => id));
    expect(statements(rows)).toEqual([64, 36]);
  });

  test('are shared by the lanes that are free', async () => {
    const { play } = aWay({ lanes: 2 });
    const all = players(20);

    await Promise.all(all.map((one) => play(one)));

    expect(statements(await stored(all))).toEqual([10, 10]);
  });

  test('of which some are refused: each is told its own reason, and the others deposit', async () => {
    const { play } = aWay();
    const [ann, bob, cid, dee] = players(4) as [Player, Player, Player, Player];

    const told = await Promise.all([
      code(play(ann)),
      code(play(bob, { move: 'WAR', stake_cents: 1 })),
      code(play({ ...aPlayer(), token: 'no token of anybody' })),
      code(play(cid, { message: 'a\0b' })),
      code(play(dee, { day: 40 })),
      code(play(dee)),
    ]);

    expect(told).toEqual(['ok', 'INVALID_STAKE', 'INVALID_TOKEN', 'INVALID_ARGUMENT', 'DAY_PASSED', 'ok']);
    expect((await stored([ann, bob, cid, dee])).map(({ account }) => account)).toEqual([ann.id, dee.id]);
  });

  test('of one account go one after the other, and of an account under two names too', async () => {
    const { play } = aWay({ lanes: 2 });
    const [ann, bob] = players(2) as [Player, Player];

    const receipts = await Promise.all([
      play(ann, { message: 'one' }),
      play({ ...ann, id: 'as another' }, { slot: 2 }),
      play(bob),
      play(ann, { message: 'two' }),
      play(ann, { message: 'three' }),
    ]);

    expect(receipts.map(({ message }) => message)).toEqual(['one', undefined, undefined, 'two', 'three']);
    expect((await stored([ann])).filter(({ message }) => message)).toMatchObject([
      { message: 'one', ended: 'replaced' },
      { message: 'two', ended: 'replaced' },
      { message: 'three', ended: null },
    ]);
  });
});

describe('an account that somebody holds', () => {
  test('delays nobody who travels with it, or comes later; its next deposit waits for it', async () => {
    const { play } = aWay();
    const [stuck, ...others] = players(7) as [Player, ...Player[]];
    const order: string[] = [];
    const noted = (what: string, call: Promise<unknown>) => call.then(() => order.push(what));
    const letGo = await holdAccount(stuck);

    const together = others.slice(0, 3).map((one) => noted('other', play(one)));
    const held = [
      noted('first', play(stuck, { message: 'first' })),
      noted('second', play(stuck, { message: 'second' })),
    ];
    const with_it = others.slice(3, 5).map((one) => noted('other', play(one)));
    await Promise.all([...together, ...with_it]);
    await waiting();
    await noted('other', play(others[5] as Player));
    order.push('let go');
    await letGo();
    await Promise.all(held);

    expect(order).toEqual([...Array(6).fill('other'), 'let go', 'first', 'second']);
    expect(await stored([stuck])).toMatchObject([
      { message: 'first', ended: 'replaced' },
      { message: 'second', ended: null },
    ]);
  });

  test('delays nobody if it was alone on the only lane', async () => {
    const { play } = aWay();
    const [stuck, other] = players(2) as [Player, Player];
    const letGo = await holdAccount(stuck);
    const held = play(stuck);
    await waiting();

    await play(other);

    expect(await stored([stuck, other])).toMatchObject([{ account: other.id }]);
    await letGo();
    await held;
  });
});

describe('a statement that is lost', () => {
  test('before its commit: each is sent again, once, and the next of an account waits for what comes of it', async () => {
    const { play } = aWay();
    const all = players(4);
    const [first] = all as [Player];
    const letGo = await holdTonight();
    const asked = all.map((one) => play(one));
    const next = play(first, { move: 'WAR', stake_cents: 900 });

    const [pid] = await waiting();
    await hill.rows('select pg_terminate_backend($1, 5000)', [pid]);
    await waiting(2); // beside the lane, too
    await letGo();

    const receipts = await Promise.all(asked);
    expect(await next).toMatchObject({ move: 'WAR', moves_left: 2 });
    const rows = await stored(all);
    expect(
      rows
        .filter(({ move }) => move === 'PEACE')
        .map(({ account, at }) => `${account} ${at}`)
        .sort(),
    ).toEqual(all.map(({ id }, i) => `${id} ${receipts[i]?.deposited_at}`).sort());
    expect(rows.filter(({ account }) => account === first.id)).toMatchObject([
      { ended: 'replaced' },
      { move: 'WAR', ended: null },
    ]);
  });

  test.each([1, 4])('after its commit: %i who were sent again get the receipt of what they did', async (count) => {
    const proxy = await aProxy(hill.url('web'));
    const { play } = aWay({ url: proxy.through(hill.url('web')) });
    await play(aPlayer()); // connected
    const all = players(count);
    proxy.mute();
    const asked = all.map((one) => play(one));
    const before = await until('the commit', async () => {
      const rows = await stored(all);
      return rows.length === count && rows;
    });
    await hill.asWorker().setClock(null, 0);
    await hill.clock.tick(1_000); // a deposit that was made anew would show it

    proxy.cut();
    await proxy.restore();

    expect((await Promise.all(asked)).map(({ deposited_at }) => deposited_at)).toEqual(before.map(({ at }) => at));
    expect(await stored(all)).toEqual(before);
  });

  test('while nobody answers: all are told to try again', async () => {
    const proxy = await aProxy(hill.url('web'));
    const { play } = aWay({ url: proxy.through(hill.url('web')) });
    await play(aPlayer());
    const all = players(3);
    const letGo = await holdTonight();
    const asked = all.map((one) => code(play(one)));
    await waiting();
    proxy.cut();
    expect(await Promise.all([...asked, code(play(aPlayer()))])).toEqual(Array(4).fill('UNAVAILABLE'));
    await letGo();
    await proxy.restore();
    await until('an answer', async () => (await code(play(aPlayer()))) === 'ok');
  });
});

test('what finds no lane in time is told to try again, and so is what the server gave up twice', async () => {
  const { play } = aWay({ statementTimeoutMs: 400, waitMs: 200 });
  const letGo = await holdTonight();
  const all = players(2).map((one) => code(play(one)));
  await waiting();
  const late = players(3).map((one) => code(play(one)));

  expect(await Promise.all([...all, ...late])).toEqual(Array(5).fill('UNAVAILABLE'));

  await letGo();
  expect(await code(play(aPlayer()))).toBe('ok');
});

const seconds = Number(process.env.HILL_TEST_DELAYS ?? 0);
test.skipIf(seconds === 0)('how long 64 callers wait', async () => {
  await hill.asRoot((root) => populate(root, { accounts: 60_000, moves: false, history: false, tokens: true }));
  known = 200;
  const { play } = aWay({ lanes: 2, statementTimeoutMs: 2_000, waitMs: 5_000 });
  /** The times of all but one account, while something happens. */
  const callers = async (what: string, happens: (over: () => boolean) => Promise<unknown>) => {
    const took: number[] = [];
    const failed: string[] = [];
    const until = performance.now() + seconds * 1_000;
    const caller = async () => {
      while (performance.now() < until) {
        const began = performance.now();
        await play(aPlayer()).catch((error: { code: string }) => failed.push(error.code));
        took.push(performance.now() - began);
      }
    };
    await Promise.all([happens(() => performance.now() >= until), ...Array.from({ length: 64 }, caller)]);
    took.sort((a, b) => a - b);
    const at = (share: number) => `${took[Math.floor((took.length - 1) * share)]?.toFixed(0)} ms`;
    console.log(
      `${what}: ${took.length} deposits, half within ${at(0.5)}, 99 % ${at(0.99)}, all ${at(1)}; failed: ${failed.length}`,
    );
    expect(failed).toEqual([]);
  };
  await callers('undisturbed', async () => {});
  await callers('an account is held', async (over) => {
    while (!over()) {
      const stuck = aPlayer();
      const letGo = await holdAccount(stuck);
      const held = play(stuck);
      await sleep(1_500);
      await letGo();
      await held;
    }
  });
  await callers('a session is killed every second', async (over) => {
    while (!over()) {
      await sleep(1_000);
      await hill.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'test deposits' and state = 'active' limit 1`,
      );
    }
  });
});

test('a batch that was lost before the bell and is sent again after it buys nothing for the next day', async () => {
  const { pool, play } = aWay({ max: 2 });
  const all = players(3);
  const other = await pool.connect();
  await hill.asWorker().setClock(null, 60);
  const letGo = await holdTonight();
  const asked = all.map((one) => play(one).catch((error: unknown) => error));
  const [pid] = await waiting();
  pool.options.max = 1; // nothing is sent again before the other connection is free
  await hill.rows('select pg_terminate_backend($1, 5000)', [pid]);
  await letGo();
  const { day, next_bell_at } = await hill.asWorker().readClock();
  await hill.asWorker().setClock(next_bell_at);
  await until('the bell', () => hill.asWorker().ringNextBell());
  other.release();

  expect(await Promise.all(asked)).toMatchObject(all.map(() => ({ code: 'DAY_PASSED', detail: { day: day + 1 } })));
  expect(await stored(all)).toEqual([]);
});
