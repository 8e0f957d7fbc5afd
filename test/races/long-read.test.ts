// Somebody reads for long, over several bells: a DBA who left a transaction open. The hill goes on for everybody else.
// Decisions 6, 62.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePool } from '../../src/db/pool.ts';
import { advance } from '../../src/worker/advance.ts';
import { lockTimeoutMs } from '../../src/worker/calls.ts';
import { bringUpToDate } from '../../src/worker/tasks.ts';
import { useDbaLogins } from '../sql/replay/logins.ts';
import { useWebDoor, type WebDoor } from '../support/doors/web-door.ts';
import { anAccount, balanced, books, type Hill, useHill } from '../support/hill/index.ts';
import { aLog } from '../support/hill/worker.ts';
import { until } from '../support/until.ts';

const boards = (hill: Hill) =>
  hill.rows<{ name: string }>(
    "select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'hill.leaderboard'::regclass order by 1",
  );
/** Nobody signs a log here, so no bell waits for that. */
const noLog = () => Promise.reject(new Error('this hill has no log'));
const worker = (hill: Hill) => {
  const pool = makePool({
    url: hill.url('worker'),
    name: 'test worker',
    log: aLog().log,
    statementTimeoutMs: 0,
    lockTimeoutMs,
  });
  return {
    pool,
    ring: () =>
      advance(
        pool,
        noLog,
        ({ next_bell_at }) => Date.parse(next_bell_at),
        () => {},
      ),
  };
};
/** Status and milliseconds of a page that nobody has in memory yet. */
const asked = async (web: WebDoor, path: string) => {
  const began = performance.now();
  const { status } = await fetch(web.baseUrl + path, {
    headers: { accept: path === '/' ? 'text/html' : 'application/json' },
  });
  return { path, status, ms: performance.now() - began };
};

describe('a DBA who reads everything in one transaction', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  const logins = useDbaLogins(hill);
  let dba: pg.Client;
  let jobs: ReturnType<typeof worker>;

  beforeAll(async () => {
    jobs = worker(hill);
    for (let day = 1; day <= 3; day++) await jobs.ring();
    dba = new pg.Client({ connectionString: logins.dba });
    await dba.connect();
    await dba.query('begin isolation level repeatable read');
    for (const table of [
      'leaderboard',
      'moves',
      'settlements',
      'seats',
      'nights',
      'announcements',
      'wallets',
      'transfers',
      'lots',
      'tournament_standings',
    ])
      await dba.query(`select from hill.${table}`);
  });
  afterAll(async () => {
    await dba.end();
    await jobs.pool.end();
  });

  test('keeps no bell, no house, no board and no reader from going on', async () => {
    const ann = await anAccount(hill, { credits: 50_000, daily_cap_cents: 5000 });
    for (let night = 4; night <= 7; night++) {
      await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
      const began = performance.now();
      const ringing = jobs.ring();
      const during: Awaited<ReturnType<typeof asked>>[] = [];
      let over = false;
      void ringing.finally(() => {
        over = true;
      });
      for (let i = 0; !over || i < 4; i++)
        during.push(
          ...(await Promise.all(
            ['/', `/api/leaderboard/hill?limit=${i + 1}`, '/api/wall'].map((path) => asked(web, path)),
          )),
        );
      await ringing;
      expect(performance.now() - began, `night ${night}`).toBeLessThan(5_000);
      expect(during.filter(({ status, ms }) => status !== 200 || ms > 2_000)).toEqual([]);

      expect(await hill.rows('select max(day) as day from hill.nights')).toEqual([{ day: night }]);
      expect(await hill.rows('select max(day) as day from hill.boards')).toEqual([{ day: night }]);
      expect(await web.read('/api/leaderboard/hill')).toMatchObject({ day: night, total: 1 });
      const [{ house } = { house: 0 }] = await hill.rows<{ house: number }>(
        'select count(*) as house from hill.seats s join hill.accounts a on a.id = s.account_id where a.house and s.day = $1',
        [night],
      );
      expect(house).toBeGreaterThan(4);
    }
    expect((await boards(hill)).length).toBeGreaterThan(2); // hers is still there to read
    expect((await dba.query('select count(distinct day)::integer as days from hill.leaderboard')).rows).toEqual([
      { days: 0 },
    ]);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('the old boards go when she has gone', async () => {
    await dba.query('rollback');
    await bringUpToDate(jobs.pool, noLog, () => {});
    expect(await boards(hill)).toEqual([{ name: 'leaderboard_000006' }, { name: 'leaderboard_000007' }]);
  });
});

describe('a superuser whose dump reads the sealed table over midnight', () => {
  const hill = useHill();

  test('keeps the bell waiting for it, but nobody who asks for its own moves, and the bell rings when it is over', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    const jobs = worker(hill);
    await hill.asRoot(async (root) => {
      await root.query('begin; select from hill.sealed_moves');
      await hill.clock.toMidnight();
      const failed = bringUpToDate(jobs.pool, noLog, () => {}).catch((error) => error);
      await until(
        'the bell waits',
        async () =>
          (await hill.rows("select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock'")).length > 0,
      );
      const began = performance.now();
      await hill.asHuman(ann).ownState();
      expect(performance.now() - began).toBeLessThan(4_000);
      expect(await failed).toMatchObject({ code: 'UNAVAILABLE', cause: { code: '55P03' } });
      await root.query('rollback');
    });

    await bringUpToDate(jobs.pool, noLog, () => {});
    expect(await hill.rows('select day, moves from hill.nights')).toEqual([{ day: 1, moves: 1 }]);
    await jobs.pool.end();
  });
});

describe('readers that are stuck', () => {
  const hill = useHill();
  const web = useWebDoor(hill);

  test('give way to those who read something else', async () => {
    const jobs = worker(hill);
    await jobs.ring();
    await jobs.pool.end();
    await hill.asRoot(async (root) => {
      await root.query('begin; lock table hill.leaderboard in access exclusive mode');
      const stuck = Array.from({ length: 12 }, (_, i) => asked(web, `/api/leaderboard/hill?limit=${i + 1}`));
      await new Promise((resolve) => setTimeout(resolve, 100));
      const others = await Promise.all(
        ['/api/day/1', '/api/day/1/night.json', '/api/tournaments'].map((path) => asked(web, path)),
      );
      expect(others.filter(({ status, ms }) => status !== 200 || ms > 4_000)).toEqual([]);
      expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(new Set([503]));
      await root.query('rollback');
    });
    expect(await asked(web, '/api/leaderboard/hill?limit=1')).toMatchObject({ status: 200 });
  });
});
