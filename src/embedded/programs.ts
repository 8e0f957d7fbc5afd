// Runs initdb, postgres and pg_ctl as PostgreSQL's user.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { ServerUser } from './server-user.ts';

interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

export interface Programs {
  /** Runs a program to its end. */
  run(program: 'initdb' | 'pg_ctl', args: string[]): Promise<Outcome>;
  /** Starts PostgreSQL, which writes to that file. It goes on when this process ends. */
  serve(args: string[], log: string): Promise<ChildProcess>;
}

/** `onSpawn` is called whenever a program has been started. */
export function programsIn(bin: string, user: ServerUser, onSpawn: () => void): Programs {
  const options: SpawnOptions = {
    ...user.ids,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    // A session of its own: Ctrl-C at the terminal reaches Hill alone, which stops PostgreSQL last.
    detached: true,
  };
  return {
    run: (program, args) =>
      new Promise((resolve, reject) => {
        const child = spawn(path.join(bin, program), args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
        child.once('spawn', onSpawn);
        let text = '';
        for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk));
        child.once('error', reject);
        child.once('close', (code) => resolve({ code, output: text.trim() }));
      }),
    async serve(args, log) {
      // Not a pipe, whose reader may end.
      const output = fs.openSync(log, 'a');
      try {
        const child = spawn(path.join(bin, 'postgres'), args, { ...options, stdio: ['ignore', output, output] });
        child.unref();
        await once(child, 'spawn');
        onSpawn();
        return child;
      } finally {
        fs.closeSync(output);
      }
    },
  };
}
