// Deposits with all checks and row-level security on, by callers of a web process's own way into the database, against
// pgbench's own tpcb-like transaction and a double-entry transfer by as many clients, each on a million accounts of the
// same server, in turn. The transfer is pgledger's (https://github.com/pgr0ss/pgledger) where HILL_BENCH_PGLEDGER names
// a checkout of it, else a leaner one of our own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { Asked, Told } from './deposits-process.ts';
import { initialise, tps, warmUpSeconds } from './pgbench.ts';
import { type Figure, median, ms } from './report.ts';
import { file, launchDay, type Server } from './server.ts';

const script = (name: string) => path.join(import.meta.dirname, name);
const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
const pgledger = process.env.HILL_BENCH_PGLEDGER;
/** Of the rate of each peer, by callers. */
const targets: Readonly<Record<number, { readonly tpcb: number; readonly transfer: number }>> = {
  1: { tpcb: 0.95, transfer: 2 },
  16: { tpcb: 1.8, transfer: 3 },
  64: { tpcb: 4, transfer: 4 },
};

export interface Depositors {
  ask(asked: Pick<Asked, 'how' | 'callers'>): Promise<Told>;
  stop(): Promise<void>;
}

/** A process with a web process's way into a database of bench/population.sql, and callers of it. */
export function depositors(url: string, accounts: number, seconds: number): Depositors {
  const lanes = process.env.HILL_BENCH_LANES;
  const child = fork(script('deposits-process.ts'), [url, ...(lanes ? [lanes] : [])], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let base = 0;
  return {
    async ask(asked) {
      // each deposit by an account that has not played yet today, until all have
      child.send({ ...asked, seconds, warmUp: seconds === 0 ? 0 : warmUpSeconds, base, accounts } satisfies Asked);
      const [told] = (await once(child, 'message')) as [Told];
      base += told.made;
      return told;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

export async function benchPlay(
  server: Server,
  accounts: number,
  callerCounts: readonly number[],
  seconds: number,
  rounds: number,
): Promise<Figure[]> {
  await server.create('bench_play', server.hill);
  await server.run('bench_play', launchDay(1));
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

  const { ask, stop } = depositors(server.web('bench_play'), accounts, seconds);

  const figures: Figure[] = [];
  for (const count of callerCounts) {
    const lanes: Told[] = [];
    const single: Told[] = [];
    const tpcbs: number[] = [];
    const transfers: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await server.run('postgres', 'checkpoint');
      tpcbs.push(await tps(server.url('bench_tpcb'), count, seconds, ['-b', 'tpcb-like']));
      lanes.push(await ask({ how: 'lanes', callers: count }));
      transfers.push(
        await tps(server.url('bench_transfer'), count, seconds, [
          '-f',
          script(`${peer}.pgbench`),
          '-D',
          `accounts=${accounts}`,
        ]),
      );
      single.push(await ask({ how: 'single', callers: count }));
    }
    const what = `play, ${count} ${count === 1 ? 'caller' : 'callers'}`;
    const play = median(lanes.map((told) => told.perSecond));
    const tpcb = median(tpcbs);
    const transfer = median(transfers);
    const { tpcb: tpcbTarget, transfer: transferTarget } = targets[count] ?? { tpcb: 0.95, transfer: 2 };
    const measured = perSecond(play);
    figures.push(
      {
        what,
        measured,
        against: `tpcb-like ${perSecond(tpcb)}`,
        ratio: play / tpcb,
        bound: 'least',
        target: tpcbTarget,
      },
      {
        what,
        measured,
        against: `${pgledger ? "pgledger's" : 'double-entry'} transfer ${perSecond(transfer)}`,
        ratio: play / transfer,
        bound: 'least',
        target: transferTarget,
      },
    );
    const alone = median(single.map((told) => told.perSecond));
    const [p99, p99Alone] = [median(lanes.map((told) => told.p99)), median(single.map((told) => told.p99))];
    figures.push(
      // travelling together is kept if it is worth it where many call, and costs nothing where one does
      {
        what,
        measured,
        against: `a statement each ${perSecond(alone)}`,
        ratio: play / alone,
        bound: 'least',
        target: count >= 64 ? 2 : 1.05,
      },
      {
        what: `p99 of ${what}`,
        measured: ms(p99),
        against: `a statement each ${ms(p99Alone)}`,
        ratio: p99 / p99Alone,
        bound: 'most',
        target: 1,
      },
    );
  }
  await stop();
  for (const database of ['bench_play', 'bench_tpcb', 'bench_transfer']) await server.drop(database);
  return figures;
}
