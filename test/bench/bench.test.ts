// test/bench/bench.test.ts · the benchmarks run. What they say depends on the machine, and is no test.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { pgbench } from '../../bench/pgbench.ts';
import { wrk } from '../../bench/wrk.ts';
import { checkout } from '../../src/process/config.ts';

const bench = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--import', './src/process/check-node.mjs', 'bench/main.ts', ...args], { cwd: checkout });

test('measures bells, their WAL and boards on a small hill', async () => {
  const { stdout } = await bench('--small', 'bell', 'boards');

  expect(stdout).toMatch(/^bell, 1,000 accounts x 2 moves.* ms +F .* ms +\d+\.\d\d/m);
  expect(stdout).toMatch(/^WAL of that bell +[\d.]+ MB +F [\d.]+ MB +\d+\.\d\d/m);
  expect(stdout).toMatch(/first page of 100 +[\d.]+ ms/);
  expect(stdout).toMatch(/^a tournament of 50 of them .*: one entrant's rank +[\d.]+ ms/m);
});

test.skipIf(!pgbench())('measures deposits against pgbench (apt-get install postgresql-contrib)', async () => {
  const { stdout } = await bench('--small', 'play');

  expect(stdout).toMatch(/^play, 2 clients +[\d,]+\/s +tpcb-like [\d,]+\/s +\d+\.\d\d/m);
});

test.skipIf(!wrk())('measures calls of the play interface (apt-get install wrk)', { timeout: 180_000 }, async () => {
  const { stdout } = await bench('--small', 'mcp');

  expect(stdout).toMatch(/^MCP, a trivial tool, 2026-07-28 +[\d,]+\/s +bare JSON echo [\d,]+\/s +\d+\.\d\d/m);
  expect(stdout).toMatch(/^MCP play +[\d,]+\/s +bare server, same function [\d,]+\/s +\d+\.\d\d/m);
});

test.skipIf(!wrk())(
  'measures cached reads against nginx and bare Node (apt-get install wrk nginx-light)',
  { timeout: 180_000 },
  async () => {
    const { stdout } = await bench('--small', 'reads');

    expect(stdout).toMatch(/^cached read, \d+ KB +[\d,]+\/s +bare Node [\d,]+\/s +\d+\.\d\d/m);
    expect(stdout).toMatch(/^p99 of readers while a bell of 2,000 accounts rings/m);
  },
);

test('names the benchmarks where one is unknown', async () => {
  await expect(bench('nonsense')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('start, bell, play, boards, mcp, reads'),
  });
});
