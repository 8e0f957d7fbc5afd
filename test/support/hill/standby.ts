// A streaming replica of an embedded cluster.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { type Cluster, startCluster } from '../../../src/embedded/index.ts';

/** Of a primary that replicas follow. Backups are made from what is on disk. */
export const replicated = { full_page_writes: 'on', wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on' };

export interface Standby {
  readonly cluster: Cluster;
  readonly dir: string;
}

/**
 * Copies the running cluster in `dir` and follows it. `root` is a superuser's connection to it; `name` is what
 * synchronous_standby_names may say.
 */
export async function aStandby(
  primary: Cluster,
  dir: string,
  root: pg.ClientBase,
  name = 'replica',
  settings: Record<string, string> = {},
): Promise<Standby> {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-standby-'));
  await root.query("select pg_backup_start('a replica', true)");
  execFileSync('cp', ['-a', `${dir}/.`, copy]);
  const { rows } = await root.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  for (const file of ['data/postmaster.pid', 'data/postmaster.opts', 'port', 'hill.pid'])
    fs.rmSync(path.join(copy, file), { force: true });
  const { uid, gid } = fs.statSync(path.join(copy, 'data'));
  for (const [file, text] of [
    ['backup_label', rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
  ] as const) {
    const at = path.join(copy, 'data', file);
    fs.writeFileSync(at, text, { mode: 0o600 });
    fs.chownSync(at, uid, gid);
  }
  const at = new URL(primary.url());
  const primary_conninfo = `host=${at.hostname} port=${at.port} user=${at.username} password=${at.password} application_name=${name}`;
  return {
    dir: copy,
    cluster: await startCluster({
      dir: copy,
      ephemeral: true,
      settings: { ...replicated, ...settings, primary_conninfo },
    }),
  };
}
