// What a process says of itself where nobody can look: that the database is away, and nothing of the rest. Decisions
// 118.
import { expect, onTestFinished, test } from 'vitest';
import { Metrics } from '../../src/process/metrics.ts';
import { StartError } from '../../src/process/start-error.ts';
import { Health, type Look } from '../../src/watch/health.ts';
import { hillVerdicts } from '../../src/watch/verdicts.ts';
import { until } from '../support/until.ts';

function aHealth(...looks: Look[]) {
  const metrics = new Metrics();
  const health = new Health(metrics);
  onTestFinished(() => health.stop());
  for (const look of looks) health.watch(look);
  const points = () => metrics.collect().find(({ name }) => name === 'hill_check_ok')?.points ?? [];
  return {
    health,
    shown: () => Object.fromEntries(points().map(([labels, value]) => [(labels as { check: string }).check, value])),
  };
}

test('a database that is away makes no books wrong, no worker silent and no key unfit: it is away', async () => {
  let away = false;
  const look = async () => {
    if (away) throw new Error('connect ECONNREFUSED');
    return {};
  };
  const { health, shown } = aHealth(
    { checks: ['database', 'worker', 'bell', 'books'], everyMs: 5, look },
    { checks: ['keys'], everyMs: 5, look },
  );
  await until('all is well', async () => health.report().ready);
  expect(shown()).toEqual({ database: 1, worker: 1, bell: 1, books: 1, keys: 1 });
  away = true;
  await until('nobody can look', async () => health.report().failed.length === 5);
  expect(shown()).toEqual({ database: 0 });
  expect(health.report().checks.books).toMatchObject({ ok: false, reason: 'connect ECONNREFUSED' });
  away = false;
  await until('all is well', async () => health.report().ready);
  expect(shown()).toEqual({ database: 1, worker: 1, bell: 1, books: 1, keys: 1 });
});

test('what was found wrong is shown, whether it was said or thrown', async () => {
  const { health, shown } = aHealth(
    { checks: ['database', 'books'], everyMs: 5, look: async () => ({ books: 'They do not balance.' }) },
    { checks: ['keys'], everyMs: 5, look: () => Promise.reject(new StartError('HILL_SIGNING_SECRET is another one.')) },
  );
  await until('all was looked at', async () => 'keys' in shown() && shown().database === 1);
  expect(shown()).toEqual({ database: 1, books: 0, keys: 0 });
  expect(health.report().failed).toEqual(['books', 'keys']);
});

test('what the seal and the bell need of the database is told in words, and nothing of a database that has it', () => {
  const now = Date.now();
  const at = (ms: number) => new Date(now + ms).toISOString();
  const well = { worker: 'ok', bell: 'ok', books: 'ok', log: 'ok', seal: [], reserve: 'ok', at: at(0) };
  const wrong = (words: object) =>
    Object.entries(hillVerdicts({ ...well, ...words }, now)).flatMap(([check, verdict]) =>
      verdict ? [`${check}: ${verdict}`] : [],
    );
  expect(wrong({})).toEqual([]);
  expect(wrong({ at: at(59_000) }), 'clocks that NTP lost, and nothing refuses yet').toEqual([]);
  expect(wrong({ at: at(90_000) })).toEqual([
    expect.stringMatching(/^clock: .* (89|90) seconds apart .*nobody signs in/),
  ]);
  expect(wrong({ at: at(-90_000) })).toEqual([expect.stringMatching(/^clock: /)]);
  expect(wrong({ seal: ['statistics', 'log_statement=none'] })).toEqual([
    expect.stringMatching(/^seal: .*when moves are deposited; .*log, which wants log_statement=none/),
  ]);
  expect(wrong({ reserve: 'none' })).toEqual([expect.stringMatching(/^reserve: PostgreSQL reserves no connections/)]);
  expect(wrong({ reserve: 'refused' })).toEqual([expect.stringMatching(/^reserve: The worker's login may not/)]);
  expect(wrong({ log: 'unsigned' })).toEqual([expect.stringMatching(/^log: .*UNSEALED/)]);
});
