// A real shared cache in front of the public door: Debian's nginx with ops/nginx.conf.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout } from '../../../src/process/config.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';

export const nginx: string | undefined = ['nginx', '/usr/sbin/nginx'].find(
  (name) => spawnSync(name, ['-v']).status === 0,
);

export interface SharedCache {
  readonly url: string;
  stop(): Promise<void>;
}

/** Keeps what it may keep and asks again when it may not; X-Cache says which. */
export async function sharedCache(origin: string): Promise<SharedCache> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-nginx-'));
  const port = await freePort();
  const config = path.join(dir, 'nginx.conf');
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir}/${name};`)
    .join(' ');
  const text = fs
    .readFileSync(path.join(checkout, 'ops/nginx.conf'), 'utf8')
    .replace(
      'worker_processes auto;',
      `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${dir}/pid;`,
    )
    .replace('http {', `http { ${places}`)
    .replace('/var/cache/nginx/hill', `${dir}/cache`)
    .replace(/(server 127.0.0.1:\d+ .*;\s*)+/, `server ${new URL(origin).host};\n`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  fs.writeFileSync(config, text);
  const child: ChildProcess = spawn(nginx as string, ['-c', config, '-e', path.join(dir, 'error.log'), '-p', dir], {
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await until('nginx answers', () =>
    fetch(`${url}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  return {
    url,
    stop: async () => {
      child.kill('SIGQUIT');
      const impatience = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(impatience);
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}
