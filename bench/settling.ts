// Deposits right after a large bell, while its wallets are settled, against deposits at noon of the same day, when they
// are: a fresh copy of one population for each round, and the same callers of one process.
import pg from 'pg';
import { ring, settle } from './bell.ts';
import { depositors } from './play.ts';
import { type Figure, median, ms } from './report.ts';
import { file, launchDay, type Server } from './server.ts';

export async function benchSettling(
  server: Server,
  accounts: number,
  callers: number,
  seconds: number,
  rounds: number,
): Promise<Figure> {
  const population = 'bench_population_settling';
  await server.create(population, server.hill);
  await server.run(population, launchDay(0));
  await server.run(population, file('population.sql'), {
    'population.accounts': String(accounts),
    'population.tokens': 'on',
    'population.granted_percent': '0',
  });
  await server.run(population, 'select api_worker.set_clock(engine.bell_at(8), 0)');
  await server.run(population, 'vacuum (analyze)');
  const noon: number[] = [];
  const settling: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await server.create('bench_run', population);
    const worker = new pg.Client(server.worker('bench_run'));
    await worker.connect();
    const { ask, stop } = depositors(server.web('bench_run'), accounts, seconds);
    await worker.query(ring);
    let ended = false;
    const rest = settle(worker).then(() => {
      ended = true;
    });
    settling.push((await ask({ how: 'lanes', callers })).p99);
    const over = ended;
    await rest;
    await server.run('bench_run', `select api_worker.set_clock(engine.bell_at(8) + interval '12 hours', 0)`);
    await server.run('bench_run', 'checkpoint');
    noon.push((await ask({ how: 'lanes', callers })).p99);
    await stop();
    await worker.end();
    await server.drop('bench_run');
    if (over && seconds > 0) throw new Error('all wallets were settled before the deposits ended');
  }
  await server.drop(population);
  const [p99, p99AtNoon] = [median(settling), median(noon)];
  return {
    what: `p99 of play by ${callers} callers while ${accounts.toLocaleString('en')} wallets are settled`,
    measured: ms(p99),
    against: `at noon ${ms(p99AtNoon)}`,
    ratio: p99 / p99AtNoon,
    bound: 'most',
    target: 2,
  };
}
