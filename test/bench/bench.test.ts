// test/bench/bench.test.ts · the benchmarks run. What they say depends on the machine, and is no test.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { pgbench } from '../../bench/pgbench.ts';
import { wrk } from '../../bench/wrk.ts';
import { checkout } from '../../src/process/config.ts';

const bench = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--import', './src/process/check-node.mjs', 'bench/main.ts', ...args], { cwd: checkout });

describe('on a small hill', () => {
  // all on one server: to make it costs as much as most parts take
  let figures: string;
  beforeAll(async () => {
    figures = (await bench('--small', 'bell', 'play', 'boards', 'mcp', 'reads', 'bulk', 'events', 'log')).stdout;
  }, 300_000);

  test('bells, their WAL and boards', () => {
    expect(figures).toMatch(/^bell, 1,000 accounts x 2 moves.* ms +F .* ms +\d+\.\d\d/m);
    expect(figures).toMatch(/^WAL of that bell +[\d.]+ MB +F [\d.]+ MB +\d+\.\d\d/m);
    expect(figures).toMatch(/first page of 100 +[\d.]+ ms/);
    expect(figures).toMatch(/^a tournament of 50 of them .*: one entrant's rank +[\d.]+ ms/m);
  });

  test.skipIf(!pgbench())('deposits against pgbench (apt-get install postgresql-contrib)', () => {
    expect(figures).toMatch(/^play, 2 callers +[\d,]+\/s +tpcb-like [\d,]+\/s +\d+\.\d\d/m);
  });

  test.skipIf(!wrk())('calls of the play interface (apt-get install wrk)', () => {
    expect(figures).toMatch(/^MCP, a trivial tool, 2026-07-28 +[\d,]+\/s +bare JSON echo [\d,]+\/s +\d+\.\d\d/m);
    expect(figures).toMatch(/^MCP play, 64 connections +[\d,]+\/s +bare server, same function [\d,]+\/s +\d+\.\d\d/m);
    expect(figures).toMatch(/^MCP play, 64 connections +[\d,]+\/s +bare JSON echo [\d,]+\/s +\d+\.\d\d/m);
  });

  test.skipIf(!wrk())('cached reads against nginx and bare Node (apt-get install wrk nginx-light)', () => {
    expect(figures).toMatch(/^cached read, \d+ KB +[\d,]+\/s +bare Node [\d,]+\/s +\d+\.\d\d/m);
    expect(figures).toMatch(/^a name that nobody has, 404 +[\d,]+\/s +a cached read of 2 KB [\d,]+\/s +\d+\.\d\d/m);
    expect(figures).toMatch(/^p99 of readers while a bell of 1,000 accounts rings/m);
  });

  test.skipIf(!wrk())('files of nights against JSON (apt-get install wrk)', () => {
    expect(figures).toMatch(/^moves of a small night as CSV, .* +[\d,]+\/s +JSON of .* +\d+\.\d\d/m);
    expect(figures).toMatch(/^moves of a night of 1,000 as CSV/m);
  });

  test('listeners of events against bare Node', () => {
    expect(figures).toMatch(/^a bell told to 20 listeners, processor +[\d.]+ ms/m);
    expect(figures).toMatch(/^memory of a listener, of 20 +-?[\d.]+ KiB/m);
  });

  test('the log: numbering, proofs, and deposits with it and without', () => {
    expect(figures).toMatch(/^numbering 1,000 entries of the log +[\d.]+ ms +moving the rows [\d.]+ ms +\d+\.\d\d/m);
    expect(figures).toMatch(/^numbering and signing 300 more +[\d.]+ ms/m);
    expect(figures).toMatch(/^a proof of one of 1,300 entries +[\d.]+ ms/m);
    expect(figures).toMatch(/^play with the log, 64 callers +[\d,]+\/s +without the log [\d,]+\/s +\d+\.\d\d/m);
  });

  test.skipIf(!wrk())('tiles of the log, and deposits through the play interface with it (apt-get install wrk)', () => {
    expect(figures).toMatch(/^a full tile of the log, 8 KB +[\d,]+\/s +(nginx|bare Node) [\d,]+\/s +\d+\.\d\d/m);
    expect(figures).toMatch(/^10 tiles and bundles, each once +[\d,]+\/s +the first two, as often [\d,]+\/s +\d+\.\d\d/m);
    expect(figures).toMatch(/^MCP play with the log, 64 connections +[\d,]+\/s +without the log [\d,]+\/s +\d+\.\d\d/m);
  });
});

test('where a benchmark is unknown, they are named', async () => {
  await expect(bench('nonsense')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('start, bell, play, boards, mcp, reads, bulk, events, log, crowd'),
  });
});
