// How the tests run: which files, how many at once, and in what order.
import fs from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest, longest first: one that began last would run on alone when all others are done. The rest go by their
 * size.
 */
const longest = [
  'test/rls/seal.test.ts',
  'test/lab/lab.test.ts',
  'test/browser/check.test.ts',
  'test/faults/filled.test.ts',
  'test/commands/backup.test.ts',
  'test/backup/backup.test.ts',
  'test/commands/demo.test.ts',
  'test/faults/silence.test.ts',
  'test/doctor/doctor.test.ts',
  'test/embedded/cluster.test.ts',
  'test/commands/stopping.test.ts',
  'test/commands/start.test.ts',
  'test/conformance/clients.test.ts',
  'test/docs/starters.test.ts',
  'test/simulation/simulate.test.ts',
  'test/worker/closing.test.ts',
  'test/watch/processes.test.ts',
  'test/console/sealed.test.ts',
  'test/browser/pages.test.ts',
  'test/faults/midnight.test.ts',
  'test/rest/season.test.ts',
  'test/faults/bad-input.test.ts',
  'test/oauth/races.test.ts',
  'test/rest/replica.test.ts',
  'test/races/kills.test.ts',
  'test/races/deploys.test.ts',
  'test/commands/resolve.test.ts',
  'test/races/nights-through-midnight.test.ts',
  'test/conformance/inspector.test.ts',
  'test/docs/examples.test.ts',
  'test/mcp/view.test.ts',
  'test/sql/boards/boards.test.ts',
  'test/races/receipts.test.ts',
  'test/humans/sessions.test.ts',
  'test/commands/clock.test.ts',
  'test/faults/fuzz.test.ts',
  'test/log/live.test.ts',
  'test/properties/naive-agrees.test.ts',
  'test/lab/against.test.ts',
  'test/lab/backtest.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = longest.filter((name) => !fs.existsSync(new URL(name, import.meta.url)));
    if (missing.length > 0) throw new Error(`vitest.config.ts names a test that is not there: ${missing.join(', ')}`);
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return found < 0 ? longest.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b)); // a stable sort
  }
}

/** By hand, with a size of its own, a test takes as long as it takes. */
const byHand = Object.keys(process.env).some((name) => name.startsWith('HILL_'));
const patience = byHand ? 86_400_000 : 600_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/hill/global-setup.ts'],
    pool: 'forks',
    // A worker loads Hill once and not for each of its files: no module of Hill's keeps state that a file could leave
    // behind.
    isolate: false,
    // Room for young objects from the start, instead of many small collections of garbage.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Two more than the cores that it is meant for: of four files two wait for a process, a timeout or the clock.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // What each command with a queue tolerates, too: src/worker/lost.ts. Of an error of another process nothing is left
    // but its text.
    onUnhandledError: ({ message, stack }) =>
      !(/ECONNREFUSED|ECONNRESET|terminat|^no answer in/.test(message) && /graphile-worker/.test(stack ?? '')),
    // What hangs ends, and nothing else: a machine with much to do takes minutes for what takes seconds on a quiet one.
    testTimeout: patience,
    hookTimeout: patience,
    teardownTimeout: 30_000,
    // As long as test/support/until.ts waits.
    expect: { poll: { timeout: 120_000 } },
  },
});
