// bench/boards.ts · reading the boards of a large hill, timed by the database itself: what a cache would have to wait for.
import pg from 'pg';
import { type Figure, median, ms } from './report.ts';
import { file, type Server } from './server.ts';

export async function benchBoards(server: Server, accounts: number): Promise<Figure[]> {
  await server.create('bench_boards', server.hill);
  await server.run('bench_boards', 'select engine.set_clock(engine.bell_at(1), 0); select engine.ring_next_bell()');
  await server.run('bench_boards', file('population.sql'), { 'population.accounts': String(accounts) });
  await server.run('bench_boards', 'select engine.set_clock(engine.bell_at(2), 0); select engine.ring_next_bell()');
  const started = performance.now();
  await server.run('bench_boards', 'select engine.build_boards()');
  const built = performance.now() - started;
  // and a tournament of its second night, which every twentieth of the hill has entered
  await server.run('bench_boards', file('tournament.sql'));
  const ranking = performance.now();
  await server.run('bench_boards', 'select engine.rank_next_tournament()');
  const ranked = performance.now() - ranking;
  await server.run('bench_boards', 'vacuum (analyze)');

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
  const rank = await timed(`select l.rank from hill.leaderboard l where l.day = (select engine.board_day()) and l.account_id = ${account}`);
  const boards = await timed("select api_public.tournament('cup', 100)");
  const standing = await timed(
    `select s.points_rank from hill.tournament_standings s where s.tournament_id = 1 and s.day = 2 and s.account_id = (select e.account_id from hill.tournament_entries e limit 1)`,
  );
  await client.end();
  await server.drop('bench_boards');
  const what = `boards, ${accounts.toLocaleString('en')} accounts (built in ${ms(built)} after the bell)`;
  const cup = `a tournament of ${Math.ceil(accounts / 20).toLocaleString('en')} of them (ranked in ${ms(ranked)})`;
  return [
    { what: `${what}: first page of 100`, measured: ms(page), against: '1 ms', ratio: page, bound: 'most', target: 5 },
    { what: `${what}: one account's rank`, measured: ms(rank), against: '1 ms', ratio: rank, bound: 'most', target: 2 },
    {
      what: `${cup}: first page of 100 of each of its three boards`,
      measured: ms(boards),
      against: '1 ms',
      ratio: boards,
      bound: 'most',
      target: 15,
    },
    { what: `${cup}: one entrant's rank`, measured: ms(standing), against: '1 ms', ratio: standing, bound: 'most', target: 2 },
  ];
}
