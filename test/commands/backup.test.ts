// npm run backup, restore and export, as an operator runs them on the embedded database: while it serves, after a kill, and when all of it is lost.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { findCluster } from '../../src/embedded/index.ts';
import { aFolder } from '../support/hill/backup.ts';
import { everyRow } from '../support/hill/everything.ts';
import { aDataDir, aServer, hill as run, runHill, usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { until } from '../support/until.ts';

const prepared = usePreparedDataDirs();

/** Uses the superuser's connection to the hill that runs in a data directory. */
async function asRoot<T>(dir: string, use: (root: pg.Client) => Promise<T>): Promise<T> {
  const root = new pg.Client(findCluster(dir)?.url('hill'));
  await root.connect();
  return use(root).finally(() => root.end());
}

test('a hill is backed up while it serves, lost, and restored to what it was', { timeout: 300_000 }, async () => {
  const server = { ...(await aServer(prepared())), HILL_CLOCK: 'simulated' };
  const dir = server.HILL_DATA_DIR;
  const serving = runHill(['start'], server);
  await serving.says('Hill is open');
  expect(await run(['clock', 'rate', '0'], server)).toMatchObject({ code: 0 });
  const folder = aFolder();
  const backup = path.join(folder, 'backup');

  // killed in the middle: what is left is no backup
  await asRoot(dir, async (root) => {
    await root.query('begin; lock table hill.wallets');
    const killed = runHill(['backup', path.join(folder, 'killed')], server);
    await until('a backup that waits', async () => fs.existsSync(path.join(folder, 'killed.unfinished', 'hill.transfers.copy.gz')));
    expect(await killed.stop('SIGKILL')).toBe('SIGKILL');
    await root.query('rollback');
  });
  expect(fs.readdirSync(folder)).toEqual(['killed.unfinished']);
  expect(await run(['restore', path.join(folder, 'killed.unfinished')], server)).toEqual({
    code: 1,
    output: expect.stringMatching(/killed\.unfinished\/SHA256SUMS cannot be read \(ENOENT\)\. .* Nothing was changed\.$/),
  });

  const before = await asRoot(dir, everyRow);
  expect(await run(['backup', backup], server)).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^Backed up to .* in [\d.]+ s: \d+ rows of \d+ tables, .*\nIt is the hill of .* UTC; its last published night is 7\.\n/,
    ),
  });

  // its nights, as anyone may have them
  const nights = path.join(folder, 'nights');
  expect(await run(['export', '--nights', '3..8', nights], server)).toEqual({
    code: 1,
    output: 'Nights 1 to 7 are published: --nights 3..8 asks for more.',
  });
  expect(await run(['export', '--nights', '3..7', nights], server)).toMatchObject({ code: 0 });
  execFileSync('sha256sum', ['--check', '--status', 'SHA256SUMS'], { cwd: nights });
  const text = (name: string) => fs.readFileSync(path.join(nights, name), 'utf8');
  expect(text('results.jsonl').trim().split('\n')).toHaveLength(5);
  expect(await run(['resolve'], server, text('nights.jsonl'))).toEqual({ code: 0, output: text('results.jsonl').trim() });

  // the place where it serves is refused
  expect(await run(['restore', backup], server)).toEqual({
    code: 1,
    output: expect.stringMatching(/is whole: .*\nThe database "hill" is not empty: it holds a hill\. .* Nothing was changed\.$/),
  });
  expect(await serving.stop()).toBe(0);

  const secret = fs.readFileSync(path.join(dir, 'signing-secret'), 'utf8').trim();
  fs.rmSync(path.join(dir, 'data'), { recursive: true });
  const another = { ...server, HILL_DATA_DIR: path.join(aDataDir(), 'hill') };
  expect(await run(['restore', backup], another)).toEqual({
    code: 1,
    output: expect.stringMatching(
      /\nHILL_SIGNING_SECRET is missing: it seals the signing keys of this backup\. .* Nothing was restored\.$/,
    ),
  });
  expect(await run(['restore', backup], { ...another, HILL_SIGNING_SECRET: 'w'.repeat(40) })).toEqual({
    code: 1,
    output: expect.stringMatching(
      /\nHILL_SIGNING_SECRET is not the one that sealed the signing keys of this backup\. .* Nothing was restored\.$/,
    ),
  });
  expect(fs.existsSync(another.HILL_DATA_DIR)).toBe(false);
  fs.chmodSync(path.dirname(another.HILL_DATA_DIR), 0o711);

  const restored = { ...another, HILL_SIGNING_SECRET: secret };
  expect(await run(['restore', backup], restored)).toEqual({
    code: 0,
    output: expect.stringMatching(
      /\nRestored \d+ rows\.\nLedger, .* hold\.\nNights 1 to 7 were .*: equal to what was published\.\nHILL_SIGNING_SECRET opens the signing keys\.\n\nThe last published night is 7, of the bell at /,
    ),
  });
  const again = runHill(['start'], restored);
  await again.says('Hill is open');
  const after = await asRoot(another.HILL_DATA_DIR, everyRow);
  // a start looks after keys and the staff key, and begins to count
  for (const changing of ['oauth.staff_keys', 'hill.sealed_counts']) for (const rows of [before, after]) delete rows[changing];
  expect(after).toEqual(before);
  expect(await again.stop()).toBe(0);
});
