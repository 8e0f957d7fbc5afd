// The engines of a hill, and what changed from one to the next. Rules 20.9.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineSource } from '../../src/db/engine-source.ts';
import { ownSources } from '../../src/db/migrate.ts';
import { unpacked } from '../../src/log/tar.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { words } from '../support/doors/words.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const web = useWebDoor(hill);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-engines-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Loads what the release has, with some files changed, and returns its hash. Nothing of it is run. */
async function load(change: (sql: string) => void): Promise<string> {
  const sql = path.join(folder, 'sql');
  if (!fs.existsSync(sql)) fs.cpSync(ownSources.sql, sql, { recursive: true });
  change(sql);
  await hill.root.query('select engine.load_engine($1)', [engineSource({ ...ownSources, sql })]);
  const [row] = await hill.rows<{ sha256: string }>("select encode(sha256, 'hex') as sha256 from hill.loaded_engine");
  return row?.sha256 as string;
}

let [first, second, third]: string[] = [];
beforeAll(async () => {
  first = await load(() => {});
  await hill.clock.ringBell();
  await hill.clock.ringBell();
  second = await load((sql) => {
    const queue = path.join(sql, 'night', 'queue_seats.sql');
    fs.writeFileSync(queue, fs.readFileSync(queue, 'utf8').replace('\n', ' <b>Once more.</b>\n'));
    fs.rmSync(path.join(sql, 'night', 'resolve_places.sql'));
    fs.writeFileSync(path.join(sql, 'night', 'new.sql'), '-- What is new.\nselect 1;');
  });
  await hill.clock.ringBell();
  third = await load((sql) => fs.writeFileSync(path.join(sql, 'long.sql'), '-- a line\n'.repeat(6_000)));
});

test('are listed with the nights that they resolved, and with the one that runs', async () => {
  const { running, engines } = await web.read<{ running: string; engines: Record<string, unknown>[] }>('/api/engines');
  const at = (rest: string) => expect.stringMatching(new RegExp(`^http://localhost:\\d+/source/${rest}$`));
  expect(running).toBe(third);
  expect(engines).toEqual([
    {
      ...{ sha256: second, firstNight: 3, lastNight: 3, nights: 1 },
      ...{ source: at(`${second}`), changes: at(`${first}\\.\\.${second}\\.diff`) },
    },
    { sha256: first, firstNight: 1, lastNight: 2, nights: 2, source: at(`${first}`), changes: null },
  ]);
  const page = await (await web.get('/source')).text();
  expect(words(page)).toContain(`This hill runs ${third}, which has resolved no night since it was loaded.`);
  expect(words(page)).toContain(`${first}1 to 2, 2 nightsthe first one`);
  expect(page).toContain(`href="/source/${first}..${second}"`);
});

test('a form on their page compares any two', async () => {
  const asked = await web.get(`/source?from=${second}&to=${third}`, { redirect: 'manual' });
  expect([asked.status, asked.headers.get('location')]).toEqual([302, `/source/${second}..${third}`]);
  expect((await web.get('/source?from=x&to=y')).status).toBe(400);
});

test('what changed is shown file by file, as text', async () => {
  const page = await (await web.get(`/source/${first}..${second}`)).text();
  const text = words(page);
  expect(text).toContain('sql/night/new.sql added, 2 lines in, 0 out');
  expect(text).toMatch(/sql\/night\/resolve_places\.sql removed, 0 lines in, \d+ out/);
  expect(text).toContain('sql/night/queue_seats.sql changed, 1 line in, 1 out');
  expect(page).toMatch(/<ins>\+.*&lt;b&gt;Once more\.&lt;\/b&gt;\n<\/ins>/);
  expect(words(await (await web.get(`/source/${first}..${first}`)).text())).toContain('nothing. They are one.');
});

const git = spawnSync('git', ['--version']).status === 0;
describe.skipIf(!git)(git ? 'the unified diff' : 'the unified diff (apt-get install git)', () => {
  const unpackedAt = async (sha256: string) => {
    const tar = new Uint8Array(await (await web.get(`/source/${sha256}`)).arrayBuffer());
    return new Map([...unpacked(tar)].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
  };

  test.each([
    ['one to the next', () => [first, second]],
    ['back again', () => [second, first]],
    ['the last to the one that runs', () => [second, third]],
  ] as const)('makes one engine of another, from %s', async (_, which) => {
    const [from = '', to = ''] = which();
    const answer = await web.get(`/source/${from}..${to}.diff`);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const at = fs.mkdtempSync(path.join(folder, 'apply-'));
    for (const [name, text] of await unpackedAt(from)) {
      fs.mkdirSync(path.dirname(path.join(at, name)), { recursive: true });
      fs.writeFileSync(path.join(at, name), text);
    }
    const applied = spawnSync('git', ['apply', '-'], { cwd: at, input: await answer.text(), encoding: 'utf8' });
    expect(applied.stderr).toBe('');
    const files = fs.readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql'));
    const made = new Map(files.map((file) => [file, fs.readFileSync(path.join(at, file), 'utf8')]));
    expect([...made].sort()).toEqual([...(await unpackedAt(to))].sort());
  });
});

test('what is too long for a page is in the text alone', async () => {
  const page = words(await (await web.get(`/source/${second}..${third}`)).text());
  expect(page).toContain('sql/long.sql added, 6,000 lines in, 0 out');
  expect(page).toContain('None of these fit on a page.');
  expect(page.length).toBeLessThan(5_000);
});

test('an engine that this hill never had is not found', async () => {
  const headers = { Accept: 'text/html' };
  const answer = await web.get(`/source/${first}..${'0'.repeat(64)}`, { headers });
  expect(answer.status).toBe(404);
  expect(words(await answer.text())).toContain('No engine of this hill has that hash.');
});
