// Two hosts, and a proxy in front: humans have one host, clients may know another, and nobody is sent round in circles.
import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { useBrowserDoor } from '../support/doors/browser-door.ts';
import { useOAuth } from '../support/doors/oauth.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();

describe('on two hosts', () => {
  const door = useOAuth(hill, 'two hosts');
  const browser = useBrowserDoor(door);

  test.each([
    '/account',
    '/claim?claim_attempt_token=x&y=%2F',
    '/sign-in?return_to=%2Faccount',
    '/sign-in/google?return_to=%2Faccount',
  ])('the authorization host leads from %s to the host of the pages', async (path) => {
    const answer = await fetch(door.authUrl + path, { redirect: 'manual' });

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(door.baseUrl + path);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.each(['/account', '/sign-in', '/claim', '/device', '/oauth/authorize'])(
    '%s is open to no other origin, whatever the method',
    async (path) => {
      for (const method of ['GET', 'OPTIONS']) {
        const { status, headers } = await fetch(door.baseUrl + path, {
          method,
          redirect: 'manual',
          headers: { Origin: 'https://elsewhere.example' },
        });
        expect([method, headers.get('access-control-allow-origin')]).toEqual([method, null]);
        if (method === 'OPTIONS') expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
      }
    },
  );

  test('a form that is sent to the authorization host changes nothing, and says where it belongs', async () => {
    const answer = await fetch(`${door.authUrl}/account/mandate`, {
      method: 'POST',
      headers: { Origin: door.authUrl, Cookie: `hill_session=${await door.human('lost@example.com')}` },
      body: new URLSearchParams({ daily_cap: '1', max_stake: '1' }),
    });

    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain(door.baseUrl);
  });

  test('a proxy that tells another host than the one that was asked for gets pages all the same, and no circle', async () => {
    const { client_id } = await browser.register();
    const headers = {
      Cookie: `hill_session=${await door.human('behind@example.com')}`,
      Host: 'upstream.internal:8080',
    };
    const statusOf = (path: string) =>
      new Promise<number>((resolve, reject) => {
        get(door.authUrl + path, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        }).on('error', reject);
      });

    expect(await statusOf(`/oauth/authorize?${browser.asking(client_id)}`)).toBe(200);
    expect(await statusOf('/account')).toBe(200);
  });
});

describe('behind a proxy that says by X-Forwarded-Host what was asked for', () => {
  const door = useOAuth(hill, 'two hosts', { HILL_PROXIES: '1' });

  test('it is believed', async () => {
    const headers = { 'X-Forwarded-Host': new URL(door.authUrl).host };

    expect((await fetch(`${door.baseUrl}/account`, { headers, redirect: 'manual' })).headers.get('location')).toBe(
      `${door.baseUrl}/account`,
    );
  });
});
