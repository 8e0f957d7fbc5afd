// Forty days of the demonstration's population, and every answer of every address as /openapi.json describes it, by a public validator. Specification 4.1, 9.
import { beforeAll, expect, test } from 'vitest';
import { population } from '../../../src/demo/population.ts';
import { publicApi } from '../../../src/demo/public-api.ts';
import { View } from '../../../src/demo/strategy.ts';
import { nightFilePath, resources } from '../../../src/rest/resources.ts';
import { type Described, describedBy } from '../../support/described.ts';
import { type Account, anAccount, useHill } from '../../support/index.ts';
import { springCup } from '../../support/spring-cup.ts';
import { useWebDoor } from '../../support/web-door.ts';

const days = 40;
const hill = useHill();
const web = useWebDoor(hill, undefined, { HILL_LIMIT_READS: '1000000/60' });
let described: Described;
let accounts: Account[];
beforeAll(async () => {
  described = describedBy(await web.read('/openapi.json'));
  accounts = [];
  for (const { name } of population) accounts.push(await anAccount(hill, { name, credits: 100_000 }));
});

/** Everybody's strategy, each with its own account: what it announces, or what it plays. What the rules refuse, it takes as it comes. */
async function everybody(day: number, does: 'announce' | 'play'): Promise<void> {
  const api = publicApi(web.baseUrl);
  await web.get('/api/hill');
  const today = await api.hill();
  await Promise.all(
    population.map(async ({ name, strategy }, i) => {
      const account = accounts[i] as Account;
      const view = new View(name, today, { day, account_id: account.id }, api);
      const agent = hill.asAgent(account);
      if (does === 'announce') for (const said of strategy.announce?.(view) ?? []) await agent.announce({ ...said, day }).catch(refused);
      else
        for (const { slot, move, ...more } of await strategy.play(view)) {
          const { stake_cents, message } = { stake_cents: undefined, message: undefined, ...more };
          await agent.play({ slot, move, stake_cents: move === 'WAR' ? stake_cents : undefined, message, day }).catch(refused);
        }
    }),
  );
}
const refused = (error: { code?: string }) => {
  if (!error.code?.startsWith('ZH')) throw error;
};

const templated = (path: string) => path.replace(/:(\w+)/g, '{$1}');
const seen = new Map<string, number>();
const complaints: string[] = [];

async function check(path: string, address: string): Promise<{ next_cursor?: string | null; code?: string }> {
  const answer = await web.get(address);
  const body = await answer.json();
  complaints.push(
    ...described.complaints(path, answer.status, answer.headers.get('content-type') ?? '', body).map((one) => `${address}: ${one}`),
  );
  seen.set(`${path} ${answer.status}`, (seen.get(`${path} ${answer.status}`) ?? 0) + 1);
  return body as { next_cursor?: string | null };
}

/** An address that takes a cursor, to its end. */
async function walk(path: string, address: string): Promise<void> {
  for (let next: string | null | undefined = ''; next !== null && next !== undefined; )
    next = (await check(path, `${address}?limit=9${next === '' ? '' : `&cursor=${next}`}`)).next_cursor;
}

/** What is named by something else than a day. */
const named: Record<string, string> = {};

async function readEverything(day: number): Promise<void> {
  for (const { path, args } of resources) {
    const address = (named[path] ?? path).replace(':n', String(day));
    await check(templated(path), address);
    if (day % 8 === 0 && 'cursor' in ((args as { shape?: object }).shape ?? {})) await walk(templated(path), address);
  }
  await check(templated(nightFilePath), `/api/day/${day}/night.json`);
}

test('every answer is as described', { timeout: 300_000 }, async () => {
  await hill.clock.tick(); // an account is older than what it does
  const slug = await springCup(hill);
  named['/api/tournaments/:slug'] = `/api/tournaments/${slug}`;
  const [{ slug: who }] = (await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [accounts[0]?.id])) as [
    { slug: string },
  ];
  named['/api/identity/:slug'] = `/api/identity/${who}`;
  named['/api/counters'] = `/api/counters?ids=${who}`;
  await readEverything(1); // before any night
  await hill.clock.ringBell(); // players begin where there has been a night
  for (let day = 2; day <= days + 1; day++) {
    await hill.clock.toDay(day, '09:00');
    await everybody(day, 'announce');
    await hill.clock.at('12:00');
    await everybody(day, 'play');
    await check('/api/hill', '/api/hill'); // with today's announcements
    await hill.clock.toMidnight();
    await check('/api/hill', '/api/hill'); // of a night that nobody knows yet
    await check('/api/day/{n}', `/api/day/${day}`);
    await hill.clock.ringBell();
    await readEverything(day);
    for (const wrong of ['/api/day/x', '/api/day/999', `/api/day/${day}?limit=0`, `/api/day/${day}?cursor=8`])
      await check('/api/day/{n}', wrong);
  }

  expect(complaints.slice(0, 20)).toEqual([]);
  for (const { path } of resources) expect([path, (seen.get(`${templated(path)} 200`) ?? 0) >= days]).toEqual([path, true]);
  expect(seen.get('/api/day/{n} 404')).toBeGreaterThan(days);
  expect(seen.get('/api/day/{n} 400')).toBeGreaterThan(days);
  // a season in which something happened
  const [night] = await hill.rows<{ outcomes: number; verdicts: number; moves: number }>(
    `select count(distinct outcome)::int as outcomes, (select count(distinct verdict)::int from hill.announcements) as verdicts,
            (select count(*)::int from hill.moves where ended is null) as moves from hill.place_results`,
  );
  expect(night).toMatchObject({ outcomes: 4, verdicts: 4 });
  expect(night?.moves).toBeGreaterThan(days * 20);
});
