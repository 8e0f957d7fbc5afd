// starters/typescript/load.ts · a strategy, from a file or from a program in any language.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Decision, Header, Strategy } from './view.ts';

/** `end` says that it will not be asked again. Who goes on for a second is killed. */
export type Loaded = Strategy & { end?(): Promise<void> };

/**
 * A file of TypeScript or JavaScript that exports it as its default; or a program, which says in a first line of JSON what it is, and answers each line with
 * a view with a line with a decision: a file of Python, an executable file, or a command. It has so many seconds for each line.
 */
export async function loadStrategy(what: string, seconds = 60): Promise<Loaded> {
  const loaded = isModule(what) ? (await import(pathToFileURL(path.resolve(what)).href)).default : await programOf(what, seconds);
  const { title, way, hours, decide } = (loaded ?? {}) as Partial<Strategy>;
  if (title && way && decide && Array.isArray(hours) && hours.length > 0 && hours.every(isHour)) return loaded;
  await loaded?.end?.();
  throw new Error(
    `${what} is no strategy: it has a title, a way and hours (0 to 23), and decide(view) or an answer to each line. See strategies.md.`,
  );
}

const isHour = (hour: unknown) => [...Array(24).keys()].includes(hour as number);

/** One that begins with #! is a program. */
export const isModule = (what: string): boolean =>
  /\.m?[jt]s$/.test(what) && existsSync(what) && readFileSync(what, 'utf8').slice(0, 2) !== '#!';

/** A file that can be started: others have to be given with the command that runs them. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return file.endsWith('.py');
  }
}

/** In a group of processes of its own, so that all that a command has started can be killed. Hashes of Python are the same each time, for its sets. */
function start(what: string) {
  const shell = !existsSync(what);
  const [command = what, ...args] = shell ? [] : what.endsWith('.py') ? ['python3', what] : [path.resolve(what)];
  const env = { PYTHONHASHSEED: '0', ...process.env };
  return spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true, shell, env });
}

const longest = 1_000_000; // characters of a line: more is no answer
const cleanly = 'On stdout it writes one line for each that it reads, and nothing else; what it says to you goes to stderr.';

async function programOf(what: string, seconds: number): Promise<Loaded> {
  const child = start(what);
  let text = '';
  let wrong: Error | undefined;
  let answer: { resolve(value: unknown): void; reject(error: Error): void } | undefined;
  const kill = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {} // there is nobody any more
  };
  const fail = (why: string, hint: string) => {
    wrong ??= new Error(`The strategy ${what} ${why}. ${hint}`);
    answer?.reject(wrong);
    kill();
  };
  const told = async <T>(): Promise<T> => {
    if (wrong) throw wrong;
    const late = setTimeout(() => fail(`gave no answer in ${seconds} seconds`, 'Does it flush what it writes?'), seconds * 1_000);
    return new Promise<unknown>((resolve, reject) => (answer = { resolve, reject })).finally(() => clearTimeout(late)) as Promise<T>;
  };
  child.on('error', ({ message }) =>
    fail(`cannot be started: ${message}`, 'Make the file executable (chmod +x), or give the command that runs it.'),
  );
  child.on('close', (status, signal) =>
    fail(`ended, by ${signal ?? `status ${status}`}`, 'What it wrote to stderr is above. It ends when its input does.'),
  );
  child.stdin.on('error', () => {}); // it has ended, which is told
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const lines = (text + part).split('\n');
    text = lines.pop() as string;
    for (const line of wrong ? [] : lines) {
      if (!answer) fail(`wrote a line for which nobody asked: ${line.slice(0, 60)}`, cleanly);
      try {
        answer?.resolve(JSON.parse(line));
      } catch {
        fail(`wrote what is no JSON: ${line.slice(0, 60)}`, cleanly);
      }
      answer = undefined;
    }
    if (text.length > longest) fail(`wrote a line of more than ${longest} characters`, cleanly);
  });
  const header = await told<Header>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...header,
    decide: (view) => {
      const ask = () => {
        child.stdin.write(`${JSON.stringify(view)}\n`);
        return told<Decision>();
      };
      const decision = last.then(ask);
      last = decision.catch(() => {});
      return decision;
    },
    async end() {
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null)
        await once(child, 'exit', { signal: AbortSignal.timeout(1_000) }).catch(() => {});
      kill();
    },
  };
}
