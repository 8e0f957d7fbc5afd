// The usual tickets of staff in a browser, each from the first page of the console: how many clicks it takes. The table
// of docs/operations.md says the same numbers.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';
import { useConsole } from '../support/doors/console.ts';
import { type Account, anAccount, refusal, useHill } from '../support/hill/index.ts';
import { aMember } from '../support/hill/staff.ts';
import { aCode, aTournament, redeem } from '../support/hill/tournaments.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { isForEverybody } from '../support/peers/judged.ts';

const hill = useHill();
const staff = useConsole(hill);
/** From the first page, with the search. */
const most = 4;

describe.skipIf(!chromiumPath)('a ticket', () => {
  let browser: Browser;
  let page: Page;
  let ann: Account;
  const counted = new Map<string, number>();

  beforeAll(async () => {
    ann = await anAccount(hill, { name: 'Ann', credits: 20_000 });
    const bob = await anAccount(hill, { name: 'Bob', credits: 20_000 });
    await hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 957 });
    await hill.asAgent(bob).play({ slot: 2, move: 'PEACE', message: 'Ann is a complete fool' });
    await hill.clock.ringBell();
    for (const part of ['balances', 'last_night'])
      await hill.as('worker').query('select api_worker.check_books($1)', [part]);
    await hill.as('worker').query('select api_worker.count_books(true)');
    await hill.root.query(
      `insert into hill.top_ups (account_id, cents, created_at, started_at, checkout, payment, failed_at)
       values ($1, 2500, engine.now(), now(), 'cs_live_pending', null, null),
              ($1, 1500, engine.now(), now(), 'cs_live_failed', null, engine.now())`,
      [ann.id],
    );
    await hill.asStaff('Sue').call('api_staff.cut_agent', { agent_id: bob.agentId, reason: 'it ran wild' });
    await aTournament(hill, { opens_day: 2, sign_ups_close_day: 3, starts_day: 4 });
    await aCode(hill, 'spring-cup', { code: 'PRAGUE-2026' });
    await refusal(redeem(hill, ann, 'PRAG-2026'));
    await hill
      .asStaff('Sue')
      .call('api_staff.grant_credits', { account_id: ann.id, cents: 100, key: 'k', reason: 'a slip' });
    browser = await openChromium();
    page = await (await browser.newContext({ bypassCSP: true, acceptDownloads: true })).newPage();
    await page.goto(staff.url);
    await page.getByLabel('Staff key').fill(staff.key);
    await page.getByLabel('Your name').fill('Sam');
    await page.getByRole('button', { name: 'Sign in with the key' }).click();
  });
  afterAll(async () => {
    await browser?.close();
    const rows = [...counted].map(([words, clicks]) => `${String(clicks).padStart(3)}  ${words}`);
    process.stdout.write(`clicks  ticket\n${rows.join('\n')}\n`);
  });

  /** Walks a ticket from the first page, and counts: a click, and a text with Enter. Fields of a form are no clicks. */
  async function walk(words: string, go: (on: Steps) => Promise<void>): Promise<void> {
    let clicks = 0;
    const click = async (what: Locator) => {
      clicks++;
      await what.click();
    };
    await page.goto(staff.url);
    await go({
      click,
      link: (name, within = page.locator('main')) => click(within.getByRole('link', { name }).first()),
      button: (name) => click(page.getByRole('button', { name })),
      find: async (text) => {
        clicks++;
        await page.getByLabel('Find an account').fill(text);
        await page.getByLabel('Find an account').press('Enter');
        await page.waitForLoadState();
      },
    });
    await isForEverybody(page, words);
    counted.set(words, clicks);
    expect(clicks).toBeLessThanOrEqual(most);
  }
  interface Steps {
    readonly click: (what: Locator) => Promise<void>;
    readonly link: (name: string | RegExp, within?: Locator) => Promise<void>;
    readonly button: (name: string | RegExp) => Promise<void>;
    readonly find: (text: string) => Promise<void>;
  }
  const card = (title: string) =>
    page.locator('section.card').filter({ has: page.getByRole('heading', { name: title }) });
  const says = async (...parts: (string | RegExp)[]) => {
    for (const part of parts) await page.locator('main').getByText(part).first().waitFor({ timeout: 10_000 });
  };
  /** The second step of a form. */
  const because = () => page.getByLabel('Reason').fill('asked by its human');

  test('“I paid and have no credits” is answered with what Stripe calls it', () =>
    walk('I paid and have no credits', async ({ find }) => {
      await find('ann');
      const payments = card('Payments');
      for (const part of ['not paid yet, or on its way', 'cs_live_pending', 'failed', 'cs_live_failed'])
        await payments.getByText(part).first().waitFor();
    }));

  test('“My agent was cut” is settled', () =>
    walk('My agent was cut', async ({ find, link, button }) => {
      await find('bob');
      await link('let it in again', card('Agents'));
      await because();
      await button('Go on');
      await button('Yes: Let the agent in again');
      expect(await hill.rows("select from hill.agents where name = 'Bob' and cut_at is null")).toHaveLength(1);
    }));

  test('“Why 457 cents?” is answered by the charge, and why the place came out so', () =>
    walk('Why 457 cents?', async ({ find, link, click }) => {
      await find('ann');
      await link('night', card('Money'));
      await says('$9.57', 'paid credits');
      await click(page.locator('a.tag').first());
      await says('Why');
    }));

  test('“Somebody insults me” is settled by a part of what was said', () =>
    walk('Somebody insults me', async ({ find, link, button }) => {
      await find('complete FOOL');
      await link('hide it');
      await because();
      await button('Go on');
      await button('Yes: Hide what a move said');
      expect(await hill.rows("select from hill.hidden_words where words like '%complete fool%'")).toHaveLength(1);
    }));

  test('“My code does not work” is answered by what was typed, and the code that was meant', () =>
    walk('My code does not work', async ({ find }) => {
      await find('prag-2026');
      await says('PRAGUE-2026', 'There is no such code', 'Ann');
    }));

  test('“Fifty codes for a meetup” are a file', () =>
    walk('Fifty codes for a meetup', async ({ link, button, click }) => {
      await link('Make codes for a meetup');
      await page.getByRole('combobox', { name: 'Tournament' }).fill('spring-cup');
      await page.getByLabel('How many codes').fill('50');
      await page.getByLabel('What each grants').fill('500');
      await page.getByLabel('How each begins').fill('meetup');
      await because();
      await button('Go on');
      await button('Yes: Make codes for a meetup');
      const download = page.waitForEvent('download');
      await click(page.getByRole('link', { name: 'Download 50 codes as CSV' }));
      const file = readFileSync(await (await download).path(), 'utf8');
      expect(file.trim().split('\r\n')).toHaveLength(51);
    }));

  test('“Was last night right?” is answered by the first page', () =>
    walk('Was last night right?', async () => says('resolved again: equal')));

  test('“Is anything wrong now?” is answered by the first page', () =>
    walk('Is anything wrong now?', async () => says('Books', 'Worker', /All \d+ hold/)));

  test('“Who did what?” is answered by a name', () =>
    walk('Who did what?', async ({ click, button }) => {
      await click(page.getByRole('navigation').getByRole('link', { name: 'Audit' }));
      await page.getByLabel('By', { exact: true }).fill('Sue');
      await button('Search');
      await says('cut_agent', 'it ran wild');
    }));

  test('“I made a mistake” is taken back', () =>
    walk('I made a mistake', async ({ click, link, button }) => {
      await click(page.getByRole('navigation').getByRole('link', { name: 'Audit' }));
      await link('Take the grant back');
      await because();
      await button('Go on');
      await button('Yes: Take the grant back');
      await says('revoke_grant');
      expect(await hill.rows('select from hill.lot_revocations where kept_at is null')).toHaveLength(1);
    }));

  test.each([
    ['I lost my login', 'Move the account to another sign-in', 'move_sign_in'],
    ['Delete my data', 'Close the account for its human', 'close_account_for'],
  ])('“%s” is begun, and waits for a colleague', async (words, action, what) => {
    const { account } = await aMember(hill, 'support');
    const [name, value] = (await staff.signInAs(account)).split('=') as [string, string];
    await page.context().addCookies([{ name, value, url: staff.url }]); // the key may not: nobody could be the second
    await walk(words, async ({ find, link, button }) => {
      await find(what === 'move_sign_in' ? 'ann' : 'bob');
      await link(new RegExp(action, 'i'));
      await because();
      await button('Go on');
      await button(`Yes: ${action}`);
      expect(await hill.rows('select state from hill.account_orders where what = $1', [what])).toEqual([
        { state: 'begun' },
      ]);
    });
  });

  test('takes as many clicks as the handbook says', () => {
    const handbook = readFileSync(path.join(checkout, 'docs', 'operations.md'), 'utf8');
    for (const [words, clicks] of counted) {
      const row = handbook.split('\n').find((line) => line.startsWith(`| ${words} |`));
      expect(row?.endsWith(`| ${clicks} |`), `${words}: ${clicks}`).toBe(true);
    }
    expect(counted.size).toBe(12);
  });
});
