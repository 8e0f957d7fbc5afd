// What is served from memory, and what drops it. Rules 10.11.
import { beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../../src/db/errors.ts';
import { Memory } from '../../src/http/memory.ts';
import { Representation } from '../../src/http/representation.ts';
import type { Day, Hill as HillRecord, Rules } from '../../src/records/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const web = useWebDoor(hill);
const another = useWebDoor(hill);
let cast: Cast;
beforeAll(async () => {
  cast = await aLivelyNight(hill);
  await until('both listen', async () => (await listeners()).length === 2);
});

const listeners = async (): Promise<number[]> =>
  (
    await hill.rows<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and application_name = 'hill lookout' and query <> '' and state = 'idle'",
    )
  ).map(({ pid }) => pid);

/** Changes something as nobody does who is bound by triggers: nothing tells of it. */
const silently = (text: string) =>
  hill.asRoot(async (root) => {
    await root.query("set session_replication_role = 'replica'");
    await root.query(text);
  });

/** While nobody else can read a table. */
const locked = async <T>(table: string, use: () => Promise<T>): Promise<T> =>
  hill.asRoot(async (root) => {
    await root.query(`begin; lock table ${table} in access exclusive mode`);
    try {
      return await use();
    } finally {
      await root.query('rollback');
    }
  });

const readers = async () =>
  hill.rows<{ waiting: boolean }>(
    "select wait_event_type = 'Lock' as waiting from pg_stat_activity where datname = current_database() and application_name = 'hill reading' and state = 'active'",
  );

// on a machine with much to do a process may take its connection for dead, and keeps nothing meanwhile
describe('what was read once', { retry: 3 }, () => {
  test.each([
    ...['/api/rules', '/api/wall', '/api/leaderboard/hill?limit=3', '/api/day/1', '/api/day/1?limit=2'],
    ...[
      '/rules',
      '/rules.md',
      '/boards/points',
      '/boards/points?cursor=1.2',
      '/boards/efficiency',
      '/boards/wall',
      '/day/1',
    ],
  ])('%s is served without the database', async (path) => {
    const before = await web.get(path);
    const text = await before.text();
    await locked('hill.settings', async () => {
      const again = await web.get(path);
      expect(again.status).toBe(200);
      expect(again.headers.get('etag')).toBe(before.headers.get('etag'));
      expect(await again.text()).toBe(text);
      const known = await web.get(path, { headers: { 'If-None-Match': again.headers.get('etag') as string } });
      expect(known.status).toBe(304);
      const head = await web.get(path, { method: 'HEAD' });
      expect(head.headers.get('cache-control')).toBe(before.headers.get('cache-control'));
    });
  });

  test.each([
    '/api/day/77',
    '/api/identity/nobody',
    '/api/tournaments/winter-cup',
    '/api/day/77?format=csv',
    '/identity/nobody',
    '/go/nobody',
  ])('so is that there is no %s', async (path) => {
    await web.get('/api/hill'); // the clock is known
    const before = await web.get(path);
    const { request_id: _, ...problem } = (await before.json()) as { request_id: string };
    expect(before.status).toBe(404);
    await locked('hill.accounts, hill.nights, hill.tournaments', async () => {
      const again = await web.get(path);
      expect([again.status, again.headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(await again.json()).toMatchObject(problem);
    });
  });

  test('is read once for all who ask at the same time', async () => {
    await locked('hill.settings', async () => {
      const asking = Array.from({ length: 20 }, () => fetch(`${web.baseUrl}/api/day/1?limit=7`));
      await until('a reader waits', async () => (await readers()).some(({ waiting }) => waiting));
      expect(await readers()).toHaveLength(1);
      return asking;
    }).then(async (asking) => {
      const bodies = new Set<string>();
      for (const answer of await Promise.all(asking)) bodies.add(await answer.text());
      expect(bodies.size).toBe(1);
    });
  });
});

describe('a change', () => {
  test('is seen by every process as soon as it is told', async () => {
    const before = [await web.read<HillRecord>('/api/hill'), await another.read<HillRecord>('/api/hill')];
    await hill.clock.at('11:00');
    await hill.asAgent(cast.bob).announce({ slot: 4, intention: 'PEACE', message: 'Room for one more' });

    for (const [i, door] of [web, another].entries()) {
      const { announcements } = await door.read<HillRecord>('/api/hill');
      expect(announcements).toHaveLength((before[i] as HillRecord).announcements.length + 1);
    }
  });

  test('of an identity reaches the hill and the boards, and no night that is over', async () => {
    const [board, night] = [await web.get('/api/wall'), await web.get('/api/day/1')];
    await hill.root.query("update hill.accounts set name = 'Dan the Second' where slug = 'dan'");

    expect(await (await web.get('/api/wall')).text()).toContain('Dan the Second');
    expect(await (await web.get('/api/hill')).text()).toContain('Dan the Second');
    expect((await web.get('/api/day/1')).headers.get('etag')).toBe(night.headers.get('etag'));
    expect(board.headers.get('etag')).not.toBe((await web.get('/api/wall')).headers.get('etag'));
  });

  test('of a place reaches the rules', async () => {
    expect(await web.read<Rules>('/api/rules')).toMatchObject({ hill: { next_slot_opens_on_day: null } });
    await hill.root.query('update hill.places set opens_day = 40 where slot = 10');
    expect(await web.read<Rules>('/api/rules')).toMatchObject({ hill: { next_slot_opens_on_day: 40 } });
    await hill.root.query('update hill.places set opens_day = 1 where slot = 10');
  });

  test('of the clock reaches everything that follows it', async () => {
    expect(await web.read('/api/hill')).toMatchObject({ day: 2 });
    await hill.clock.toMidnight();
    expect(await web.read('/api/hill')).toMatchObject({
      day: 3,
      lastNight: [{ day: 1 }, {}, {}, {}, {}, {}, {}, {}, {}, {}],
    });
    await hill.clock.ringBell();
    expect(await web.read('/api/hill')).toMatchObject({
      day: 3,
      lastNight: [{ day: 2 }, {}, {}, {}, {}, {}, {}, {}, {}, {}],
    });
    expect(await web.read('/api/wall')).toMatchObject({ day: 2 });
  });

  test('that is told of no deposit: it would betray the move', async () => {
    await hill.clock.at('12:00');
    const changes = await hill.changes();
    await hill.asAgent(cast.ann).play({ slot: 7, move: 'WAR', stake_cents: 800, message: 'Sealed' });
    await hill.asAgent(cast.ann).play({ slot: 7, move: 'PASS' });
    // counters tell of pages that the tests before looked at
    expect((await changes()).filter((change) => change !== 'counters')).toEqual([]);
  });
});

describe('a connection that was lost', () => {
  test('empties the memory, since nobody knows what was missed', async () => {
    const rules = async () => (await web.read<Rules>('/api/rules')).hill.next_slot_opens_on_day;
    expect(await rules()).toBeNull();
    const night = await web.read<Day>('/api/day/1');
    await silently('update hill.places set opens_day = 50 where slot = 10');
    await silently("update hill.accounts set name = 'Nobody was told' where slug = 'ann'");
    expect(await rules()).toBeNull(); // nothing told of it

    const before = await listeners();
    for (const pid of before) await hill.root.query('select pg_terminate_backend($1, 5000)', [pid]);
    await until('the change', async () => (await rules()) === 50);

    await until('both listen', async () => (await listeners()).length === 2);
    expect((await listeners()).filter((pid) => before.includes(pid))).toEqual([]);
    // a night that is over is served until this process, too, knows that it listens again
    await until(
      'the night is read anew',
      async () => JSON.stringify(await web.read<Day>('/api/day/1')) !== JSON.stringify(night),
    );
  });
});

describe('an account that is closed', () => {
  const clock = {
    now: '',
    day: 2,
    last_night: 1,
    boards_night: 1,
    next_bell_at: '',
    simulated: false,
    rate: 1,
    seconds_to_bell: 9_000,
  };
  const built = (text: string) => ({
    clock,
    representation: new Representation('application/json', text),
    current: true,
  });
  const textOf = async (kept: ReturnType<Memory['read']>) => String((await kept).representation.coded('identity'));

  test('goes from nights that are kept, and from one that was being read: whoever asks later gets the next reading', async () => {
    const memory = new Memory();
    memory.hear();
    await memory.read('/api/day/1', 'past', async () => built('with a name'));
    memory.drop('identities');
    expect(memory.get('/api/day/1')).toBeDefined(); // another name alone changes no night

    let answer = (_: string) => {};
    const slow = memory.read('/api/day/2', 'past', async () =>
      built(await new Promise<string>((resolve) => (answer = resolve))),
    );
    memory.drop('closings');
    const later = memory.read('/api/day/2', 'past', async () => built('without'));
    answer('with a name');

    expect([await textOf(slow), await textOf(later)]).toEqual(['with a name', 'without']);
    expect(memory.get('/api/day/1')).toBeUndefined();
    expect(String(memory.get('/api/day/2')?.representation.coded('identity'))).toBe('without');
  });
});

describe('what strangers ask for', () => {
  test('takes no more room than there is, however long the addresses', async () => {
    const memory = new Memory();
    memory.hear();
    const clock = {
      now: '',
      day: 2,
      last_night: 1,
      boards_night: 1,
      next_bell_at: '',
      simulated: false,
      rate: 1,
      seconds_to_bell: null,
    };
    const nothing = new Representation('application/json', '[]');
    const address = (n: number) => `/api/counters?ids=${String(n).padEnd(30_000, 'x')}`;
    const room = 192_000_000;
    const many = Math.ceil(room / 60_000) + 1;
    for (let n = 0; n < many; n++)
      await memory.read(address(n), 'past', async () => ({ clock, representation: nothing, current: true }));
    expect(memory.get(address(many - 1))).toBeDefined();
    expect(memory.get(address(0))).toBeUndefined();
  });

  test('is one thing under each of its names', async () => {
    const tag = async (path: string) => (await web.get(path)).headers.get('etag');
    await web.get('/api/counters?ids=ann,bob');
    await locked('hill.accounts', async () => {
      const long = 'x'.repeat(101);
      expect(await tag(`/api/counters?ids=ANN,,%F0%9F%98%80,${long},Bob,ann`)).toBe(
        await tag('/api/counters?ids=ann,bob'),
      );
    });
  });
});

describe('codings', () => {
  const ask = (coding: string | undefined, more: Record<string, string> = {}) =>
    web.get('/api/rules', { headers: { 'Accept-Encoding': coding ?? '', ...more } });

  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['identity', null],
    ['*', 'br'],
    ['deflate', null],
    ['GZIP', 'gzip'],
    ['nonsense;;;q=x', null],
  ])('for "%s" it is %s', async (asked, coding) => {
    const answer = await ask(asked);
    expect(answer.headers.get('content-encoding')).toBe(coding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(await answer.json()).toMatchObject({ version: 1 });
  });

  test('each has an ETag of its own, and any of them is known again', async () => {
    const tags = await Promise.all(
      ['identity', 'gzip', 'br'].map(async (coding) => (await ask(coding)).headers.get('etag') as string),
    );
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) {
      const again = await ask('br', { 'If-None-Match': tag });
      expect([again.status, again.headers.get('etag')]).toEqual([304, tag]);
    }
  });
});

describe('that there is nothing of a name', () => {
  const status = async (path: string) => (await web.get(path)).status;
  const comes = async (path: string) => until(`there is ${path}`, async () => (await status(path)) === 200);

  test('ends when an account is opened or renamed, and when a bell is published', async () => {
    await web.get('/api/hill');
    const [{ night }] = (await hill.rows<{ night: number }>('select engine.last_night() as night')) as [
      { night: number },
    ];
    const paths = ['/api/identity/ned', '/api/identity/renamed-cid', `/api/day/${night + 1}`] as const;
    for (const path of paths) expect([path, await status(path)]).toEqual([path, 404]);
    await anAccount(hill, { name: 'Ned' });
    await comes(paths[0]);
    await hill.root.query("update hill.accounts set slug = 'renamed-cid' where slug = 'cid'");
    await comes(paths[1]);
    await hill.clock.ringBell();
    await comes(paths[2]);
  });

  test('has a memory of its own: a scan of names pushes nothing useful out', async () => {
    const memory = new Memory();
    const clock = {
      ...{ now: '', day: 2, last_night: 1, boards_night: 1, next_bell_at: '', simulated: false, rate: 1 },
      seconds_to_bell: 9_000,
    };
    const representation = new Representation('text/plain', 'a useful answer');
    let asked = 0;
    const refuse = async () => {
      asked += 1;
      throw refusal('NOT_FOUND', 'Nothing.', 'Look elsewhere.');
    };
    memory.hear();
    await memory.read('useful', 'boards', async () => ({ clock, current: true, representation }));
    for (let n = 0; n < 20_000; n++) await memory.unlessRefused(`nobody-${n}`, refuse).catch(() => {});
    expect(asked).toBe(20_000);
    expect(memory.get('useful')?.representation).toBe(representation);
    const again = async (key: string) => {
      const before = asked;
      await expect(memory.read(key, 'boards', refuse)).rejects.toThrow('Nothing.');
      return asked - before;
    };
    expect([await again('nobody-19999'), await again('nobody-0')]).toEqual([0, 1]); // the latest are kept, the first are not
    for (const [change, asks] of [
      ['counters', 0],
      ['announcements', 0],
      ['accounts', 1],
      ['identities', 1],
      ['tournaments', 1],
      ['night', 1],
    ] as const) {
      memory.drop(change);
      expect([change, await again('nobody-19999')]).toEqual([change, asks]);
    }
    memory.deafen(); // what cannot be heard of may exist
    expect([await again('nobody-19999'), await again('nobody-19999')]).toEqual([1, 1]);
  });
});
