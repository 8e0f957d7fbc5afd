// npm run -s resolve, as a real process: nights in, results out. Rules 12.4.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';
import { aServer, bare, hill as run, runHill, usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { parseExactly, stringifyExactly } from '../support/hill/night.ts';
import { nightLines } from '../support/naive/case-book.ts';
import { until } from '../support/until.ts';

interface Case {
  night: unknown;
  result: unknown;
}

const book = nightLines()
  .trim()
  .split('\n')
  .map((line) => parseExactly(line) as Case)
  .filter(({ result }) => result !== undefined && (result as { slots?: unknown }).slots !== undefined);
const [first] = book as [Case];

/** Settings of somebody on whose machine no hill runs, and the folder in which temporary databases are made. */
function alone(): { HILL_DATA_DIR: string; TMPDIR: string } {
  const TMPDIR = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-resolve-test-'));
  fs.chmodSync(TMPDIR, 0o711); // for the database's user
  onTestFinished(() => fs.rmSync(TMPDIR, { recursive: true, force: true }));
  return { HILL_DATA_DIR: path.join(TMPDIR, 'no-hill'), TMPDIR };
}

const aPreparedDir = usePreparedDataDirs();
const quiet = { account: 'ann', reputation: 1, since: '2026-01-01T00:00:00Z', house: false };
const move = { seq: 1, account: 'ann', slot: 3, move: 'PEACE', at: '2026-03-01T10:00:00Z' };
const night = (change: object) =>
  JSON.stringify({ day: 1, open_slots: [3], accounts: [quiet], holders: [], moves: [move], ...change });
const largest = '9223372036854775807';

describe('with no server running', () => {
  test('resolves every night of the case book, names each bad line on its own line, and leaves nothing behind', async () => {
    const settings = alone();
    const war = { ...move, move: 'WAR', stake_cents: 0 };
    const lines: [string | null, unknown][] = [
      ...book.map(({ night, result }): [string, unknown] => [stringifyExactly(night), result]),
      ['{"day": 1', { code: 'INVALID_JSON', message: expect.stringMatching(/^the line is not one JSON value: ./) }],
      ['', null],
      ['  \t\r', null],
      ['null', { code: 'INVALID_NIGHT', message: expect.stringMatching(/./) }],
      [night({ day: 0 }), { code: 'INVALID_NIGHT', message: expect.stringMatching(/^day: /) }],
      [
        night({ accounts: [{ ...quiet, account: 'a\0' }] }),
        { code: 'INVALID_NIGHT', message: expect.stringMatching(/u0000/) },
      ],
      [
        `${'['.repeat(50_000)}`,
        { code: expect.stringMatching(/^INVALID_(NIGHT|JSON)$/), message: expect.stringMatching(/./) },
      ],
      // a mark of line ends that JSON does not know, in a name
      [
        night({ accounts: [{ ...quiet, account: 'a\u2028b' }], moves: [] }),
        expect.objectContaining({ day: 1, queue: [] }),
      ],
      [stringifyExactly(first.night), first.result],
    ];
    const input = [
      ...lines.map(([line]) => line),
      // no digit is lost, of two stakes that no JavaScript number holds
      night({
        accounts: [quiet, { ...quiet, account: 'bob' }],
        moves: [war, { ...war, account: 'bob', seq: 2 }],
      }).replaceAll('"stake_cents":0', `"stake_cents":${largest}`),
    ].join('\n');

    const { child, ended } = runHill(['resolve'], settings, input);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk));

    expect(await ended).toBe(1);
    const results = output.trim().split('\n');
    const big = results.pop() ?? '';
    expect(big).toContain(`"burned_cents": ${BigInt(largest) * 2n}`);
    expect(big.match(new RegExp(`"cents": ${largest}\\b`, 'g'))).toHaveLength(2);
    expect(results.map((line) => parseExactly(line))).toEqual(
      lines.flatMap(([, expected], index) => {
        if (expected === null) return [];
        const refused = (expected as { code?: unknown }).code !== undefined;
        return [refused ? { error: { line: index + 1, ...(expected as object) } } : expected];
      }),
    );
    expect(fs.readdirSync(settings.TMPDIR)).toEqual([]);
  });

  test('is quiet when whoever reads has seen enough, and leaves nothing behind', async () => {
    const settings = alone();
    const { child, ended, output } = runHill(['resolve'], settings, `${stringifyExactly(first.night)}\n`.repeat(5_000));
    child.stdout?.once('data', () => child.stdout?.destroy());

    expect(await ended).toBe(0);
    expect(output()).not.toMatch(/error|EPIPE/i);
    expect(fs.readdirSync(settings.TMPDIR)).toEqual([]);
  });

  test('leaves nothing behind when it is told to stop', async () => {
    const settings = alone();
    const resolve = runHill(['resolve'], settings, `${stringifyExactly(first.night)}\n`.repeat(5_000));
    await resolve.says('"slots"');

    expect(await resolve.stop('SIGINT')).toBe(1);
    expect(fs.readdirSync(settings.TMPDIR)).toEqual([]);
  });

  test('says what it reads when it is given arguments', async () => {
    expect(await run(['resolve', 'nights.jsonl'], {})).toEqual({
      code: 1,
      output: expect.stringMatching(/npm run -s resolve < nights\.jsonl$/),
    });
  });
});

describe('with a running hill', () => {
  test('uses its database, answers each night as it comes, and does not stop it', async () => {
    const server = await aServer(aPreparedDir());
    const running = runHill(['start'], server);
    await running.says('Hill is open');
    const TMPDIR = path.join(server.HILL_DATA_DIR, 'nowhere'); // there is no room for a database of its own
    const { spawn } = await import('node:child_process');
    const child = spawn(process.execPath, ['src/main.ts', 'resolve'], {
      cwd: checkout,
      env: { ...bare(), HILL_DATA_DIR: server.HILL_DATA_DIR, TMPDIR },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk));
    for (const lines of [1, 2]) {
      child.stdin.write(`${stringifyExactly(first.night)}\n`);
      await until('a result before there is more', async () => output.split('\n').length === lines + 1);
    }
    child.stdin.end(night({ day: 0 })); // the last line need not end

    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1);
    expect(JSON.parse(output.trim().split('\n')[2] ?? '')).toMatchObject({ error: { line: 3, code: 'INVALID_NIGHT' } });
    expect((await fetch(`http://127.0.0.1:${server.PORT}/healthz`)).status).toBe(200);
    await running.stop();
  });
});
