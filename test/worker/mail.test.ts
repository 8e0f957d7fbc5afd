// Notices by mail, as the worker sends them to a real server: when they are written, what they say, and what becomes of
// them when the server refuses, is silent, cut off or away. Protocol 5.6.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashed } from '../../src/process/proofs.ts';
import { runHill } from '../support/hill/hill-process.ts';
import { type Account, anAccount, anotherAgent, call, closeAccount, useHill } from '../support/hill/index.ts';
import { aSender, hastenMail, mailSettings, mailsOf, mailTo } from '../support/hill/mail.ts';
import { usePayments } from '../support/hill/payments.ts';
import { secret } from '../support/hill/secret.ts';
import { prove, signIn } from '../support/hill/sign-in.ts';
import { aWorker } from '../support/hill/worker.ts';
import { aMailServer, type MailServer } from '../support/peers/mail-server.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const payments = usePayments(hill);

let n = 0;
/** An account to which notices are mailed, and its address. */
async function aReader(nightly = true, options: Parameters<typeof anAccount>[1] = {}) {
  const account = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000, ...options });
  n += 1;
  const address = `reader.${n}@mail.example`;
  return { account, address, stop: await mailTo(hill, account, address, nightly) };
}
const nobodyElse = () =>
  hill.rows(
    "update oauth.mail_addresses set stopped_at = now(), stopped_because = 'unsubscribed' where stopped_at is null",
  );
const stopped = async ({ id }: Account) =>
  (await hill.rows('select stopped_because from oauth.mail_addresses where account_id = $1', [id]))[0]?.stopped_because;
const content = (account: Account, night: number) =>
  hill.asOwnerOf('hill_api_worker', async (client) => {
    const { rows } = await client.query('select api_human.mail_content($1, $2) as content', [account.id, night]);
    return JSON.stringify(rows[0].content);
  });

describe('a digest', () => {
  test('comes after the bell by itself, and tells of the night in text and in HTML', async () => {
    const server = await aMailServer();
    const { account, address, stop } = await aReader(true, { name: 'bank.example' });
    await aWorker(hill, undefined, mailSettings(server));
    await hill
      .asAgent(account)
      .play({ slot: 1, move: 'PEACE', message: 'Read https://evil.example/now <img src=//evil.example>' });
    await hill.clock.ringBell();
    const { from, to, mail, header, raw } = await server.nth(1);
    const link = `http://localhost:1/account/mail/stop/${stop}`;

    expect([from, to, mail.subject]).toEqual(['hill@hill.example', address, 'Night 1: place 1, +10 points, −$3.00']);
    const [row] = await until('it has ended', async () => {
      const rows = await mailsOf(hill, account);
      return rows[0]?.ended_as === 'sent' && rows;
    });
    expect(row).toMatchObject({ kind: 'digest', about: '1', attempts: 1, unsure: 0, outcome: 'sent' });
    expect(
      ['From', 'To', 'Message-ID', 'Auto-Submitted', 'List-Unsubscribe', 'List-Unsubscribe-Post'].map((name) =>
        header(name),
      ),
    ).toEqual([
      'Hill <hill@hill.example>',
      address,
      `<${row?.id}@localhost>`,
      'auto-generated',
      `<${link}>`,
      'List-Unsubscribe=One-Click',
    ]);
    expect(mail.text?.replaceAll(stop, 'STOP').replaceAll(/[\u2068\u2069]/g, '')).toMatchInlineSnapshot(`
      "Hill <http://localhost:1/>

      Night 1

      place 1, +10 points, −$3.00

      - PEACE on place 1 <http://localhost:1/day/1#place-1>: took a seat “Read https[:]//evil[.]example/now <img src=//evil[.]example>” by “bank[.]example”

      From credits that were topped up.

      On the whole hill: “bank[.]example takes the top; the rest stands empty” See night 1 <http://localhost:1/day/1>

      - “bank[.]example has a seat for the first time, at the top.” day 1 <http://localhost:1/day/1#place-1>

      For the account “bank[.]example”. What is mailed, and where to <http://localhost:1/account#mail>

      Stop these mails <http://localhost:1/account/mail/stop/STOP>

      "
    `);
    const hrefs = [...(mail.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(hrefs.filter((href) => !href?.startsWith('http://localhost:1/'))).toEqual([]);
    expect(mail.html).toContain('Read https[:]//evil[.]example/now &lt;img');
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThan(200);
  });

  test('tells of the whole hill what everybody reads, whoever it is about', async () => {
    await nobodyElse();
    const { account } = await aReader();
    const rich = { credits: 5000 };
    const [liar, rolf, rhea] = [await anAccount(hill, rich), await anAccount(hill, rich), await anAccount(hill, rich)];
    for (let night = 0; night < 2; night++) {
      await hill.asAgent(account).play({ slot: 9, move: 'PEACE' });
      await hill.asAgent(liar).announce({ slot: 5, intention: 'PEACE' });
      await hill.asAgent(liar).play({ slot: 5, move: 'WAR', stake_cents: 800 });
      for (const one of [rolf, rhea]) await hill.asAgent(one).play({ slot: 3, move: 'WAR', stake_cents: 800 });
      await hill.clock.ringBell();
    }
    const n = (await hill.clock.day()) - 1;
    await call(hill.as('worker'), 'api_worker.make_digests', { at_most: 10 });
    const { content } = await call<{ content: { headline: string; stories: { kind: string }[] } }>(
      hill.as('worker'),
      'api_worker.take_mail',
    );
    const { headline, stories } = await call<typeof content>(hill.as('web'), 'api_public.day', { n });

    expect(stories.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['betrayal', 'rivalry']));
    expect({ headline: content.headline, stories: content.stories }).toEqual({ headline, stories });
  });

  test('is one a night, whoever makes it and however often', async () => {
    await nobodyElse();
    const server = await aMailServer();
    const readers = [await aReader(), await aReader(), await aReader()];
    for (const { account } of readers) await hill.asAgent(account).play({ slot: 2, move: 'PEACE' });
    const senders = [aSender(hill, server), aSender(hill, server), aSender(hill, server)];
    await hill.clock.ringBell();
    await Promise.all(senders.flatMap(({ all }) => [all(), all()]));
    expect(server.received.map(({ to }) => to).sort()).toEqual(readers.map(({ address }) => address).sort());
    await Promise.all(senders.map(({ all }) => all()));
    expect(server.received).toHaveLength(3);
  });

  test('comes on a night without a move only for what was not mailed lately', async () => {
    await nobodyElse();
    const server = await aMailServer();
    const { account, address } = await aReader();
    const quiet = await aReader(false);
    const sender = aSender(hill, server);
    const night = async () => {
      await hill.clock.ringBell();
      await sender.all();
      return server.received.splice(0).map(({ to, mail }) => [to, mail.subject]);
    };
    for (const one of [account, quiet.account]) await hill.asAgent(one).play({ slot: 3, move: 'PEACE' });
    const first = await hill.clock.day();
    expect((await night()).map(([to]) => to)).toEqual([address]);
    // nobody plays for either: each loses the seat, and is told once
    const lost = `You lost your seat on place 3. Night ${first + 1}: no place, +0 points, $0.00`;
    expect((await night()).sort()).toEqual([
      [address, lost],
      [quiet.address, lost],
    ]);
    expect(await night()).toEqual([]);
  });

  test('tells nothing of what is deposited tonight, and what is to see to when it is sent', async () => {
    await nobodyElse();
    // whose page says after these deposits that too little is left
    const { account } = await aReader(true, { credits: 1400 });
    await hill.clock.ringBell();
    const last = (await hill.clock.day()) - 1;
    const before = await content(account, last);
    await hill.asAgent(account).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(account).play({ slot: 4, move: 'WAR', stake_cents: 900, message: 'sealed' });
    expect(await call(hill.as('web'), 'api_human.warnings', { session: account.session })).toMatchObject([
      { code: 'CREDITS_LOW' },
    ]);
    expect(await content(account, last)).toBe(before);
  });

  test('is not sent once the next bell has rung, or it is too old', async () => {
    await nobodyElse();
    const server = await aMailServer();
    server.answer({ rcpt: '451 4.3.0 later' });
    const { account } = await aReader();
    const sender = aSender(hill, server);
    await hill.asAgent(account).play({ slot: 1, move: 'PEACE' });
    await hill.clock.ringBell();
    await sender.all();
    server.answer('take');
    await hill.clock.ringBell();
    await hastenMail(hill);
    await sender.all();
    expect(server.received.map(({ mail }) => mail.subject)).toEqual([expect.stringMatching(/^You lost your seat/)]);
    expect((await mailsOf(hill, account)).map(({ ended_as }) => ended_as)).toEqual(['dropped', 'sent']);

    await anotherAgent(hill, account);
    await hill.rows('update hill.mails set until = clock_timestamp() where ended_at is null');
    await sender.all();
    expect((await mailsOf(hill, account)).map(({ ended_as }) => ended_as)).toEqual(['dropped', 'sent', 'dropped']);
  });
});

describe('what cannot wait', () => {
  let server: MailServer;
  beforeAll(nobodyElse);
  const told = async (what: (account: Account) => Promise<unknown>) => {
    await nobodyElse();
    server = await aMailServer();
    const { account } = await aReader(false);
    await what(account);
    await aSender(hill, server).all();
    return server.received.map(({ mail }) => ({ subject: mail.subject, text: mail.text ?? '' }));
  };

  test('a new agent, by its name', async () => {
    const [mail, ...more] = await told((account) => anotherAgent(hill, account));
    expect(mail?.subject).toBe('A new agent plays for you');
    expect(mail?.text).toMatch(
      /A new agent plays for you: “\u2068Agent \d+\u2069”, let in on .* If that was not you, cut it off\./,
    );
    expect(more).toEqual([]);
  });

  test('a new sign-in', async () => {
    await nobodyElse();
    const own = await signIn(hill.as('web'), { provider: 'github', subject: '1', email: 'own@mail.example' });
    server = await aMailServer();
    await mailTo(hill, own, 'own@mail.example');
    const [session, next_session] = [own.session, 'another session of at least thirty-two characters'];
    const other = { provider: 'google', subject: '2', email: 'other@mail.example' };
    await call(hill.as('web'), 'api_human.add_sign_in', {
      ...{ session, next_session, ...other },
      ...prove('add sign-in', hashed(session), ...Object.values(other), hashed(next_session)),
    });
    await aSender(hill, server).all();
    const { mail } = await server.nth(1);
    expect(mail.subject).toBe('Your account opens with a new sign-in');
    expect(mail.text).toContain('also opens with Google');
  });

  test('a suspension, with what the staff say of why and the way to answer; lifting it is none', async () => {
    const mails = await told(async ({ id: account_id }) => {
      const staff = hill.asStaff();
      await staff.call('api_staff.suspend_account', {
        ...{ account_id, suspended: true, reason: 'told by a stranger', because: 'Spam, see spam.example' },
      });
      await staff.call('api_staff.suspend_account', { account_id, suspended: true, reason: 'once more' });
      await staff.call('api_staff.suspend_account', { account_id, suspended: false, reason: 'lifted' });
    });
    expect(mails.map(({ subject }) => subject)).toEqual(['Your account is suspended']);
    expect(mails[0]?.text).toContain('The staff say why: “\u2068Spam, see spam[.]example\u2069”');
    expect(mails[0]?.text).toContain('answer this mail');
    expect(mails[0]?.text).not.toContain('stranger');
    expect(await hill.rows("select 1 from hill.mails where facts <> '{}'")).toEqual([]); // what was said is not kept
  });

  test('a dispute', async () => {
    const mails = await told(async (account) => {
      const { session } = await payments.begin(account, 3000);
      await payments.tell(await payments.stripe.pay(session));
      await payments.tell(
        await payments.stripe.dispute(session.payment_intent as string, 3000).then(({ event }) => event),
      );
    });
    expect(mails.map(({ subject }) => subject)).toEqual(['A top-up is disputed or was refunded']);
  });

  test('ten a day at most: who has an account in hand does not flood its human', async () => {
    const mails = await told(async (account) => {
      for (let i = 0; i < 13; i++) await anotherAgent(hill, account);
    });
    expect(mails).toHaveLength(10);
  });

  test('nothing for who did not confirm an address, or closed the account', async () => {
    const mails = await told(async (account) => {
      await anotherAgent(hill, await anAccount(hill));
      await anotherAgent(hill, account);
      await closeAccount(hill, account);
    });
    expect(mails).toEqual([]);
  });
});

describe('a server that', () => {
  /** One notice, tried once. */
  const tried = async (...replies: Parameters<MailServer['answer']>) => {
    await nobodyElse();
    const server = await aMailServer();
    server.answer(...replies);
    const { account } = await aReader(false);
    await anotherAgent(hill, account);
    const sender = aSender(hill, server);
    await sender.all();
    const row = async () => (await mailsOf(hill, account))[0];
    const again = async () => {
      await hastenMail(hill);
      await sender.all();
      return row();
    };
    return { account, server, sender, row, again };
  };
  const waits = { ended_as: null };

  test('refuses for now is asked again, and takes the same mail', async () => {
    const { server, sender, row, again } = await tried({ rcpt: '451 4.2.1 later' }, { data: '452 4.3.1 full' }, 'take');
    expect(await row()).toMatchObject({ ...waits, outcome: 'deferred', attempts: 1 });
    expect(await again()).toMatchObject({ ...waits, outcome: 'deferred', attempts: 2 });
    expect(await again()).toMatchObject({ ended_as: 'sent', attempts: 3, unsure: 0 });
    expect(server.received).toHaveLength(1);
    expect(sender.counted('hill_mail_repeats_total')).toBe(0);
  });

  test('is cut off after the whole mail gets it again under the same Message-ID and date, which is counted', async () => {
    const { server, sender, row, again } = await tried('cut', 'take');
    expect(await row()).toMatchObject({ ...waits, outcome: 'lost', unsure: 1 });
    expect(await again()).toMatchObject({ ended_as: 'sent', attempts: 2, unsure: 1 });
    const same = server.received.map(({ header, mail }) => [
      header('Message-ID'),
      header('Date'),
      mail.subject,
      mail.text,
    ]);
    expect(same).toHaveLength(2);
    expect(same[1]).toEqual(same[0]);
    expect(sender.counted('hill_mail_repeats_total')).toBe(1);
  });

  test('is away is waited for', async () => {
    const { server, row, again } = await tried({ rcpt: '451 4.2.1 later' }, 'take');
    await server.close();
    expect(await again()).toMatchObject({ ...waits, outcome: 'unreachable', attempts: 2 });
    await server.open();
    expect(await again()).toMatchObject({ ended_as: 'sent' });
    expect(await row()).toMatchObject({ unsure: 0 });
  });

  test.each(['550 5.1.1 no such user', '550 no such user', '550 5.2.1 mailbox disabled'])(
    'says of the recipient %s gets nothing more',
    async (reply) => {
      const { account, row, server, again } = await tried({ rcpt: reply });
      expect(await row()).toMatchObject({ ended_as: 'refused', attempts: 1 });
      expect(await stopped(account)).toBe('refused');
      await anotherAgent(hill, account);
      await again();
      expect(server.asked).toHaveLength(1);
      expect(await mailsOf(hill, account)).toHaveLength(1);
    },
  );

  test.each([
    { rcpt: '550 5.7.1 relaying denied' },
    { rcpt: '554 5.7.1 your address is on a list' },
    { rcpt: '552 5.2.2 mailbox full' },
    { data: '554 5.7.1 looks like spam' },
    { data: '550 content rejected' },
  ])('refuses us, and not the recipient, for good (%j): operators hear of it, and it is tried again', async (reply) => {
    const { account, row, sender, again } = await tried(reply, 'take');
    expect(await row()).toMatchObject({ ...waits, outcome: 'rejected' });
    expect(await stopped(account)).toBeNull();
    expect(sender.said.filter(({ level }) => level >= 50).map(({ msg }) => msg)).toEqual([
      expect.stringContaining('HILL_SMTP_URL'),
    ]);
    expect(await again()).toMatchObject({ ended_as: 'sent' });
  });

  test('never answers keeps no transaction open meanwhile, and the worker that is killed there is followed', async () => {
    await nobodyElse();
    const server = await aMailServer();
    server.answer('silence', 'take');
    const { account } = await aReader(false);
    await anotherAgent(hill, account);
    const settings = {
      ...{
        WORKER_DATABASE_URL: hill.url('worker'),
        HILL_SIGNING_SECRET: secret,
        HILL_CLOCK: 'simulated',
        HILL_LOG: 'json',
      },
      ...mailSettings(server),
    };
    const first = runHill(['worker'], settings);
    await server.nth(1);
    await sleep(200);
    // what the attempt began is committed: it holds nothing
    expect(
      await hill.rows(
        "select 1 from pg_locks where relation in ('hill.mails'::regclass, 'oauth.mail_addresses'::regclass)",
      ),
    ).toEqual([]);
    await first.stop('SIGKILL');
    expect((await mailsOf(hill, account))[0]).toMatchObject({ ended_as: null, attempts: 1, outcome: null });

    runHill(['worker'], settings);
    await sleep(1_500);
    expect(server.received).toHaveLength(1); // it may still be on its way
    await hastenMail(hill);
    const [, second] = [server.received[0], await server.nth(2)];
    expect(second.header('Message-ID')).toBe(server.received[0]?.header('Message-ID'));
    await until('it has ended', async () => (await mailsOf(hill, account))[0]?.ended_as === 'sent');
    expect((await mailsOf(hill, account))[0]).toMatchObject({ attempts: 2, unsure: 1 });
  });
});
