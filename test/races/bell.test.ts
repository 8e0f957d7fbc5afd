// What happens at the same time as the bell: other workers, money that comes in, readers, newcomers. Rules 2.3.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Account,
  anAccount,
  balanced,
  books,
  grant,
  populate,
  refusalOf,
  topUp,
  useHill,
} from '../support/hill/index.ts';
import { until } from '../support/until.ts';

const accounts = 40_000;
const held = useHill();

describe('the bell, rung by four workers at once', () => {
  const hill = useHill();

  test('resolves each night once', async () => {
    await hill.asRoot((client) => populate(client, { accounts: 500 }));
    await hill.clock.toMidnight();
    await hill.rows("update hill.settings set shown_at = shown_at + interval '2 days'");

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => sleep(i % 4).then(() => hill.asWorker().ringNextBell())),
    );

    const rung = answers.filter((answer) => answer !== null);
    expect(rung.map(({ day }) => day).sort()).toEqual([1, 2, 3]);
    expect(rung.find(({ day }) => day === 1)).toMatchObject({ accounts: 500, moves: 1000 });
    expect(await hill.rows('select day, moves from hill.nights order by day')).toEqual(
      [1, 2, 3].map((day) => ({ day, moves: day === 1 ? 1000 : 0 })),
    );
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('lets their boards be built at once too, and the house play once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => hill.asWorker().buildBoards()));
    await hill.clock.toLastMinute();
    const made = await Promise.all(Array.from({ length: 4 }, () => hill.asWorker().playHouse()));

    expect(await hill.rows('select max(day) as day from hill.boards')).toEqual([{ day: 3 }]);
    expect(made.sort()).toEqual([0, 0, 0, 10]);
  });
});

test('credits that are granted while the bell waits for a wallet pay for no move of its night', async () => {
  const ann = await anAccount(held, { credits: 5000 });
  await held.asAgent(ann).play({ slot: 1, move: 'PEACE' });
  await held.clock.toMidnight();
  const waits = 'select from pg_locks where relation = $1::regclass and not granted';

  const rung = await held.asRoot(async (root) => {
    await root.query('begin; lock table hill.wallets in access exclusive mode');
    const ringing = held.asWorker().ringNextBell();
    await until('the bell waits', async () => (await root.query(waits, ['hill.wallets'])).rowCount === 1);
    await root.query('set local role hill_api_worker');
    await root.query("select engine.grant_credits($1, 200, 'a test')", [ann.id]);
    await root.query('commit');
    return ringing;
  });

  expect(rung).toMatchObject({ day: 1, moves: 1 });
  expect(await held.asAgent(ann).ownState()).toMatchObject({ paid_cents: 4700, granted_cents: 200 });
});

describe(`a bell of ${accounts} accounts`, () => {
  const hill = useHill();
  const during = new Map<string, number>();
  let outsider: Account;
  let mover: Account;

  beforeAll(async () => {
    await hill.asRoot((client) => populate(client, { accounts, tokens: false }));
    outsider = await anAccount(hill, { credits: 2000 });
    mover = await anAccount(hill, { credits: 5000, granted: 200 });
    await hill.asAgent(mover).play({ slot: 1, move: 'PEACE' });
    await hill.clock.toMidnight();
  });

  test('keeps nobody from reading, announcing or topping up, and loses none of it', async () => {
    let ringing = true;
    const night = (await hill.clock.day()) - 1;
    const rung = hill
      .asWorker()
      .ringNextBell()
      .finally(() => {
        ringing = false;
      });
    let [toOutsider, toMover, grantedToMover, came] = [0, 0, 0, 0];
    const loop = async (name: string, call: () => Promise<unknown>) => {
      while (ringing) {
        await call();
        if (ringing) during.set(name, (during.get(name) ?? 0) + 1);
        await sleep(5);
      }
    };
    await Promise.all([
      loop('a deposit is told that the bell rings', async () => {
        const told = await hill
          .asAgent(outsider)
          .play({ slot: 1, move: 'PEACE' })
          .then(
            // what is deposited after the bell may be answered before the bell is
            ({ day }) => (day === night ? 'accepted' : 'BELL_RINGING'),
            (error: unknown) => refusalOf(error).code,
          );
        expect(told).toBe('BELL_RINGING');
      }),
      loop('own state', () => hill.asAgent(outsider).ownState()),
      loop('own state of one who moved', () => hill.asAgent(mover).ownState()),
      loop('the hill', () => hill.asPublic().query('select api_public.hill()')),
      loop('the clock', () => hill.asWorker().readClock()),
      loop('a top-up', async () => {
        await topUp(hill, outsider, 2000);
        toOutsider += 2000;
      }),
      loop('a newcomer', async () => {
        await anAccount(hill, { credits: 2000, granted: 300 });
        came += 1;
      }),
      loop('an announcement', async () => {
        await hill.asAgent(outsider).announce({ slot: 3, intention: 'PEACE' });
      }),
      // whoever moved has its wallet written by the bell: money for it comes in before or after
      (async () => {
        while (ringing) {
          await topUp(hill, mover, 2000);
          toMover += 2000;
          await grant(hill, mover, 7);
          grantedToMover += 7;
        }
      })(),
      rung,
    ]);

    expect(await rung).toMatchObject({ day: 1, accounts: accounts + 1, moves: 2 * accounts + 1 });
    // a newcomer may have to wait: attaching the night's partitions locks the table of accounts that they refer to
    for (const name of [
      'a deposit is told that the bell rings',
      'own state',
      'own state of one who moved',
      'the hill',
      'the clock',
      'a top-up',
      'an announcement',
    ])
      expect(during.get(name) ?? 0, name).toBeGreaterThan(2);
    expect(await hill.asAgent(outsider).ownState()).toMatchObject({ paid_cents: 2000 + toOutsider });
    // the night is settled as it stood at its bell: what was granted after midnight pays for none of it
    expect(await hill.asAgent(mover).ownState()).toMatchObject({
      paid_cents: 5000 - 100 + toMover,
      granted_cents: grantedToMover,
    });
    expect(came).toBeGreaterThan(0);
    expect(await books(hill.root)).toEqual(balanced);
  });
});
