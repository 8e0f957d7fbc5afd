// embedded/programs.ts · runs initdb and pg_ctl as PostgreSQL's user.
import { spawn } from 'node:child_process';
import path from 'node:path';
import type { ServerUser } from './server-user.ts';

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

export type RunProgram = (program: 'initdb' | 'pg_ctl', args: string[]) => Promise<Outcome>;

export function programsIn(bin: string, user: ServerUser): RunProgram {
  return (program, args) =>
    new Promise((resolve, reject) => {
      // A postmaster that inherits our pipes keeps them open for as long as it lives. What pg_ctl start has to say is in the log file.
      const output = args.includes('start') ? 'ignore' : 'pipe';
      const child = spawn(path.join(bin, program), args, {
        ...user.ids,
        cwd: '/',
        env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
        // A session of its own: Ctrl-C at the terminal reaches Hill alone, which stops PostgreSQL last.
        detached: true,
        stdio: ['ignore', output, output],
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, output: text.trim() }));
    });
}
