// The embedded PostgreSQL in whatever state it may be found.
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Cluster, startCluster } from '../../src/embedded/index.ts';
import { installRuntime } from '../../src/embedded/runtime.ts';
import { aDataDir } from '../support/hill/hill-process.ts';
import { until } from '../support/until.ts';

async function start(dir: string): Promise<Cluster> {
  const cluster = await startCluster({ dir });
  onTestFinished(() => cluster.stop());
  return cluster;
}

async function ask(cluster: Cluster, sql: string): Promise<unknown> {
  const client = new pg.Client(cluster.url());
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  await client.end();
  return rows[0]?.[0];
}

describe('a data directory', () => {
  test('is durable: fsync and checksums are on, nobody outside this machine can connect, and nobody without a password', async () => {
    const cluster = await start(aDataDir());

    expect(
      await ask(
        cluster,
        "select jsonb_object_agg(name, setting) from pg_settings where name in ('fsync', 'full_page_writes', 'data_checksums', 'listen_addresses')",
      ),
    ).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '127.0.0.1',
    });
    expect(await ask(cluster, 'select array_agg(distinct auth_method) from pg_hba_file_rules')).toEqual([
      'scram-sha-256',
    ]);
  });

  test('in which initdb was killed is begun anew', async () => {
    const dir = aDataDir();
    fs.mkdirSync(path.join(dir, 'data.unfinished', 'base'), { recursive: true });
    fs.writeFileSync(path.join(dir, 'data.unfinished', 'PG_VERSION'), '18\n');

    expect(await ask(await start(dir), 'select 1')).toBe(1);
    expect(fs.existsSync(path.join(dir, 'data.unfinished'))).toBe(false);
  });

  // to a file of the checkout, tmpfs can have no link
  test.skipIf(process.platform !== 'linux')('has the same programs where they cannot be linked', () => {
    const [copied, linked] = ['/dev/shm', os.tmpdir()].map((where) => {
      const dir = fs.mkdtempSync(path.join(where, 'hill-programs-'));
      onTestFinished(() => fs.rmSync(dir, { recursive: true }));
      const folder = path.dirname(installRuntime(dir));
      const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
      return files.map((file) => {
        const about = fs.statSync(path.join(folder, file));
        return about.isFile() ? [file, about.size, (about.mode & 0o044) === 0o044] : [file];
      });
    });

    expect(copied).toEqual(linked);
    expect(copied).toContainEqual(['bin/postgres', expect.any(Number), true]);
    expect(copied?.filter(([, , readable]) => readable === false)).toEqual([]);
  });

  test('with the process id of a stranger in postmaster.pid starts, and the stranger lives', async () => {
    const dir = aDataDir();
    await (await startCluster({ dir })).stop();
    fs.writeFileSync(
      path.join(dir, 'data', 'postmaster.pid'),
      `${process.pid}\n${dir}/data\n1\n5432\n\n127.0.0.1\n1 1\nready\n`,
    );

    const cluster = await start(dir);

    expect(cluster.startedHere).toBe(true);
    expect(await ask(cluster, 'select 1')).toBe(1);
  });

  test('whose lock was left by a dead process, or by a living one of the same id, is free', async () => {
    const dir = aDataDir();
    fs.writeFileSync(path.join(dir, 'hill.pid'), JSON.stringify({ pid: process.pid, started: 'at another time' }));

    expect(await ask(await start(dir), 'select 1')).toBe(1);
  });

  test.skipIf(process.platform !== 'linux')('that cannot be made is named in one line', async () => {
    await expect(startCluster({ dir: '/proc/hill' })).rejects.toThrow(
      /^HILL_DATA_DIR: cannot write to \/proc\/hill .*$/,
    );
  });

  test('cannot be started twice', async () => {
    const dir = aDataDir();
    await start(dir);

    await expect(startCluster({ dir })).rejects.toThrow(/Another Hill .* is using/);
  });

  test('keeps its port, and takes another if somebody else has it now', async () => {
    const dir = aDataDir();
    const first = await startCluster({ dir });
    await first.stop();
    const second = await startCluster({ dir });
    await second.stop();
    expect(second.port).toBe(first.port);

    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(first.port, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());

    expect((await start(dir)).port).not.toBe(first.port);
  });
});

test('a postmaster that died comes back on its port, even if another process had it for a while', async () => {
  const dir = aDataDir();
  const cluster = await start(dir);
  const losses: string[] = [];
  cluster.keepAlive(
    () => {},
    (loss) => losses.push(loss.message),
  );
  const other = net.createServer();
  onTestFinished(() => void other.close());
  process.kill(Number(fs.readFileSync(path.join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  await until(
    'the port is free',
    () =>
      new Promise<boolean>((resolve) => {
        other.once('error', () => resolve(false));
        other.listen(cluster.port, '127.0.0.1', () => resolve(true));
      }),
  );
  await until('the port was wanted', async () =>
    /could not bind/.test(fs.readFileSync(path.join(dir, 'postgres.log'), 'utf8')),
  );
  await sleep(3000); // longer than the few tries that a postmaster gets which dies while it starts
  expect(losses).toEqual([]);
  other.close();

  await until('it answers', () => ask(cluster, 'select true').catch(() => false));
});

test('the log repeats nothing of a statement, its parameters or a row', async () => {
  const dir = aDataDir();
  const cluster = await start(dir);
  const client = new pg.Client(cluster.url());
  await client.connect();
  await client.query('create table sealed (move text check (move is null), id int primary key)');
  await expect(client.query("insert into sealed values ('in the text', 1)")).rejects.toThrow();
  await expect(client.query('insert into sealed values ($1, 2)', ['in a parameter'])).rejects.toThrow();
  await client.end();

  const log = fs.readFileSync(path.join(dir, 'postgres.log'), 'utf8');

  expect(log).toContain('violates check constraint');
  expect(log).not.toMatch(/in the text|in a parameter|insert into/);
});
