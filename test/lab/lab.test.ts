// The laboratory: the same files whatever plays them, books that balance, and what theory says of a small game.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseLab } from '../../src/lab/options.ts';
import { play, playersOf } from '../../src/lab/run.ts';
import type { BoardlessView } from '../../src/lab/sight.ts';
import { decided, findPlayer, playersIn, type Ready } from '../../src/lab/strategies.ts';
import { meetingsOf, mixOf } from '../../src/lab/tournament.ts';
import type { Decision, View } from '../../src/strategies/strategy.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-lab-test-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const own = path.join(import.meta.dirname, '..', '..', 'src', 'strategies');
const ours = path.join(import.meta.dirname, 'strategies');
const programs = path.join(import.meta.dirname, 'programs');

async function run(...args: string[]) {
  const asked = parseLab(args);
  if (!asked) throw new Error('nothing was asked');
  return play(asked, await playersOf(asked, own));
}

const rows = (file: string): Record<string, string>[] => {
  const [head = '', ...lines] = fs.readFileSync(path.join(folder, file), 'utf8').trimEnd().split('\r\n');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, n) => [head.split(',')[n], cell])));
};
const sum = (file: string, column: string): number =>
  Math.round(10 * rows(file).reduce((total, row) => total + Number(row[column]), 0)) / 10;

test('one worker and two write the same tables, in which no point and no cent is lost', async () => {
  const world = ['--accounts', '12', '--nights', '9', '--seeds', '3', '--evolve', '4'];
  const files = [path.join(ours, 'hawk.ts'), path.join(programs, 'counter.py')];
  const strategies = ['--strategies', ['random', 'bluffer', 'copycat', ...files].join(',')];
  for (const workers of ['1', '2'])
    await run(...world, ...strategies, '--workers', workers, '--out', path.join(folder, workers));
  const tables = fs.readdirSync(path.join(folder, '1'));
  expect(tables).toHaveLength(6);
  for (const file of tables)
    expect(fs.readFileSync(path.join(folder, '2', file), 'utf8'), file).toBe(
      fs.readFileSync(path.join(folder, '1', file), 'utf8'),
    );
  for (const column of ['points', 'cents']) expect(sum('1/accounts.csv', column)).toBe(sum('1/nights.csv', column));
  expect(
    rows('1/places.csv').map(
      ({ VACANT, PEACE, WAR, BURN }) => Number(VACANT) + Number(PEACE) + Number(WAR) + Number(BURN),
    ),
  ).toEqual(Array(30).fill(9));
});

test('the board is made for who reads it, who is then asked again, and for nobody else', async () => {
  const leaders = [{ account: '00000000-0000-4000-8000-000000000001', points: 3 }];
  let [asked, made] = [0, 0];
  const board = async () => {
    made += 1;
    return leaders;
  };
  const strategy = (decide: (view: View) => Decision): Ready => ({
    ...{ name: 'probe', title: 'Probe', way: 'looks', hours: [1], advised: false },
    decide: (view) => {
      asked += 1;
      return decide(view);
    },
  });
  const decides = (strategy: Ready) => decided(strategy, { day: 8, hour: 1 } as BoardlessView, board);
  await decides(strategy(() => ({})));
  expect([asked, made]).toEqual([1, 0]);
  const reader = strategy((view) => {
    try {
      return { moves: [{ slot: view.leaders[0]?.points as number, move: 'PEACE' }] };
    } catch {
      return {};
    }
  });
  for (const times of [1, 2]) {
    expect(await decides(reader)).toEqual({ moves: [{ slot: 3, move: 'PEACE' }] });
    expect([asked, made]).toEqual([2 + times, times]);
  }
});

test('a program that dies ends the run, which names it and the day, and kills the programs that go on', async () => {
  const file = (name: string, lines: string[]) => {
    const written = path.join(folder, name);
    fs.writeFileSync(written, `#!/usr/bin/env python3\nimport os, sys, time\n${lines.join('\n')}\n`, { mode: 0o755 });
    return written;
  };
  const header = `print('{"title": "Program", "way": "fails", "hours": [5]}', flush=True)`;
  const answer = ['    print("{}", flush=True)'];
  const [pids, peace] = [path.join(folder, 'pids'), 'always-peace'];
  const dies = file('dies', [header, 'for n, line in enumerate(sys.stdin):', '    if n > 3: sys.exit(3)', ...answer]);
  const stays = file('stays.py', [
    ...[`print(os.getpid(), file=open(${JSON.stringify(pids)}, "a"))`, header, 'for line in sys.stdin:', ...answer],
    'time.sleep(600)',
  ]);
  const world = [
    '--accounts',
    '6',
    '--nights',
    '4',
    '--seeds',
    '4',
    '--workers',
    '2',
    '--out',
    path.join(folder, 'died'),
  ];
  await expect(run('--strategies', [dies, stays, peace].join(','), ...world)).rejects.toThrow(
    /^Seed \d: Day 10, 5:00 UTC: dies fails: The strategy \S*\/dies ended, by status 3\./,
  );
  const started = fs.readFileSync(pids, 'utf8').trim().split('\n').map(Number);
  expect(started.length).toBeGreaterThan(1);
  for (const pid of started) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('of a folder the modules with an export play, and the programs', () => {
  const mixed = path.join(folder, 'mixed');
  fs.mkdirSync(path.join(mixed, 'module.ts'), { recursive: true });
  for (const [name, text, mode] of [
    ['peace.ts', 'export default {};', 0o644],
    ['shared.ts', 'export const shared = 1;', 0o644],
    ['peace.py', '', 0o644],
    ['script.js', '#!/usr/bin/env node', 0o755],
    ['compiled', '', 0o755],
    ['notes.md', '', 0o644],
  ] as const)
    fs.writeFileSync(path.join(mixed, name), text, { mode });
  expect(playersIn(mixed).map(({ name }) => name)).toEqual(['compiled', 'peace.py', 'peace', 'script.js']);
  expect(findPlayer('node mine.js')).toEqual({ name: 'node mine.js', what: 'node mine.js' });
  expect(() => findPlayer(path.join(mixed, 'notes.md'))).toThrow('chmod +x');
});

/** Pairs on one place, where rent does not grow: what each earns of each is known, and what becomes of them, too. */
const pairs = async (...args: string[]) => {
  const small = [
    '--accounts',
    '2',
    '--nights',
    '8',
    '--seeds',
    '1',
    '--set',
    'slot_count=1',
    '--set',
    'rent_growth_percent=100',
  ];
  const { gathering } = await run('--tournament', ours, ...small, ...args, '--out', path.join(folder, 'pairs'));
  return meetingsOf(gathering, ['bourgeois', 'dove', 'hawk']);
};
const lasting = (names: string[], meetings: Awaited<ReturnType<typeof pairs>>, point: number) =>
  Object.fromEntries(
    mixOf(names, meetings, point).map(({ name, accounts }) => [name, 100 * (accounts.at(-1) as number)]),
  );

test('of hawks and doves as many last as theory says', async () => {
  // The place is worth V to who has it alone. Two doves have V/2 each for 300; two hawks burn 800 each; a hawk has all
  // for 800, and the dove pays 300 for nothing. Neither does better where the share of doves is 2 × (800 − 300) / V.
  const point = 4_000;
  const mix = lasting(['dove', 'hawk'], await pairs(), point);
  expect(mix.dove).toBeCloseTo((100 * 2 * (800 - 300)) / point, 0);
  expect(mix.hawk).toBeCloseTo(75, 0);
});

test('bourgeois takes over where WAR costs no more than PEACE, as theory says', async () => {
  // Against bourgeois it has (V − 300)/2 itself, and hawks and doves (V − 600)/2; against hawks it has −150, and they
  // −300. So nothing comes up against it.
  const mix = lasting(['bourgeois', 'dove', 'hawk'], await pairs('--set', 'war_minimum_cents=300'), 4_000);
  expect(mix.bourgeois).toBeCloseTo(100, 0);
});

test('an option that is not there, or takes something else, is named with a hint', () => {
  expect(() => parseLab(['--acounts', '3'])).toThrow('There is no option --acounts: did you mean --accounts?');
  expect(() => parseLab(['--nights', 'many'])).toThrow('--nights is a whole number');
  expect(() => parseLab(['--sweep', 'war_minimum_cents=9..1:1'])).toThrow(
    '--sweep takes a name, two bounds and a step',
  );
  expect(() => parseLab(['--days', '1..3'])).toThrow('--against');
});

test('a strategy that is not there is named with the nearest one', async () => {
  const asked = parseLab(['--strategies', 'grudgr']);
  await expect(playersOf(asked as NonNullable<typeof asked>, own)).rejects.toThrow('Did you mean grudger?');
});
