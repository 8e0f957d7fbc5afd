// Somebody else's code that judges a log: Go's golang.org/x/mod/sumdb, as Debian packages it, behind oracle.go.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** One question to oracle.go. Hashes are in base64, and so are entries. */
export type Question =
  | { ask: 'tree'; folder: string; size: number; root: string }
  | { ask: 'entry'; size: number; root: string; index: number; entry: string; proof: readonly string[] }
  | { ask: 'growth'; size: number; root: string; oldSize: number; oldRoot: string; proof: readonly string[] }
  | { ask: 'checkpoint'; text: string; key: string; size: number; root: string }
  | { ask: 'cosigned'; text: string; key: string; witness: string }
  | { ask: 'proof'; text: string; key: string; entry: string }
  /** `url` ends with a slash; `text` is an older checkpoint, if there is one. */
  | { ask: 'live'; url: string; key: string; text?: string; entries: readonly string[] };

const packages = '/usr/share/gocode';

/** True where Go or these packages are missing; then the tests that need them are skipped, and this says why. */
export const missingForGo =
  spawnSync('go', ['version']).error !== undefined ||
  !fs.existsSync(`${packages}/src/golang.org/x/mod/sumdb/tlog/tile.go`);
if (missingForGo)
  console.warn(
    'Skipped: Go does not judge the log: apt-get install golang-go golang-golang-x-mod-dev (Debian, Ubuntu).',
  );

/** Compiles `oracle.go`, or the folder `verifier`, into a folder; returns the program. */
export function compiled(folder: string, source: 'oracle.go' | 'verifier' = 'oracle.go'): string {
  const program = path.join(folder, path.parse(source).name);
  const cache = path.join(os.tmpdir(), 'hill-go-cache');
  execFileSync('go', ['build', '-o', program, `./${source}`], {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH, HOME: folder, GOPATH: packages, GO111MODULE: 'off', GOFLAGS: '', GOCACHE: cache },
  });
  return program;
}

const asLines = (questions: readonly Question[]): string =>
  questions.map((question) => `${JSON.stringify(question)}\n`).join('');

/** Compiles oracle.go into a folder, and returns how to ask it. Each answer is "ok", or what is wrong. */
export function buildOracle(folder: string): (questions: readonly Question[]) => string[] {
  const program = compiled(folder);
  return (questions) =>
    execFileSync(program, { input: asLines(questions), encoding: 'utf8' })
      .trim()
      .split('\n');
}

/** The same for one question about a server of this process, which has to go on meanwhile. */
export function buildLiveOracle(folder: string): (question: Question) => Promise<string> {
  const program = compiled(folder);
  return async (question) => {
    const running = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    running.stdin.end(asLines([question]));
    return (await text(running.stdout)).trim();
  };
}
