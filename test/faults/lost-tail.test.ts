// A standby is promoted that lacks the last of what was signed, and a dump of the database is brought back under the
// same name: neither signs a size anew, each begins another log, and readers are shown both. Rules 20.2, 20.7.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeHillDatabase } from '../../src/db/hill-database.ts';
import { keepProofKey } from '../../src/db/kept-settings.ts';
import { makeLogins } from '../../src/db/logins.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { makePool } from '../../src/db/pool.ts';
import { type Cluster, startCluster } from '../../src/embedded/index.ts';
import { hex } from '../../src/log/bytes.ts';
import { openCheckpoint } from '../../src/log/checkpoint.ts';
import { derivedSigner } from '../../src/log/signing.ts';
import { publishLog } from '../../src/worker/log.ts';
import { usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { secret } from '../support/hill/secret.ts';
import { aStandby, replicated } from '../support/hill/standby.ts';
import { aLog } from '../support/hill/worker.ts';
import { signing } from '../support/log/sign.ts';
import { aProxy, type DatabaseProxy } from '../support/peers/proxy.ts';
import { until } from '../support/until.ts';

const origin = 'hill.example/log';
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-lost-tail-'));
const aPreparedDir = usePreparedDataDirs();
const { log } = aLog();
let primary: Cluster;
let standby: Cluster;
let network: DatabaseProxy;
let login: string;
const pools: pg.Pool[] = [];
const pool = (url: string): pg.Pool => {
  const made = makePool({ url, name: 'test lost tail', log });
  pools.push(made);
  return made;
};
/** The worker's login of another cluster or database. */
const worker = (cluster: Cluster, database = 'hill'): pg.Pool => {
  const to = new URL(cluster.url());
  return pool(Object.assign(new URL(login), { host: to.host, pathname: `/${database}` }).href);
};

beforeAll(async () => {
  primary = await startCluster({ dir: aPreparedDir(dir), settings: replicated });
  const ownerUrl = await makeHillDatabase(primary);
  await openHill(ownerUrl, { dayOne: '2026-03-01', clock: 'simulated' });
  await keepProofKey(secret, ownerUrl);
  login = (await makeLogins(ownerUrl)).worker;
  const root = pool(primary.url('hill'));
  await root.query("update hill.settings set rate = 0, shown_at = '2026-03-01T10:00:00Z'");
  const client = await root.connect();
  network = await aProxy(primary.url(), true);
  ({ cluster: standby } = await aStandby(
    { ...primary, url: (database) => network.through(primary.url(database)) },
    dir,
    client,
  ));
  client.release();
});

afterAll(async () => {
  await Promise.all(pools.map((one) => one.end()));
  await network?.close();
  await standby?.stop();
  await primary?.stop();
  fs.rmSync(dir, { recursive: true, force: true });
});

/** What the hill's address shows, whichever database is behind it, and the file on its machine. */
const outside = { checkpoint: null as string | null, file: path.join(dir, 'outside', 'checkpoint') };
const signed: string[] = [];
const told: string[] = [];

/** As a worker does it on a database, whose web processes then serve it. */
async function publish(db: pg.Pool, { file = outside.file, adopt = false } = {}): Promise<string> {
  outside.checkpoint = await publishLog(
    db,
    signing({ file, adopt, ask: async () => outside.checkpoint, tell: (what) => void told.push(what) }),
  );
  signed.push(outside.checkpoint);
  return outside.checkpoint;
}
const quarter = async (root: pg.Pool, entry: string): Promise<void> => {
  await root.query("insert into hill.log_waiting (at, entry) select engine.now(), convert_to($1, 'UTF8')", [entry]);
  await root.query("update hill.settings set shown_at = shown_at + interval '15 minutes'");
};
const headOf = (note: string) => {
  const [of = ''] = note.split('\n');
  return openCheckpoint(note, derivedSigner(secret, of, 'ed25519'));
};
const shown = async (root: pg.Pool) =>
  (
    await root.query<{ log: { logs: { origin: string; size: number }[] } }>('select api_public.log() as log')
  ).rows[0]?.log.logs.map(({ origin, size }) => ({ origin, size }));

test('a standby that is promoted without its tail begins another log, which names what was lost, and shows both', async () => {
  const [root, follower] = [pool(primary.url('hill')), pool(standby.url('hill'))];
  const db = worker(primary);
  await quarter(root, 'deposit 1 aa');
  await publish(db);
  await until(
    'the standby has it',
    async () => (await follower.query('select from hill.log_checkpoints')).rowCount === 1,
  );
  network.cut();
  await until('nothing follows', async () => (await root.query('select from pg_stat_replication')).rowCount === 0);
  await quarter(root, 'deposit 1 bb');
  const tail = headOf(await publish(db));
  expect(tail.size).toBe(2);

  await primary.stop();
  expect((await follower.query('select pg_promote() as promoted')).rows).toEqual([{ promoted: true }]);
  expect(await shown(follower)).toEqual([{ origin, size: 1 }]);
  await quarter(follower, 'deposit 1 cc');
  const next = headOf(await publish(worker(standby)));
  expect(next).toMatchObject({ origin: `${origin}/2`, size: 2 });
  const entries = await follower.query<{ entry: string }>(
    "select convert_from(entry, 'UTF8') as entry from hill.log_entries where generation = 2 order by index",
  );
  expect(entries.rows.map(({ entry }) => entry)).toEqual([`log ${origin} 2 ${hex(tail.root)}`, 'deposit 1 cc']);
  expect(told).toEqual([`The log ${origin}/2 begins: this database does not continue ${origin} of size 2.`]);
  expect(await shown(follower)).toEqual([
    { origin: `${origin}/2`, size: 2 },
    { origin, size: 1 },
  ]);
});

test('a copy of the database, under the same name and with the same secret, signs what nobody has gone on from, and else begins another log', async () => {
  // the old primary, as a backup of it would come back: it has the tail, and nothing of the second log
  primary = await startCluster({ dir, settings: replicated });
  const root = pool(primary.url('hill'));
  const before = outside.checkpoint;
  await quarter(root, 'deposit 1 dd');
  const file = path.join(dir, 'brought back', 'checkpoint');
  const restored = headOf(await publish(worker(primary), { file, adopt: true }));
  expect(restored).toMatchObject({ origin: `${origin}/3`, size: 2 });
  expect(headOf(before as string).origin).toBe(`${origin}/2`);

  await Promise.all(pools.splice(0).map((one) => one.end()));
  const admin = pool(primary.url('postgres'));
  await admin.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'hill'");
  await admin.query('create database copy template hill strategy file_copy');
  const [original, copy] = [pool(primary.url('hill')), pool(primary.url('copy'))];
  // both are the beginning of what is shown; the one that goes on first is the log
  await quarter(original, 'deposit 1 ee');
  expect(headOf(await publish(worker(primary), { file }))).toMatchObject({ origin: `${origin}/3`, size: 3 });
  await quarter(copy, 'deposit 1 ff');
  expect(headOf(await publish(worker(primary, 'copy'), { file: path.join(dir, 'none'), adopt: true })).origin).toBe(
    `${origin}/4`,
  );
});

test('no size of any of these logs was signed with two roots', () => {
  const roots = new Map<string, Set<string>>();
  for (const note of signed) {
    const { origin, size, root } = headOf(note);
    const known = roots.get(`${origin} ${size}`) ?? new Set<string>();
    roots.set(`${origin} ${size}`, known.add(hex(root)));
  }
  expect(roots.size).toBe(6);
  expect([...roots.values()].filter((one) => one.size > 1)).toEqual([]);
});
