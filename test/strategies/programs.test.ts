// Programs that do not keep to lines of JSON: each is named with what it did and what to do, and is killed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadStrategy } from '../../docs/starters/typescript/load.ts';
import type { View } from '../../docs/starters/typescript/view.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-programs-test-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const view = { day: 9, hour: 1 } as View;
const header = 'print(json.dumps({"title": "T", "way": "w", "hours": [1]}), flush=True)';

/** A program that says what it is, does this, and then goes on for ever, with a child that does, too. */
function program(name: string, ...lines: string[]) {
  const file = path.join(folder, `${name}.py`);
  const pids = path.join(folder, `${name}.pids`);
  const child = 'child = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL)';
  const told = `print(os.getpid(), child.pid, file=open(${JSON.stringify(pids)}, "w"), flush=True)`;
  const all = ['import json, os, subprocess, sys, time', child, told, ...lines, 'time.sleep(600)'];
  fs.writeFileSync(file, `${all.join('\n')}\n`);
  return { file, pids: () => fs.readFileSync(pids, 'utf8').trim().split(' ').map(Number) };
}

/** Killed, if nobody has looked yet whether it ended: what a program leaves behind is no child of this process. */
const lives = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
const gone = (pids: number[]) => expect.poll(() => pids.filter(lives)).toEqual([]);

const answer = (text: string) => [header, 'sys.stdin.readline()', text];
test.skipIf(!hasPython).each([
  ['late', answer(''), 'gave no answer in 5 seconds. Does it flush'],
  ['garbage', answer('print("hello", flush=True)'), 'wrote what is no JSON: hello. On stdout it writes one line'],
  ['megabytes', answer('while True: sys.stdout.write("x" * 100_000)'), 'wrote a line of more than 1000000 characters.'],
  ['unasked', answer('while True: print("{}")'), 'wrote a line for which nobody asked: {}. On stdout'],
  ['dead', answer('sys.exit(3)'), 'ended, by status 3. '],
  ['shot', answer('os.kill(os.getpid(), 15)'), 'ended, by SIGTERM. '],
])('%s', async (name, lines, told) => {
  const { file, pids } = program(name, ...lines);
  const strategy = await loadStrategy(file, name === 'late' ? 5 : 60);
  const asked = async () => {
    for (let n = 0; n < 1_000; n++) await strategy.decide(view); // what comes unasked may come late
  };
  await expect(asked()).rejects.toThrow(`The strategy ${file} ${told}`);
  await expect(strategy.decide(view)).rejects.toThrow(told);
  await gone(pids());
  await strategy.end?.();
});

test.skipIf(!hasPython)('what ends when its input does is let end, and what does not is killed', async () => {
  const said = path.join(folder, 'said');
  const { file, pids } = program(
    'polite',
    header,
    'sys.stdin.read()',
    `open(${JSON.stringify(said)}, "w").write("bye")`,
  );
  const strategy = await loadStrategy(`exec python3 ${file}`);
  await strategy.end?.();
  expect(fs.readFileSync(said, 'utf8')).toBe('bye');
  await gone(pids());
});

test.skipIf(!hasPython)('what says of itself too little is no strategy', async () => {
  const { file, pids } = program('nameless', 'print(json.dumps({"title": "T", "hours": [1]}), flush=True)');
  await expect(loadStrategy(file)).rejects.toThrow(`${file} is no strategy: it has a title, a way and hours (0 to 23)`);
  await gone(pids());
});

test('what cannot be started is told with what to do', async () => {
  const file = path.join(folder, 'plain.rb');
  fs.writeFileSync(file, '');
  await expect(loadStrategy(file)).rejects.toThrow('Make the file executable (chmod +x)');
});
