// Recovery to an instant, by the commands of docs/backup.md: to one second before a bell, and to one second after it.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verify } from '../../src/backup/verify.ts';
import { call } from '../../src/db/call.ts';
import { makeHillDatabase, ownerUrl } from '../../src/db/hill-database.ts';
import { makeLogins } from '../../src/db/logins.ts';
import { prepareDatabase } from '../../src/db/migrate.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { type Cluster, startCluster } from '../../src/embedded/index.ts';
import { blocks } from '../support/documents.ts';
import { silent } from '../support/hill/backup.ts';
import { aDataDir } from '../support/hill/hill-process.ts';
import { populate } from '../support/hill/population.ts';
import { hasPsql } from '../support/hill/psql.ts';
import { until } from '../support/until.ts';

const [archiving = ''] = blocks('docs/backup.md', 'ini');
const commandWith = (word: string): string => blocks('docs/backup.md', 'sh').find((text) => text.includes(word)) as string;

/** Runs a block of the document with its own archive. */
const run = (script: string, archive: string, env: Record<string, string>) =>
  new Promise<string>((resolve, reject) => {
    const options = { env: { PATH: process.env.PATH, ...env } as NodeJS.ProcessEnv };
    execFile('bash', ['--norc', '-ec', script.replaceAll('/archive/', `${archive}/`)], options, (error, stdout, stderr) =>
      error ? reject(error) : resolve(stdout + stderr),
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
  test('is recovered to one second before a bell, which then rings as it rang, and to one second after it', {
    timeout: 180_000,
  }, async () => {
    const archive = aDataDir();
    fs.mkdirSync(path.join(archive, 'wal'));
    for (const folder of [archive, path.join(archive, 'wal')]) fs.chmodSync(folder, 0o777); // PostgreSQL has a user of its own
    const settings = Object.fromEntries(
      [...archiving.replaceAll('/archive/', `${archive}/`).matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name, value]) => [name, value]),
    ) as Record<string, string>;
    const dir = aDataDir();
    const source = await startCluster({ dir, settings });
    onTestFinished(() => source.stop());
    const owner = await makeHillDatabase(source);
    await prepareDatabase(owner);
    await openHill(owner, { dayOne: new Date().toISOString().slice(0, 10), clock: 'simulated' });

    const env = { SUPERUSER_URL: source.url(), PGDATA: path.join(dir, 'data'), BASE: path.join(archive, 'base') };
    expect(await run(commandWith('pg_backup_start'), archive, env)).toContain('all required WAL segments have been archived');

    const root = await connected(source);
    await populate(root, { accounts: 20, history: false });
    const worker = await connected(source, (await makeLogins(owner, {}, ['worker'])).worker);
    const now = async () => (await root.query<{ now: string }>('select clock_timestamp()::text as now')).rows[0]?.now as string;
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
      const { rows } = await root.query<{ at: string }>('select ($1::timestamptz + make_interval(secs => $2))::text as at', [
        target,
        seconds,
      ]);
      await run(commandWith('recovery.signal'), archive, { BASE: env.BASE, NEW: data, TARGET: rows[0]?.at as string });
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
  (await root.query('select engine.resolution_json(engine.stored_night(1), engine.published_resolution(1)) as result')).rows[0];
