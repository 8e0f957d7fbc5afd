// Topping up in a real browser, through the real library, at a local server that speaks Stripe's API: paid, cancelled,
// disputed, and the page for each. Rules 5.7, 5.8; protocol 5.4.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepStripeKey } from '../../src/db/kept-settings.ts';
import { apiVersion, openPayments } from '../../src/outside/stripe.ts';
import { parseConfig } from '../../src/process/config.ts';
import { askStripe } from '../../src/worker/payments.ts';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { formOf, Visitor } from '../support/doors/visitor.ts';
import { type Account, anAccount, balanced, books, useHill } from '../support/hill/index.ts';
import { prove } from '../support/hill/sign-in.ts';
import { aLog } from '../support/hill/worker.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { picture, pictures } from '../support/peers/judged.ts';
import { type Session, useStripe } from '../support/peers/stripe-server.ts';

const hill = useHill();
const stripe = useStripe();
const settings = () => ({ STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_API_URL: stripe.url });
const door = useHumansDoor(hill, settings);

const statuses: number[] = [];
beforeAll(async () => {
  await keepStripeKey({ env: 'development', stripeWebhookSecret: stripe.webhookSecret }, hill.ownerUrl);
  stripe.deliver = async (event) => {
    statuses.push(await stripe.post(`${door.baseUrl}/stripe/events`, event));
  };
});

const paidCents = async ({ id }: Account) =>
  (await hill.rows('select paid_cents from hill.wallets where account_id = $1', [id]))[0]?.paid_cents;
/** Begins a top-up by the form; returns the page to which it leads. */
const begin = async (account: Account, amount: string) => {
  const visitor = new Visitor(account.session);
  const csrf = formOf((await door.page(visitor, '/account')).text, '/account/top-up')?.csrf as string;
  const answer = await visitor.post(`${door.baseUrl}/account/top-up`, { csrf, amount });
  expect(answer.status).toBe(303);
  return { visitor, at: answer.headers.get('Location') as string };
};
const newest = () => [...stripe.sessions.values()].at(-1) as Session;

describe.skipIf(!chromiumPath)('in Chromium', () => {
  let browser: Browser;
  let page: Page;
  let ann: Account;
  beforeAll(async () => {
    ann = await anAccount(hill, { name: 'Ann', granted: 700, daily_cap_cents: 50_000, max_stake_cents: 50_000 });
    browser = await openChromium();
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
    await context.addCookies([{ name: 'hill_session', value: ann.session, url: door.baseUrl }]);
    page = await context.newPage();
  });
  afterAll(() => browser?.close());

  const look = async (name: string) => {
    if (!pictures) return;
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await picture(page, `${name}-${width}`, { fullPage: true });
    }
  };
  const goOn = async (amount: string) => {
    await page.goto(`${door.baseUrl}/account`);
    await page.getByLabel('Top up').fill(amount);
    await page.getByRole('button', { name: 'Go on to the test payment' }).click();
    await page.getByRole('heading', { name: 'Top up' }).waitFor();
  };
  const credits = () => page.locator('section', { has: page.getByRole('heading', { name: 'Credits' }) }).innerText();

  test('a human pays: the terms are shown before, the credits are there after', async () => {
    await page.goto(`${door.baseUrl}/account`);
    expect(await credits()).toContain('not refundable');
    await goOn('50');
    expect(await page.locator('main').innerText()).toContain(
      'prepaid, for use on this hill only, not refundable, and without cash value',
    );
    await look('top-up');
    await page.getByRole('link', { name: 'Pay $50.00' }).click();
    expect(page.url()).toContain(stripe.url);
    expect(await page.locator('body').innerText()).toContain('not refundable');
    await page.getByRole('button', { name: 'Pay' }).click();

    expect(page.url()).toContain(`${door.baseUrl}/account?done=checkout`);
    expect(await credits()).toMatch(/\$50\.00 paid[\s\S]*\$50\.00 left/i);
    await look('account-paid');
    expect(await paidCents(ann)).toBe(5000);
    expect(statuses).toEqual([200]);
  });

  test('a human cancels, leaves it pending, comes back and pays; another one expires', async () => {
    await goOn('30');
    await page.getByRole('link', { name: 'Pay $30.00' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Not now' }).click();
    expect(await credits()).toMatch(/\$30\.00 pending[\s\S]*not paid yet/i);
    await goOn('25');
    await stripe.expire(newest());
    await page.goto(`${door.baseUrl}/account`);
    expect(await credits()).toMatch(/\$25\.00 failed[\s\S]*nothing was paid/i);
    await page.getByRole('link', { name: 'Pay $30.00' }).click();
    await page.getByRole('link', { name: 'Pay $30.00' }).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    expect(await paidCents(ann)).toBe(8000);
  });

  test('a dispute is shown at once, and what became of it after the bell', async () => {
    await hill.asAgent(ann).play({ slot: 2, move: 'WAR', stake_cents: 2700 });
    await hill.clock.ringBell();
    const [first, second] = [...stripe.sessions.values()].filter(({ payment_intent }) => payment_intent !== null) as [
      Session,
      Session,
    ];
    await stripe.refund(second.payment_intent as string, 1000);
    await stripe.dispute(first.payment_intent as string, 5000);
    await goOnPending();
    await page.goto(`${door.baseUrl}/account`);
    expect(await page.locator('main').innerText()).toContain('A top-up of this account is disputed or was refunded');
    expect(await credits()).toMatch(
      /\$50\.00 disputed[\s\S]*\$30\.00 left; what Stripe took back is taken after the next bell/i,
    );
    expect(await page.getByLabel('Top up').count()).toBe(0);
    await look('account-disputed');
    await hill.clock.ringBell();
    await page.goto(`${door.baseUrl}/account`);
    expect(await credits()).toMatch(
      /\$30\.00 refunded[\s\S]*\$10\.00 taken back · \$20\.00 left[\s\S]*\$50\.00 disputed[\s\S]*\$30\.00 taken back · \$20\.00 had been spent/i,
    );
    await look('account-taken');
    expect(await books(hill.root)).toEqual(balanced);
  });

  /** One that was begun before the dispute stays pending. */
  const goOnPending = async () => {
    const pending = '00000000-0000-4000-8000-000000000001';
    await hill.rows(
      'insert into hill.top_ups (id, account_id, cents, created_at, started_at) values ($1, $2, 4000, engine.now(), now())',
      [pending, ann.id],
    );
  };
});

describe('a checkout', () => {
  test('is asked of Stripe as it should be, once, and is found again', async () => {
    const bob = await anAccount(hill, { name: 'Bob' });
    const { visitor, at } = await begin(bob, '20');
    const before = stripe.sessions.size;
    const pages = await Promise.all([1, 2, 3].map(() => visitor.go(door.baseUrl + at)));
    expect(new Set(pages.map(({ text }) => /href="([^"]*\/c\/pay\/[^"]*)"/.exec(text)?.[1])).size).toBe(1);
    expect(stripe.sessions.size).toBe(before + 1);
    const asked = Object.fromEntries(stripe.asked.get(newest().id) as URLSearchParams);
    const id = at.split('/').at(-1) as string;
    expect(asked).toMatchObject({
      mode: 'payment',
      client_reference_id: id,
      'metadata[account_id]': bob.id,
      'line_items[0][price_data][unit_amount]': '2000',
      'line_items[0][price_data][currency]': 'usd',
      'adaptive_pricing[enabled]': 'false', // else it may be paid, and disputed, in another currency
      'allowed_payment_method_types[0]': 'card',
      cancel_url: `${door.baseUrl}/account/top-up/${id}`,
      success_url: `${door.baseUrl}/account?done=checkout#fuel`,
    });
    expect([...stripe.versions]).toEqual([apiVersion]);
    // nobody else's
    const carl = new Visitor((await anAccount(hill)).session);
    expect((await carl.once(door.baseUrl + at)).headers.get('Location')).toBe('/account?done=over#fuel');
  });

  test('that Stripe cannot make is said to be unavailable, and can be tried again', async () => {
    const { visitor, at } = await begin(await anAccount(hill), '20');
    stripe.down = true;
    const page = await visitor.go(door.baseUrl + at);
    stripe.down = false;
    expect(page.status).toBe(503);
    expect(page.text).toContain('Nothing was paid.');
    expect((await visitor.go(door.baseUrl + at)).status).toBe(200);
    expect(door.logged()).not.toContain(stripe.secretKey);
  });

  test('that was not made in half an hour is not promised for later', async () => {
    const { visitor, at } = await begin(await anAccount(hill), '20');
    await hill.rows("update hill.top_ups set started_at = now() - interval '30 minutes' where id = $1", [
      at.split('/').at(-1),
    ]);
    const page = await visitor.go(door.baseUrl + at);
    expect([page.status, page.text.includes('To pay now, begin another one.')]).toEqual([200, true]);
  });

  test('whose event was lost is found by the worker, through the library', async () => {
    const dan = await anAccount(hill);
    const { visitor, at } = await begin(dan, '40');
    await visitor.go(door.baseUrl + at);
    const { deliver } = stripe;
    stripe.deliver = async () => {};
    await stripe.pay(newest());
    await stripe.dispute(newest().payment_intent as string, 100);
    // more than a page of the list
    for (let i = 0; i < 120; i++)
      await stripe.happen('refund.created', {
        id: `re_${i}`,
        object: 'refund',
        amount: 1,
        currency: 'usd',
        payment_intent: 'pi_of_another',
        status: 'succeeded',
      });
    stripe.deliver = deliver;
    const { stripe: api } = parseConfig({ ...settings() });
    await askStripe(hill.as('worker'), openPayments(api as never, door.baseUrl), prove, aLog().log);
    expect(await paidCents(dan)).toBe(4000);
    expect(
      await hill.rows('select barred_at is not null as barred from hill.accounts where id = $1', [dan.id]),
    ).toEqual([{ barred: true }]);
    expect(await hill.rows("select count(*)::int from hill.payment_claims where payment = 'pi_of_another'")).toEqual([
      { count: 120 },
    ]);
  });
});

describe('the address of events', () => {
  test('refuses what is not signed, too long, or not a post', async () => {
    const to = `${door.baseUrl}/stripe/events`;
    const event = await stripe.happen('customer.created', { id: 'cus_1' });
    const { body, signature } = stripe.signed(event);
    const send = async (content: string | Uint8Array<ArrayBuffer>, header?: string) => {
      const answer = await fetch(to, {
        method: 'POST',
        body: content,
        headers: header ? { 'Stripe-Signature': header } : {},
      });
      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };
    expect(await send(body)).toEqual([400, 'SIGNATURE_REFUSED']);
    expect(await send(`${body} `, signature)).toEqual([400, 'SIGNATURE_REFUSED']);
    expect(await send(new Uint8Array([0xff, 0x00, 0xfe]), signature)).toEqual([400, 'SIGNATURE_REFUSED']);
    expect(await send('x'.repeat(300_000), signature)).toEqual([413, 'BODY_TOO_LONG']);
    expect(await send(body, signature)).toEqual([200, undefined]);
    expect((await fetch(to)).status).toBe(404);
    expect(door.logged()).not.toContain(stripe.webhookSecret);
  });
});
