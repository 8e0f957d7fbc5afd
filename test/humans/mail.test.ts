// Notices by mail, as a human has them sent, confirms the address and ends them: protocol 5.6.
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { formOf, problemsOf, Visitor } from '../support/doors/visitor.ts';
import { type Account, anAccount, anotherAgent, useHill } from '../support/hill/index.ts';
import { aSender, hastenMail, mailSettings, mailTo } from '../support/hill/mail.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { isForEverybody } from '../support/peers/judged.ts';
import { aMailServer, type MailServer } from '../support/peers/mail-server.ts';

const hill = useHill();
const door = useHumansDoor(hill, () => mailSettings({ url: 'smtp://127.0.0.1:1' }));
const without = useHumansDoor(hill);

const signInOld = ({ id }: Account) =>
  hill.rows("update oauth.human_sessions set created_at = created_at - interval '1 hour' where account_id = $1", [id]);
const post = async (account: Account, path: string, fields: Record<string, string> = {}) => {
  const visitor = new Visitor(account.session);
  const csrf = formOf((await door.page(visitor, '/account')).text, '/sign-out')?.csrf as string;
  return visitor.post(door.baseUrl + path, { csrf, ...fields });
};
const section = async (account: Account) =>
  /<section[^>]*aria-labelledby="mail">(.*?)<\/section>/s.exec(
    (await door.page(new Visitor(account.session), '/account')).text,
  )?.[1] ?? '';
const words = async (account: Account) =>
  (await section(account))
    .replace(/<form.*<\/form>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
const ask = (account: Account, address: string, nightly = 'yes') =>
  post(account, '/account/mail', { address, nightly });
/** What is mailed now. Nobody sends by himself here. */
const sent = async (server: MailServer) => {
  server.received.length = 0;
  await hastenMail(hill);
  await aSender(hill, server).all();
  return server.received;
};
/** A link of a mail, at the door of this test: the worker of this test gives another address. */
const linkIn = (text: string | undefined, what: string) =>
  door.baseUrl + (new RegExp(`http://localhost:1(/account/mail/${what}/[\\w-]+)`).exec(text ?? '')?.[1] ?? ' none');
const oneClick = (link: string) =>
  fetch(link, {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://webmail.example' },
  });

describe('an address', () => {
  let ann: Account;
  let server: MailServer;
  beforeAll(async () => {
    server = await aMailServer({}, true);
    ann = await anAccount(hill, { name: 'Buy at spam.example', credits: 1000 });
    return () => server.close();
  });

  test('is asked by a mail that names nobody, and confirmed by a form alone', async () => {
    expect(await words(ann)).toContain('At most one mail a day');
    await ask(ann, ' ann@mail.example ');
    expect(await words(ann)).toContain('A mail was sent to ann@mail.example: open it');
    const [mail, ...more] = await sent(server);
    expect([mail?.to, mail?.mail.subject, more]).toEqual(['ann@mail.example', 'Confirm this address for notices', []]);
    expect(`${mail?.mail.text}${mail?.mail.html}`).not.toMatch(/spam/);
    expect(mail?.header('List-Unsubscribe')).toBeUndefined();

    const link = linkIn(mail?.mail.text, 'confirm');
    const opened = await new Visitor().go(link);
    expect(opened.text).toContain('<button>Confirm the address</button>');
    expect(opened.response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await words(ann)).toContain('A mail was sent to');
    expect((await oneClick(link)).status).toBe(200);
    expect(await words(ann)).toMatch(/Mailed to ann@mail\.example since \d{4}-/);
    expect((await oneClick(link)).status).toBe(404); // once
    expect(door.logged()).not.toContain(link.slice(-43));
  });

  test('is replaced by another one that is confirmed, and not before', async () => {
    await anotherAgent(hill, ann);
    const [before] = [...(await sent(server))];
    expect(before?.to).toBe('ann@mail.example');
    await ask(ann, 'ann@other.example');
    const asked = new Map((await sent(server)).map(({ to, mail }) => [to, mail]));
    // so that whoever has the account in hand does not take it away unseen
    expect(asked.get('ann@mail.example')?.subject).toBe('Notices of your account may go elsewhere');
    const link = linkIn(asked.get('ann@other.example')?.text, 'confirm');
    await anotherAgent(hill, ann);
    expect((await sent(server)).map(({ to }) => to)).toEqual(['ann@mail.example']);
    await oneClick(link);
    await anotherAgent(hill, ann);
    expect((await sent(server)).map(({ to }) => to)).toEqual(['ann@other.example']);
    // what the first one was sent ends nothing of the other
    expect((await oneClick(linkIn(before?.mail.text, 'stop'))).status).toBe(404);
    expect(await words(ann)).toContain('Mailed to ann@other.example');
  });

  test('of four that are named at one instant is one, which four confirm and four end at one instant', async () => {
    const bob = await anAccount(hill);
    const own = (n: number) => `bob.${n}@mail.example`;
    const csrf = formOf((await door.page(new Visitor(bob.session), '/account')).text, '/sign-out')?.csrf as string;
    const four = <T>(what: (n: number) => Promise<T>) => Promise.all([0, 1, 2, 3].map(what));
    const asked = await four((n) =>
      new Visitor(bob.session).post(`${door.baseUrl}/account/mail`, { csrf, address: own(n), nightly: 'no' }),
    );
    expect(asked.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    const mails = (await sent(server)).filter(({ to }) => to.startsWith('bob.'));
    expect(mails).toHaveLength(1);
    const confirmed = await four(() => oneClick(linkIn(mails[0]?.mail.text, 'confirm')));
    expect(confirmed.map(({ status }) => status)).toContain(200);
    expect(await words(bob)).toContain(`Mailed to ${mails[0]?.to} since`);

    await anotherAgent(hill, bob);
    const [notice] = (await sent(server)).filter(({ to }) => to.startsWith('bob.'));
    const ended = await four(() => oneClick(linkIn(notice?.mail.text, 'stop')));
    expect(ended.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await words(bob)).toContain('stopped with the link');
  });

  test('that its server refuses is told of', async () => {
    const bob = await anAccount(hill);
    await ask(bob, 'nobody@mail.example');
    server.answer({ rcpt: '550 5.1.1 no such user' });
    await sent(server);
    server.answer('take');
    expect(await words(bob)).toContain('The server of nobody@mail.example refused our mail');
  });

  test('wants a recent sign-in to be named and to be ended, since a stolen session must silence nothing', async () => {
    const bob = await anAccount(hill);
    await mailTo(hill, bob, 'bob@mail.example');
    await signInOld(bob);
    expect(await section(bob)).not.toContain('name="address"');
    expect((await ask(bob, 'mallory@mail.example')).status).toBe(403);
    await post(bob, '/account/set-mail', { nightly: 'no' });
    expect(await section(bob)).toMatch(/value="no" checked/);
    expect(await section(bob)).not.toContain('/account/end-mail');
    expect((await post(bob, '/account/end-mail')).status).toBe(403);
    expect(await words(bob)).toContain('Mailed to bob@mail.example');
    await hill.rows('update oauth.human_sessions set created_at = now() where account_id = $1', [bob.id]);
    await post(bob, '/account/end-mail');
    expect(await section(bob)).not.toContain('bob@mail.example');
    expect(await hill.rows("select 1 from oauth.mail_addresses m where m::text like '%bob@%'")).toEqual([]);
  });

  test.each(
    [
      '',
      'ann',
      'ann@localhost',
      'a b@mail.example',
      'a@mail.example\r\nBcc: b@mail.example',
      'a\0@mail.example',
    ].concat([
      '"a b"@mail.example',
      'a@[127.0.0.1]',
      'a,b@mail.example',
      '<a@mail.example>',
      'é@mail.example',
      `${'a'.repeat(65)}@mail.example`,
    ]),
  )('is not %j', async (address) => {
    const bob = await anAccount(hill);
    expect(problemsOf(await ask(bob, address))).toEqual({
      address: 'That is not an address to which mail can be sent from here.',
    });
  });

  test('is asked three times a day at most, whoever names it, and an account asks five', async () => {
    for (const [i, status] of [303, 303, 303, 429].entries())
      expect((await ask(await anAccount(hill), i % 2 ? 'Eve@mail.example' : 'eve@mail.example')).status).toBe(status);
    const bob = await anAccount(hill);
    for (const [i, status] of [303, 303, 303, 303, 303, 429].entries())
      expect((await ask(bob, `bob${i}@mail.example`)).status).toBe(status);
  });
});

describe('the link that each mail has', () => {
  test('ends them with one request that nobody is signed in for, again and again', async () => {
    const server = await aMailServer();
    const ann = await anAccount(hill);
    const stop = `${door.baseUrl}/account/mail/stop/${await mailTo(hill, ann, 'ann@third.example')}`;
    await anotherAgent(hill, ann);
    expect((await new Visitor().go(stop)).text).toContain('<button>Stop these mails</button>');
    expect(await words(ann)).toContain('Mailed to ann@third.example');
    for (let i = 0; i < 2; i++) {
      const answer = await oneClick(stop);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Nothing more is mailed')]);
    }
    await anotherAgent(hill, ann);
    // what waited is dropped
    expect((await sent(server)).filter(({ to }) => to === 'ann@third.example')).toEqual([]);
    expect(await words(ann)).toMatch(
      /Nothing is mailed to ann@third\.example since .*: they were stopped with the link/,
    );
  });

  test.each(['x', 'a'.repeat(43), '%00', '..%2f'])('leads nowhere if it is made up: %s', async (token) => {
    expect((await oneClick(`${door.baseUrl}/account/mail/stop/${token}`)).status).toBe(404);
  });
});

describe.skipIf(!chromiumPath)('in Chromium', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await openChromium();
    page = await (await browser.newContext({ bypassCSP: true })).newPage();
    return () => browser.close();
  });

  test('a human has an address asked, confirms it, reads a digest and ends them', async () => {
    const server = await aMailServer();
    const eve = await anAccount(hill, {
      name: 'Eve of a name that is as long as names may be, or nearly so',
      credits: 900,
    });
    const own = async () => (await sent(server)).filter(({ to }) => to === 'eve@fourth.example').at(-1)?.mail;
    await page.context().addCookies([{ name: 'hill_session', value: eve.session, url: door.baseUrl }]);
    await page.goto(`${door.baseUrl}/account`);
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Notices by mail' }) });
    await section.getByLabel('Address').fill('eve@fourth.example');
    await section.getByRole('button', { name: 'Ask this address' }).click();
    await page.getByText('A mail is on its way to eve@fourth.example').waitFor();

    const asking = await own();
    await page.setContent(asking?.html ?? '');
    await isForEverybody(page, 'mail-confirm');
    await page.goto(linkIn(asking?.text, 'confirm'));
    await isForEverybody(page, 'page-confirm');
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await page.getByRole('link', { name: 'Your account' }).click();
    await section.getByText('Mailed to eve@fourth.example since').waitFor();
    await isForEverybody(page, 'account-mailed');

    await hill
      .asAgent(eve)
      .announce({ slot: 1, intention: 'PEACE', message: 'I shall hold https://evil.example/hill' });
    await hill.asAgent(eve).play({ slot: 1, move: 'PEACE', message: `See https://evil.example/${'x'.repeat(60)}` });
    await anotherAgent(hill, eve);
    await hill.clock.ringBell();
    await page.goto(door.baseUrl);
    const digest = (await sent(server)).filter(({ to }) => to === 'eve@fourth.example');
    expect(digest.map(({ mail }) => mail.subject).sort()).toEqual([
      'A new agent plays for you',
      expect.stringMatching(/^Night \d+: place 1, /),
    ]);
    const mail = digest.find(({ mail: { subject } }) => subject?.startsWith('Night'))?.mail;
    await page.setContent(mail?.html ?? '');
    await isForEverybody(page, 'mail-digest');
    await page.goto(linkIn(mail?.text, 'stop'));
    await isForEverybody(page, 'page-stop');
    await page.getByRole('button', { name: 'Stop these mails' }).click();
    await page.getByRole('heading', { name: 'Stopped' }).waitFor();
    await page.goto(`${door.baseUrl}/account`);
    await section.getByText('they were stopped with the link in one').waitFor();
  });
});

test('where no sender is set, nothing is offered, and what was named can be ended', async () => {
  const bob = await anAccount(hill);
  const page = async () => (await without.page(new Visitor(bob.session), '/account')).text;
  expect(await page()).not.toContain('by mail');
  await mailTo(hill, bob, 'bob@mail.example');
  expect(await page()).toContain('This hill sends no mail at present');
  expect(await page()).not.toContain('name="address"');
  expect(formOf(await page(), '/account/end-mail')).toBeDefined();
});
