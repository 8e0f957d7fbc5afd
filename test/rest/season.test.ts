// Days of the demonstration's population, and every answer of every address, in every form, as /openapi.json describes
// it, by a public validator: test/support/doors/described.ts. HILL_TEST_DAYS=40 plays so many. Rules 10.2, 16.
import { beforeAll, describe, expect, test } from 'vitest';
import { lists } from '../../src/archives/forms.ts';
import { identityMoves, nightFile, resources } from '../../src/rest/resources/index.ts';
import { type Described, describedBy } from '../support/doors/described.ts';
import { useWebDoor, type WebDoor } from '../support/doors/web-door.ts';
import { aPopulation, everybody } from '../support/hill/a-demo-season.ts';
import { type Account, useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';
import { until } from '../support/until.ts';

const days = Number(process.env.HILL_TEST_DAYS ?? 8);
const hill = useHill();
const web = useWebDoor(hill, undefined, { HILL_LIMIT_READS: '1000000/60' });
let described: Described;
let accounts: Account[];
beforeAll(async () => {
  described = await describedBy(await web.read('/openapi.json'));
  accounts = await aPopulation(hill);
});

const templated = (path: string) => path.replace(/:(\w+)/g, '{$1}');
const seen = new Map<string, number>();
const complaints: string[] = [];

/**
 * Holds an answer against the description of its address; what the description does not allow must not be answered, but
 * refused.
 */
async function judge(path: string, address: string, answer: Response, body: string): Promise<void> {
  const { asked, answered } = await described.judge(address, { status: answer.status, headers: answer.headers, body });
  if (answer.status < 400) complaints.push(...asked.map((one) => `${address}: ${one}`));
  complaints.push(...answered.map((one) => `${address}: ${answer.status}: ${one}`));
  const kind = [path, answer.status, answer.headers.get('content-type')?.split(';')[0]].filter(Boolean).join(' ');
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
}

async function check(path: string, address: string): Promise<{ answer: Response; body: string }> {
  const answer = await web.get(address);
  const body = await answer.text();
  await judge(path, address, answer, body);
  return { answer, body };
}

/** The same once more as HEAD, which has the fields of GET, and, of whoever has it, as 304. */
async function again(path: string, address: string): Promise<void> {
  const { answer, body } = await check(path, address);
  const head = await web.get(address, { method: 'HEAD' });
  expect([address, head.status, await head.text()]).toEqual([address, answer.status, '']);
  await judge(`HEAD ${path}`, address, head, body);
  const etag = answer.headers.get('etag');
  if (etag === null) return;
  const known = await web.get(address, { headers: { 'If-None-Match': etag } });
  expect([address, known.status]).toEqual([address, 304]);
  await judge(path, address, known, await known.text());
}

/** An address that takes a cursor, to its end. */
async function walk(path: string, address: string): Promise<void> {
  for (let next: string | null | undefined = ''; next !== null && next !== undefined; )
    next = JSON.parse(
      (await check(path, `${address}?limit=9${next === '' ? '' : `&cursor=${next}`}`)).body,
    ).next_cursor;
}

/** What is named by something else than a day. */
const named: Record<string, string> = {};

async function readEverything(day: number): Promise<void> {
  const one = day % 8 === 1 ? again : check;
  for (const { path, args, bulk, lines } of resources) {
    const address = (named[path] ?? path).replace(':n', String(day));
    await one(templated(path), address);
    if (day % 8 === 0 && 'cursor' in ((args as { shape?: object }).shape ?? {})) await walk(templated(path), address);
    if (lines && day % 8 === 0) for (const form of ['ndjson', 'csv']) await one(`${path}.${form}`, `${path}.${form}`);
    if (bulk)
      for (const form of ['ndjson', 'csv'])
        for (const list of lists) await check(`${templated(path)}/{list}.${form}`, `${address}/${list}.${form}`);
  }
  await one(templated(nightFile.path), `/api/day/${day}/night.json`);
  if (day % 8 === 0) await check(templated(identityMoves.path), `${named['/api/identity/:slug']}/moves.ndjson`);
  await one('/llms.txt', '/llms.txt');
}

/** The answer is a refusal; and whether the description, too, says that this is not to be asked. */
async function refuse(path: string, address: string, status: number, said: boolean): Promise<void> {
  const { answer, body } = await check(path, address);
  const { asked } = await described.judge(address, { status, headers: answer.headers, body });
  expect([address, answer.status, asked.length > 0]).toEqual([address, status, said]);
}

test('every answer is as described', async () => {
  await hill.clock.tick(); // an account is older than what it does
  const slug = await springCup(hill);
  named['/api/tournaments/:slug'] = `/api/tournaments/${slug}`;
  const [{ slug: who }] = (await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [
    accounts[0]?.id,
  ])) as [{ slug: string }];
  named['/api/identity/:slug'] = `/api/identity/${who}`;
  named['/api/identities'] = `/api/identities?q=${who}`;
  named['/api/counters'] = `/api/counters?ids=${who}`;
  await readEverything(1); // before any night
  /** Nobody notifies here, so readers find it within half a second. */
  const ringBell = async (night: number) => {
    await hill.clock.ringBell();
    await until('readers see the night', async () => (await fetch(`${web.baseUrl}/api/day/${night}`)).ok);
  };
  await ringBell(1); // players begin where there has been a night
  for (let day = 2; day <= days + 1; day++) {
    await hill.clock.toDay(day, '09:00');
    await everybody(hill, web.baseUrl, accounts, day, 'announce');
    await hill.clock.at('12:00');
    await everybody(hill, web.baseUrl, accounts, day, 'play');
    await check('/api/hill', '/api/hill'); // with today's announcements
    await hill.clock.toMidnight();
    await check('/api/hill', '/api/hill'); // of a night that nobody knows yet
    await check('/api/day/{n}', `/api/day/${day}`);
    await ringBell(day);
    await readEverything(day);
    for (const [query, status, said] of [
      ['x', 400, true],
      ['999', 404, false],
      [`${day}?limit=0`, 400, true],
      [`${day}?limit=1001`, 400, true],
      [`${day}?cursor=8`, 400, false], // a cursor is known by the hill that gave it
    ] as const)
      await refuse('/api/day/{n}', `/api/day/${query}`, status, said);
  }

  expect(complaints.slice(0, 20)).toEqual([]);
  const often = (kind: string) => seen.get(kind) ?? 0;
  const json = [...resources.map(({ path }) => path), nightFile.path].map(
    (path) => `${templated(path)} 200 application/json`,
  );
  for (const kind of [
    ...json,
    '/llms.txt 200 text/plain',
    '/api/day/{n}/{list}.ndjson 200 application/x-ndjson',
    '/api/day/{n}/{list}.csv 200 text/csv',
  ])
    expect([kind, often(kind) >= days]).toEqual([kind, true]);
  for (const status of [400, 404])
    expect([status, often(`/api/day/{n} ${status} application/problem+json`) > days]).toEqual([status, true]);
  for (const kind of json) expect([kind, often(`HEAD ${kind}`) >= days / 8]).toEqual([kind, true]);
  for (const { path } of resources) expect([path, often(`${templated(path)} 304`) >= days / 8]).toEqual([path, true]);
  // a season in which something happened
  const [night] = await hill.rows<{ outcomes: number; verdicts: number; moves: number }>(
    `select count(distinct outcome)::int as outcomes, (select count(distinct verdict)::int from hill.announcements) as verdicts,
            (select count(*)::int from hill.moves where ended is null) as moves from hill.place_results`,
  );
  expect(night).toMatchObject({ outcomes: 4, verdicts: 4 });
  expect(night?.moves).toBeGreaterThan(days * 20);
});

describe('a refusal of each address is as described', () => {
  const limited = useWebDoor(hill, undefined, { HILL_LIMIT_READS: '1/600' });
  const dark = useWebDoor(hill, () => Object.assign(new URL(hill.url('web')), { port: '1' }).href);
  const all = [...resources.map(({ path }) => templated(path)), templated(nightFile.path), '/llms.txt'];
  const address = (path: string) =>
    path
      .replace('{n}', '1')
      .replace('{slug}', 'nobody')
      .replace('/counters', '/counters?ids=nobody')
      .replace('/identities', '/identities?q=nobody');
  const judged = async (path: string, door: WebDoor, init?: RequestInit) => {
    const answer = await door.get(address(path), init);
    const { answered } = await described.judge(address(path), {
      status: answer.status,
      headers: answer.headers,
      body: await answer.text(),
    });
    return [path, answer.status, answered];
  };

  test('429, where the address has read too often', async () => {
    await limited.get('/llms.txt');
    for (const path of all) expect(await judged(path, limited)).toEqual([path, 429, []]);
  });

  test('503, where the database does not answer', async () => {
    for (const path of all.slice(0, -1)) expect(await judged(path, dark)).toEqual([path, 503, []]);
  });

  test('405, of another method', async () => {
    for (const path of all) expect(await judged(path, web, { method: 'POST' })).toEqual([path, 405, []]);
  });

  test('404, of what nobody is called', async () => {
    for (const path of all.filter((path) => path.includes('{slug}')))
      expect(await judged(path, web)).toEqual([path, 404, []]);
  });

  test('400, of what the description does not allow', async () => {
    for (const [path, wrong] of [
      ['/api/leaderboard/hill', '?limit=0'],
      ['/api/leaderboard/hill', '?limit=1001'],
      ['/api/leaderboard/hill', '?cursor=%3C'],
      ['/api/tournaments/{slug}', '?limit=1001'],
      ['/api/tournaments/%00', ''],
      ['/api/identity/%00', ''],
      ['/api/counters', ''],
      ['/api/day/x/night.json', ''],
    ] as const) {
      const asked = path.replace('{slug}', 'spring-cup') + wrong;
      const answer = await web.get(asked);
      const judgement = await described.judge(asked, {
        status: answer.status,
        headers: answer.headers,
        body: await answer.text(),
      });
      expect([asked, answer.status, judgement.asked.length > 0, judgement.answered]).toEqual([asked, 400, true, []]);
    }
  });
});
