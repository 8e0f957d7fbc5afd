// Digests of night after night, while the mail server refuses, cuts off and is away, and each worker is killed at some
// moment: nobody misses one, what came twice has the same Message-ID and was counted, and nothing comes late. Protocol
// 5.6; decisions 551.
//
// By hand:  HILL_TEST_MAILED=40 npm test -- test/races/mail.test.ts
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type HillProcess, runHill } from '../support/hill/hill-process.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { hastenMail, mailSettings, mailTo } from '../support/hill/mail.ts';
import { secret } from '../support/hill/secret.ts';
import { aMailServer, type Reply } from '../support/peers/mail-server.ts';
import { randomFrom, seed } from '../support/random.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const nights = Number(process.env.HILL_TEST_MAILED ?? 3);
const readers = 6;

test(`${nights} nights`, async () => {
  const random = randomFrom(seed);
  const server = await aMailServer();
  const accounts: { account: Account; address: string }[] = [];
  for (let i = 0; i < readers; i++) {
    const account = await anAccount(hill, { credits: 100_000, daily_cap_cents: 10_000 });
    const address = `reader.${i}@mail.example`;
    await mailTo(hill, account, address);
    accounts.push({ account, address });
  }
  const replies = ['take', 'take', 'cut', { rcpt: '451 4.2.1 later' }, { data: '452 4.3.1 full' }] as const;
  const settings = {
    ...{
      WORKER_DATABASE_URL: hill.url('worker'),
      HILL_SIGNING_SECRET: secret,
      HILL_CLOCK: 'simulated',
      HILL_LOG: 'json',
    },
    ...mailSettings(server),
  };
  let worker: HillProcess = runHill(['worker'], settings);
  const waiting = () => hill.rows<{ to: string }>('select account_id from hill.mails where ended_at is null');

  for (let night = 1; night <= nights; night++) {
    server.answer(...Array.from({ length: 12 }, (): Reply => random.pick(replies)), 'take');
    // on another place each night: a rent that grows would pass the cap
    for (const [i, { account }] of accounts.entries())
      await hill.asAgent(account).play({ slot: 1 + ((night + i) % 3), move: 'PEACE', message: `night ${night}` });
    // boards are left to the worker: two who make them at once can lock each other out
    await hill.clock.toMidnight();
    await hill.asWorker().ringNextBell();
    await sleep(random.below(1_500));
    await worker.stop('SIGKILL');
    worker = runHill(['worker'], settings);
    await worker.says('the worker is waiting');
    if (random.chance(0.3)) {
      await server.close();
      await sleep(300);
      await server.open();
    }
    await until(`the digests of night ${night}`, async () => {
      const [made] = await hill.rows<{ count: number }>('select count(*) from hill.mails where about = $1', [
        String(night),
      ]);
      if (Number(made?.count) === readers && (await waiting()).length === 0) return true;
      // without the pauses between attempts, and without waiting for who was killed
      await hastenMail(hill);
      await sleep(250);
      return false;
    });
  }
  await worker.stop();

  const rows = await hill.rows<{
    id: string;
    address: string;
    about: string;
    attempts: number;
    unsure: number;
    ended_as: string;
  }>(
    `select m.id, a.address, m.about, m.attempts, m.unsure, m.ended_as
       from hill.mails m join oauth.mail_addresses a using (account_id) order by m.about::integer, a.address`,
  );
  expect(rows.map(({ about, address, ended_as }) => [Number(about), address, ended_as])).toEqual(
    Array.from({ length: nights }, (_, i) => accounts.map(({ address }) => [i + 1, address, 'sent'])).flat(),
  );
  for (const { id, address, about, unsure } of rows) {
    const came = server.received.filter(({ header }) => header('Message-ID') === `<${id}@localhost>`);
    expect(came.length, `${about} ${address}`).toBeGreaterThan(0);
    expect(came.length - 1, `repeats of ${about} ${address}`).toBeLessThanOrEqual(unsure);
    expect(new Set(came.map(({ to, mail }) => `${to} ${mail.subject} ${mail.date} ${mail.text}`)).size).toBe(1);
  }
  expect(new Set(server.received.map(({ header }) => header('Message-ID'))).size).toBe(rows.length);
});
