// With whom people deal: the operator at the foot of every page, terms that are accepted by version, receipts of
// payments, and what a suspended account is told. Rules 3.11, 5.10, 5.11; decisions 441 to 445.
import { createHash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkStripeKey } from '../../src/commands/check-keys.ts';
import { keepStripeKey } from '../../src/db/kept-settings.ts';
import { parseConfig } from '../../src/process/config.ts';
import { useBrowserDoor } from '../support/doors/browser-door.ts';
import { useDevice } from '../support/doors/device.ts';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { attemptOf, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { formOf, problemsOf, Visitor } from '../support/doors/visitor.ts';
import { type Account, anAccount, call, closeAccount, refusal, useHill } from '../support/hill/index.ts';
import { usePayments } from '../support/hill/payments.ts';
import { operator, publish, textFile } from '../support/hill/terms.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { isForEverybody } from '../support/peers/judged.ts';
import { type Session, useStripe } from '../support/peers/stripe-server.ts';

const hill = useHill();
const stripe = useStripe();
const published = {
  HILL_OPERATOR_NAME: operator.name,
  HILL_OPERATOR_CONTACT: 'office@hill.example',
  HILL_TERMS: textFile('# Terms\n'),
  HILL_PRIVACY: 'https://hill.example/privacy',
  HILL_TERMS_VERSION: '1',
};
/** Three processes of one hill: with test cards, with real money, and the authorization server. */
const door = useHumansDoor(hill, () => ({
  ...published,
  STRIPE_SECRET_KEY: stripe.secretKey,
  STRIPE_API_URL: stripe.url,
}));
const real = useHumansDoor(hill, () => ({
  ...published,
  HILL_ENV: 'production',
  HILL_DAY_ONE: '2026-03-01',
  DATABASE_URL: 'postgres://owner@db.example/hill',
  STRIPE_SECRET_KEY: 'sk_live_a_key_of_real_money',
}));
const oauth = useOAuth(hill, 'one host', published);
const silent = useHumansDoor(hill);
const browserDoor = useBrowserDoor(oauth);
const device = useDevice(oauth);
const payments = usePayments(hill, stripe);

const get = (path: string, at = door.baseUrl) => fetch(at + path, { redirect: 'manual' });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** What an account has accepted: version and page, in its order. */
const accepted = async (account_id: string) =>
  (
    await hill.rows<{ accepted: string }>(
      `select t.version || ' ' || a.page as accepted
         from hill.terms_accepted a join hill.terms t on t.id = a.terms_id where a.account_id = $1 order by a.terms_id`,
      [account_id],
    )
  ).map(({ accepted }) => accepted);
const accountOf = async (email: string) =>
  (await hill.rows<{ id: string }>('select account_id as id from oauth.humans where email = $1', [email]))[0]
    ?.id as string;

describe('a hill whose operator has published nothing', () => {
  test('names nobody, has no terms, asks for none, and takes play money alone', async () => {
    const ann = await anAccount(hill);
    const page = await silent.page(new Visitor(ann.session), '/account');
    expect(page.text).not.toMatch(/Operated by|href="\/(terms|privacy)"|prepaid/);
    expect(page.text).toContain('Credits here are play money: nobody pays anything.');
    for (const path of ['/terms', '/privacy.md']) expect((await get(path, silent.baseUrl)).status).toBe(404);
    await payments.begin(ann, 2000);
    await keepStripeKey({ env: 'production', stripeWebhookSecret: null }, hill.ownerUrl);
    const { stripe: keys } = parseConfig({ STRIPE_SECRET_KEY: 'sk_test_1' });
    await expect(checkStripeKey({ env: 'production', stripe: keys }, hill.as('web'))).rejects.toThrow(
      /does not know the terms/,
    );
    await checkStripeKey({ env: 'development', stripe: keys }, hill.as('web'));
    expect(await refusal(payments.begin(ann, 2000))).toMatchObject({ code: 'TERMS_MISSING' });
    await keepStripeKey({ env: 'development', stripeWebhookSecret: null }, hill.ownerUrl);
  });
});

describe('what is published', () => {
  const rows = () => hill.rows('select id, version, operator from hill.terms order by id');

  test('is one row for each change, however many start at once, and is never changed', async () => {
    const text = { terms: '# Terms\n\nA text.\n', privacy: 'https://hill.example/privacy' };
    await Promise.all([1, 2, 3, 4].map(() => publish(hill, { version: '1', ...text })));
    expect(await rows()).toHaveLength(1);
    await publish(hill, { version: '1', ...text, terms: '# Terms\n\nAnother text.\n' });
    await publish(hill, { version: '1', ...text, name: 'Another & Co.' });
    const last = await publish(hill, { version: '1', ...text });
    expect((await rows()).at(-1)).toEqual({ id: last, version: '1', operator: operator.name });
    expect(await rows()).toHaveLength(4);
    for (const change of [
      "update hill.terms set version = '2'",
      'delete from hill.terms',
      'truncate hill.terms cascade',
    ])
      await expect(hill.asOwnerOf('hill_owner', (client) => client.query(change))).rejects.toMatchObject({
        code: 'ZHLED',
      });
    expect(
      await refusal(hill.as('web').query("select trusted.set_terms('M', '1', 'm', null, 'm', null)")),
    ).toMatchObject({ message: expect.stringContaining('permission denied') });
  });

  test('is served byte for byte, as a page with its hash, or at its own address', async () => {
    const terms =
      '\uFEFF# Our terms\r\nBegin <b>here</b>:\r\n1. first\r\n2. second, with **weight**\r\n### And more\r\nOf the year\r\n2027. No list.\r\n* one\r\n* two\r\n';
    await publish(hill, { version: '2', terms, privacy: 'https://hill.example/privacy?v=2' });
    const raw = await get('/terms.md');
    expect(raw.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(Buffer.from(await raw.arrayBuffer()).equals(Buffer.from(terms))).toBe(true);
    const page = await (await get('/terms')).text();
    expect(page).toContain('<h1>Our terms</h1>');
    expect(page).toContain('<p>Begin &lt;b&gt;here&lt;/b&gt;:</p>');
    expect(page.replaceAll('\n', '')).toContain(
      '<ol start="1"><li>first</li><li>second, with <strong>weight</strong></li></ol><h3>And more</h3><p>Of the year2027. No list.</p><ul><li>one</li><li>two</li></ul>',
    );
    expect(page).toContain(`<code>${sha256(terms)}</code>`);
    const away = await get('/privacy');
    expect([away.status, away.headers.get('location')]).toEqual([302, 'https://hill.example/privacy?v=2']);
    expect(await hill.rows('select privacy_sha256 from hill.terms order by id desc limit 1')).toEqual([
      { privacy_sha256: sha256('https://hill.example/privacy?v=2 2') },
    ]);
  });

  test('is named at the foot of every page, to agents and to programs', async () => {
    for (const [path, at] of [
      ['/', door.baseUrl],
      ['/rules', door.baseUrl],
      ['/nowhere', door.baseUrl],
      ['/sign-in', real.baseUrl],
    ] as const) {
      const text = await (await fetch(at + path, { headers: { Accept: 'text/html' } })).text();
      const [, foot = ''] = text.split('<footer>');
      expect(foot, path).toContain(
        'Operated by <bdi>Hill &amp; Co.</bdi> · <a href="mailto:office@hill.example">office@hill.example</a>',
      );
      expect(foot, path).toContain('<a href="/terms">Terms</a> · <a href="/privacy">Privacy</a>');
      expect(foot.includes('play money'), path).toBe(at === door.baseUrl);
    }
    for (const path of ['/llms.txt', '/auth.md']) {
      const text = await (await get(path)).text();
      expect(text).toContain('perated by Hill & Co. (mailto:office@hill.example)');
      expect(text).toContain(`${door.baseUrl}/terms`);
    }
    const metadata = await (await get('/.well-known/oauth-authorization-server')).json();
    expect(metadata).toMatchObject({ op_tos_uri: `${door.baseUrl}/terms`, op_policy_uri: `${door.baseUrl}/privacy` });
  });
});

describe('by approving an agent', () => {
  const version = 'of approvals';
  let id: number;
  beforeAll(async () => {
    id = await publish(hill, { version });
  });
  const sentence = `By approving you accept the <a href="/terms">terms</a> of <bdi>Hill &amp; Co.</bdi>, version ${version}`;

  test('with a code, a human accepts what the page showed, newer ones or not; a wrong code accepts nothing', async () => {
    const registration = await oauth.register();
    const claim = succeeded(await oauth.claim(registration.claim_token, 'cleo@example.com'));
    const visitor = new Visitor(await oauth.human('cleo@example.com'));
    const cleo = await accountOf('cleo@example.com');
    const path = `/claim?claim_attempt_token=${attemptOf(claim)}`;
    const page = await visitor.go(oauth.baseUrl + path);
    expect(page.text).toContain(sentence);
    expect(formOf(page.text, '/claim')?.terms).toBe(String(id));
    const { user_code } = claim.claim_attempt;
    const approve = (code: string) => visitor.send(page, '/claim', { decision: 'approve', user_code: code });
    await approve(user_code === '000000' ? '000001' : '000000');
    expect(await accepted(cleo)).toEqual([]);
    await publish(hill, { version: 'newer' });
    await approve(user_code);
    expect(await accepted(cleo)).toEqual([`${version} claim`]);
    const leaving = await visitor.go(`${oauth.baseUrl}/account/leave`);
    const { terms_accepted } = (await (await visitor.send(leaving, '/account/download')).json()) as {
      terms_accepted: { terms_text: string }[];
    };
    expect(terms_accepted).toEqual([
      expect.objectContaining({
        version,
        page: 'claim',
        terms_sha256: sha256(terms_accepted[0]?.terms_text ?? ''),
        terms_text: expect.stringContaining('**prepaid**'),
      }),
    ]);
    await publish(hill, { version });
  });

  test('at the consent page and at /device, too; refusing accepts nothing', async () => {
    const session = await oauth.human('dora@example.com');
    const dora = await accountOf('dora@example.com');
    const { client_id } = await browserDoor.register();
    const shown = await (
      await browserDoor.authorize(browserDoor.asking(client_id), { Cookie: `hill_session=${session}` }, oauth.baseUrl)
    ).text();
    expect(shown).toContain(sentence);
    await browserDoor.decide(browserDoor.asking(client_id), 'refuse', session);
    expect(await accepted(dora)).toEqual([]);
    await browserDoor.approved(client_id, session);
    expect(await accepted(dora)).toEqual([`${version} consent`]);

    const { visitor } = await device.approved('ed@example.com');
    const ed = await accountOf('ed@example.com');
    expect(await accepted(ed)).toEqual([`${version} device`]);
    // another approval is not another acceptance
    const codes = succeeded(await device.ask((await device.register()).client_id));
    await device.decide(visitor, await device.type(visitor, codes.user_code), 'approve');
    expect(await accepted(ed)).toEqual([`${version} device`]);
  });

  test('a page that showed none, or what nobody published, accepts nothing, and lets the agent in', async () => {
    for (const terms of ['', '999999', '99999999999', '1; drop', '-1', '\0']) {
      const { client_id } = await browserDoor.register();
      const session = await oauth.human(`fay${terms.length}@example.com`);
      const visitor = new Visitor(session);
      const page = await visitor.go(`${oauth.baseUrl}/oauth/authorize?${browserDoor.asking(client_id)}`);
      const answer = await visitor.send(page, '/oauth/authorize', { decision: 'approve', terms });
      expect(answer.headers.get('location')).toContain('code=');
      expect(await accepted(await accountOf(`fay${terms.length}@example.com`))).toEqual([]);
    }
  });
});

describe('before a top-up', () => {
  let ann: Account;
  let visitor: Visitor;
  beforeAll(async () => {
    await publish(hill, { version: 'first' });
    ann = await anAccount(hill, { name: 'Ann', credits: 5000 });
    visitor = new Visitor(ann.session);
  });
  const pageOf = (path = '/account') => door.page(visitor, path);
  const topUp = async (fields: Record<string, string>, page?: Awaited<ReturnType<typeof pageOf>>) =>
    visitor.send(page ?? (await pageOf()), '/account/top-up', { amount: '25', ...fields });
  const boxOf = (text: string) => /<input type="checkbox" name="terms" value="(\d+)" required/.exec(text)?.[1] ?? '';

  test('the box has to be ticked: without it nothing begins, and what was typed stays', async () => {
    const page = await pageOf();
    expect(page.text).toContain('I accept the <a href="/terms">terms</a> of <bdi>Hill &amp; Co.</bdi>, version first');
    const answer = await topUp({});
    expect(problemsOf(answer)).toEqual({ terms: expect.stringContaining('To top up, accept the terms') });
    const again = await visitor.landed(page, answer);
    expect(again.text).toMatch(/name="amount" value="25"[\s\S]*id="terms-problem" role="alert"/);
    expect(await accepted(ann.id)).toEqual([]);
    expect(await refusal(payments.begin(ann, 2000))).toMatchObject({
      code: 'TERMS_CHANGED',
      detail: { version: 'first' },
    });
  });

  test('ticked once it is accepted, and not asked for again; four at once are one', async () => {
    const page = await pageOf();
    const answers = await Promise.all([1, 2, 3, 4].map(() => topUp({ terms: boxOf(page.text) }, page)));
    for (const answer of answers) expect(answer.headers.get('location')).toMatch(/^\/account\/top-up\/[0-9a-f-]{36}$/);
    expect(await accepted(ann.id)).toEqual(['first top-up']);
    const later = await pageOf();
    expect(boxOf(later.text)).toBe('');
    expect(later.text).toContain(
      'You accepted the <a href="/terms">terms</a> of <bdi>Hill &amp; Co.</bdi>, version first',
    );
  });

  test('a new version is asked for, also of what waits to be paid; an old tab does not accept it; all else goes on', async () => {
    const before = await pageOf();
    const { top_up_id } = await payments.begin(ann, 3000);
    await publish(hill, { version: 'second' });
    // the tab that showed that nothing had to be accepted
    expect(problemsOf(await topUp({}, before))).toHaveProperty('terms');
    const waiting = await pageOf(`/account/top-up/${top_up_id}`);
    expect(waiting.status).toBe(409);
    expect(waiting.text).toContain('The terms have changed');
    expect(waiting.text).not.toContain(stripe.url);

    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.asHuman(ann).setMandate(900, 900);
    await call(hill.as('web'), 'api_human.pause', { session: ann.session, until: null });
    await call(hill.as('web'), 'api_human.withdraw_move', { session: ann.session, slot: 1 });
    expect(await accepted(ann.id)).toEqual(['first top-up']);

    const third = await publish(hill, { version: 'third' });
    // ticked on the page of the second: accepted, and not enough
    const answer = await visitor.send(waiting, '/account/terms', { terms: boxOf(waiting.text) });
    expect(answer.headers.get('location')).toBe(`/account/top-up/${top_up_id}`);
    const still = await visitor.landed(waiting, answer);
    expect(still.status).toBe(409);
    expect(boxOf(still.text)).toBe(String(third));
    const paying = await visitor.landed(still, await visitor.send(still, '/account/terms', { terms: String(third) }));
    expect(paying.status).toBe(200);
    expect(await accepted(ann.id)).toEqual(['first top-up', 'second top-up', 'third top-up']);
  });

  test('what is under way at Stripe when they change is credited', async () => {
    const { session } = await payments.begin(ann, 2000);
    await publish(hill, { version: 'fourth' });
    expect(await payments.tell(await payments.stripe.pay(session))).toBe('credited');
  });

  test('nobody accepts for another, and a form from elsewhere accepts nothing', async () => {
    const bob = await anAccount(hill);
    const id = await publish(hill, { version: 'fifth' });
    const forged = await new Visitor(bob.session).post(`${door.baseUrl}/account/terms`, {
      terms: String(id),
      csrf: 'no',
    });
    expect(forged.status).toBe(403);
    expect(await accepted(bob.id)).toEqual([]);
    await expect(
      hill.asOwnerOf('hill_api_human', (client) =>
        client.query("insert into hill.terms_accepted values ($1, $2, now(), 'claim')", [bob.id, id]),
      ),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a receipt', () => {
  let ann: Account;
  let visitor: Visitor;
  let receipt: string;
  let payment: string;
  beforeAll(async () => {
    const terms_id = await publish(hill, { version: 'of receipts' });
    ann = await anAccount(hill, { name: 'Ann <b>' });
    visitor = new Visitor(ann.session);
    await call(hill.as('web'), 'api_human.accept_terms', { session: ann.session, terms_id });
    payment = await payments.topUp(ann, 2150);
    const [row] = await hill.rows<{ id: string }>('select id from hill.top_ups where payment = $1', [payment]);
    receipt = `/account/receipts/${row?.id}`;
    await publish(hill, { version: 'after it', name: 'Another & Co.' });
  });

  test('has the operator, the amount, the ids of Stripe and the terms of then', async () => {
    const { text } = await real.page(visitor, receipt);
    for (const part of [
      '<h1>Receipt</h1>',
      '<strong>$21.50</strong> (US dollars)',
      '<bdi>Hill &amp; Co.</bdi>, <a href="mailto:office@hill.example">',
      '<bdi>Ann &lt;b&gt;</bdi>',
      `<code>${payment}</code>`,
      'version of receipts of',
      ann.id,
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/play money|test card/);
  });

  test('of a test card says that nobody paid', async () => {
    const { text } = await door.page(visitor, receipt);
    expect(text).toContain('<h1>Receipt of play money</h1>');
    expect(text).toContain('Nobody paid anything.');
    expect(text).not.toMatch(/Paid (to|by|on)/);
  });

  test('says what was refunded, leads from the list and from the account, and is nobody else’s', async () => {
    const refund = { id: 're_of_receipts', amount: 150, currency: 'usd', payment_intent: payment, status: 'succeeded' };
    await payments.tell(await payments.stripe.happen('refund.created', { object: 'refund', ...refund }));
    const { text } = await real.page(visitor, receipt);
    expect(text).toMatch(
      /<h2>Refunds and disputes<\/h2>[\s\S]*<strong>\$1\.50<\/strong> refunded[\s\S]*re_of_receipts/,
    );
    for (const path of ['/account/receipts', '/account'])
      expect((await real.page(visitor, path)).text).toContain(`href="${receipt}"`);
    const bob = new Visitor((await anAccount(hill)).session);
    expect((await real.page(bob, receipt)).status).toBe(404);
    expect((await real.page(bob, '/account/receipts')).text).toContain('Nothing was paid');
    expect((await get(receipt, real.baseUrl)).headers.get('location')).toContain('/sign-in');
    for (const id of ['x', '00000000-0000-4000-8000-000000000000', `${ann.id}`])
      expect((await real.page(visitor, `/account/receipts/${id}`)).status).toBe(404);
  });

  test('stands in a list that goes on, page by page', async () => {
    const gus = await anAccount(hill);
    await hill.root.query(
      `with paid as (
         insert into hill.transfers (day, at, kind, debit_code, credit_account_id, cents, reason)
         select 1, engine.now(), 'topup', 'cash', $1, 2000 + n, 'a test' from generate_series(1, 35) n returning id, cents)
       insert into hill.top_ups (id, account_id, cents, created_at, started_at, transfer_id, payment)
       select gen_random_uuid(), $1, cents, engine.now(), now(), id, 'pi_' || id from paid`,
      [gus.id],
    );
    const amounts = (text: string) => [...text.matchAll(/<strong>\$([\d.]+)<\/strong>/g)].map(([, amount]) => amount);
    const first = await real.page(new Visitor(gus.session), '/account/receipts');
    expect([amounts(first.text)[0], amounts(first.text).length]).toEqual(['20.35', 30]);
    const [, next = ''] = /href="(\/account\/receipts\?before=\d+)"/.exec(first.text) ?? [];
    const second = await real.page(new Visitor(gus.session), next);
    expect(amounts(second.text)).toEqual(['20.05', '20.04', '20.03', '20.02', '20.01']);
    expect(second.text).not.toContain('rel="next"');
  });
});

describe('a suspended account', () => {
  const suspend = (account_id: string, more: Record<string, unknown>) =>
    hill
      .asStaff()
      .call('api_staff.suspend_account', { account_id, suspended: true, reason: 'for staff alone', ...more });

  test('says why, in the words for it, and where to write; the reason of staff stays theirs', async () => {
    const hal = await anAccount(hill);
    const shown = async () => (await real.page(new Visitor(hal.session), '/account')).text;
    await suspend(hal.id, { because: 'Two accounts\nplayed <one> plan.' });
    expect(await shown()).toContain('“<bdi>Two accounts played &lt;one&gt; plan.</bdi>”');
    expect(await shown()).toContain('write to <bdi>Hill &amp; Co.</bdi>: <a href="mailto:office@hill.example">');
    expect(await hill.rows('select reason, details from hill.audit_log where account_id = $1', [hal.id])).toEqual([
      {
        reason: 'for staff alone',
        details: { suspended: true, was_suspended: false, because: 'Two accounts played <one> plan.' },
      },
    ]);
    await suspend(hal.id, {}); // as it was told
    expect(await shown()).toContain('Two accounts');
    expect(await shown()).not.toContain('for staff alone');
    await hill.asStaff().call('api_staff.restore_account', { account_id: hal.id, reason: 'a mistake' });
    expect(await shown()).not.toMatch(/suspended|Two accounts/);
    await suspend(hal.id, {});
    expect(await shown()).toContain('The staff have not written here why.');
    expect(await refusal(suspend(hal.id, { because: 'x'.repeat(501) }))).toMatchObject({ code: 'INVALID_ARGUMENT' });
    await suspend(hal.id, { because: 'Hal Harrison did it.' });
    await closeAccount(hill, hal);
    expect(await hill.rows('select suspended_because from hill.accounts where id = $1', [hal.id])).toEqual([
      { suspended_because: null },
    ]);
  });
});

describe.skipIf(!chromiumPath)('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser?.close());

  test('each page of it fits a phone, and axe finds nothing to say, in light and dark', async () => {
    await publish(hill, {
      version: '2027-02',
      terms:
        '# Terms of service\n\n1. Credits are **prepaid**.\n2. They stay on this hill.\n\n## Your money\n\nWhat was paid is not refunded.\n',
    });
    const ida = await anAccount(hill, { name: 'Ida' });
    const context = await browser.newContext({ bypassCSP: true });
    await context.addCookies(
      [door, real, oauth].map(({ baseUrl }) => ({ name: 'hill_session', value: ida.session, url: baseUrl })),
    );
    const page = await context.newPage();
    const look = (name: string) => isForEverybody(page, `terms-${name}`);

    await page.goto(`${door.baseUrl}/terms`);
    await look('text');
    await page.goto(`${real.baseUrl}/account`);
    await look('account');
    const { client_id } = await browserDoor.register();
    await page.goto(`${oauth.baseUrl}/oauth/authorize?${browserDoor.asking(client_id)}`);
    await look('consent');

    await page.goto(`${door.baseUrl}/account`);
    await page.getByLabel('Top up').fill('50');
    await page.getByLabel('I accept the terms').check();
    await page.getByRole('button', { name: 'Go on to the test payment' }).click();
    await page.getByRole('heading', { name: 'Top up $50.00' }).waitFor();
    await look('pay');
    await publish(hill, { version: '2027-03' });
    await page.reload();
    await look('changed');
    await page.getByLabel('I accept the terms').check();
    await page.getByRole('button', { name: 'Accept, and go on' }).click();
    await page.getByRole('link', { name: 'Pay $50.00 with a test card' }).waitFor();
    const [checkout] = [...stripe.sessions.values()].slice(-1);
    await payments.tell(await stripe.pay(checkout as Session));
    await page.goto(`${door.baseUrl}/account`);
    await page.getByRole('link', { name: /^Receipt of \$50\.00/ }).click();
    await page.getByRole('heading', { name: 'Receipt of play money' }).waitFor();
    await look('receipt-play');
    await page.goto(page.url().replace(door.baseUrl, real.baseUrl));
    await look('receipt');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`${real.baseUrl}/account/receipts`);
    await look('receipts');
    const because = { because: 'Several accounts played one plan.', reason: 'for staff' };
    await hill.asStaff().call('api_staff.suspend_account', { account_id: ida.id, suspended: true, ...because });
    await page.goto(`${real.baseUrl}/account`);
    await look('suspended');
  });
});
