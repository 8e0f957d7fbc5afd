// A night in bulk: NDJSON, CSV, and the night file of the public engine. Rules 10.6, 12.1.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Day } from '../../src/records/index.ts';
import { useWebDoor, type WebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { hill as run } from '../support/hill/hill-process.ts';
import { populate, useHill } from '../support/hill/index.ts';
import { until } from '../support/until.ts';

const linesOf = async (web: WebDoor, address: string, init: RequestInit = {}) => {
  const answer = await web.get(address, init);
  expect([address, answer.status, answer.headers.get('content-type')]).toEqual([
    address,
    200,
    'application/x-ndjson; charset=utf-8',
  ]);
  const text = await answer.text();
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};

/** RFC 4180, read strictly. */
function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
  for (cell.lastIndex = 0; cell.lastIndex < text.length; ) {
    const found = cell.exec(text);
    if (!found) throw new Error(`no CSV at ${text.slice(cell.lastIndex, cell.lastIndex + 40)}`);
    rows.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? (found[2] as string));
    if (found[3] === '\r\n' && cell.lastIndex < text.length) rows.push([]);
  }
  const [head = [], ...lines] = rows;
  return lines.map((line) => {
    expect(line).toHaveLength(head.length);
    return Object.fromEntries(head.map((name, i) => [name, line[i] as string]));
  });
}

describe('a night', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  let record: Day;
  beforeAll(async () => {
    const cast = await aLivelyNight(hill);
    // everything that a spreadsheet or a reader of CSV could stumble over
    for (const [slot, message] of [
      [4, '=HYPERLINK("http://evil.example")'],
      [5, '+1+1'],
      [6, '@SUM(A1),"quoted", and on'],
    ] as const)
      await hill.asAgent(slot === 6 ? cast.bob : cast.ann).play({ slot, move: 'PEACE', message });
    await hill.root.query("update hill.accounts set name = '-cmd|'' /C calc''!A0' where slug = 'bob'");
    await hill.clock.ringBell();
    record = await web.read<Day>('/api/day/2');
  });

  test.each([
    ['moves', (day: Day) => day.moves],
    ['announcements', (day: Day) => day.announcements],
    ['queue', (day: Day) => day.queue],
    ['results', (day: Day) => day.results],
  ] as const)('%s as NDJSON are those of the record', async (list, of) => {
    for (const n of [1, 2])
      expect(await linesOf(web, `/api/day/${n}?format=ndjson&list=${list}`)).toEqual(
        of(await web.read<Day>(`/api/day/${n}`)),
      );
  });

  test('each line is written as the database writes jsonb', async () => {
    const rows = await hill.rows<{ written: string; list: string; line: string }>(
      `select o.list, l.line, l.line::jsonb::text as written
         from unnest('{moves,announcements,queue,results,night,night_accounts,night_moves}'::text[]) o (list),
              generate_series(1, 2) n, engine.night_lines(n, o.list) e, regexp_split_to_table(e.lines, e'\n') l (line)`,
    );
    expect(new Set(rows.map(({ list }) => list)).size).toBe(7);
    for (const { line, written } of rows) expect(line).toBe(written);
  });

  test.each([
    ['application/x-ndjson', 'application/x-ndjson; charset=utf-8'],
    ['text/csv, */*;q=0.1', 'text/csv; charset=utf-8; header=present'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['image/png', 'application/json; charset=utf-8'],
  ])('for Accept: %s the answer is %s', async (accept, type) => {
    for (let n = 0; n < 2; n++) {
      const answer = await web.get('/api/day/2', { headers: { Accept: accept } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding');
      expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d+, must-revalidate$/);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      await answer.text();
    }
  });

  test('as CSV files of several nights can be joined: each line has its day, its outcome, its seat and its points', async () => {
    const texts = await Promise.all([1, 2].map(async (day) => (await web.get(`/api/day/${day}/moves.csv`)).text()));
    const rows = texts.flatMap(readCsv);
    expect(rows.map(({ day, slug, outcome, seat, points }) => [day, slug, outcome, seat, points].join(' '))).toEqual([
      ...['1 ann PEACE 1 5', '1 bob PEACE 1 5', '1 cid PEACE 3 4', '1 eve WAR 3 4', '1 dan WAR 2 9'],
      ...['1 fay BURN  0', '1 gus BURN  0'],
      ...['2 ann PEACE 4 7', '2 ann PEACE 5 6', '2 bob PEACE 6 5'],
    ]);
    expect(record.moves[0]).toMatchObject({
      outcome: 'PEACE',
      seat: { slot: 4, via: 'peace', daysHeld: 0, points: 7 },
    });
    // as the last column, where programs that count columns do not meet it
    for (const list of ['announcements', 'queue', 'results']) {
      const lines = (await (await web.get(`/api/day/1/${list}.csv`)).text()).trim().split('\r\n');
      expect(
        [lines[0], ...lines.slice(1)].map((line, n) => (line ?? '').endsWith(n === 0 ? ',day' : ',1')),
      ).not.toContain(false);
    }
  });

  test('as CSV nothing of it is a formula, and nothing is lost', async () => {
    const text = await (await web.get('/api/day/2?format=csv')).text();
    const rows = readCsv(text);
    expect(rows.map(({ seq, slot, move }) => [Number(seq), Number(slot), move])).toEqual(
      record.moves.map(({ seq, slot, move }) => [seq, slot, move]),
    );
    expect(rows.map(({ message }) => message)).toEqual([
      '\'=HYPERLINK("http://evil.example")',
      "'+1+1",
      '\'@SUM(A1),"quoted", and on',
    ]);
    expect(rows.at(-1)).toMatchObject({
      name: "'-cmd|' /C calc'!A0",
      slug: 'bob',
      cost_cents: '300',
      stake_cents: '0',
      house: 'false',
    });
    for (const row of rows) for (const value of Object.values(row)) expect(value).not.toMatch(/^[=+@\t\r-]/);
  });

  test.each(['announcements', 'queue', 'results'])('%s have a CSV, too', async (list) => {
    const rows = readCsv(await (await web.get(`/api/day/1?format=csv&list=${list}`)).text());
    expect(rows).toHaveLength({ announcements: 2, queue: 2, results: 10 }[list] as number);
  });

  test('a list that is empty is no line', async () => {
    expect(await linesOf(web, '/api/day/2?format=ndjson&list=queue')).toEqual([]);
  });

  test.each([
    ['/api/day/77?format=csv', 404, 'DAY_NOT_RESOLVED'],
    ['/api/day/77/night.json', 404, 'DAY_NOT_RESOLVED'],
    ['/api/day/x/night.json', 400, 'INVALID_ARGUMENT'],
    ['/api/day/1?format=xml', 400, 'INVALID_ARGUMENT'],
    ['/api/day/1?format=csv&list=secrets', 400, 'INVALID_ARGUMENT'],
    ['/api/day/1?format=csv&list=night_moves', 400, 'INVALID_ARGUMENT'],
  ])('%s is a problem like any other', async (address, status, code) => {
    const answer = await web.get(address);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    expect(await answer.json()).toMatchObject({ code, status });
  });

  test('a file has one address, and says so wherever else it is served', async () => {
    const canonical = '/api/day/1/moves.csv';
    const tags = new Set<string | null>();
    for (const [address, accept] of [
      [canonical, '*/*'],
      ['/api/day/1?format=csv&list=moves', '*/*'],
      ['/api/day/1', 'text/csv'],
    ] as const)
      for (let n = 0; n < 2; n++) {
        const answer = await web.get(address, { headers: { Accept: accept } });
        expect([address, answer.headers.get('content-location')]).toEqual([address, canonical]);
        tags.add(answer.headers.get('etag'));
        await answer.text();
      }
    expect(tags.size).toBe(1);
  });

  test('HEAD and OPTIONS answer for them', async () => {
    for (const address of ['/api/day/1?format=csv', '/api/day/1?format=ndjson', '/api/day/1/night.json']) {
      const head = await web.get(address, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-type')).toBe((await web.get(address)).headers.get('content-type'));
      expect((await web.get(address, { method: 'OPTIONS' })).status).toBe(204);
      expect((await web.get(address, { method: 'POST' })).status).toBe(405);
    }
  });

  test('the night file, given to the public engine, comes to the published night', async () => {
    const night = await (await web.get('/api/day/1/night.json')).text();
    expect(night.endsWith('}\n') && night.indexOf('\n') === night.length - 1).toBe(true);
    const alone = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-bulk-test-'));
    fs.chmodSync(alone, 0o711);
    onTestFinished(() => fs.rmSync(alone, { recursive: true, force: true }));

    const { code, output } = await run(
      ['resolve'],
      { HILL_DATA_DIR: path.join(alone, 'no-hill'), TMPDIR: alone },
      night,
    );

    expect(code).toBe(0);
    const result = JSON.parse(output);
    const published = await web.read<Day>('/api/day/1');
    expect(
      result.slots.map((slot: { occupants: { account: string }[] }) => ({
        ...slot,
        occupants: slot.occupants.map(({ account }) => account),
      })),
    ).toEqual(
      published.results.map((place) => ({
        slot: place.slot,
        outcome: place.outcome,
        peace_count: place.peaceCount,
        war_count: place.warCount,
        burned_cents: place.burnedCents,
        occupants: place.occupants.map(({ accountId }) => accountId),
        evicted: place.evicted.map(({ accountId }) => accountId).sort(),
      })),
    );
    expect(result.queue).toEqual(
      published.queue.map((q) => ({
        account: q.occupant.accountId,
        from_slot: q.fromSlot,
        seq: q.seq,
        served_slot: q.servedSlot,
      })),
    );
  });

  test('the night file is the one that the database writes of the night', async () => {
    for (const n of [1, 2]) {
      const [row] = await hill.rows<{ night: Record<string, unknown> & { moves: { seq: number }[] } }>(
        'select engine.night_json(engine.stored_night($1)) as night',
        [n],
      );
      const night = await web.read<{ moves: { seq: number }[] }>(`/api/day/${n}/night.json`);
      expect({ ...night, moves: night.moves.toSorted((a, b) => a.seq - b.seq) }).toEqual(row?.night);
    }
  });
});

describe('a night of thousands', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  beforeAll(async () => {
    await hill.asRoot(async (root) => {
      await populate(root, { accounts: 3000 });
      // of one instant, across the ends of pieces
      await root.query("set session_replication_role = 'replica'");
      await root.query("update hill.sealed_moves set at = date_trunc('hour', at)");
      await root.query(
        "insert into hill.announcements (day, account_id, slot, agent_id, intention, at) select 1, m.account_id, m.slot, m.agent_id, 'PEACE', m.at from hill.sealed_moves m",
      );
    });
    await hill.clock.ringBell();
  });

  test('has every entry once in every format', async () => {
    const seqs = (
      await hill.rows<{ seq: number }>(
        'select seq from hill.moves where day = 1 and ended is null order by slot, move, at, seq',
      )
    ).map(({ seq }) => seq);
    expect(seqs).toHaveLength(6000);
    expect((await linesOf(web, '/api/day/1?format=ndjson')).map(({ seq }) => seq)).toEqual(seqs);
    expect(readCsv(await (await web.get('/api/day/1?format=csv')).text()).map(({ seq }) => Number(seq))).toEqual(seqs);

    const said = await linesOf(web, '/api/day/1?format=ndjson&list=announcements');
    expect(new Set(said.map(({ occupant, slot }) => `${occupant.accountId} ${slot}`)).size).toBe(6000);
    expect(said).toHaveLength(6000);
    const queue = await linesOf(web, '/api/day/1?format=ndjson&list=queue');
    expect(queue.map(({ place }) => place)).toEqual(Array.from({ length: queue.length }, (_, i) => i + 1));
    expect(queue).toHaveLength((await web.read<Day>('/api/day/1')).queue_total);

    const night = await web.read<{ accounts: { account: string }[]; moves: { seq: number }[] }>(
      '/api/day/1/night.json',
    );
    expect(new Set(night.accounts.map(({ account }) => account)).size).toBe(3000);
    expect(night.accounts).toHaveLength(3000);
    expect(night.moves.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(seqs.toSorted((a, b) => a - b));
  });

  test('that cannot be finished is broken off, so that nobody takes a part for the whole', async () => {
    const answer = await web.get('/api/day/1?format=ndjson', { headers: { 'Accept-Encoding': 'identity' } });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await hill.root.query('revoke select on hill.moves from hill_api');
    try {
      const rest = async () => {
        for (;;) if ((await reader.read()).done) return 'the end';
      };
      await expect(rest()).rejects.toThrow();
    } finally {
      await hill.root.query('grant select on hill.moves to hill_api');
    }
  });

  test('that nobody reads on holds no connection', async () => {
    const stop = new AbortController();
    await web.get('/api/day/1/night.json', { signal: stop.signal });
    const busy = async () =>
      (
        await hill.rows<{ n: number }>(
          "select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'hill reading' and state <> 'idle'",
        )
      )[0]?.n;
    // what fits into the buffers on the way is fetched piece by piece; then nothing is, and nothing is held
    let quiet = 0;
    await until('twenty looks in a row that find no query under way', async () => {
      quiet = (await busy()) === 0 ? quiet + 1 : 0;
      return quiet === 20;
    });
    stop.abort();
  });
});
