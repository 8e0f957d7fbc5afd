// The console in a real browser: a form from a page of an account to the way back, for everybody; and what GraphiQL
// leaves behind.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useConsole } from '../support/doors/console.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { isForEverybody } from '../support/peers/judged.ts';

const hill = useHill();
const staff = useConsole(hill);

describe.skipIf(!chromiumPath)('in Chromium', () => {
  let browser: Browser;
  let page: Page;
  let ann: Account;

  beforeAll(async () => {
    ann = await anAccount(hill, { name: 'Ann', credits: 20_000 });
    browser = await openChromium();
    // axe is evaluated in pages that run no script of their own
    page = await (await browser.newContext({ bypassCSP: true })).newPage();
    await page.goto(staff.url);
    await page.getByLabel('Staff key').fill(staff.key);
    await page.getByLabel('Your name').fill('Sam');
    await page.getByRole('button', { name: 'Sign in with the key' }).click();
  });
  afterAll(() => browser?.close());

  test('credits are given in four clicks from the account, and taken back from the entry', async () => {
    await page.goto(`${staff.url}/account/ann`);
    await page.getByRole('link', { name: 'Grant credits' }).click();
    await page.getByLabel('How much').fill('1250');
    await page.getByLabel('Reason').fill('A night was lost');
    await isForEverybody(page, 'form');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('$12.50 (1,250 cents)').waitFor();
    await isForEverybody(page, 'sure');
    await page.getByRole('button', { name: 'Change something' }).click();
    expect(await page.getByLabel('How much').inputValue()).toBe('1250');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Yes: Grant credits' }).dblclick();
    await page.waitForURL(/\/audit\/\d+$/);
    await isForEverybody(page, 'entry');
    expect(await hill.rows('select cents from hill.lots where account_id = $1', [ann.id])).toEqual([{ cents: 1250 }]);
    await page.getByRole('link', { name: 'Take the grant back' }).click();
    await page.getByText('$12.50').waitFor();
    await page.goto(`${staff.url}/do`);
    await isForEverybody(page, 'actions');
  });

  test('a mutation that was typed into GraphiQL has no variables once it is opened again, and signing out forgets it', async () => {
    const stored = () =>
      page.evaluate<string>('JSON.stringify({ ...localStorage })').then((all) => JSON.parse(all) as object);
    await page.goto(`${staff.url}/graphiql`);
    await page.locator('.graphiql-query-editor .view-lines').waitFor();
    const query =
      'mutation ($id: UUID!) { suspendAccount(input: { accountId: $id, suspended: true, reason: "no" }) { account { name } } }';
    await page.evaluate(
      ([query, variables]) => {
        const tab = { id: 'own', title: 'own', query, variables, headers: null, operationName: null, response: null };
        localStorage.setItem('graphiql:tabState', JSON.stringify({ tabs: [tab], activeTabIndex: 0 }));
        localStorage.setItem('graphiql:query', query as string);
        localStorage.setItem('graphiql:variables', variables as string);
      },
      [query, JSON.stringify({ id: ann.id })] as const,
    );
    expect(JSON.stringify(await stored())).toContain('suspendAccount');
    expect(JSON.stringify(await stored())).not.toContain(ann.id);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('For the first owner').waitFor();
    expect(await stored()).toEqual({});
  });
});
