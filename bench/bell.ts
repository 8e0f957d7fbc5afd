// The whole bell, from the first lock to the commit, against the floor F of bench/floor.sql. Each round rings a fresh
// copy of the same population and runs F on a fresh copy of its tables, in turn. Both on a connection that has done so
// once before, as the worker's has, up to the size at which the difference (some 25 ms) is lost in the rest.
import pg from 'pg';
import { type Figure, mb, median, ms } from './report.ts';
import { file, measure, type Server } from './server.ts';

const mostWarm = 100_000;
export const ring = 'select api_worker.ring_next_bell()';
const prepare = 'select api_worker.make_next_table()';
/** As the worker does it. */
export async function settle(worker: pg.Client): Promise<void> {
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const answer: pg.QueryResult = await worker.query('select api_worker.settle_wallets($1) as piece', [after]);
    after = answer.rows[0].piece?.after;
  }
}
const posting = [
  'begin',
  'insert into floor_transfers (day, debit, credit, cents) select 1, w.id, 0, 300 from floor_wallets w cross join generate_series(1, 2)',
  'update floor_wallets set balance_cents = balance_cents - 600',
  'commit',
];

export interface BellResult {
  readonly accounts: number;
  /** For so long deposits are refused. */
  readonly ms: number;
  readonly figures: Figure[];
}

export async function benchBell(
  server: Server,
  accounts: number,
  grantedPercent: number,
  rounds: number,
): Promise<BellResult> {
  const population = `bench_population_${accounts}`;
  const floor = `bench_floor_${accounts}`;
  const warm = accounts <= mostWarm && grantedPercent === 0; // the lots are due at the first bell
  const settings = { 'population.accounts': String(accounts), 'population.granted_percent': String(grantedPercent) };
  await server.create(population, server.hill);
  // one empty night first, so that there are holders to settle with
  await server.run(population, 'select api_worker.set_clock(engine.bell_at(1), 0); select api_worker.ring_next_bell()');
  await server.run(population, file('population.sql'), settings);
  await server.run(population, 'select api_worker.set_clock(engine.bell_at(2), 0)');
  await server.run(population, 'vacuum (analyze)');
  const [{ expiring } = { expiring: 0 }] = await server.rows<{ expiring: number }>(
    population,
    'select count(*)::integer as expiring from hill.lots where expires_at > engine.bell_at(1) and expires_at <= engine.bell_at(2)',
  );
  await server.create(floor);
  for (const statement of file('floor.sql').split(/;\s*$/m))
    if (statement.trim()) await server.run(floor, statement, settings);

  const bells: { ms: number; wal: number }[] = [];
  /** With what follows until all wallets show the night. */
  const settled: { ms: number; wal: number }[] = [];
  const floors: { ms: number; wal: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    await server.create('bench_run', population);
    const worker = new pg.Client(server.worker('bench_run'));
    await worker.connect();
    if (warm) {
      for (const statement of [ring, prepare]) await worker.query(statement);
      await settle(worker);
      await server.run('bench_run', file('again.sql'));
      await server.run('bench_run', 'select api_worker.set_clock(engine.bell_at(3), 0)');
      await server.run('bench_run', 'vacuum (analyze)');
      await server.run('bench_run', 'checkpoint');
    }
    const bell = await measure(worker, [ring]);
    bells.push(bell);
    const rest = await measure(worker, () => settle(worker));
    settled.push({ ms: bell.ms + rest.ms, wal: bell.wal + rest.wal });
    await worker.end();
    const [night] = await server.rows<{ accounts: number; expired: boolean }>(
      'bench_run',
      'select accounts, expired_cents > 0 as expired from hill.nights order by day desc limit 1',
    );
    if (night?.accounts !== accounts) throw new Error(`the bell settled ${night?.accounts} accounts, not ${accounts}`);
    if (night.expired !== expiring > 0)
      throw new Error(`${expiring} lots were due, and ${night.expired ? 'some' : 'none'} expired`);
    await server.drop('bench_run');
    await server.create('bench_run', floor);
    const ledger = new pg.Client(server.url('bench_run'));
    await ledger.connect();
    if (warm) for (const statement of [...posting, 'vacuum (analyze)', 'checkpoint']) await ledger.query(statement);
    floors.push(await measure(ledger, posting));
    await ledger.end();
    await server.drop('bench_run');
  }
  await server.drop(population);
  await server.drop(floor);

  const bell = { ms: median(bells.map((b) => b.ms)), wal: median(bells.map((b) => b.wal)) };
  const all = { ms: median(settled.map((b) => b.ms)), wal: median(settled.map((b) => b.wal)) };
  const f = { ms: median(floors.map((b) => b.ms)), wal: median(floors.map((b) => b.wal)) };
  const lots = expiring > 0 ? `, ${expiring.toLocaleString('en')} of which are due` : '';
  const what = `deposits refused by a bell, ${accounts.toLocaleString('en')} accounts x 2 moves, ${grantedPercent} % with granted lots${lots}`;
  return {
    accounts,
    ms: bell.ms,
    figures: [
      {
        what,
        measured: ms(bell.ms),
        against: `F ${ms(f.ms)}`,
        ratio: bell.ms / f.ms,
        bound: 'most',
        target: grantedPercent > 0 ? 0.55 : accounts <= 10_000 ? 1 : accounts <= 100_000 ? 0.6 : 0.5,
      },
      {
        what: 'that bell, until all wallets show it',
        measured: ms(all.ms),
        against: `F ${ms(f.ms)}`,
        ratio: all.ms / f.ms,
        bound: 'most',
        target: 1.2,
      },
      {
        what: 'WAL of all that',
        measured: mb(all.wal),
        against: `F ${mb(f.wal)}`,
        ratio: all.wal / f.wal,
        bound: 'most',
        target: 1.3,
      },
    ],
  };
}
