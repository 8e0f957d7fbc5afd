// The human's pages in a real browser, with scripts switched off: from sign-in to a claimed agent, its move, the
// mandate and the cut. Rules 3.8; protocol 4.4, 5.1, 6.2.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { call, useHill } from '../support/hill/index.ts';
import { mailSettings } from '../support/hill/mail.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { picture, pictures } from '../support/peers/judged.ts';

const hill = useHill();
const door = useHumansDoor(hill, () => mailSettings({ url: 'smtp://127.0.0.1:1' }));

describe.skipIf(!chromiumPath)('in Chromium', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    browser = await openChromium();
    context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    page = await context.newPage();
  });
  afterAll(() => browser?.close());

  /** Every page fits a phone: nothing is wider than the screen. */
  const look = async (name: string) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
      for (const colorScheme of ['light', 'dark'] as const) {
        if (!pictures && colorScheme === 'dark') continue;
        await page.emulateMedia({ colorScheme });
        await picture(page, `${name}-${width}-${colorScheme}`, { fullPage: true });
      }
    }
    await page.setViewportSize({ width: 360, height: 740 });
    const box = await page.locator('main').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    const session = await context.newCDPSession(page);
    const { cssContentSize } = (await session.send('Page.getLayoutMetrics')) as { cssContentSize: { width: number } };
    expect(cssContentSize.width).toBeLessThanOrEqual(360);
    await session.detach();
  };

  test('a human signs in, claims an agent, sets its mandate, takes back its move, reads the last night and cuts it off', async () => {
    await page.goto(`${door.baseUrl}/account`);
    await look('sign-in');
    await page.getByLabel('E-mail address').fill('ann@example.com');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You can choose another name').waitFor();
    await look('account-new');

    // the agent's side of the ceremony
    const web = hill.as('web');
    const [claim_token, attempt_token, token] = [randomUUID(), randomUUID(), randomUUID()];
    await call(web, 'api_oauth.register_anonymous', {
      registration_id: randomUUID(),
      client_id: 'agent_of_a_browser_test',
      client_name: 'MCP CLI Proxy',
      claim_token,
      assertion: randomUUID(),
    });
    await call(web, 'api_oauth.begin_claim', {
      claim_token,
      email: 'ann@example.com',
      attempt_token,
      user_code: '123456',
      at_most: 20,
      seconds: 3600,
    });

    await page.goto(`${door.baseUrl}/claim?claim_attempt_token=${attempt_token}`);
    await page.getByText('MCP CLI Proxy').first().waitFor();
    await look('claim');
    expect(await page.getByLabel('Your public name').inputValue()).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
    await page.getByLabel('The 6-digit code').fill('654321');
    await page.getByLabel('Your public name').fill('House 3');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('The name is reserved').waitFor();
    expect(await page.getByLabel('Your public name').inputValue()).toBe('House 3');
    expect(await page.getByLabel('The 6-digit code').inputValue()).toBe('654321');
    await look('claim-name');
    await page.getByLabel('Your public name').fill('Patient Diplomat');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('That is not the code. 4 tries left.').waitFor();
    expect(await page.getByLabel('Your public name').inputValue()).toBe('Patient Diplomat');
    await look('claim-wrong');
    await page.getByLabel('The 6-digit code').fill('123456');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'The agent is yours' }).waitFor();
    await look('claim-done');
    await call(web, 'api_oauth.redeem_claim', {
      claim_token,
      access_token: token,
      assertion: randomUUID(),
      audience: door.baseUrl,
    });

    await page.getByRole('link', { name: 'Your account' }).first().click();
    await page.getByRole('heading', { name: 'Patient Diplomat' }).waitFor();
    await page.getByLabel('Top up').fill('50');
    await page.getByRole('button', { name: 'Add play money' }).click();
    await page.getByText('The play money is there.').waitFor();
    await page.getByLabel('Daily cap').fill('25 dollars');
    await page.getByRole('button', { name: 'Save the mandate' }).click();
    await page.getByText('Enter an amount from $0 to $1,000,000.').waitFor();
    expect(page.url()).toBe(`${door.baseUrl}/account#daily_cap`);
    expect(await page.locator('#daily_cap:focus').inputValue()).toBe('25 dollars');
    await look('account-refused');
    await page.reload(); // sends nothing again
    expect(await page.getByLabel('Daily cap').inputValue()).toBe('10.00');
    await page.getByLabel('Daily cap').fill('25.50');
    await page.getByLabel('Largest WAR stake').fill('12');
    await page.getByRole('button', { name: 'Save the mandate' }).click();
    await page.getByText('The daily cap is $25.50 from now on; it was $10.').waitFor();
    expect(await page.getByLabel('Daily cap').inputValue()).toBe('25.50');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('The account is paused.').waitFor();
    await look('account-paused');
    await page.getByRole('button', { name: 'End the pause' }).click();
    await page.getByText('The pause is over').waitFor();
    await page.getByRole('button', { name: 'Make a private feed' }).click();
    await page.getByText('It is shown only now.').waitFor();
    await look('account-feed');

    await call(web, 'api_agent.play', {
      token,
      slot: 3,
      move: 'WAR',
      stake_cents: 1200,
      message: 'This one is mine, and I mean it',
    });
    await call(web, 'api_agent.play', { token, slot: 7, move: 'PEACE' });
    await page.goto(`${door.baseUrl}/account`);
    await page.getByText('on place 3').first().waitFor();
    await look('account');
    await page.getByRole('button', { name: 'Withdraw WAR on place 3' }).click();
    await page.getByText('The move is withdrawn').waitFor();
    expect(await page.getByText('on place 3').count()).toBe(0);
    expect(await page.getByText('on place 7').count()).toBeGreaterThan(0);

    await hill.clock.ringBell();
    await page.goto(`${door.baseUrl}/account`);
    await page.getByText('place 7, +4 points, −$3.00').waitFor();
    const plots = page.getByRole('img', { name: /the account had|It earned/ });
    expect(
      await plots.evaluateAll((all) =>
        all.filter((one) => one.checkVisibility()).map((one) => one.querySelectorAll('path, rect').length),
      ),
    ).toEqual([expect.any(Number), expect.any(Number)]);
    await look('account-last-night');
    await page.getByRole('link', { name: 'Every night' }).click();
    await page.getByRole('heading', { name: 'Your nights' }).waitFor();
    expect(await page.locator('tr', { hasText: 'took a seat' }).innerText()).toMatch(/\+4\s+−\$3\.00\s+\$47\.00/);
    await look('history');
    await page.getByRole('link', { name: 'Every deposit, and its proof' }).click();
    await page.getByRole('heading', { name: 'Your deposits of day' }).waitFor();
    await page.getByText('You withdrew the move that lived there.').waitFor();
    await look('deposits');
    await page.getByRole('link', { name: 'All your nights' }).click();
    await page.getByRole('link', { name: 'Back to your account' }).click();

    await page.getByText('Cut off').first().click();
    await look('account-cut');
    await page.getByRole('button', { name: 'Yes, cut it off' }).click();
    await page.getByText('The agent is cut off.').waitFor();
    await page.getByText('Nobody plays for you').waitFor();
    await look('account-warned');
    await expect(call(web, 'api_agent.check_token', { token })).rejects.toMatchObject({ code: 'ZHTOK' });

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${door.baseUrl}/account`);
    expect(page.url()).toContain('/sign-in');
  });

  test('and later downloads the account’s data, and closes it', async () => {
    const signIn = async () => {
      await page.getByLabel('E-mail address').fill('ann@example.com');
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await page.goto(`${door.baseUrl}/account`);
    await signIn();
    await page.getByRole('link', { name: 'Download your data, or close the account' }).click();
    await page.getByRole('heading', { name: 'Your data, and leaving' }).waitFor();
    await look('leaving');
    const arrives = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download your data' }).click();
    const download = await arrives;
    expect(download.suggestedFilename()).toBe('hill-account.json');
    const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as Record<string, unknown[]>;
    expect(file.moves).toHaveLength(2);
    expect(file.icon).toBeNull();

    await page.getByLabel('Type patient-diplomat to close it').fill('patient');
    await page.getByRole('button', { name: 'Close the account for good' }).click();
    await page.getByText('nothing was closed').waitFor();
    await look('leaving-wrong');
    await hill.root.query("update oauth.human_sessions set created_at = created_at - interval '11 minutes'");
    await page.getByLabel('Type patient-diplomat to close it').fill('patient-diplomat');
    await page.getByRole('button', { name: 'Close the account for good' }).click();
    await page.getByText('This needs a sign-in of the last minutes.').waitFor();
    await look('leaving-late');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await signIn();
    await page.getByLabel('Type patient-diplomat to close it').fill('patient-diplomat');
    await page.getByRole('button', { name: 'Close the account for good' }).click();
    await page.getByRole('heading', { name: 'Your account is closed' }).waitFor();
    await look('leaving-closed');

    await page.getByRole('link', { name: 'sign in', exact: true }).click();
    await signIn();
    await page.getByText('You can choose another name').waitFor();
  });
});
