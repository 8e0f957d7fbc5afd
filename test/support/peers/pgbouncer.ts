// Debian's PgBouncer with ops/pgbouncer.ini, in front of a database.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { checkout } from '../../../src/process/config.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';

export const pgbouncer: string | undefined = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

export interface Pooler {
  /** The same URL, by way of the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** `urls` are the logins that may go through, all of one server. */
export async function aPooler(urls: readonly string[]): Promise<Pooler> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-pgbouncer-'));
  const port = await freePort();
  const to = new URL(urls[0] as string);
  const logins = urls
    .map((url) => new URL(url))
    .map(({ username, password }) => `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  fs.writeFileSync(path.join(dir, 'userlist.txt'), logins.join(''));
  const config = path.join(dir, 'pgbouncer.ini');
  fs.writeFileSync(
    config,
    fs
      .readFileSync(path.join(checkout, 'ops/pgbouncer.ini'), 'utf8')
      .replace(/^hill = .*$/m, `* = host=${to.hostname} port=${to.port}`)
      .replace(/^listen_addr = .*$/m, 'listen_addr = 127.0.0.1')
      .replace(/^listen_port = .*$/m, `listen_port = ${port}\nunix_socket_dir =`)
      .replace('/etc/pgbouncer/', `${dir}/`),
  );
  // PgBouncer does not run as root.
  const as = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (as.uid)
    for (const file of [dir, config, path.join(dir, 'userlist.txt')]) fs.chownSync(file, as.uid, as.gid as number);
  const child = spawn(pgbouncer as string, [config], { stdio: 'ignore', ...as });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const through = (url: string) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;
  await until('PgBouncer answers', async () => {
    const client = new pg.Client(through(urls[0] as string));
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  return {
    through,
    stop: async () => {
      child.kill('SIGINT');
      const impatience = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await ended;
      clearTimeout(impatience);
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}
