// What goes wrong at a bell: nothing is lost, it is said aloud, it is tried again, and nothing sealed is told. Rules 5,
// 14.3.
import { expect, test } from 'vitest';
import { anAccount, useHill } from '../support/hill/index.ts';
import { aWorker, warnings } from '../support/hill/worker.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const lastNight = async () => (await hill.asWorker().readClock()).last_night;

test('a night that does not balance is not published, loudly; the worker serves on, and rings when the books are right again', async () => {
  const ann = await anAccount(hill, { credits: 5000 });
  await hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 987 });
  const falsify = (cents: number) =>
    hill.asRoot(async (root) => {
      await root.query('set session_replication_role = replica'); // past the ledger's guards
      await root.query("update hill.ledger_accounts set balance_cents = balance_cents + $1 where code = 'rent'", [
        cents,
      ]);
    });
  await falsify(7);
  await hill.clock.toMidnight();
  await hill.asWorker().setClock(null, 1);

  const worker = await aWorker(hill);

  expect(await lastNight()).toBe(0);
  const loud = worker.said.filter(({ level }) => level >= 50);
  expect(loud[0]).toMatchObject({
    code: 'NIGHT_DOES_NOT_BALANCE',
    msg: expect.stringMatching(/^THE BELL FAILED: .*not published.*Found: \{.*\}$/),
  });
  expect(JSON.parse(loud[0]?.detail ?? '')).toBeTypeOf('object');

  await until('another try', async () => worker.said.filter(({ level }) => level >= 50).length > 1);
  await falsify(-7);
  await until('the night', async () => (await lastNight()) === 1);
  expect(await hill.rows('select slot, move, ended from hill.moves where day = 1')).toEqual([
    { slot: 3, move: 'WAR', ended: null },
  ]);
});

test('another error of the database is told by its kind alone, and tried again, less and less often', async () => {
  await hill.rows(`
    create or replace function api_worker.refresh_sealed_count() returns boolean language plpgsql security invoker
    set search_path to pg_catalog, pg_temp as $$ begin return 'WAR on 3 with 987 cents'::integer; end $$`);
  const worker = await aWorker(hill);
  const told = () => warnings(worker.said);

  const began = Date.now();
  await until('the fourth failure', async () => told().length === 4);

  expect(Date.now() - began).toBeGreaterThan(4_000);
  expect(new Set(told())).toEqual(
    new Set(['the count of sealed moves failed and will be tried again: SQLSTATE 22P02']),
  );
  expect(worker.everything()).not.toMatch(/987 cents|WAR on/);
});

test('what follows a bell may fail and go on failing: a worker starts, and the next bell is on time', async () => {
  await hill.rows(`
    create or replace function trusted.drop_old_boards() returns integer language plpgsql security invoker
    set search_path to pg_catalog, pg_temp as $$ begin raise 'ill'; end $$`);
  const night = await lastNight();
  await hill.clock.at('23:59:50');
  await hill.asWorker().setClock(null, 1);
  const worker = await aWorker(hill);
  await until('the bell', async () => (await lastNight()) === night + 1);

  // the pauses of 1, 2, 4 and 8 seconds would be over five seconds after midnight
  expect(warnings(worker.said).length).toBeGreaterThanOrEqual(4);
  const [late] = await hill.rows<{ seconds: number }>(
    'select extract(epoch from resolved_at - bell_at)::float as seconds from hill.nights order by day desc limit 1',
  );
  expect(late?.seconds).toBeLessThan(3);
});
