// GET /api/announcements: all of today, which /api/hill cuts at a thousand. Rules 6.1, 6.2.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Announcements, Hill as HillRecord } from '../../src/records/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { words } from '../support/doors/words.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { populate } from '../support/hill/population.ts';

const hill = useHill();
const web = useWebDoor(hill);
type Page = Announcements & { _next: { rel: string; href: string }[] };
const pathOf = (href: string) => new URL(href).pathname + new URL(href).search;

test('is empty on a day on which nobody has spoken', async () => {
  expect(await web.read('/api/announcements')).toMatchObject({
    day: 1,
    announcements: [],
    announcements_total: 0,
    next_cursor: null,
  });
});

describe('on a day of 2,345 announcements', () => {
  const seen: string[] = [];

  beforeAll(async () => {
    await hill.asRoot(async (root) => {
      await populate(root, { accounts: 2345, tokens: false });
      await root.query("set session_replication_role = 'replica'");
      // many of one instant, and so of pages that end in the midst of them
      await root.query(
        `insert into hill.announcements (day, account_id, slot, agent_id, intention, at)
         select 1, g.account_id, 7, g.id, 'PEACE', date_trunc('hour', engine.now()) - interval '1 hour' + (row_number() over (order by g.id) / 700) * interval '1 second' from hill.agents g`,
      );
      await root.query("set session_replication_role = 'origin'");
    });
    await anAccount(hill, { name: 'Ann', credits: 5000 }).then((ann) =>
      hill.asAgent(ann).announce({ slot: 1, intention: 'WAR' }),
    );
  });

  test('the hill has the latest thousand and leads to the rest', async () => {
    const record = await web.read<HillRecord & Page>('/api/hill');
    expect(record.announcements).toHaveLength(1000);
    const link = record._next.find(({ rel }) => rel === 'announcements');
    const all = await web.read<Page>(pathOf(link?.href ?? ''));
    expect(all).toMatchObject({ day: 1, announcements_total: 2346 });
    expect(all.announcements).toEqual(record.announcements);
  });

  test('each comes with what opens it where that is asked for, on every page', async () => {
    const opened = await web.read<Page>('/api/announcements?limit=1&proofs=true');
    expect(opened.announcements[0]?.opening).toEqual({
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      message_hash: null,
      message_salt: null,
    });
    expect(opened._next.find(({ rel }) => rel === 'next_page')?.href).toMatch(/[?&]proofs=true(&|$)/);
    const { announcements } = await web.read<Page>('/api/announcements?limit=1&proofs=false');
    expect(announcements[0]).not.toHaveProperty('opening');
  });

  test('every one is met once, in order, page by page, though others speak meanwhile and the bell rings', async () => {
    let address = '/api/announcements?limit=500';
    for (let pages = 0; pages < 10; pages++) {
      const page = await web.read<Page>(address);
      expect(page.day).toBe(1);
      seen.push(...page.announcements.map(({ at, occupant }) => `${at} ${occupant.accountId}`));
      const next = page._next.find(({ rel }) => rel === 'next_page');
      expect(next === undefined).toBe(page.next_cursor === null);
      if (!next) break;
      address = pathOf(next.href);
      if (pages === 1)
        await anAccount(hill, { credits: 5000 }).then((late) =>
          hill.asAgent(late).announce({ slot: 2, intention: 'PASS' }),
        );
      if (pages === 3) await hill.clock.ringBell();
    }
    expect(seen).toHaveLength(2346);
    expect(new Set(seen).size).toBe(2346);
    expect(seen.map((line) => line.split(' ')[0])).toEqual(
      seen
        .map((line) => line.split(' ')[0])
        .toSorted()
        .toReversed(),
    );
    expect(await web.read('/api/announcements')).toMatchObject({ day: 2, announcements_total: 0 });
    expect(await web.read('/api/day/1')).toMatchObject({ announcements_total: 2347 });
  });

  test('the first page of the site tells how many there are', async () => {
    const guests = await hill.rows<{ id: string; agent_id: string }>(
      'select account_id as id, id as agent_id from hill.agents order by 1 limit 1200',
    );
    await hill.asRoot(async (root) => {
      await root.query("set session_replication_role = 'replica'");
      await root.query(
        "insert into hill.announcements (day, account_id, slot, agent_id, intention, at) select 2, i, 1, a, 'PEACE', engine.now() from unnest($1::uuid[], $2::uuid[]) u (i, a)",
        [guests.map(({ id }) => id), guests.map(({ agent_id }) => agent_id)],
      );
    });
    await anAccount(hill, { credits: 5000 }).then((late) =>
      hill.asAgent(late).announce({ slot: 2, intention: 'PASS' }),
    );
    const text = words(await (await web.get('/', { headers: { accept: 'text/html' } })).text());
    expect(text).toMatch(/Announced today ?1,201/);
    expect(text).toContain('And 1,195 more');
  });
});

test.each([
  'limit=0',
  'limit=1001',
  'cursor=nonsense',
  'cursor=1~2',
  'cursor=1~00000000-0000-0000-0000-000000000000.1.2',
  'limit=x',
  'proofs=yes',
])('?%s is refused', async (query) => {
  const answer = await web.get(`/api/announcements?${query}`);
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'INVALID_ARGUMENT']);
});
