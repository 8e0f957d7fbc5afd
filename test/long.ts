// npm run test:long: what CI does at a small size, at full size, one family after the other; and that the benchmarks
// run. When each family was last run, and how it ended, stands in docs/long-tests.md.
// `npm run test:long -- races` does those families alone whose files have that in their names.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';

const families: readonly (readonly [files: string, sizes: Record<string, string>])[] = [
  ['conformance/clients', { HILL_TEST_ROUNDS: '30' }],
  ['oauth/races oauth/device', { HILL_TEST_ROUNDS: '100' }],
  ['docs/starters', { HILL_TEST_BOT_DAYS: '7' }],
  ['commands/demo', { HILL_TEST_DEMO: '12' }],
  ['browser/pages', { HILL_TEST_AXE: '1' }],
  ['faults/promotion', { HILL_TEST_PROMOTED: '100' }],
  ['faults/fuzz', { HILL_TEST_FUZZ: '30000' }],
  ['rest/season', { HILL_TEST_DAYS: '40' }],
  ['practice/nights', { HILL_TEST_PRACTICE: '100' }],
  ['races/nights-through-midnight', { HILL_TEST_NIGHTS: '30' }],
  ['log/two-verifiers', { HILL_TEST_MUTATED: '400' }],
  ['browser/browsers', { HILL_TEST_BROWSERS: '10000' }],
  ['browser/mutated', { HILL_TEST_MUTATED: '40' }],
  ['races/mail', { HILL_TEST_MAILED: '40' }],
  ['races/closing', { HILL_TEST_CLOSINGS: '30' }],
  ['races/kills races/receipts', { HILL_TEST_KILLS: '12', HILL_TEST_RECEIPTS: '2000' }],
  ['races/deploys', { HILL_TEST_DEPLOYS: '30' }],
  ['commands/stopping', { HILL_TEST_ROLLS: '10' }],
  ['properties/naive-agrees', { HILL_TEST_RANDOM: '100000', HILL_TEST_SMALL: '1' }],
  ['properties/refused-nights properties/debriefed-nights', { HILL_TEST_REFUSED: '20000', HILL_TEST_DEBRIEFED: '100' }],
  [
    'properties/advised-moves moves/together payments/replays',
    { HILL_TEST_ADVISED: '30', HILL_TEST_BATCHES: '100', HILL_TEST_REPLAYS: '50' },
  ],
  ['properties/follower', { HILL_TEST_FOLLOWED: '60' }],
  ['lab/backtest', { HILL_TEST_BACKTEST_NIGHTS: '30' }],
  ['properties/stories', { HILL_TEST_TOLD: '150' }],
  ['simulation/simulate', { HILL_SIMULATE_NIGHTS: '2000' }],
];
const wanted = process.argv.slice(2);

const record = new URL('../docs/long-tests.md', import.meta.url);
const rows = new Map(
  fs
    .readFileSync(record, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name] = /^\| (\w+\/.+?|bench.*?) \|/.exec(line) ?? [];
      return name ? [[name, line] as const] : [];
    }),
);

const run = (name: string, args: readonly string[], env: Record<string, string> = {}) => {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) return;
  const began = performance.now();
  const { status } = spawnSync('npm', ['run', ...args], { stdio: 'inherit', env: { ...process.env, ...env } });
  const result = status === 0 ? 'passed' : 'FAILED';
  const seconds = Math.round((performance.now() - began) / 1_000);
  const sizes = Object.entries(env).map(([setting, value]) => `${setting}=${value}`);
  rows.set(
    name,
    `| ${name} | ${sizes.join(' ')} | ${result} | ${seconds} | ${new Date().toISOString().slice(0, 10)} |`,
  );
  if (status !== 0) process.exitCode = 1;
};
for (const [files, sizes] of families) run(files, ['test', '--', ...files.split(' ')], sizes);
run('bench --small', ['bench', '--', '--small']);

const table = [...rows.values()].join('\n');
console.log(table);
fs.writeFileSync(
  record,
  `# The tests at full size

What CI runs in small, as \`npm run test:long\` ran it last (${os.availableParallelism()} cores).

| files of \`test/\` | size | result | seconds | on |
| --- | --- | --- | --- | --- |
${table}
`,
);
