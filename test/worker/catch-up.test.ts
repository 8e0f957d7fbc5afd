// A worker that starts: what was missed is done before the doors open. Rules 2.5.
import { describe, expect, test } from 'vitest';
import { catchUp } from '../../src/worker/catch-up.ts';
import { startWorker } from '../../src/worker/index.ts';
import { anAccount, balanced, books, useDatabase, useHill } from '../support/hill/index.ts';
import { aLog, aWorker, workerSettings } from '../support/hill/worker.ts';
import { signLog } from '../support/log/sign.ts';
import { until } from '../support/until.ts';

const nights = 'select day, moves from hill.nights order by day';

describe('after the server was down', () => {
  const hill = useHill({ founders: 1, day: 2 });

  test('the missed bells ring in order, deposits count in their own night, boards, house and the next bell’s table follow', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.clock.ringBell(); // of day 1: play is open on day 2
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.rows("update hill.settings set shown_at = shown_at + interval '5 days 3 hours'");

    const worker = await aWorker(hill);

    expect(await hill.rows(nights)).toEqual([
      { day: 1, moves: 0 },
      { day: 2, moves: 1 },
      ...[3, 4, 5, 6].map((day) => ({ day, moves: 0 })),
    ]);
    expect(await hill.rows('select day, slot, account_id from hill.seats')).toEqual([
      { day: 2, slot: 3, account_id: ann.id },
    ]);
    expect(await hill.rows('select max(day) as day from hill.boards')).toEqual([{ day: 6 }]);
    expect(await hill.rows('select day, count(*) from hill.announcements group by day')).toEqual([
      { day: 7, count: 10 },
    ]);
    expect(await hill.rows("select to_regclass('engine.sealed_moves_000008') is not null as made")).toEqual([
      { made: true },
    ]);
    expect(await books(hill.root)).toEqual(balanced);
    const told = worker.said.filter(({ level }) => level >= 30).map(({ msg }) => msg);
    expect(told[0]).toBe('ringing 5 missed bells, of days 2 to 6');
    expect(told[1]).toMatch(/^night 2 is resolved: 1 moves of 1 accounts, \$0\.00 burned \(\d+ ms\)$/);
  });

  test('a second start finds nothing to do', async () => {
    const worker = await aWorker(hill);

    expect(worker.said.filter(({ level }) => level >= 30)).toEqual([]);
    expect(await hill.rows('select count(*) from hill.nights')).toEqual([{ count: 6 }]);
    expect(await hill.rows('select count(*) from hill.announcements')).toEqual([{ count: 10 }]);
  });

  test('after a deploy that adds what moves would earn tonight, it is there before the doors open', async () => {
    const kept = () => hill.rows('select * from hill.prospects order by slot');
    const before = await kept();
    expect(before.length).toBeGreaterThan(0);
    await hill.rows('delete from hill.prospects');

    await aWorker(hill);

    expect(await kept()).toEqual(before);
  });

  test('a long catching up ends between two nights when the process is told to stop, and the next start goes on', async () => {
    await hill.rows("update hill.settings set shown_at = shown_at + interval '20 days'");
    const stopping = new AbortController();
    const { log } = aLog();
    const starting = startWorker(workerSettings(), hill.url('worker'), log, stopping.signal);
    await until('a bell', async () => (await hill.rows('select 1 from hill.nights where day > 8')).length > 0);
    stopping.abort();
    await (await starting).stop();
    const [{ day } = {}] = await hill.rows<{ day: number }>('select max(day) as day from hill.nights');
    expect(day).toBeLessThan(26);

    await aWorker(hill);

    expect(await hill.rows('select max(day) as day, count(*) from hill.nights')).toEqual([{ day: 26, count: 26 }]);
  });
});

describe('a bell that is due while nothing outside says what was signed last', () => {
  const hill = useHill({ founders: 0, day: 2 });

  test('waits, and the doors open all the same: they may be what does not answer yet', async () => {
    await hill.clock.ringBell(); // of day 1
    await signLog(hill);
    await hill.asAgent(await anAccount(hill, { credits: 5000 })).play({ slot: 3, move: 'PEACE' }); // promised to be in it
    await hill.clock.toMidnight();
    const { log, said } = aLog();
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });

    await catchUp(hill.as('worker'), () => Promise.reject(refused), { check: async () => {} }, log);

    expect(await hill.rows(nights)).toEqual([{ day: 1, moves: 0 }]);
    expect(said.filter(({ level }) => level >= 40)).toEqual([]);
  });
});

describe('a newcomer sees life at once', () => {
  const hill = useHill({ founders: 7, day: 8 });
  const announced = async () => {
    const { rows } = await hill
      .asPublic()
      .query<{ hill: { announcements: { occupant: { house: boolean }; slot: number; intention: string }[] } }>(
        'select api_public.hill() as hill',
      );
    return rows[0]?.hill.announcements ?? [];
  };

  test('the house announces what it plays on its first day, and nothing twice', async () => {
    const first = await aWorker(hill);
    await first.stop();
    await aWorker(hill);

    const said = await announced();
    expect(said.map(({ slot }) => slot).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(said.map(({ occupant, intention }) => `${occupant.house} ${intention}`))).toEqual(
      new Set(['true PEACE']),
    );
  });

  test('and keeps its word in the last minute of the day, which a worker that starts late still has', async () => {
    expect(await hill.rows('select 1 from hill.sealed_moves')).toEqual([]);
    await hill.clock.at('23:59:58');
    const worker = await aWorker(hill);
    expect(await hill.rows('select count(*) from hill.sealed_moves')).toEqual([{ count: 10 }]);
    await worker.stop(); // or it would announce the next day at once
    await hill.clock.ringBell();

    expect(await hill.rows('select distinct verdict from hill.announcements')).toEqual([{ verdict: 'kept' }]);
  });

  test('after 22:00 it only deposits', async () => {
    await hill.clock.at('22:00');
    const worker = await aWorker(hill);
    await worker.stop();
    expect(await hill.rows('select 1 from hill.sealed_moves')).toEqual([]);
    await hill.clock.toLastMinute();
    await hill.asWorker().playHouse();

    expect(await announced()).toEqual([]);
    const [{ count } = { count: 0 }] = await hill.rows<{ count: number }>('select count(*) from hill.sealed_moves');
    expect(count).toBeGreaterThan(4);
  });

  test('a house account that staff suspended is left out, and the others play', async () => {
    await hill.clock.ringBell();
    const [next] = await hill.rows<{ slot: number; id: string }>(
      'select h.slot, (h.actor).account_id as id from engine.house_moves($1) h order by 1 limit 1',
      [await hill.clock.day()],
    );
    await hill.rows('update hill.accounts set suspended_at = engine.now() where id = $1', [next?.id]);

    await hill.clock.toLastMinute();
    expect(await hill.asWorker().playHouse()).toBeGreaterThan(0);

    expect(await hill.rows('select 1 from hill.sealed_moves where account_id = $1', [next?.id])).toEqual([]);
  });
});

const db = useDatabase();

test('a database that nobody prepared is refused with the way out', async () => {
  const { log } = aLog();
  const postgres = Object.assign(new URL(db.url('worker')), { pathname: `/${db.name}` }).href;
  await db.owner.query('drop schema api_worker cascade');

  await expect(startWorker(workerSettings(), postgres, log)).rejects.toThrow(/not up to date .* run "npm run migrate"/);
});
