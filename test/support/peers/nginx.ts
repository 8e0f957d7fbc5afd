// test/support/peers/nginx.ts · a real shared cache in front of the public door: Debian's nginx, as an operator would set it up.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';

export const nginx: string | undefined = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);

export interface SharedCache {
  readonly url: string;
  stop(): Promise<void>;
}

/** Keeps what it may keep and asks again when it may not; X-Cache says which. */
export async function sharedCache(origin: string): Promise<SharedCache> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-nginx-'));
  const port = await freePort();
  const config = path.join(dir, 'nginx.conf');
  fs.writeFileSync(
    config,
    `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;
worker_processes 1;
pid ${dir}/pid;
error_log ${dir}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; fastcgi_temp_path ${dir}/f; uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
  proxy_cache_path ${dir}/cache keys_zone=hill:10m;
  # nginx sends no Age, so what it hands on must not be kept by its readers for as long as it keeps it itself: they ask again, and it answers from its store.
  map $upstream_http_cache_control $handed_on { ~immutable $upstream_http_cache_control; ~no-store no-store; default no-cache; }
  upstream hill { server ${new URL(origin).host}; keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://hill;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_cache hill;
      proxy_cache_revalidate on;
      proxy_hide_header Cache-Control;
      add_header Cache-Control $handed_on always;
      add_header X-Cache $upstream_cache_status always;
    }
  }
}
`,
  );
  const child: ChildProcess = spawn(nginx as string, ['-c', config, '-e', path.join(dir, 'error.log'), '-p', dir], { stdio: 'ignore' });
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
