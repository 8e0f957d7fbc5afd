// Building the boards of a large hill, and reading them, timed by the database itself: what a cache would have to wait
// for.
import pg from 'pg';
import { type Figure, median, ms } from './report.ts';
import { file, measureAlone, type Server } from './server.ts';

export async function benchBoards(server: Server, accounts: number): Promise<Figure[]> {
  const run = (sql: string, settings?: Readonly<Record<string, string>>) => server.run('bench_boards', sql, settings);
  // All play on day 2 and again on day 32: the boards of a night on which everybody enters the window and everybody's
  // oldest night leaves it.
  await server.create('bench_boards', server.hill);
  await run('select api_worker.set_clock(engine.bell_at(1), 0); select api_worker.ring_next_bell()');
  await run(file('population.sql'), { 'population.accounts': String(accounts) });
  await run('select api_worker.set_clock(engine.bell_at(2), 0); select api_worker.ring_next_bell()');
  await run('select trusted.settle_piece(null, null); select api_worker.index_nights(); select engine.build_boards()');
  await run('select api_worker.set_clock(engine.bell_at(31), 0)');
  for (let day = 3; day <= 31; day++) await run('select api_worker.ring_next_bell()');
  await run('select trusted.settle_piece(null, null); select api_worker.index_nights(); select engine.build_boards()');
  await run('select trusted.drop_old_boards()');
  await run(file('again.sql'));
  await run('select api_worker.set_clock(engine.bell_at(32), 0)');
  await run('vacuum (analyze)');
  await run('select api_worker.ring_next_bell()');
  await run('checkpoint');
  // A connection each, as whoever is first after the bell: readers of the night before its indexes are made, and the
  // worker.
  const once = async (url: string, sql: string): Promise<number> => (await measureAlone(url, [sql])).ms;
  const queue = 'set role hill_api_public; select engine.show_queue(32, engine.published_resolution(32), null, 100)';
  const unindexed = await once(server.url('bench_boards'), queue);
  const indexed = await once(server.worker('bench_boards'), 'select api_worker.index_nights()');
  const queued = await once(server.url('bench_boards'), queue);
  await run('select trusted.settle_piece(null, null)');
  const built = await once(server.worker('bench_boards'), 'select api_worker.build_boards()');
  // and a tournament of that night, which every twentieth of the hill has entered
  await run(file('tournament.sql'));
  const ranked = await once(server.worker('bench_boards'), 'select api_worker.rank_next_tournament()');
  await run('vacuum (analyze)');

  const client = new pg.Client(server.url('bench_boards'));
  await client.connect();
  const timed = async (query: string): Promise<number> => {
    const times: number[] = [];
    for (let n = 0; n < 40; n++) {
      const { rows } = await client.query(`explain (analyze, timing off, format json) ${query}`);
      const [plan] = rows[0]['QUERY PLAN'];
      times.push(plan['Planning Time'] + plan['Execution Time']);
    }
    return median(times);
  };
  const page = await timed('select api_public.leaderboard(100, null)');
  const account = `(select a.id from hill.accounts a where a.slug = 'population-${Math.ceil(accounts / 2)}')`;
  const rank = await timed(
    `select l.rank from hill.leaderboard l where l.day = (select engine.board_day()) and l.account_id = ${account}`,
  );
  const boards = await timed("select api_public.tournament('cup', 100)");
  const standing = await timed(
    `select s.points_rank from hill.tournament_standings s where s.tournament_id = 1 and s.day = 32 and s.account_id = (select e.account_id from hill.tournament_entries e limit 1)`,
  );
  await client.end();
  await server.drop('bench_boards');
  const what = `boards, ${accounts.toLocaleString('en')} accounts`;
  const cup = `a tournament of ${Math.ceil(accounts / 20).toLocaleString('en')} of them (ranked in ${ms(ranked)})`;
  return [
    {
      what: `${what}: built after a bell`,
      measured: ms(built),
      against: '1 s',
      ratio: built / 1000,
      bound: 'most',
      target: 5,
    },
    {
      what: `the night's queue: first page of 100 before it is indexed (in ${ms(indexed)})`,
      measured: ms(unindexed),
      against: `after it ${ms(queued)}`,
      ratio: unindexed / queued,
      bound: 'most',
      target: 10,
    },
    { what: `${what}: first page of 100`, measured: ms(page), against: '1 ms', ratio: page, bound: 'most', target: 3 },
    { what: `${what}: one account's rank`, measured: ms(rank), against: '1 ms', ratio: rank, bound: 'most', target: 2 },
    {
      what: `${cup}: first page of 100 of each of its three boards`,
      measured: ms(boards),
      against: '1 ms',
      ratio: boards,
      bound: 'most',
      target: 15,
    },
    {
      what: `${cup}: one entrant's rank`,
      measured: ms(standing),
      against: '1 ms',
      ratio: standing,
      bound: 'most',
      target: 2,
    },
  ];
}
