// Door B as it is meant: a real browser, a real program that listens on a loopback port, and a human between them. Row
// 50 of protocol 11.
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useBrowserDoor } from '../support/doors/browser-door.ts';
import { useDevice } from '../support/doors/device.ts';
import { attemptOf, payloadOf, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { useHill } from '../support/hill/index.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { picture, pictures } from '../support/peers/judged.ts';

describe.skipIf(!chromiumPath)('in Chromium', () => {
  const hill = useHill();
  const door = useOAuth(hill, 'two hosts');
  const client = useBrowserDoor(door);
  const device = useDevice(door);
  let browser: Browser;
  let page: Page;
  let listener: http.Server;
  let callback: string;
  let answered: Promise<URL>;
  let referrers: string[];

  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    page = await context.newPage();
    referrers = [];
    answered = new Promise((resolve) => {
      listener = http.createServer((request, response) => {
        response.end('You may close this window.');
        if (!request.url?.startsWith('/callback')) return; // the icon that Chromium looks for on the program's own page
        referrers.push(request.headers.referer ?? '');
        resolve(new URL(request.url, callback));
      });
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    callback = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
  });
  afterEach(async () => {
    await page.context().close();
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  });

  const look = async (name: string) => {
    if (!pictures) return;
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
      await picture(page, `${name}-${width}`, { fullPage: true });
    }
    await page.setViewportSize({ width: 360, height: 740 });
  };
  const signIn = async (email: string) => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  test('50: authorize, sign in, approve: the program gets its code on its port, and a token for it', async () => {
    const { client_id } = await client.register(['http://127.0.0.1/callback'], { client_name: 'A coding harness' });
    const state = randomBytes(2_700).toString('base64url'); // 3,600 characters, as some clients send

    await page.goto(`${door.authUrl}/oauth/authorize?${client.asking(client_id, { redirect_uri: callback, state })}`);
    expect(new URL(page.url()).origin).toBe(door.baseUrl);
    await look('authorize-sign-in');
    await signIn('ann@example.com');
    await page.getByRole('heading', { name: 'An app wants to play for you' }).waitFor();
    expect(new URL(page.url()).origin).toBe(door.baseUrl);
    await look('consent');
    await page.getByRole('button', { name: 'Approve' }).click();

    const back = await answered;
    expect(Object.fromEntries(back.searchParams)).toEqual({ code: expect.any(String), state, iss: door.authUrl });
    expect(referrers.join('')).toBe(''); // the program is not told where the human was
    const tokens = succeeded(
      await client.exchange(client_id, back.searchParams.get('code') as string, { redirect_uri: callback }),
    );
    expect(payloadOf(tokens.access_token)).toMatchObject({ client_id, scope: 'hill:read hill:play' });
    expect(await door.accepts(tokens.access_token)).toBe('ok');
  });

  test('50: refused, the program is told so', async () => {
    const { client_id } = await client.register(['http://127.0.0.1/callback']);
    await page.goto(`${door.authUrl}/oauth/authorize?${client.asking(client_id, { redirect_uri: callback })}`);
    await signIn('bob@example.com');
    await page.getByRole('button', { name: 'Refuse' }).click();

    expect(Object.fromEntries((await answered).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'a state',
      iss: door.authUrl,
    });
  });

  test('a claim: by whichever host the human comes, and in whichever session', async () => {
    const registration = await door.register('Patient Diplomat');
    const claim = succeeded(await door.claim(registration.claim_token, 'carol@example.com'));
    await page.goto(`${door.authUrl}/claim?claim_attempt_token=${attemptOf(claim)}`);
    await signIn('dave@example.com');
    await page.getByRole('heading', { name: 'This code is for another account' }).waitFor();
    await look('claim-other-account');
    await page.getByRole('button', { name: 'Sign in with another address' }).click();
    await signIn('carol@example.com');
    await page.getByLabel('The 6-digit code').fill(claim.claim_attempt.user_code);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'The agent is yours' }).waitFor();
    await look('claim-approved');

    const tokens = succeeded(await door.poll(registration.claim_token));
    expect(tokens.scope).toBe('hill:read hill:play');
    await page.goto(`${door.authUrl}/account`);
    expect(page.url()).toBe(`${door.baseUrl}/account`);
    await page.getByText('Cut off').first().click();
    await page.getByRole('button', { name: 'Yes, cut it off' }).click();
    await page.getByText('The agent is cut off.').waitFor();
    await look('account-after-cut');
    expect(await door.accepts(tokens.access_token)).toBe('401 invalid_token');
  });

  test('a device: the human comes by its link, compares the code, names the account and approves', async () => {
    const { client_id } = await device.register('A program in a terminal');
    const codes = succeeded(await device.ask(client_id));
    await page.goto(codes.verification_uri_complete);
    await signIn('fred@example.com');
    await page.getByRole('heading', { name: 'Compare the code' }).waitFor();
    await page.getByText(codes.user_code).waitFor();
    await look('device-compare');
    await page.getByRole('link', { name: 'No, it shows another' }).click();
    await page.getByLabel('The code that your program shows').fill('bcdf ghjk');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('No program waits with that code').waitFor();
    expect(await page.getByLabel('The code that your program shows').inputValue()).toBe('BCDF-GHJK');
    await look('device-wrong');
    await page.getByLabel('The code that your program shows').fill(codes.user_code.toLowerCase());
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('heading', { name: 'A program wants to play for you' }).waitFor();
    await look('device-decide');
    await page.getByLabel('Your public name').fill('Admin');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('The name is reserved').waitFor();
    expect(await page.getByLabel('Your public name').inputValue()).toBe('Admin');
    await look('device-name');
    await page.getByLabel('Your public name').fill('Frédéric');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'The program is connected' }).waitFor();
    await look('device-done');

    const tokens = succeeded(await device.poll(client_id, codes.device_code));
    expect(await door.accepts(tokens.access_token)).toBe('ok');
    await page.getByRole('link', { name: 'Your account' }).first().click();
    await page.getByRole('heading', { name: 'Frédéric' }).waitFor();
  });

  test.each(['an unknown client', 'a code that nobody gave'])('pages that end here: %s', async (what) => {
    if (what === 'an unknown client') {
      await page.goto(`${door.authUrl}/oauth/authorize?${client.asking('nobody')}`);
      await page.getByRole('heading', { name: 'This cannot go on' }).waitFor();
    } else {
      await page.goto(`${door.baseUrl}/claim?claim_attempt_token=nothing`);
      await signIn('erin@example.com');
      await page.getByRole('heading', { name: 'There is no such claim' }).waitFor();
    }
    await look(what.replaceAll(' ', '-'));
  });
});
