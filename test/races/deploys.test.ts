// New versions of sql/ are brought in, again and again, while agents deposit, readers read and bells ring. Nobody is
// told of an error, and each deposit that was accepted is in its night. More deploys by hand: HILL_TEST_DEPLOYS=50.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { call } from '../../src/db/call.ts';
import { deposits } from '../../src/db/deposits.ts';
import { Refusal } from '../../src/db/errors.ts';
import { aCheckout, type Checkout } from '../support/hill/checkout.ts';
import { aServer, runHill } from '../support/hill/hill-process.ts';
import { type Account, anAccount, type Receipt, useHill } from '../support/hill/index.ts';
import { aRandomMove } from '../support/hill/random-play.ts';
import { secret } from '../support/hill/secret.ts';
import { randomFrom, seed } from '../support/random.ts';

const deploys = Number(process.env.HILL_TEST_DEPLOYS ?? 5);
const agents = 12;
const readers = 4;

/**
 * A change of each kind that a deploy can bring. The first needs the table of tonight's moves for itself; the others
 * what every deposit runs.
 */
const changes: ((version: Checkout, n: number) => void)[] = [
  (version, n) => version.edit('sql/moves/policies.sql', /create policy own_read on %1\$s/, `/* ${n} */ $&`),
  (version, n) => version.edit('sql/moves/play.sql', /\ndeclare\n/, `$&  -- ${n}\n`),
  (version, n) =>
    version.edit(
      'sql/moves/receipt.sql',
      /language sql stable parallel safe/,
      `language sql stable parallel safe cost ${1_000 + n}`,
    ),
  // another argument: another function, and with it all that call it
  (version, n) => {
    version.edit(
      'sql/moves/checks.sql',
      /function engine\.bar_to_playing\(\s*suspended_at timestamptz/,
      `function engine.bar_to_playing(a${n} integer, suspended_at timestamptz`,
    );
    for (const file of [
      'sql/moves/checks.sql',
      'sql/moves/refusals.sql',
      'sql/moves/tell_explore.sql',
      'sql/moves/tell_status.sql',
    ])
      version.edit(file, /engine\.bar_to_playing\((?=\s*\w+\.suspended_at\b)/g, 'engine.bar_to_playing(1, ');
  },
  (version, n) => version.edit('sql/ledger/policies.sql', /create policy own_read on hill\.wallets/, `/* ${n} */ $&`),
];

describe(`${deploys} deploys beside a serving hill (HILL_SEED=${seed})`, () => {
  const hill = useHill();

  test('fail no call and lose no deposit', async () => {
    const accounts: Account[] = [];
    for (let i = 0; i < agents; i++)
      accounts.push(await anAccount(hill, { credits: 90_000, granted: 900, daily_cap_cents: 4_000 }));
    const settings = { HILL_CLOCK: 'simulated', HILL_SIGNING_SECRET: secret };
    const server = await aServer();
    const web = runHill(['web'], {
      ...settings,
      ...server,
      HILL_LIMIT_READS: '900000/60',
      WEB_DATABASE_URL: hill.url('web'),
    });
    const worker = runHill(['worker'], {
      ...settings,
      ...(await aServer()),
      BASE_URL: `http://localhost:${server.PORT}`, // where it asks what it signed
      WORKER_DATABASE_URL: hill.url('worker'),
    });
    await web.says('Hill is open');
    await worker.says('waiting for the bell');
    await hill.asWorker().setClock(null, 14_400); // a day in six seconds

    const pool = hill.pool(hill.url('web'), agents);
    const deposit = deposits(pool, 2);
    const accepted: { account: Account; receipt: Receipt }[] = [];
    const faults: string[] = [];
    const told = new Map<string, number>();
    let over = false;
    const agent = async (account: Account, i: number) => {
      const random = randomFrom(seed + i);
      while (!over) {
        await deposit<Receipt>(account.id, account.token, aRandomMove(random, [1, 2, 3, 4, 7])).then(
          (receipt) => accepted.push({ account, receipt }),
          (error) => {
            told.set(error.code, (told.get(error.code) ?? 0) + 1);
            if (!(error instanceof Refusal)) faults.push(`play: ${error.code} ${error.kind}`);
          },
        );
        await call(pool, 'api_agent.status', { token: account.token }).catch((error) =>
          faults.push(`status: ${error.code} ${error.kind}`),
        );
        await sleep(random.below(60));
      }
    };
    const reader = async (path: string) => {
      while (!over) {
        const answer = await fetch(`http://127.0.0.1:${server.PORT}${path}`).catch(String);
        if (typeof answer === 'string' || answer.status >= 500)
          faults.push(`${path}: ${typeof answer === 'string' ? answer : `${answer.status} ${await answer.text()}`}`);
        else await answer.text();
        await sleep(25);
      }
    };
    const busy = [
      ...accounts.map(agent),
      ...Array.from({ length: readers }, (_, i) =>
        reader(['/api/hill', '/', '/api/leaderboard/hill', '/api/wall'][i] as string),
      ),
    ];

    const after: number[] = [];
    for (let n = 0; n < deploys; n++) {
      const version = aCheckout();
      // the last change of each kind: a version keeps what the one before it brought
      for (let i = Math.max(0, n + 1 - changes.length); i <= n; i++) changes[i % changes.length]?.(version, i);
      const outcome = await version.run('migrate', { ...settings, DATABASE_URL: hill.ownerUrl });
      expect(outcome, `deploy ${n}`).toEqual({ code: 0, output: '' });
      const before = accepted.length;
      await expect.poll(() => accepted.length).toBeGreaterThan(before);
      after.push(accepted.length - before);
    }
    over = true;
    await Promise.all(busy);

    expect(faults).toEqual([]);
    expect(worker.output()).not.toMatch(/"level":(40|50|60)|warning|error/i);
    await hill.asWorker().setClock(null, 0);
    // a worker that stops between a closing and its signature leaves a bell that nobody here could ring
    const nights = async () => {
      const { day, last_night } = await hill.asWorker().readClock();
      return day - last_night;
    };
    await expect.poll(nights).toBe(1);
    await worker.stop();
    const { rows: wrong } = await hill.root.query('select * from engine.replay_nights(1, 10000)');
    expect(wrong).toEqual([]);
    const stored = new Set(
      (
        await hill.rows<{ key: string }>(`
        select concat_ws(' ', m.account_id, m.day, m.slot, m.move, engine.iso(m.at)) as key
          from (select day, account_id, slot, move, at from hill.moves union all select day, account_id, slot, move, at from hill.sealed_moves) m`)
      ).map(({ key }) => key),
    );
    const lost = accepted
      .filter(({ receipt }) => receipt.deposited_at)
      .map(
        ({ account, receipt: { day, slot, move, deposited_at } }) =>
          `${account.id} ${day} ${slot} ${move} ${deposited_at}`,
      )
      .filter((key) => !stored.has(key));
    expect(lost).toEqual([]);
  });
});
