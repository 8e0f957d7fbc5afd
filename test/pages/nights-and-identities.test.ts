// The pages of a night, of the boards and of an identity. Rules 4.4, 7.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/db/call.ts';
import { type NightRecord, nightPage } from '../../src/pages/night.ts';
import { ribbonFigure } from '../../src/pages/ribbon.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { words } from '../support/doors/words.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { anAccount, call, closeAccount, useHill } from '../support/hill/index.ts';

const hill = useHill();
const web = useWebDoor(hill);
let cast: Cast;
beforeAll(async () => {
  cast = await aLivelyNight(hill);
});
const read = async (path: string) => words(await (await web.get(path)).text());

test('a night tells of each place what happened to each move, and why', async () => {
  const text = await read('/day/1');
  expect(text).toContain('7 accounts made 7 moves.');
  expect(text).toMatch(
    /Paid for peace\$12\.00 Paid for wars that won\$9\.00 Burned in wars that met\$18\.00 Found no seat on their place2/,
  );
  expect(text).toMatch(
    // the microseconds, because they decided
    /Ann PEACE \$3\.00 10:00 Takes a seat: ahead of Cid: earlier, 10:00:00\.\d{6} against 10:00:00\.\d{6}\. “Good night”/,
  );
  expect(text).toContain(
    'Place 1 PEACE 5 points each Ann and Bob share it; 1 more came in peace and found no seat there.',
  );
  expect(text).toMatch(/Cid PEACE \$3\.00 10:00 Joins the queue: behind Bob: later, /);
  expect(text).toContain(
    'Place 2 WAR 9 points Dan went to war and takes it alone. Eve came in peace and was turned away.',
  );
  expect(text).toMatch(/Dan WAR \$9\.00 10:00 Takes a seat: the only WAR there\. “Mine”/);
  // by whom is told above
  expect(text).toMatch(/Eve PEACE \$3\.00 10:00 Turned away\. /);
  expect(text).toMatch(/Fay WAR \$8\.00 10:00 Burned: Gus went to war there too: the stakes burn\./);
  expect(text).toMatch(/1\. Cid from place 1: seated on place 3\. Ahead of Eve: same reputation, older account, /);
  expect(text).toContain('2. Eve from place 2: seated on place 3. Nobody else waited who may sit there.');
  expect(text).toContain('Dan announced PEACE on place 2 betrayed');
});

test('a night that is not resolved is a page that says so, and /day leads to the last', async () => {
  for (const day of [0, 2, 99999999]) {
    const none = await web.get(`/day/${day}`, { headers: { Accept: 'text/html' } });
    const text = await none.text();
    expect([none.status, words(text)]).toEqual([
      404,
      expect.stringContaining('No such night The last night was night 1. Day 2 is still open'),
    ]);
    expect(text).toContain('<a href="/day/1">The last night</a>');
  }
  const answer = await web.get('/day', { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/day/1']);
});

test('a night that is longer than its record is told by place', async () => {
  const record = await call<NightRecord>(hill.as('web'), 'api_public.night_page', { n: 1 });
  const clock = await call<Clock>(hill.as('web'), 'api_public.clock');
  const page = (moves_total: number) =>
    String(nightPage({ ...record, night: { ...record.night, moves_total } }, clock).body);
  expect(page(7).match(/The only WAR there|Takes a seat/g)).not.toBeNull();
  expect(page(7)).not.toContain('So many moved');
  expect(page(1001)).toContain('So many moved');
  expect(page(1001)).not.toMatch(/and why<\/summary>|Takes a seat/);
});

test('the boards are pages, one page after the other', async () => {
  expect(await read('/boards/points')).toMatch(/1Danon 1 night90 % 2Annon 1 night5100 %/);
  expect(await read('/boards/efficiency')).toMatch(/1Danon 1 night1\.00009\$9\.00/);
  expect(await read('/boards/wall')).toMatch(/1Danon 1 night\$9\.00 2Fayon 0 nights\$8\.00/);
  for (const cursor of ['nonsense', '1.2.3', '%00', '1.99999999999', '99.1']) {
    const answer = await web.get(`/boards/points?cursor=${cursor}`);
    expect([cursor, answer.status, answer.headers.get('cache-control')]).toEqual([cursor, 400, 'no-store']);
  }
});

test('nights in which nobody held a place have no picture', async () => {
  const empty = { day: 1, window_nights: 30, stories: [], nights: [{ day: 1, places: [] }], holders: [] };
  expect(ribbonFigure(empty, await call<Clock>(hill.as('web'), 'api_public.clock'))).toBe('');
});

test('the picture of the last nights has signs for wars and burned stakes, leads to each night, and says the same in words', async () => {
  const told =
    'Day 1: 1 Ann and Bob; 2 Dan by war; 3 Cid and Eve, stakes burned; 4 nobody; 5 nobody; 6 nobody; 7 nobody; 8 nobody; 9 nobody; 10 nobody.';
  for (const path of ['/', '/boards/points', '/boards/efficiency', '/boards/wall']) {
    const html = await (await web.get(path)).text();
    const figure = /<figure class="ribbon.*?<\/figure>/s.exec(html)?.[0] ?? '';
    expect([
      path,
      figure.match(/<use class="mark sign-war"/g)?.length,
      figure.match(/<use class="mark sign-burn"/g)?.length,
    ]).toEqual([path, 1, 1]);
    // five who have a colour of their own, each a band of one night: alone on the whole height, or on half of it
    expect(
      [...figure.matchAll(/<path class="held h\d" vector-effect="non-scaling-stroke" d="M0 \d+h10v(16|8)h-10z"\/>/g)]
        .map(([, height]) => height)
        .sort(),
    ).toEqual(['16', '8', '8', '8', '8']);
    expect(figure).toContain('<a href="/day/1" tabindex="-1">');
    expect(words(figure).replaceAll(/[\u2068\u2069]/g, '')).toContain(told);
  }
});

test('an identity shows side by side what it said and what it played, and nothing that is sealed', async () => {
  await hill.asAgent(cast.dan).announce({ slot: 7, intention: 'PEACE', message: 'This time' });
  const before = await read('/identity/dan');
  await hill.asAgent(cast.dan).play({ slot: 7, move: 'WAR', stake_cents: 900, message: 'Not at all' });

  expect(before).toContain('Day 2, place 7 2026-03-02 PEACE 00:00 UTC “This time”');
  expect(before).toContain('sealed until the bell the bell has not rung');
  expect(before).toContain('Day 1, place 2 2026-03-01 PEACE betrayed WAR for $9.00 “Mine” took it alone, 9 points');
  expect(before).toContain('the bell found 1 betrayed.');
  expect(before).toContain('Dan had points on 1 night of 1, most on day 1: 9.');
  expect(await read('/identity/dan')).toBe(before);
  expect(await read('/identity/fay')).toContain(
    'has announced nothing that a bell has judged, so nobody knows whether it keeps its word',
  );
  expect((await web.get('/identity/nobody')).status).toBe(404);
});

test('an identity is found by the slug that it left, too', async () => {
  expect(await read('/identity/gus')).toContain('Gus');
  await hill.root.query("update hill.accounts set slug = 'gus-the-second' where id = $1", [cast.gus.id]);
  const answer = await web.get('/identity/gus', { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/identity/gus-the-second']);
  expect(await read('/identity/gus-the-second')).toContain('Gus');
  expect(await web.read<{ name: string }>('/api/identity/gus')).toMatchObject({ name: 'Gus', slug: 'gus-the-second' });
});

test('a board shows how ranks have changed since the night before, and nothing where that is not known', async () => {
  for (const board of ['points', 'efficiency']) expect(await read(`/boards/${board}`)).not.toMatch(/▲|▼|\d·/);
  await hill.asAgent(cast.bob).play({ slot: 5, move: 'WAR', stake_cents: 900 });
  const hal = await anAccount(hill, { name: 'Hal', credits: 5000 });
  await hill.asAgent(hal).play({ slot: 10, move: 'PEACE' });
  await hill.clock.ringBell();
  const text = await read('/boards/points');
  // by six points of the second night Bob comes past Ann; Dan stays in front
  expect(text).toMatch(/1·as beforeDanon 2 nights130 % 2▲ up 1Bobon 2 nights1150 % 3▼ down 1Annon 1 night5100 %/);
  expect(text).toMatch(/newHalon 1 night1100 %/);
  // who consumed less than $5.00 the night before is new there
  expect(await read('/boards/efficiency')).toMatch(/1newBobon.* 2▼ down 1Danon.* 3▼ down 1Fayon/);
  expect(await read('/boards/wall')).not.toMatch(/▲|▼|\d·/);
});

test('a closed account has no name in the picture any more', async () => {
  expect(await read('/')).toContain('\u2068Eve\u2069');
  await closeAccount(hill, cast.eve);
  const text = await read('/');
  expect(text).not.toMatch(/\bEve\b/);
  expect(text).toContain('3 \u2068Cid\u2069 and \u2068Closed account\u2069, stakes burned');
});

describe('an identity that has not spoken for long', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  const told = async (path: string) => words(await (await web.get(path, { headers: { accept: 'text/html' } })).text());

  test('has a word that a night still shows as kept, and its page says when that was', async () => {
    await hill.asWorker().playHouse();
    await hill.clock.toLastMinute();
    await hill.asWorker().playHouse();
    await hill.clock.toDay(31);
    expect(await told('/identity/house-10')).toContain(
      'House 10 announced in the last 30 nights, the bell found 1 kept.',
    );

    await hill.clock.toDay(32);
    expect(await web.read('/api/identity/house-10')).toMatchObject({ verdicts: { kept: 0 }, last_announced_day: 1 });
    expect(await told('/identity/house-10')).toContain(
      'House 10 announced nothing for the last 30 nights; the last time was for day 1,',
    );
    expect(await told('/day/1')).toContain('kept');
  });
});
