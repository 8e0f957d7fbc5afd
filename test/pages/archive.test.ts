// The archive: every night by date and headline, a month at a time, a search, and the boards of days that are over.
// Rules 10.7, 10.19.
import { beforeAll, describe, expect, test } from 'vitest';
import { useWebDoor } from '../support/doors/web-door.ts';
import { words } from '../support/doors/words.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { aTournament, enter } from '../support/hill/tournaments.ts';

const browser = { Accept: 'text/html' };

describe('after 34 nights', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  let cast: Cast;
  beforeAll(async () => {
    cast = await aLivelyNight(hill);
    await hill.clock.toDay(35);
  });
  const html = async (path: string) => (await web.get(path, { headers: browser })).text();
  const read = async (path: string) => words(await html(path));
  const nightsOn = async (path: string) =>
    [...(await html(path)).matchAll(/<li><span class="when">([\d-]+)<\/span> <a href="(\/day\/\d+)">/g)].map(
      ([, date, to]) => [date, to],
    );

  test('the last month is listed, the latest night first, and leads to the month before, which leads back', async () => {
    expect(await nightsOn('/nights')).toEqual([
      ['2026-04-03', '/day/34'],
      ['2026-04-02', '/day/33'],
      ['2026-04-01', '/day/32'],
    ]);
    expect(await html('/nights')).toContain('<a rel="prev" href="/nights/2026-03">');
    const march = await nightsOn('/nights/2026-03');
    expect([march.length, march[0], march.at(-1)]).toEqual([31, ['2026-03-31', '/day/31'], ['2026-03-01', '/day/1']]);
    expect(await read('/nights/2026-03')).toContain(
      '2026-03-01 Ann and Bob take the top; Fay and Gus burn $18.00 on place 3 Day 1: 7 moves of 7 accounts, $18.00 burned',
    );
    expect(await html('/nights/2026-03')).toContain('<a rel="next" href="/nights/2026-04">');
  });

  test('a month without a night is a page that leads to those that have some', async () => {
    for (const month of ['2026-02', '2026-05', '2026-13', '0000-00', '9999-12', 'march']) {
      const none = await web.get(`/nights/${month}`, { headers: browser });
      expect([month, none.status, words(await none.text())]).toEqual([
        month,
        404,
        expect.stringContaining('No night was in that month. All nights'),
      ]);
    }
  });

  test('wherever a night is told, it has its date, and leads to the others', async () => {
    expect(await html('/day/1')).toMatch(/<title>Day 1, 2026-03-01: .*<a href="\/nights\/2026-03">All nights<\/a>/s);
    expect(await read('/day/1')).toContain('The night of day 1, 2026-03-01');
    expect(await read('/')).toContain('Last night, day 34, 2026-04-03');
    expect(await html('/')).toContain('<a href="/nights">All nights</a>');
    for (const board of ['points', 'efficiency', 'wall'])
      expect(await read(`/boards/${board}`)).toContain('up to the night of day 34, 2026-04-03');
    await hill.asAgent(cast.ann).announce({ slot: 1, intention: 'PEACE' });
    expect(await read('/identity/ann')).toContain('Day 35, place 1 2026-04-04');
  });
});

describe('a search', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  const ask = (q: string) => web.get(`/nights?${new URLSearchParams({ q })}`, { headers: browser });
  const main = async (q: string) =>
    words(/<\/form>(.*)<nav class="pages" aria-label="Go on">/s.exec(await (await ask(q)).text())?.[1] ?? '').trim();
  const headline = 'Ann and Bob take the top; Fay and Gus burn $18.00 on place 3';
  beforeAll(async () => {
    await aLivelyNight(hill);
  });

  test.each(['1', '#1', 'night 1', 'Day 1', '2026-03-01', '2026-3-1', '1 March 2026', 'march 1, 2026'])(
    'finds the night by %s',
    async (q) => {
      expect(await main(q)).toBe(`Night 2026-03-01 Day 1: ${headline}`);
    },
  );

  test.each(['ann', 'AN', ' ann '])('finds an identity by %s', async (q) => {
    expect(await main(q)).toBe('Names Ann @ann');
    expect(await (await ask(q)).text()).toContain('<a href="/identity/ann"><bdi>Ann</bdi></a>');
  });

  test('says that there are more than it shows', async () => {
    for (let n = 0; n < 21; n++) await anAccount(hill, { name: `Crowd ${n}` });
    expect(await main('crowd')).toMatch(/^Names (Crowd \d+ @crowd-\d+ ){20}There are more\./);
  });

  test.each([
    ['2', 'The night of day 2 is not over. The last night was that of day 1, 2026-03-01.'],
    ['2026-03-02', 'The night of day 2 is not over.'],
    ['999999999', 'The night of day 999999999 is not over.'],
    ['2026-02-28', 'That was before the first day of the hill. The last night was that of day 1, 2026-03-01.'],
    ['nobody-of-that-name', 'Nobody is called “nobody-of-that-name”, and it is no number and no date of a night.'],
    ['2026-02-30', 'Nobody is called “2026-02-30”, and it is no number and no date'],
    ['x', 'Nobody is called “x”'],
    ['y'.repeat(200), 'Nobody is called “yyy'],
    ['<zz>\u0000 & "', 'Nobody is called “<zz> & "”'],
  ])('says of %s that it found nothing, and what can be looked for', async (q, said) => {
    const text = await main(q);
    expect(text).toContain(said);
    expect(text).toContain(
      'You can look for a name, or the beginning of its words (2 to 60 characters); for a night by its number, such as 12; and for a date, such as 2026-03-01.',
    );
  });

  test('is a form that works without a script and may be sent to this site alone; its answers are not kept', async () => {
    const page = await web.get('/nights', { headers: browser });
    expect(await page.text()).toMatch(/<form class="search" role="search" action="\/nights">.*name="q"/s);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'none'.*form-action 'self'/);
    expect((await web.get('/day/1')).headers.get('content-security-policy')).toContain("form-action 'none'");
    expect(await main('zed')).toContain('Nobody');
    await anAccount(hill, { name: 'Zed' });
    expect(await main('zed')).toBe('Names Zed @zed');
    const month = await fetch(`${web.baseUrl}/nights?q=2026-03`, { redirect: 'manual' });
    expect([month.status, month.headers.get('location')]).toEqual([302, '/nights/2026-03']);
  });
});

describe('a board of a day that is over', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  const html = async (path: string) => (await web.get(path, { headers: browser })).text();
  /** Rank and name of each entry; and how that has changed. */
  const ranks = async (path: string) =>
    [
      ...(await html(path)).matchAll(
        /<tr><td class="rank">(\d+)<\/td>(?:<td class="moved">(.*?)<\/td>)?.*?<bdi>(.*?)<\/bdi>/g,
      ),
    ].map(([, rank, moved = '', name]) => `${rank} ${name} ${words(moved)}`.trim());
  beforeAll(async () => {
    const cast = await aLivelyNight(hill);
    await hill.asAgent(cast.bob).play({ slot: 4, move: 'WAR', stake_cents: 900 });
    await hill.clock.ringBell();
    await hill.asAgent(cast.ann).play({ slot: 1, move: 'WAR', stake_cents: 900 });
    await hill.clock.ringBell();
  });

  test('shows who was where then, and what had changed', async () => {
    expect(await ranks('/boards/points')).toEqual([
      '1 Ann ▲ up 2',
      '2 Bob ▼ down 1',
      '3 Dan ▼ down 1',
      ...['4 Cid', '5 Eve', '6 Fay', '7 Gus'].map((one) => `${one} ·as before`),
    ]);
    expect(await ranks('/boards/points?day=2')).toEqual([
      '1 Bob ▲ up 2',
      '2 Dan ▼ down 1',
      '3 Ann ▼ down 1',
      '4 Cid ·as before',
      '5 Eve ·as before',
    ]);
    expect(await ranks('/boards/points?day=1')).toEqual(['1 Dan', '2 Ann', '3 Bob', '4 Cid', '5 Eve']);
    expect(await ranks('/boards/efficiency?day=2')).toEqual(['1 Bob new', '2 Dan ▼ down 1']);
    expect(words(await html('/boards/points?day=2'))).toContain(
      'Hill points of the 30 nights up to the night of day 2, 2026-03-02. Everybody who had points is on it, by the names of today: 5 identities',
    );
  });

  test.each(['points', 'efficiency'])(
    '%s leads to the night, the days around, the other board, and its data',
    async (board) => {
      const page = await html(`/boards/${board}?day=2`);
      const api = `/api/leaderboard/${board === 'points' ? 'hill' : board}`;
      for (const to of [
        '/day/2',
        `/boards/${board}?day=1`,
        `/boards/${board}?day=3`,
        `/boards/${board}`,
        '/boards/points?day=2',
        '/boards/efficiency?day=2',
        '/boards/wall',
        `${api}?day=2`,
        `${api}.csv?day=2`,
      ])
        expect(page).toContain(`href="${to}"`);
      expect(await html(`/boards/${board}?day=1`)).not.toContain('?day=0');
      expect(await html(`/boards/${board}?day=3`)).not.toContain('?day=4');
      expect(await html(`/boards/${board}`)).toContain(`href="/boards/${board}?day=2"`);
      expect(await web.read(`${api}?day=2`)).toMatchObject({ day: 2 });
    },
  );

  test.each([
    ['/boards/points?day=0', 404, 'No board of day 0 That was before the first night'],
    [
      '/boards/efficiency?day=4',
      404,
      'No board of day 4 Day 4 has not been decided: its board can be shown once its bell has rung. The last one is that of day 3.',
    ],
    ['/boards/wall?day=2', 404, 'Who spent how much of paid credits on which night is not public'],
    ['/boards/points?day=soon', 400, 'Give the number of a day, as in ?day=30.'],
    ['/boards/points?day=2&cursor=1.50', 400, 'The address is not right'],
  ])('%s says why there is none', async (path, status, said) => {
    const answer = await web.get(path, { headers: browser });
    expect([answer.status, words(await answer.text())]).toEqual([status, expect.stringContaining(said)]);
  });

  test('a night leads to the boards after it', async () => {
    expect(await html('/day/2')).toContain('<a href="/boards/points?day=2">The boards after it</a>');
  });
});

describe('a list that is longer than its page', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  const html = async (path: string) => (await web.get(path, { headers: browser })).text();
  /** All that a mark finds on a page and on those that follow it. */
  const all = async (path: string, mark: RegExp): Promise<string[]> => {
    const page = await html(path);
    const next = /rel="next" href="([^"]+cursor=[^"]+)"/.exec(page)?.[1];
    return [
      ...[...page.matchAll(mark)].map(([, found]) => found as string),
      ...(next === undefined ? [] : await all(next, mark)),
    ];
  };
  const guests = Array.from({ length: 207 }, (_, i) => `Guest ${i + 1}`);
  const sorted = (names: readonly string[]) => [...names].sort();
  beforeAll(async () => {
    const slug = await aTournament(hill, { slug: 'cup', sign_ups_close_day: 1, starts_day: 2, ends_day: 3 });
    const accounts: Account[] = [];
    for (const name of guests) {
      await hill.clock.tick();
      accounts.push(await anAccount(hill, { name, credits: 2000 }));
    }
    for (const account of accounts.slice(0, 55)) await enter(hill, account, slug);
    await hill.clock.toDay(2);
    for (const account of accounts) {
      await hill.asAgent(account).announce({ slot: 10, intention: 'PEACE' });
      await hill.asAgent(account).play({ slot: 10, move: 'PEACE' });
    }
  });

  test('the first page leads to all that was announced today, page after page', async () => {
    expect(await html('/')).toContain('<a href="/announced">And 201 more</a>');
    const told = await all('/announced', /<bdi>(Guest \d+)<\/bdi><\/a> announces <span class="tag PEACE">/g);
    expect(sorted(told)).toEqual(sorted(guests));
  });

  test('a night leads to all of its queue, its announcements and its moves', async () => {
    await hill.clock.ringBell();
    const night = await html('/day/2');
    expect(night).toContain('<a href="/day/2/all#queue">And 105 more</a>');
    expect(night).toContain('<a href="/day/2/all#announced">And 107 more</a>');
    expect(await html('/day/2/all')).toMatch(/id="queue".*id="announced"/s);
    const of = (mark: RegExp) => all('/day/2/all', mark);
    expect(sorted(await of(/<tr><td><a [^>]*><bdi>(Guest \d+)<\/bdi>/g))).toEqual(sorted(guests));
    expect(sorted(await of(/<bdi>(Guest \d+)<\/bdi><\/a> announced <span class="tag PEACE">/g))).toEqual(
      sorted(guests),
    );
    expect((await of(/<strong>(\d+)\.<\/strong>/g)).map(Number)).toEqual(Array.from({ length: 205 }, (_, i) => i + 1));
    const wrong = await web.get('/day/2/all?cursor=1.50', { headers: browser });
    expect([wrong.status, words(await wrong.text())]).toEqual([
      400,
      expect.stringContaining('The address is not right'),
    ]);
    expect((await web.get('/day/3/all', { headers: browser })).status).toBe(404);
  });

  test('a tournament leads to all of its boards', async () => {
    expect((await html('/tournaments/cup')).match(/<tr><td class="rank">/g)).toHaveLength(2 * 50);
    const ranks = await all('/tournaments/cup', /<tr><td class="rank">(\d+)<\/td>/g);
    expect(Math.max(...ranks.map(Number))).toBe(55);
    expect(ranks.filter((rank) => rank === '55')).toHaveLength(2);
  });
});

describe('before any night', () => {
  const web = useWebDoor(useHill());

  test('the archive says so', async () => {
    const answer = await web.get('/nights', { headers: browser });
    expect([answer.status, words(await answer.text())]).toEqual([
      200,
      expect.stringContaining('No bell has rung yet.'),
    ]);
  });
});
