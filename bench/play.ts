// bench/play.ts · deposits with all checks and row-level security on, against pgbench's own tpcb-like transaction and a double-entry transfer, each on a
// million accounts of the same server, in turn. The transfer is pgledger's (https://github.com/pgr0ss/pgledger) where HILL_BENCH_PGLEDGER names a checkout
// of it, else a leaner one of our own.
import fs from 'node:fs';
import path from 'node:path';
import { initialise, tps } from './pgbench.ts';
import { type Figure, median } from './report.ts';
import { file, type Server } from './server.ts';

const script = (name: string) => path.join(import.meta.dirname, name);
const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
const pgledger = process.env.HILL_BENCH_PGLEDGER;
const targets: Readonly<Record<number, readonly [tpcb: number, transfer: number]>> = { 1: [0.9, 2], 16: [1.5, 3], 64: [3, 4] };

export async function benchPlay(
  server: Server,
  accounts: number,
  clientCounts: readonly number[],
  seconds: number,
  rounds: number,
): Promise<Figure[]> {
  await server.create('bench_play', server.hill);
  // on launch day, when everybody may play
  await server.run(
    'bench_play',
    `select engine.set_clock(engine.bell_at(7), 1); select engine.ring_next_bell() from generate_series(1, 7)`,
  );
  await server.run('bench_play', file('population.sql'), {
    'population.accounts': String(accounts),
    'population.moves': 'off',
    'population.tokens': 'on',
  });
  await server.run('bench_play', 'vacuum (analyze)');
  await server.create('bench_tpcb');
  await initialise(server.url('bench_tpcb'), Math.max(1, Math.round(accounts / 100_000)));
  await server.create('bench_transfer');
  for (const sql of pgledger ? ['vendor/scoville-pgsql-ulid/uuid-to-ulid.sql', 'pgledger.sql'] : [])
    await server.run('bench_transfer', fs.readFileSync(path.join(pgledger as string, sql), 'utf8'));
  const peer = pgledger ? 'pgledger' : 'transfer';
  for (const statement of file(`${peer}.sql`).split(/^(?=vacuum)/m))
    await server.run('bench_transfer', statement, { 'transfer.accounts': String(accounts) });

  const figures: Figure[] = [];
  let base = 0;
  for (const clients of clientCounts) {
    const plays: number[] = [];
    const tpcbs: number[] = [];
    const transfers: number[] = [];
    for (let round = 0; round < rounds; round++) {
      // each deposit by an account that has not played yet today
      const share = Math.floor(accounts / (clientCounts.length * rounds * clients));
      await server.run('postgres', 'checkpoint');
      tpcbs.push(await tps(server.url('bench_tpcb'), clients, seconds, ['-b', 'tpcb-like']));
      plays.push(
        await tps(server.url('bench_play'), clients, seconds, [
          '-f',
          script('play.pgbench'),
          '-D',
          'i=0',
          '-D',
          `base=${base}`,
          '-D',
          `share=${share}`,
          '-D',
          `accounts=${accounts}`,
        ]),
      );
      transfers.push(
        await tps(server.url('bench_transfer'), clients, seconds, ['-f', script(`${peer}.pgbench`), '-D', `accounts=${accounts}`]),
      );
      base += share * clients;
    }
    const what = `play, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
    const [ofTpcb, ofTransfer] = targets[clients] ?? [0.9, 2];
    const play = median(plays);
    const tpcb = median(tpcbs);
    const transfer = median(transfers);
    figures.push({
      what,
      measured: perSecond(play),
      against: `tpcb-like ${perSecond(tpcb)}`,
      ratio: play / tpcb,
      bound: 'least',
      target: ofTpcb,
    });
    figures.push({
      what,
      measured: perSecond(play),
      against: `${pgledger ? "pgledger's" : 'double-entry'} transfer ${perSecond(transfer)}`,
      ratio: play / transfer,
      bound: 'least',
      target: ofTransfer,
    });
  }
  for (const database of ['bench_play', 'bench_tpcb', 'bench_transfer']) await server.drop(database);
  return figures;
}
