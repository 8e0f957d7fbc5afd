// Debian's HAProxy with ops/haproxy.cfg, in front of several web processes.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { checkout } from '../../../src/process/config.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';
import type { Balancer } from './balancer.ts';

export const haproxy: string | undefined = ['haproxy', '/usr/sbin/haproxy'].find(
  (name) => spawnSync(name, ['-v']).status === 0,
);

export async function haproxyFor(ports: readonly number[]): Promise<Balancer> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-haproxy-'));
  const port = await freePort();
  const config = path.join(dir, 'haproxy.cfg');
  const servers = ports.map((one, i) => `  server web${i + 1} 127.0.0.1:${one}\n`).join('');
  const text = fs
    .readFileSync(path.join(checkout, 'ops/haproxy.cfg'), 'utf8')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace(/( {2}server web\d .*\n)+/g, servers); // of both backends
  fs.writeFileSync(config, text);
  const child = spawn(haproxy as string, ['-db', '-f', config], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  onTestFinished(() => void child.kill('SIGKILL')); // of a test that failed
  await until('HAProxy answers', () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  return {
    port,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}
