// Nights do not change: whatever happens to an account, each address of a past night gives the same bytes with the same
// ETag, in every process, before and after a restart; unless something is taken out of the night, and then all of its
// addresses change. Nights as files. Rules 10.10, 10.12; decisions 240 to 245.
import { createHash } from 'node:crypto';
import zlib from 'node:zlib';
import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { forms, formVersion } from '../../src/archives/forms.ts';
import { archiveNight } from '../../src/worker/archives.ts';
import { useWebDoor, type WebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { call, closeAccount, useHill } from '../support/hill/index.ts';
import { until } from '../support/until.ts';

interface Days {
  days: {
    day: number;
    moves: number;
    warCount: number;
    seatsChanged: number;
    archives: { form: string; sha256: string; bytes: number; gzipBytes: number; href: string }[];
  }[];
  days_total: number;
  next_cursor: string | null;
}

const hill = useHill();
// two processes of one hill, behind one address; the second has read nothing when it is asked first, like one that was
// restarted
const [web, another] = [1, 2].map(() => useWebDoor(hill, undefined, { BASE_URL: 'http://localhost:8080' })) as [
  WebDoor,
  WebDoor,
];
let cast: Cast;

const archiveAll = async (n = 0): Promise<number> => ((await archiveNight(hill.as('worker'))) ? archiveAll(n + 1) : n);

/** Every address of a night, and what it gives by its coding: bytes and ETag. */
async function everything(door: WebDoor, n: number): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await door.get(path, { headers });
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get('cache-control')).not.toContain('immutable'); // the hill is simulated
    const body = Buffer.from(await answer.arrayBuffer());
    const digest = createHash('sha256').update(body).digest('hex');
    found[`${path} ${JSON.stringify(headers)}`] = `${answer.headers.get('etag')} ${digest}`;
    return body.toString();
  };
  for (const limit of ['', '?limit=1', '?limit=3', '?limit=1000']) {
    const { next_cursor } = JSON.parse(await read(`/api/day/${n}${limit}`));
    if (next_cursor) await read(`/api/day/${n}?limit=${limit.slice(7)}&cursor=${next_cursor}`);
  }
  for (const list of ['moves', 'announcements', 'queue', 'results'])
    for (const format of ['csv', 'ndjson']) {
      await read(`/api/day/${n}?format=${format}&list=${list}`);
      await read(`/api/day/${n}?format=${format}&list=${list}`, { 'Accept-Encoding': 'identity' });
    }
  await read(`/api/day/${n}`, { Accept: 'text/csv' });
  await read(`/api/day/${n}/night.json`);
  await read(`/day/${n}`);
  return found;
}

/** What agents are told of a night. */
const told = async (n: number) =>
  JSON.stringify([
    await call(hill.as('web'), 'api_agent.night', { token: cast.gus.token, day: n }),
    await call(hill.as('web'), 'api_agent.night', { token: cast.gus.token, day: n, slot: 1 }),
    await call(hill.as('web'), 'api_agent.night', { token: cast.gus.token, day: n, queue: true }),
  ]);

beforeAll(async () => {
  cast = await aLivelyNight(hill);
  for (const [slot, who] of [
    [1, cast.ann],
    [4, cast.bob],
    [5, cast.gus],
  ] as const)
    await hill.asAgent(who).play({ slot, move: 'PEACE' });
  await hill.clock.ringBell();
});

const rename = (db: pg.Pool | pg.ClientBase, token: string, slug: string) =>
  call(db, 'api_agent.set_profile', {
    token,
    name: `Now ${slug}`,
    slug,
    url: `https://${slug}.example/`,
    model: `model of ${slug}`,
  });

describe('a night after a rename', () => {
  test('is the same at every address, in every process, made into files or not', async () => {
    const before = await everything(web, 1);
    const agents = await told(1);
    await rename(hill.as('web'), cast.bob.token, 'bob-the-second');
    await rename(hill.as('web'), cast.bob.token, 'bob-the-third');
    await rename(hill.as('web'), cast.eve.token, 'evelyn');
    await hill.rows("update hill.accounts set verified = true, badge = true where slug = 'evelyn'");

    expect(await everything(another, 1)).toEqual(before); // it has read nothing before
    expect(await archiveAll()).toBe(2);
    expect(await everything(web, 1)).toEqual(before);
    expect(await told(1)).toBe(agents);
    // The last night is followed by another one: its page links to it then, and nothing else changes.
    const last = await everything(another, 2);
    await hill.clock.ringBell();
    const { '/day/2 {}': _, ...rest } = last;
    expect(await everything(web, 2)).toMatchObject(rest);
  });

  test('names those of then, whose slugs lead to those of now; the next night names these', async () => {
    const night = await web.read<{ moves: { occupant: { slug: string; name: string }; model: string }[] }>(
      '/api/day/1',
    );
    expect(night.moves.map(({ occupant }) => occupant.slug)).toEqual(expect.arrayContaining(['bob', 'eve']));
    expect(await web.read('/api/identity/bob')).toMatchObject({ slug: 'bob-the-third' });
    const page = await web.get('/identity/bob', { redirect: 'manual' });
    expect(page.headers.get('location')).toBe('/identity/bob-the-third');

    await hill.asAgent(cast.bob).play({ slot: 4, move: 'PEACE' });
    await hill.clock.ringBell();
    expect(await web.read('/api/day/4')).toMatchObject({
      moves: [{ occupant: { slug: 'bob-the-third', name: 'Now bob-the-third' }, model: 'model of bob-the-third' }],
    });
  });
});

describe('files of nights', () => {
  test('are listed with their hashes and served by them, complete, compressed or not, with what they are checked by', async () => {
    await archiveAll();
    const { days, days_total, next_cursor } = await web.read<Days>('/api/days?limit=2');
    expect([days.length, days_total]).toEqual([2, days[0]?.day]);
    const rest = await web.read<Days>(`/api/days?limit=100&cursor=${next_cursor}`);
    expect([...days, ...rest.days].map(({ day }) => day)).toEqual(
      Array.from({ length: days_total }, (_, i) => days_total - i),
    );
    const first = rest.days.at(-1) as Days['days'][number];
    expect(first).toMatchObject({
      day: 1,
      moves: 7,
      warCount: 3,
      seatsChanged: 5,
      outcomes: { VACANT: 7, PEACE: 1, WAR: 1, BURN: 1 },
    });
    expect(first.archives.map(({ form }) => form).sort()).toEqual([...forms].sort());

    for (const { sha256, bytes, gzipBytes, href, form } of first.archives) {
      const path = new URL(href).pathname;
      const [list, format] = form.split('.');
      const same = form === 'night.json' ? '/api/day/1/night.json' : `/api/day/1?format=${format}&list=${list}`;
      for (const address of [path, same])
        for (const coding of ['identity', 'gzip', 'br']) {
          const answer = await web.get(address, { headers: { 'Accept-Encoding': coding } });
          const sent = answer.headers.get('content-encoding');
          expect([address, answer.status, sent]).toEqual([
            address,
            200,
            coding === 'gzip' && bytes >= 1000 ? 'gzip' : null,
          ]);
          const body = Buffer.from(await answer.arrayBuffer());
          expect([body.length, createHash('sha256').update(body).digest('hex')]).toEqual([bytes, sha256]);
          expect(answer.headers.get('content-length')).toBe(String(sent ? gzipBytes : bytes));
          const digest = answer.headers.get('content-digest');
          if (!sent) expect(digest).toBe(`sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`);
          else {
            const [{ coded }] = (await hill.rows<{ coded: Buffer }>(
              `select string_agg(p.body, '' order by p.piece) as coded from hill.archive_pieces p join hill.archives a on a.id = p.archive_id
                where a.day = 1 and a.form = $1`,
              [form],
            )) as [{ coded: Buffer }];
            expect(digest).toBe(`sha-256=:${createHash('sha256').update(coded).digest('base64')}:`);
            expect(zlib.gunzipSync(coded)).toEqual(body);
          }
          const etag = answer.headers.get('etag') as string;
          const known = await web.get(address, { headers: { 'If-None-Match': etag, 'Accept-Encoding': coding } });
          expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, etag, '']);
          const head = await web.get(address, { method: 'HEAD', headers: { 'Accept-Encoding': coding } });
          expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
            200,
            String(sent ? gzipBytes : bytes),
            etag,
          ]);
        }
    }
  });

  test.each([
    ['/api/days?limit=0', 400],
    ['/api/days?limit=101', 400],
    ['/api/days?cursor=0', 400],
    ['/api/days?cursor=x!', 400],
    ['/archive/abc', 400],
    [`/archive/${'0'.repeat(64)}`, 404],
  ])('%s is refused: %s', async (path, status) => {
    const answer = await web.get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
  });

  test('are put away in steps, however many they were', async () => {
    await archiveAll();
    const orphans = () =>
      hill.rows('insert into hill.archive_pieces select -1, n, $1 from generate_series(1, 201) n', [
        Buffer.from('old'),
      ]);
    const prune = () => call<number>(hill.as('worker'), 'api_worker.prune_archives');
    await orphans();
    expect([await prune(), await prune(), await prune()]).toEqual([200, 1, 0]);
    await orphans();
    expect(await archiveAll()).toBe(0);
    expect(await hill.rows('select from hill.archive_pieces where archive_id = -1')).toEqual([]);
    expect((await (await web.get('/api/day/1/night.json')).json()) as object).toHaveProperty('day');
  });

  test('are made by one worker at a time, and nobody else can write them', async () => {
    await hill.rows('delete from hill.archives where day = 2');
    const both = await Promise.all([archiveNight(hill.as('worker')), archiveNight(hill.as('worker'))]);
    expect(both).toContain(true);
    await archiveAll();
    expect(await hill.rows('select count(*)::int as n from hill.archives where day = 2')).toEqual([
      { n: forms.length },
    ]);
    for (const what of ['api_worker.add_archive_piece(null, 1, null)', "api_worker.keep_archives(1, 0, 1, '[]')"])
      await expect(hill.as('web').query(`select ${what}`)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a night that always fails', () => {
  const ill = useHill();

  test('keeps no other night without files, and is tried again when none is left', async () => {
    for (let n = 0; n < 3; n++) await ill.clock.ringBell();
    await ill.rows(`
      create function public.fail() returns trigger language plpgsql as $$ begin raise 'ill'; end $$;
      create trigger fails before insert on hill.archives for each row when (new.day = 3) execute function public.fail()`);
    const failed = new Set<number>();
    const archive = () => archiveNight(ill.as('worker'), failed);
    const made = async () =>
      (await ill.rows<{ day: number }>('select distinct day from hill.archives order by day')).map(({ day }) => day);

    await expect(archive()).rejects.toThrow();
    expect([await archive(), await archive(), await made()]).toEqual([true, true, [1, 2]]);
    expect(await archive()).toBe(false);
    await expect(archive()).rejects.toThrow();
    await ill.rows('drop trigger fails on hill.archives');
    expect([await archive(), await archive(), await made()]).toEqual([false, true, [1, 2, 3]]);
  });
});

describe('what is taken out of nights', () => {
  test('is gone from every address of its nights at once, and from no other night; files are made anew, and old hashes are gone', async () => {
    const [one, left, four] = [
      await everything(web, 1),
      await (await web.get('/day/2')).text(),
      await everything(web, 4),
    ];
    const old = (await web.read<Days>('/api/days')).days
      .at(-1)
      ?.archives.find(({ form }) => form === 'moves.csv')?.sha256;
    await closeAccount(hill, cast.eve);

    const after = await everything(web, 1);
    expect(await everything(another, 1)).toEqual(after);
    const changed = Object.keys(one).filter((path) => one[path] !== after[path]);
    // without names: announcements, in which Eve made none, and the night file
    expect(
      Object.keys(one).filter((path) => !changed.includes(path) && !/announcements|night\.json/.test(path)),
    ).toEqual([]);
    // on the second night she left the place that the first one gave her
    expect([left, await (await web.get('/day/2')).text()].map((page) => page.includes('Eve'))).toEqual([true, false]);
    expect(await everything(another, 4)).toEqual(four);
    expect((await web.get(`/archive/${old}`)).status).toBe(404);
    expect(await archiveAll()).toBe(2);
    expect(await everything(another, 1)).toEqual(after);
    const text = await (await web.get('/api/day/1?format=csv')).text();
    expect([/Eve|eve,/.test(text), text.includes('Closed account')]).toEqual([false, true]);
  });

  test('while a night is being made into files is not in them', async () => {
    const { ann } = cast;
    await hill.rows('delete from hill.archives where day = 1');
    const worker = await hill.as('worker').connect();
    const closing = await hill.root.connect();
    try {
      await worker.query('begin');
      const night = await call<{ day: number; times: number }>(worker, 'api_worker.next_archives', {
        forms,
        version: formVersion,
      });
      expect(night).toMatchObject({ day: 1 });
      await closing.query('begin');
      await closing.query("update hill.accounts set name = 'Hidden' where id = $1", [ann.id]);
      await closing.query('select trusted.forget_former($1)', [ann.id]);
      const keeping = call<boolean>(worker, 'api_worker.keep_archives', {
        ...night,
        version: formVersion,
        files: '[]',
      });
      await until('the worker waits for what is being taken away', async () => {
        const waiting = await hill.rows(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%keep_archives%' and datname = current_database()",
        );
        return waiting.length > 0;
      });
      await closing.query('commit');
      expect(await keeping).toBe(false);
    } finally {
      await worker.query('rollback');
      worker.release();
      closing.release();
    }
    await archiveAll();
    expect(await (await web.get('/api/day/1?format=csv')).text()).toContain('Hidden');
  });
});

describe('a rename beside a bell', () => {
  test('is in the night if it came first: the bell waits for it', async () => {
    await hill.asAgent(cast.bob).play({ slot: 6, move: 'PEACE' });
    const renaming = await hill.as('web').connect();
    await renaming.query('begin');
    await rename(renaming, cast.bob.token, 'bob-in-time');
    const ringing = hill.clock.ringBell();
    await until('the bell waits', async () => {
      const waiting = await hill.rows(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%ring_next_bell%' and datname = current_database()",
      );
      return waiting.length > 0;
    });
    await renaming.query('commit');
    renaming.release();
    await ringing;
    const [{ n }] = (await hill.rows<{ n: number }>('select max(day) as n from hill.nights')) as [{ n: number }];
    expect(await web.read(`/api/day/${n}`)).toMatchObject({ moves: [{ occupant: { slug: 'bob-in-time' } }] });
  });

  test('is put off while the bell rings, and what happens to its site waits', async () => {
    await hill.asRoot(async (bell) => {
      await bell.query('begin; lock table hill.day_lock in exclusive mode');
      await expect(rename(hill.as('web'), cast.bob.token, 'bob-too-late')).rejects.toMatchObject({
        message: 'The bell is ringing.',
      });
      // who changes nothing is answered
      expect(
        await call(hill.as('web'), 'api_agent.set_profile', {
          token: cast.bob.token,
          name: null,
          slug: null,
          url: null,
          model: null,
        }),
      ).toMatchObject({ slug: 'bob-in-time' });
      const marking = hill.root.query("update hill.accounts set verified = true where slug = 'bob-in-time'");
      await until('the mark waits', async () => {
        const waiting = await hill.rows(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%set verified%' and datname = current_database()",
        );
        return waiting.length > 0;
      });
      await bell.query('rollback');
      await marking;
    });
  });
});
