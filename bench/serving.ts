// What answers readers in benchmarks, each a process of its own: a hill's web process, the peers of bench/peer.ts, and
// nginx.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { freePort } from '../src/embedded/index.ts';
import { secret } from './server.ts';

const found = (names: readonly string[]) => names.find((name) => spawnSync(name, ['-v']).error === undefined);
const nginx = (): string | undefined => found(['nginx', '/usr/sbin/nginx']);

export interface Serving {
  /** A hill's web process, without a limit of reads. Resolves to its origin, like the others to their addresses. */
  hill(databaseUrl: string): Promise<string>;
  peer(...args: string[]): Promise<string>;
  /** A file of the folder, with its ETag; undefined where nginx is not installed. */
  nginx(name: string): Promise<{ url: string; etag: string } | undefined>;
  stop(): Promise<void>;
}

/** `dir` is what they write to, and what nginx serves. */
export function serving(dir: string): Serving {
  const started: ChildProcess[] = [];
  const start = async (args: string[], env: Record<string, string>, says: RegExp): Promise<string> => {
    const child = spawn(process.execPath, ['--import', './src/process/check-node.mjs', ...args], {
      cwd: path.join(import.meta.dirname, '..'),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(child);
    let output = '';
    for await (const chunk of child.stdout as NodeJS.ReadableStream) {
      output += chunk;
      const match = says.exec(output);
      if (match) {
        child.stdout?.resume();
        return match[1] ?? '';
      }
    }
    throw new Error(`${args.join(' ')} ended: ${output}`);
  };
  return {
    async hill(databaseUrl) {
      const port = String(await freePort());
      await start(
        ['src/main.ts', 'web'],
        {
          ...{
            PORT: port,
            BASE_URL: `http://localhost:${port}`,
            WEB_DATABASE_URL: databaseUrl,
            HILL_SIGNING_SECRET: secret,
          },
          ...{ HILL_CLOCK: 'simulated', HILL_LIMIT_READS: '999999999/999999', HILL_LOG: 'json', HILL_DATA_DIR: dir },
        },
        /(Hill is open)/,
      );
      return `http://127.0.0.1:${port}`;
    },
    peer: async (...args) => `http://127.0.0.1:${await start(['bench/peer.ts', ...args], {}, /port (\d+)/)}/`,
    async nginx(name) {
      const program = nginx();
      return program ? await startNginx(program, dir, name, started) : undefined;
    },
    async stop() {
      for (const child of started.reverse()) {
        child.kill();
        await new Promise((resolve) =>
          child.exitCode === null && child.signalCode === null ? child.once('close', resolve) : resolve(null),
        );
      }
    },
  };
}

async function startNginx(
  program: string,
  dir: string,
  name: string,
  started: ChildProcess[],
): Promise<{ url: string; etag: string }> {
  const port = await freePort();
  const config = path.join(dir, 'nginx.conf');
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir}/${name};`)
    .join(' ');
  fs.writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 512; }
http { ${temp} access_log off; sendfile on; tcp_nopush on; open_file_cache max=10; keepalive_requests 1000000000;
  types { application/json json; } charset utf-8; charset_types application/json;
  server { listen 127.0.0.1:${port}; root ${dir}; } }`,
  );
  started.push(spawn(program, ['-c', config, '-e', `${dir}/error.log`, '-p', dir], { stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}/${name}`;
  for (let patience = 100; patience > 0; patience--) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return { url, etag: answer.headers.get('etag') as string };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('nginx did not start');
}
