// Past boards, boards as NDJSON and CSV, identities by name and id, and an identity's moves as a stream. Rules 7, 9.4,
// 10.7, 11.4, 11.5.
import { createHash } from 'node:crypto';
import zlib from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Efficiency, Leaderboard, PlaceResult } from '../../src/records/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { anAccount, populate, useHill } from '../support/hill/index.ts';

const hill = useHill();
const web = useWebDoor(hill);
let cast: Cast;
const boards: { hill: Leaderboard; efficiency: Efficiency }[] = [];
beforeAll(async () => {
  cast = await aLivelyNight(hill);
  const keep = async () =>
    boards.push({
      hill: await web.read<Leaderboard>('/api/leaderboard/hill?limit=1000'),
      efficiency: await web.read<Efficiency>('/api/leaderboard/efficiency'),
    });
  await keep();
  for (const [slot, move] of [
    [4, 'PEACE'],
    [1, 'WAR'],
    [1, 'PEACE'],
  ] as const) {
    await hill.clock.at('10:00');
    await hill.asAgent(cast.ann).play({ slot, move, ...(move === 'WAR' ? { stake_cents: 800, message: 'Mine' } : {}) });
    await hill.asAgent(cast.bob).play({ slot: 7, move: 'PEACE' });
    await hill.clock.ringBell();
    await keep();
  }
});

const pointed = <E extends { points: number }>(entries: readonly E[]) => entries.filter(({ points }) => points > 0);

describe('a past board', () => {
  test('is the board as it was, of those who had points', async () => {
    expect(boards.map(({ hill: { day } }) => day)).toEqual([1, 2, 3, 4]);
    for (const { hill: was, efficiency } of boards) {
      const past = await web.read<Leaderboard>(`/api/leaderboard/hill?day=${was.day}`);
      expect(past.entries).toEqual(pointed(was.entries));
      expect(past).toMatchObject({ day: was.day, window_nights: 30, total: past.entries.length, next_cursor: null });
      const ratios = await web.read<Efficiency>(`/api/leaderboard/efficiency?day=${was.day}`);
      expect(ratios.entries).toEqual(pointed(efficiency.entries));
    }
    expect(pointed(boards[3]?.efficiency.entries ?? []).length).toBeGreaterThan(1);
  });

  test('comes in pages that stay with their day', async () => {
    const first = await web.read<Leaderboard & { _next: { rel: string; href: string }[] }>(
      '/api/leaderboard/hill?day=1&limit=2',
    );
    expect(first.entries.map(({ rank }) => rank)).toEqual([1, 2]);
    const { pathname, search } = new URL(first._next.find(({ rel }) => rel === 'next_page')?.href as string);
    const second = await web.read<Leaderboard>(pathname + search);
    expect([second.day, ...second.entries.map(({ rank }) => rank)]).toEqual([1, 3, 4]);
    const wrong = await web.get(`/api/leaderboard/hill?day=2&cursor=${first.next_cursor}`);
    expect(await wrong.json()).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'cursor' });
  });

  test.each(['0', '5', '99', '-1'])('of day %s there is none, and the answer says which there are', async (day) => {
    for (const board of ['hill', 'efficiency']) {
      const answer = await web.get(`/api/leaderboard/${board}?day=${day}`);
      expect([board, answer.status]).toEqual([board, 404]);
      expect(await answer.json()).toMatchObject({ code: 'DAY_NOT_RESOLVED', days: { first: 1, last: 4 } });
    }
  });
});

describe('a board as lines', () => {
  test('is the board, an entry a line', async () => {
    for (const path of ['/api/leaderboard/hill', '/api/leaderboard/efficiency', '/api/wall']) {
      const { entries } = await web.read<{ entries: { slug: string }[] }>(path);
      const lines = await web.get(`${path}.ndjson`);
      expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      expect(
        (await lines.text())
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
      ).toEqual(entries);
      const csv = await web.get(`${path}.csv`);
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      const [head, ...rows] = (await csv.text()).split('\r\n').slice(0, -1);
      expect(head).toMatch(/^rank,account_id,slug,name,url,agent_id,model,/);
      expect(rows.map((row) => row.split(',')[2])).toEqual(entries.map(({ slug }) => slug));
    }
    const past = await (await web.get('/api/leaderboard/hill.csv?day=1')).text();
    expect(past.split('\r\n')).toHaveLength(pointed(boards[0]?.hill.entries ?? []).length + 2);
  });

  test('is conditional, and tells its length and the digest of what is sent', async () => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const headers = { 'Accept-Encoding': coding };
      for (let n = 0; n < 2; n++) {
        const answer = await raw(`${web.baseUrl}/api/leaderboard/hill.ndjson`, headers);
        expect(answer.headers['content-length']).toBe(String(answer.body.length));
        expect(answer.headers['content-digest']).toBe(
          `sha-256=:${createHash('sha256').update(answer.body).digest('base64')}:`,
        );
        const again = await web.get('/api/leaderboard/hill.ndjson', {
          headers: { ...headers, 'If-None-Match': answer.headers.etag as string },
        });
        expect([again.status, await again.text()]).toEqual([304, '']);
        const text =
          coding === 'gzip'
            ? zlib.gunzipSync(answer.body)
            : coding === 'br'
              ? zlib.brotliDecompressSync(answer.body)
              : answer.body;
        expect(text.toString().startsWith('{"')).toBe(true);
      }
    }
  });

  test('no spreadsheet takes a name for a formula', async () => {
    await hill.root.query("update hill.accounts set name = '=1+1' where slug = 'dan'");
    expect(await (await web.get('/api/wall.csv')).text()).toContain(`,"'=1+1",`);
    await hill.root.query("update hill.accounts set name = 'Dan' where slug = 'dan'");
  });

  describe('that is long', () => {
    const large = useHill();
    const door = useWebDoor(large);
    beforeAll(async () => {
      await large.asRoot((root) => populate(root, { accounts: 1_200 }));
      await large.clock.ringBell();
    });

    test('is whole, or as long as was asked, with a link to the rest', async () => {
      const ranks = async (address: string) => {
        const answer = await door.get(address);
        const lines = (await answer.text()).split('\n').slice(0, -1);
        return {
          ranks: lines.map((line) => (JSON.parse(line) as { rank: number }).rank),
          link: answer.headers.get('link'),
        };
      };
      const whole = await ranks('/api/leaderboard/hill.ndjson');
      expect(whole).toEqual({ ranks: Array.from({ length: 1_200 }, (_, i) => i + 1), link: null });
      const part = await ranks('/api/leaderboard/hill.ndjson?limit=700');
      expect(part.ranks).toEqual(whole.ranks.slice(0, 700));
      const [, href] = /^<(.+)>; rel="next"$/.exec(part.link ?? '') ?? [];
      expect(await ranks((href as string).slice(door.baseUrl.length))).toEqual({
        ranks: whole.ranks.slice(700),
        link: null,
      });
    });

    test('a search among many is answered by the index of words', async () => {
      const plan = await large.asRoot(async (root) => {
        await root.query('analyze hill.accounts; set role hill_api_public');
        const { rows } = await root.query<{ 'QUERY PLAN': string }>(
          "explain select a.id from hill.accounts a where to_tsvector('simple', translate(a.name, '.-_@/', '     ') || ' ' || replace(a.slug, '-', ' ')) @@ (select to_tsquery('simple', 'zebra:*'))",
        );
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(plan).toContain('accounts_words_idx');
    });
  });
});

describe('a search of identities', () => {
  const found = async (q: string, more = '') =>
    web.read<{ identities: { name: string; slug: string }[]; more: boolean }>(
      `/api/identities?q=${encodeURIComponent(q)}${more}`,
    );
  const names = async (q: string) => (await found(q)).identities.map(({ name }) => name);
  beforeAll(async () => {
    await hill.clock.tick();
    for (const name of ['Raider Rita', 'Rita the Second', 'Überläufer', 'GPT-4.1 mini', "O'Neill \\ & | !"])
      await anAccount(hill, { name });
  });

  test.each([
    ['rita', ['Rita the Second', 'Raider Rita']], // whose slug begins so comes first
    ['RITA', ['Rita the Second', 'Raider Rita']],
    ['raider ri', ['Raider Rita']],
    ['rita raid', ['Raider Rita']],
    ['raider-rita', ['Raider Rita']],
    ['über', ['Überläufer']],
    ['gpt 4.1', ['GPT-4.1 mini']],
    ["o'neill \\", ["O'Neill \\ & | !"]],
    ['ann', ['Ann']],
    ['nn', []],
    ["' | !", []],
    ['zebra', []],
  ])('%s finds them', async (q, expected) => {
    expect(await names(q)).toEqual(expected);
  });

  test('is bounded, and says if there are more', async () => {
    expect(await found('rita', '&limit=1')).toMatchObject({ identities: [{ name: 'Rita the Second' }], more: true });
    expect(await found('rita', '&limit=2')).toMatchObject({ more: false });
    for (const [query, detail] of [
      ['', 'q is missing.'],
      ['?q=a', 'q is shorter than 2 characters.'],
      [`?q=${'x'.repeat(61)}`, 'q is longer than 60 characters.'],
      ['?q=rita&limit=101', 'limit is out of bounds.'],
      ['?query=rita', 'Unknown parameter `query`. Did you mean `q`?'],
    ])
      expect(await (await web.get(`/api/identities${query}`)).json()).toMatchObject({
        code: 'INVALID_ARGUMENT',
        detail,
      });
  });

  test('finds a former slug, and no closed account', async () => {
    await hill.root.query("update hill.accounts set slug = 'gustav', name = 'Gustav' where slug = 'gus'");
    expect(await names('gus')).toEqual(['Gustav']);
    await hill.root.query(
      "update hill.accounts set slug = 'closed-' || right(replace(id::text, '-', ''), 16), name = 'Closed account' where slug = 'gustav'",
    );
    for (const q of ['closed', 'account', 'gustav']) expect(await names(q)).toEqual([]);
  });
});

describe('an identity', () => {
  test('is also found by its account id', async () => {
    const bySlug = await web.read<object>('/api/identity/ann');
    for (const id of [cast.ann.id, cast.ann.id.toUpperCase()])
      expect(await web.read(`/api/identity/${id}`)).toEqual(bySlug);
    const page = await web.get(`/identity/${cast.ann.id}`, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/identity/ann']);
    expect((await web.get('/api/identity/01900000-0000-7000-8000-000000000000')).status).toBe(404);
  });

  test('has its moves as a stream, the latest first, and none of a night that is not published', async () => {
    await hill.clock.at('11:00');
    await hill.asAgent(cast.ann).play({ slot: 9, move: 'PEACE', message: 'still sealed' });
    const lines = async () => {
      const answer = await web.get('/api/identity/ann/moves.ndjson');
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
      return (await answer.text())
        .split('\n')
        .slice(0, -1)
        .map(
          (line) =>
            JSON.parse(line) as {
              day: number;
              slot: number;
              move: string;
              outcome: PlaceResult['outcome'];
              seat: object | null;
            },
        );
    };
    const before = await lines();
    expect(before.map(({ day, slot, move, outcome }) => [day, slot, move, outcome])).toEqual([
      [4, 1, 'PEACE', 'PEACE'],
      [3, 1, 'WAR', 'WAR'],
      [2, 4, 'PEACE', 'PEACE'],
      [1, 1, 'PEACE', 'PEACE'],
    ]);
    expect(before[0]).toEqual({
      ...{ day: 4, slot: 1, move: 'PEACE', stake_cents: 0, message: null, outcome: 'PEACE', agentId: cast.ann.agentId },
      ...{
        cost_cents: 300,
        at: expect.any(String),
        seq: expect.any(Number),
        seat: { slot: 1, via: 'holder', daysHeld: 1, points: 10 },
      },
    });
    await hill.clock.ringBell();
    // in pieces of two nights, with nothing in one of them
    await hill.clock.ringBell();
    await hill.clock.ringBell();
    await hill.root.query(
      'create or replace function engine.page_length() returns integer language sql immutable parallel safe return 2',
    );
    expect((await lines()).map(({ day }) => day)).toEqual([5, 4, 3, 2, 1]);
    await hill.root.query(
      'create or replace function engine.page_length() returns integer language sql immutable parallel safe return 100',
    );
    expect((await web.get('/api/identity/nobody/moves.ndjson')).status).toBe(404);
    expect((await web.get('/api/identity/ann/moves.ndjson?limit=1')).status).toBe(400);
  });
});

/** As it is sent: fetch would decompress it. */
async function raw(address: string, headers: Record<string, string>) {
  const { request } = await import('node:http');
  return new Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    request(address, { headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer
        .on('data', (piece: Buffer) => pieces.push(piece))
        .on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(pieces) }));
    })
      .on('error', reject)
      .end();
  });
}
