// npm run backup, restore and export, as an operator runs them on the embedded database: while it serves, after a kill,
// and when all of it is lost.
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { madeBackups, triedRestore } from '../../src/backup/record.ts';
import { verify } from '../../src/backup/verify.ts';
import { run as backup } from '../../src/commands/backup.ts';
import { run as exportNights } from '../../src/commands/export.ts';
import { run as restore } from '../../src/commands/restore.ts';
import { call } from '../../src/db/call.ts';
import { ownerUrl } from '../../src/db/hill-database.ts';
import { makeLogins } from '../../src/db/logins.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { type Cluster, findCluster, startCluster } from '../../src/embedded/index.ts';
import { type Config, parseConfig } from '../../src/process/config.ts';
import { blocks } from '../support/documents.ts';
import { aFolder, silent } from '../support/hill/backup.ts';
import { everyRow } from '../support/hill/everything.ts';
import { aDataDir, aServer, hill as run, runHill, usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { populate } from '../support/hill/population.ts';
import { hasPsql } from '../support/hill/psql.ts';
import { until } from '../support/until.ts';

const prepared = usePreparedDataDirs();

/** Uses the superuser's connection to the hill that runs in a data directory. */
async function asRoot<T>(dir: string, use: (root: pg.Client) => Promise<T>): Promise<T> {
  const root = new pg.Client(findCluster(dir)?.url('hill'));
  await root.connect();
  return use(root).finally(() => root.end());
}

/**
 * Runs a command in this process, which is cheaper than in one of its own. Returns what it printed, or throws what it
 * would have ended with.
 */
async function printed(
  command: (config: Config, args: string[]) => Promise<number>,
  env: Record<string, string>,
  ...args: string[]
): Promise<string> {
  const lines: string[] = [];
  const console_ = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
  try {
    expect(await command(parseConfig(env), args)).toBe(0);
    return lines.join('\n');
  } finally {
    console_.mockRestore();
  }
}

test('a hill is backed up while it serves, lost, and restored to what it was', async () => {
  const server = { ...(await aServer(prepared())), HILL_CLOCK: 'simulated' };
  const dir = server.HILL_DATA_DIR;
  const serving = runHill(['start'], server);
  await serving.says('Hill is open');
  await asRoot(dir, (root) => root.query('update hill.settings set shown_at = engine.now(), rate = 0'));
  const folder = aFolder();
  const target = path.join(folder, 'backup');

  // killed in the middle: what is left is no backup
  await asRoot(dir, async (root) => {
    await root.query('begin; lock table hill.wallets');
    const killed = runHill(['backup', path.join(folder, 'killed')], server);
    await until('a backup that waits', async () =>
      fs.existsSync(path.join(folder, 'killed.unfinished', 'hill.transfers.copy.gz')),
    );
    expect(await killed.stop('SIGKILL')).toBe('SIGKILL');
    await root.query('rollback');
  });
  expect(fs.readdirSync(folder)).toEqual(['killed.unfinished']);
  await expect(printed(restore, server, path.join(folder, 'killed.unfinished'))).rejects.toThrow(
    /killed\.unfinished\/SHA256SUMS cannot be read \(ENOENT\)\. .* Nothing was changed\.$/,
  );

  // what a start would do otherwise
  const rested =
    'select from hill.log_checkpoints where not exists (select from hill.logged_nights n where n.file is null)';
  await until('the log and the files of nights', () =>
    asRoot(dir, async (root) => (await root.query(rested)).rowCount !== 0),
  );
  const before = await asRoot(dir, everyRow);
  expect(await printed(backup, server, target)).toMatch(
    /^Backed up to .* in [\d.]+ s: [\d,]+ rows of \d+ tables, .*\nIt is the hill of .* UTC; its last published night is 7\.\n/,
  );
  expect(madeBackups(dir)).toEqual([{ folder: target, taken_at: expect.stringMatching(/Z$/) }]);
  expect(triedRestore(target)).toBeUndefined();

  // its nights, as anyone may have them
  const nights = path.join(folder, 'nights');
  await expect(printed(exportNights, server, '--nights', '3..8', nights)).rejects.toThrow(
    'Nights 1 to 7 are published: --nights 3..8 asks for more.',
  );
  expect(await printed(exportNights, server, '--nights', '3..7', nights)).toContain('Exported nights 3 to 7');
  execFileSync('sha256sum', ['--check', '--status', 'SHA256SUMS'], { cwd: nights });
  const text = (name: string) => fs.readFileSync(path.join(nights, name), 'utf8');
  expect(text('results.jsonl').trim().split('\n')).toHaveLength(5);
  expect(await run(['resolve'], server, text('nights.jsonl'))).toEqual({
    code: 0,
    output: text('results.jsonl').trim(),
  });

  // the place where it serves is refused
  await expect(printed(restore, server, target)).rejects.toThrow(
    /^The database "hill" is not empty: it holds a hill\. .* Nothing was changed\.$/,
  );
  expect(await serving.stop()).toBe(0);

  const secret = fs.readFileSync(path.join(dir, 'signing-secret'), 'utf8').trim();
  fs.rmSync(path.join(dir, 'data'), { recursive: true });
  const another = { ...server, HILL_DATA_DIR: path.join(aDataDir(), 'hill') };
  await expect(printed(restore, another, target)).rejects.toThrow(
    /^HILL_SIGNING_SECRET is missing: it seals the signing keys of this backup\. .* Nothing was restored\.$/,
  );
  await expect(printed(restore, { ...another, HILL_SIGNING_SECRET: 'w'.repeat(40) }, target)).rejects.toThrow(
    /^HILL_SIGNING_SECRET is not the one that sealed the signing keys of this backup\. .* Nothing was restored\.$/,
  );
  expect(fs.existsSync(another.HILL_DATA_DIR)).toBe(false);
  fs.chmodSync(path.dirname(another.HILL_DATA_DIR), 0o711);

  const restored = { ...another, HILL_SIGNING_SECRET: secret };
  expect(await printed(restore, restored, target)).toMatch(
    /\nRestored [\d,]+ rows\.\nLedger, .* hold\.\nNights 1 to 7 were .*: equal to what was published\.\nHILL_SIGNING_SECRET opens the signing keys\.\n\nThe last published night is 7, of the bell at /,
  );
  expect(triedRestore(target)).toMatchObject({ good: true });
  const again = runHill(['start'], restored);
  await again.says('Hill is open');
  const after = await asRoot(another.HILL_DATA_DIR, everyRow);
  // a start makes a staff key, begins to count, and its worker says that it lives
  for (const changing of ['oauth.staff_keys', 'hill.sealed_counts', 'hill.watch', 'hill.changes'])
    for (const rows of [before, after]) delete rows[changing];
  expect(after).toEqual(before);
  expect(await again.stop()).toBe(0);
});

const [archiving = ''] = blocks('docs/backup.md', 'ini');
const commandWith = (word: string): string =>
  blocks('docs/backup.md', 'sh').find((text) => text.includes(word)) as string;

/** Runs a block of the document with its own archive. */
const shell = (script: string, archive: string, env: Record<string, string>) =>
  new Promise<string>((resolve, reject) => {
    const options = { env: { PATH: process.env.PATH, ...env } as NodeJS.ProcessEnv };
    execFile(
      'bash',
      ['--norc', '-ec', script.replaceAll('/archive/', `${archive}/`)],
      options,
      (error, stdout, stderr) => (error ? reject(error) : resolve(stdout + stderr)),
    );
  });

async function connected(cluster: Cluster, url = cluster.url('hill')): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe.skipIf(!hasPsql)('a hill whose WAL is archived', () => {
  test('is recovered to one second before a bell, which then rings as it rang, and to one second after it', async () => {
    const archive = aDataDir();
    fs.mkdirSync(path.join(archive, 'wal'));
    for (const folder of [archive, path.join(archive, 'wal')]) fs.chmodSync(folder, 0o777); // PostgreSQL has a user of its own
    const settings = Object.fromEntries(
      [...archiving.replaceAll('/archive/', `${archive}/`).matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name, value]) => [
        name,
        value,
      ]),
    ) as Record<string, string>;
    const dir = prepared();
    const source = await startCluster({ dir, settings });
    onTestFinished(() => source.stop());
    const owner = ownerUrl(source);
    await openHill(owner, { dayOne: new Date().toISOString().slice(0, 10), clock: 'simulated' });

    const env = { SUPERUSER_URL: source.url(), PGDATA: path.join(dir, 'data'), BASE: path.join(archive, 'base') };
    expect(await shell(commandWith('pg_backup_start'), archive, env)).toContain(
      'all required WAL segments have been archived',
    );

    const root = await connected(source);
    await populate(root, { accounts: 20, history: false });
    const worker = await connected(source, (await makeLogins(owner, {}, ['worker'])).worker);
    const now = async () =>
      (await root.query<{ now: string }>('select clock_timestamp()::text as now')).rows[0]?.now as string;
    const ring = async (client: pg.Client) => {
      await client.query("select api_worker.set_clock((api_worker.read_clock() ->> 'next_bell_at')::timestamptz, 0)");
      return call<{ day: number; moves: number }>(client, 'api_worker.ring_next_bell');
    };
    await sleep(1_100);
    const before = await now();
    expect(await ring(worker)).toMatchObject({ day: 1, moves: 40 });
    const after = await now();
    await sleep(2_100);
    await root.query('create table public.later ()');
    const { rows: switched } = await root.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
    const result = await published(root);
    await until('the archive', async () => fs.existsSync(path.join(archive, 'wal', switched[0]?.file as string)));

    const recover = async (target: string, seconds: number) => {
      const place = aDataDir();
      const [hill, data] = [path.join(place, 'hill'), path.join(place, 'hill', 'data')];
      fs.mkdirSync(hill, { mode: 0o711 });
      fs.chmodSync(place, 0o711);
      fs.cpSync(path.join(dir, 'password'), path.join(hill, 'password'));
      const { rows } = await root.query<{ at: string }>(
        'select ($1::timestamptz + make_interval(secs => $2))::text as at',
        [target, seconds],
      );
      await shell(commandWith('recovery.signal'), archive, {
        PGDATA: env.PGDATA,
        BASE: env.BASE,
        NEW: data,
        TARGET: rows[0]?.at as string,
      });
      const cluster = await startCluster({ dir: hill });
      onTestFinished(() => cluster.stop());
      const recovered = await connected(cluster);
      await until('the end of the recovery', async () => {
        const { rows } = await recovered.query<{ there: boolean }>('select not pg_is_in_recovery() as there');
        return rows[0]?.there;
      });
      expect(await verify(await connected(cluster, ownerUrl(cluster)), silent)).toMatchObject({ good: true });
      const { rows: facts } = await recovered.query<{ nights: number; sealed: number }>(
        'select (select count(*)::int from hill.nights) as nights, (select count(*)::int from hill.sealed_moves) as sealed',
      );
      return { facts: facts[0], recovered };
    };

    const early = await recover(before, -1);
    expect(early.facts).toEqual({ nights: 0, sealed: 40 });
    await early.recovered.query('set role hill_worker');
    expect(await ring(early.recovered)).toMatchObject({ day: 1, moves: 40 });
    await early.recovered.query('reset role');
    expect(await published(early.recovered)).toEqual(result);

    const late = await recover(after, 1);
    expect(late.facts).toEqual({ nights: 1, sealed: 0 });
    expect(await published(late.recovered)).toEqual(result);
    expect((await late.recovered.query("select to_regclass('public.later') as later")).rows).toEqual([{ later: null }]);
  });
});

/** What everybody may know of the night. */
const published = async (root: pg.Client): Promise<unknown> =>
  (await root.query('select engine.resolution_json(engine.stored_night(1), engine.published_resolution(1)) as result'))
    .rows[0];
