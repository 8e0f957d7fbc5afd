// From the command to the first answer: cold (initdb, migrations, missed nights) and warm.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../src/embedded/index.ts';
import { checkout } from '../src/process/config.ts';
import { type Figure, median, ms } from './report.ts';

async function start(dir: string): Promise<number> {
  const [port, consolePort] = [await freePort(), await freePort()];
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', './src/process/check-node.mjs', 'src/main.ts'], {
    cwd: checkout,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HILL_DATA_DIR: dir,
      PORT: String(port),
      CONSOLE_PORT: String(consolePort),
    },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error('the hill did not start');
      const answer = await fetch(`http://127.0.0.1:${port}/api/hill`).catch(() => undefined);
      if (answer?.ok) return performance.now() - started;
      await sleep(10);
    }
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

export async function benchStart(rounds: number): Promise<Figure[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  const dirs: string[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-bench-start-'));
      dirs.push(dir);
      fs.chmodSync(dir, 0o711);
      cold.push(await start(dir));
      warm.push(await start(dir));
    }
  } finally {
    // Not between rounds: ext4 uses no inode again for 5 s, and to search for others costs initdb as much time as it
    // takes.
    for (const dir of dirs) fs.rmSync(dir, { recursive: true, force: true });
  }
  return [
    {
      what: 'npm start, cold, to the first /api/hill',
      measured: ms(median(cold)),
      against: '1 s',
      ratio: median(cold) / 1000,
      bound: 'most',
      target: 4,
    },
    {
      what: 'npm start, warm, to the first /api/hill',
      measured: ms(median(warm)),
      against: '1 s',
      ratio: median(warm) / 1000,
      bound: 'most',
      target: 1,
    },
  ];
}
