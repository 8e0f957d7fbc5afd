// A door that is older or newer than its database.
import { describe, expect, test } from 'vitest';
import { aCheckout } from '../support/hill/checkout.ts';
import { useDatabase } from '../support/hill/database.ts';
import { aServer } from '../support/hill/hill-process.ts';
import { secret } from '../support/hill/secret.ts';

const db = useDatabase();

describe('a door on a database of another version', () => {
  test.each([
    ['web', 'public/clock.sql', 'api_public.day_ago'],
    ['worker', 'worker/bell.sql', 'api_worker.read_night'],
    ['console', 'staff/mark_account.sql', 'api_staff.mark_founder'],
  ] as const)('%s does not start, and says in one line what to do', async (door, file, name) => {
    const settings = {
      ...{ HILL_CLOCK: 'simulated', HILL_SIGNING_SECRET: secret },
      ...(await aServer()),
      [`${door.toUpperCase()}_DATABASE_URL`]: db.url(door),
    };
    const version = aCheckout();
    version.edit(`sql/api/${file}`, `function ${name}(`, `function ${name}_soon(`);

    const { code, output } = await version.run(door, settings);

    expect(output).toMatch(
      new RegExp(
        `^The database is of another version than this code \\(${name}_soon is missing\\)\\. .*npm run migrate.*$`,
      ),
    );
    expect(code).toBe(1);
  });

  test('a function with other arguments is another one', async () => {
    const version = aCheckout();
    version.edit(
      'sql/api/worker/bell.sql',
      'function api_worker.read_night(day integer)',
      "function api_worker.read_night(day integer, how text default '')",
    );

    const { output } = await version.run('worker', {
      HILL_CLOCK: 'simulated',
      ...(await aServer()),
      WORKER_DATABASE_URL: db.url('worker'),
    });

    expect(output).toContain('api_worker.read_night is another one');
  });
});
