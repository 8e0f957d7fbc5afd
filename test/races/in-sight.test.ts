// A night in the moment in which it is committed, and the server has not told its other processes of its partitions.
// Decisions 461.
import { beforeAll, describe, expect, test } from 'vitest';
import { fromDatabase } from '../../src/db/errors.ts';
import { rule } from '../../src/db/rules.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { anAccount, useHill } from '../support/hill/index.ts';

describe('whoever asks has all of the last night in sight', () => {
  // On a server of its own: where many databases change at once, it tells its processes of all that has changed, also
  // when they do not listen.
  const hill = useHill({ server: {} });
  beforeAll(() => hill.clock.ringBell());

  test.each([
    ['api_public.clock()', 'settlements'],
    ['api_public.clock()', 'leaderboard'],
    ['engine.see_last_night()', 'settlements'],
    ['engine.find_night($1)', 'settlements'],
    ['engine.board_page(null, 10, null)', 'leaderboard'],
    ["engine.board_page(null, 10, $1 || '.0')", 'leaderboard'],
  ])('%s: %s', async (ask, table) => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
    const day = await hill.clock.day();
    await hill.asRoot(async (client) => {
      // The moment made longer: PostgreSQL listens when a transaction takes a lock that is new to it, and this one has
      // all that its looks need.
      await client.query(`begin; prepare ask (integer) as select ${ask} where $1 > 0; prepare look as
        select (select count(*)::int from ${table === 'leaderboard' ? 'hill.boards' : 'hill.nights'} where day = ${day}) as told,
               (select least(count(*)::int, 1) from hill.${table} where day = ${day}) as seen`);
      for (let n = 0; n < 6; n++) await client.query(`execute ask (${day - 1}); execute look`);
      await hill.clock.ringBell();
      expect((await client.query('execute look')).rows).toEqual([{ told: 1, seen: 0 }]);
      await client.query(`execute ask (${day})`);
      expect((await client.query('execute look')).rows).toEqual([{ told: 1, seen: 1 }]);
      await client.query('rollback; deallocate all');
    });
  });
});

describe('a night that does not come into sight is refused, and not told as one without moves', () => {
  const hill = useHill();
  const asked = ['engine.find_night(1)', 'engine.see_last_night()', 'engine.see_boards()'];
  const parents = ['settlements', 'leaderboard'];
  const detach = parents.map((name) => `alter table hill.${name} detach partition hill.${name}_000001`).join(';');
  const attach = parents
    .map((name) => `alter table hill.${name} attach partition hill.${name}_000001 for values in (1)`)
    .join(';');
  beforeAll(async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
    await hill.clock.ringBell();
    await hill.rows(detach);
  });
  const web = useWebDoor(hill);
  const detail = { day: 1, retry_after_seconds: rule('retry_seconds') };

  test('to whoever asks the database', async () => {
    const ask = (what: string) => hill.asRoot((client) => client.query(`select ${what}`).catch(fromDatabase));
    const refused = { name: 'Refusal', code: 'NIGHT_NOT_IN_SIGHT', status: 503, detail };
    expect(await Promise.all(asked.map(ask))).toMatchObject(asked.map(() => refused));
  });

  test('to whoever reads, with the seconds after which to come again', async () => {
    const get = async (path: string) => {
      const answer = await fetch(web.baseUrl + path);
      return { path, status: answer.status, again: answer.headers.get('retry-after'), text: await answer.text() };
    };
    const paths = ['/api/day/1', '/api/leaderboard/hill', '/day/1'];
    const answers = await Promise.all(paths.map(get));
    const again = String(detail.retry_after_seconds);
    expect(answers).toMatchObject(paths.map((path) => ({ path, status: 503, again })));
    expect(JSON.parse(answers[0]?.text as string)).toMatchObject({ code: 'NIGHT_NOT_IN_SIGHT', ...detail });
    expect(answers[2]?.text).toContain('The night is not in sight yet');
  });

  test('until it is there', async () => {
    await hill.rows(attach);
    for (const ask of asked)
      expect((await hill.asRoot((client) => client.query(`select ${ask}`))).rowCount, ask).toBe(1);
    expect(await web.read('/api/day/1')).toMatchObject({ day: 1 });
  });
});
