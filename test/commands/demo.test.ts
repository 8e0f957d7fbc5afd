// npm run demo, at a day in eight seconds, in which its agents keep up on a busy machine: nights resolve before the
// newcomer's eyes, and the money adds up.
// HILL_TEST_DEMO=6 looks on for so many nights at least.
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../../src/embedded/index.ts';
import { aServer, hill, runHill } from '../support/hill/hill-process.ts';
import { balanced, books } from '../support/hill/index.ts';

/** Eight nights of the house are over, and some more that its agents have played; it shows the next. */
const over = 8 + 3;
const looked = Number(process.env.HILL_TEST_DEMO ?? 4);

test('agents of many kinds play, every outcome occurs, the night is told, and what was played can be read afterwards', async () => {
  const server = await aServer();
  const signed = path.join(server.HILL_DATA_DIR, 'log', 'checkpoint'); // of the hill that npm start serves
  fs.mkdirSync(path.dirname(signed), { recursive: true });
  fs.writeFileSync(signed, 'another hill');
  const demo = runHill(['demo'], { ...server, HILL_DEMO_DAY_SECONDS: '8', HILL_DEMO_NIGHTS: '3', NO_COLOR: '1' });
  await demo.says(`the hill is at http://localhost:${server.PORT}/`);
  await demo.says(
    `Staff look on at http://localhost:${server.CONSOLE_PORT}; the key is in ${server.HILL_DATA_DIR}/demo/staff-key`,
  );
  await demo.says(`Night ${over + looked}`);
  for (const seen of [
    'PEACE',
    'WAR',
    'BURN',
    'out: ',
    'turned away: ',
    'burned $',
    'kept',
    'betrayed (Liar',
    'bluffed (Bluffer',
    'top 5: 1 ',
  ])
    await demo.says(seen);
  const archive = path.join(server.HILL_DATA_DIR, 'archive');
  const seen = ['--seen', path.join(server.HILL_DATA_DIR, 'seen.json')];
  const saved = await hill(['verify', `http://localhost:${server.PORT}`, ...seen, '--save', archive], {
    NO_COLOR: '1',
  });
  expect(saved.output).toContain('All of it holds.');
  expect(await demo.stop('SIGINT')).toBe(0);

  // its hill is gone: the nights are resolved again from the files alone, by the engine that is among them
  const offline = await hill(['verify', '--archive', archive, '10', '11', ...seen], { NO_COLOR: '1' });
  expect(offline.output).toContain('Nothing is asked of the hill.');
  expect(offline.output).toMatch(
    /ok {5}Night 1[01], resolved again from its night file, has the result that the log says\./,
  );
  expect([offline.code, saved.code]).toEqual([0, 0]);
  fs.appendFileSync(path.join(archive, 'api/day/10/moves.ndjson'), '{}\n');
  const changed = await hill(['verify', '--archive', archive, '10', ...seen], { NO_COLOR: '1' });
  expect(changed.output).toMatch(/^WRONG {2}The hill shows \d+ moves of night 10/m);
  expect(changed.code).toBe(1);

  const nights = demo
    .output()
    .split(/^Night /m)
    .slice(1);
  expect(nights.map((night) => Number.parseInt(night, 10)).slice(0, looked)).toEqual(
    Array.from({ length: looked }, (_, i) => over + 1 + i),
  );
  for (const night of nights)
    expect(night).toMatch(
      /^\d+ {2}\d+ moves by \d+ accounts, \$[\d,]+\.\d\d burned\n( +\d+ {2}(VACANT|PEACE|WAR|BURN) .*\n){10}/,
    );
  expect(demo.output()).not.toMatch(/"level":(40|50|60)/);
  expect(fs.readFileSync(signed, 'utf8')).toBe('another hill');

  const cluster = await startCluster({ dir: path.join(server.HILL_DATA_DIR, 'demo') });
  onTestFinished(() => cluster.stop());
  const root = new pg.Client(cluster.url('hill'));
  await root.connect();
  expect(await books(root)).toMatchObject({ ...balanced, sum: expect.toSatisfy((sum) => Number(sum) === 0) });
  const { rows } = await root.query(
    `select count(distinct a.name) > 20 as many, count(*) filter (where m.move = 'WAR') > 5 as wars,
            count(*) filter (where m.day <= ${over}) > 60 as ahead, bool_and(m.at < n.bell_at) as in_time
       from hill.moves m join hill.accounts a on a.id = m.account_id join hill.nights n on n.day = m.day where not a.house`,
  );
  expect(rows).toEqual([{ many: true, wars: true, ahead: true, in_time: true }]);
  // Staff find something to do, and so an answer to what they are asked.
  const { rows: work } = await root.query(
    `select (select count(*)::int from hill.accounts where suspended_at is not null) as suspended,
            (select count(*)::int from hill.reports where answered_at is null) as reports,
            (select count(*)::int from hill.subscriptions where failing_since is not null) as failing,
            (select count(*)::int from oauth.sign_ins where email = 'somebody@example.com') as humans`,
  );
  expect(work).toEqual([{ suspended: 1, reports: 1, failing: 1, humans: 1 }]);
  const { rows: clock } = await root.query('select rate from hill.settings');
  expect(clock).toEqual([{ rate: 0 }]); // it does not run on while nobody looks
  await root.end();
});
