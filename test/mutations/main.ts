// Plants the faults of mutations.txt, one at a time, in a copy of the checkout, and says whether the tests find each.
//
//   npm run mutations                       every one, by the files named with it, which have to pass without it
//   npm run mutations -- 7 20-29 sql/oauth  some, by number, or by a part of the path
//   npm run mutations -- --all 7            by the whole suite
//   npm run mutations -- --trust 7          without the run before that shows that the files pass
//   npm run mutations -- --list             where each would be planted; runs nothing
//   npm run mutations -- --simulation       those of simulation/planted.txt, how the simulation told of each, and
//                                           whether the world that it found holds without the fault
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout, lists, type Mutation, mutations, placeOf, tracked } from './faults.ts';

const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));

const isWanted = ({ number, file }: Mutation): boolean =>
  wanted.length === 0 ||
  wanted.some((word) => {
    const [from, to = from] = word.split('-').map(Number) as [number, number?];
    return Number.isNaN(from) ? file.includes(word) : number >= from && number <= (to as number);
  });

function copy(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-mutations-'));
  fs.chmodSync(folder, 0o755); // for the database's user
  for (const name of tracked()) fs.cpSync(path.join(checkout, name), path.join(folder, name));
  fs.symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const drawn = 'nights, HILL_SEED';

interface Failure {
  readonly test: string;
  readonly message: string;
}

/** What failed, by file; a run in which no test was reached has found nothing. `only`: of the simulation's tests. */
function run(folder: string, files: readonly string[], only = drawn): ReadonlyMap<string, Failure> {
  const output = path.join(folder, 'report.json');
  fs.rmSync(output, { force: true });
  const all = files.length === 0 ? [] : files.map((name) => `test/${name}.test.ts`);
  if (options.includes('--simulation')) all.push('-t', only);
  const { stderr } = spawnSync(
    'npx',
    ['vitest', 'run', '--reporter=json', `--outputFile.json=${output}`, '--bail=1', ...all],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1e9,
    },
  );
  if (!fs.existsSync(output)) throw new Error(`The tests did not run:\n${stderr.slice(-2_000)}`);
  const { testResults, numTotalTests } = JSON.parse(fs.readFileSync(output, 'utf8')) as Report;
  if (numTotalTests === 0) throw new Error(`No test was reached:\n${stderr.slice(-2_000)}`);
  const failed = testResults.filter(({ status }) => status === 'failed');
  return new Map(
    failed.map(({ name, assertionResults }) => {
      const first = assertionResults.find(({ status }) => status === 'failed');
      return [
        path.relative(path.join(folder, 'test'), name).replace('.test.ts', ''),
        { test: first?.fullName ?? 'as a whole', message: first?.failureMessages[0] ?? '' },
      ];
    }),
  );
}

/** Whether a failed simulation printed a world, and that holds in a checkout. */
function holds(folder: string, files: readonly string[], { message }: Failure): boolean {
  const [, world] = /^As a world to be kept:\n(\[[\s\S]*?^\])/m.exec(message) ?? [];
  if (world === undefined) return false;
  const kept = path.join(folder, 'test/simulation/worlds/planted.json');
  fs.writeFileSync(kept, world);
  const failed = run(folder, files, 'what once failed: planted.json');
  fs.rmSync(kept);
  return failed.size === 0;
}

const chosen = mutations(options.includes('--simulation') ? lists.simulation : lists.tests).filter(isWanted);
const places = chosen.map(placeOf);
if (options.includes('--list')) {
  for (const [i, { number, kind }] of chosen.entries()) console.log(number, kind, '·', JSON.stringify(places[i]));
} else {
  const folder = copy();
  const counts = { found: 0, survives: 0, 'NOT FOUND': 0, LOST: 0 };
  const say = (verdict: keyof typeof counts, { number, kind, file }: Mutation, how: string) => {
    counts[verdict] += 1;
    console.log(`${number} ${verdict} · ${kind} · ${file} · ${how}`);
  };
  try {
    const files = options.includes('--all') ? [] : [...new Set(chosen.flatMap(({ tests }) => tests))];
    const before = options.includes('--trust') ? new Map<string, Failure>() : run(folder, files);
    for (const [file, { message }] of before) throw new Error(`${file} fails without a mutation: ${message}`);
    for (const [i, mutation] of chosen.entries()) {
      const place = places[i] as ReturnType<typeof placeOf>;
      if ('lost' in place) say('LOST', mutation, `its text ${place.lost}`);
      else if (mutation.survives !== undefined && !options.includes('--all'))
        say('survives', mutation, mutation.survives);
      else {
        const [sound, planted] = [path.join(checkout, place.file), path.join(folder, place.file)];
        fs.writeFileSync(
          planted,
          fs.readFileSync(sound, 'utf8').replace(mutation.text, () => mutation.instead),
        );
        const found = [...run(folder, options.includes('--all') ? [] : mutation.tests)];
        fs.cpSync(sound, planted);
        const simulated = options.includes('--simulation') ? found[0]?.[1] : undefined;
        const [how = ''] = simulated?.message.split('\n') ?? [];
        if (simulated && !holds(folder, mutation.tests, simulated))
          say('NOT FOUND', mutation, `no world that holds without it: ${how}`);
        else if (simulated) say('found', mutation, how);
        else if (found.length > 0)
          say('found', mutation, found.map(([file, { test }]) => `${file}: ${test}`).join('; '));
        else say('NOT FOUND', mutation, mutation.tests.join(' '));
      }
    }
    console.log(
      Object.entries(counts)
        .map(([verdict, n]) => `${n} ${verdict}`)
        .join(', '),
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  process.exitCode = counts['NOT FOUND'] + counts.LOST > 0 ? 1 : 0;
}
