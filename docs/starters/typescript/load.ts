// starters/typescript/load.ts · a strategy, from a file or from a program in any language.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Decision, Header, Strategy } from './view.ts';

/**
 * A file of TypeScript or JavaScript that exports it as its default; or a command, which says in a first line of JSON what it is, and answers each line with
 * a view with a line with a decision. It ends when its input does: `end`.
 */
export async function loadStrategy(what: string): Promise<Strategy & { end?(): void }> {
  if (/\.m?[jt]s$/.test(what) && existsSync(what)) return (await import(pathToFileURL(path.resolve(what)).href)).default;
  const child = spawn(what, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {}); // it has ended, which is told where its next line is missing
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const told = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The strategy ended without an answer: ${what}`);
    return JSON.parse(value);
  };
  return {
    ...(await told<Header>()),
    decide: (view) => {
      child.stdin.write(`${JSON.stringify(view)}\n`);
      return told<Decision>();
    },
    end: () => child.stdin.end(),
  };
}
