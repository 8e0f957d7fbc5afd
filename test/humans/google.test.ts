// Sign-in with Google, against a real OpenID Connect provider: protocol 5.1, 8.
import { beforeEach, describe, expect, test } from 'vitest';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { Visitor } from '../support/doors/visitor.ts';
import { useHill } from '../support/hill/index.ts';
import { useGoogle } from '../support/peers/google-server.ts';

const hill = useHill();
const google = useGoogle();
const door = useHumansDoor(hill, (baseUrl) => {
  google.redirectUri = `${baseUrl}/sign-in/google/callback`;
  return { GOOGLE_ISSUER: google.issuer, GOOGLE_CLIENT_ID: google.clientId, GOOGLE_CLIENT_SECRET: google.clientSecret };
});

const signIn = (visitor: Visitor, change?: (url: URL) => URL) =>
  visitor.go(`${door.baseUrl}/sign-in/google?return_to=/account`, change);
const accountOf = async (email: string) =>
  (await hill.rows<{ account_id: string }>('select account_id from oauth.humans where email = $1', [email]))[0]
    ?.account_id;
const counts = async () =>
  (
    await hill.rows<{ accounts: number; sessions: number }>(
      'select (select count(*)::int from oauth.humans) as accounts, (select count(*)::int from oauth.human_sessions) as sessions',
    )
  )[0];

beforeEach(() => {
  google.human = { sub: 'g-1', email: 'Ann@Example.com', email_verified: true };
});

describe('a human with a Google account', () => {
  test('signs in, gets an account of the own address in lower case, and goes on to the page that was asked for', async () => {
    const visitor = new Visitor();

    const page = await signIn(visitor);

    expect(page).toMatchObject({ url: `${door.baseUrl}/account`, status: 200 });
    expect(page.text).toContain('ann@example.com');
    expect(await accountOf('ann@example.com')).toBeDefined();
    expect(page.response.headers.get('Cache-Control')).toBe('no-store');
  });

  test('comes back to the same account, by Google’s id, even with another address', async () => {
    await signIn(new Visitor());
    const before = await accountOf('ann@example.com');
    google.human = { sub: 'g-1', email: 'ann.new@example.com', email_verified: true };

    const page = await signIn(new Visitor());

    expect(page.text).toContain('ann.new@example.com');
    expect(await accountOf('ann.new@example.com')).toBe(before);
    expect(await accountOf('ann@example.com')).toBeUndefined(); // nobody vouches for it any more
    google.human = { sub: 'g-1', email: 'ann@example.com', email_verified: true };
    await signIn(new Visitor());
  });

  test('two at one instant by one new address make one account', async () => {
    google.human = { sub: 'g-twin', email: 'twin@example.com', email_verified: true };
    const { accounts = 0 } = (await counts()) ?? {};

    const pages = await Promise.all([1, 2, 3, 4].map(() => signIn(new Visitor())));

    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await counts())?.accounts).toBe(accounts + 1);
  });

  test('goes on to a page whose address is several thousand characters long, with what a cookie could not hold as it is', async () => {
    const state = `${'a;b,c"d\\e%'.repeat(300)}${'z'.repeat(1_000)}`;
    const target = `/claim?${new URLSearchParams({ claim_attempt_token: 'x' })}&state=${state.replaceAll('%', '%25')}`;

    const page = await new Visitor().go(`${door.baseUrl}/sign-in/google?return_to=${encodeURIComponent(target)}`);

    expect(new URL(page.url).pathname).toBe('/claim');
    expect(new URL(page.url).searchParams.get('state')).toBe(state);
  });

  test('has cookies that no script reads and no other site sends', async () => {
    const visitor = new Visitor();
    const set: string[] = [];
    const once = visitor.once.bind(visitor);
    visitor.once = async (...args) => {
      const response = await once(...args);
      if (args[0].startsWith(door.baseUrl)) set.push(...response.headers.getSetCookie());
      return response;
    };
    await signIn(visitor);

    expect(set.map((line) => line.split('=')[0])).toEqual([
      'hill_sign_in',
      'hill_sign_in_to_1',
      'hill_sign_in',
      'hill_sign_in_to_1',
      'hill_session',
    ]);
    for (const line of set) expect(line).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
  });
});

describe('a sign-in is refused, and opens no session,', () => {
  const refused = async (status: number, words: RegExp, visitor: Visitor, change?: (url: URL) => URL) => {
    const before = await counts();
    const page = await signIn(visitor, change);
    expect(page.status).toBe(status);
    expect(page.text).toMatch(words);
    expect(visitor.cookies.has('hill_session')).toBe(false);
    expect(await counts()).toEqual(before);
  };
  const when = (part: string, alter: (url: URL) => void) => (url: URL) => {
    if (url.pathname.endsWith(part)) alter(url);
    return url;
  };

  test('if the address is not verified', async () => {
    google.human = { sub: 'g-2', email: 'bob@example.com', email_verified: false };
    await refused(403, /no verified e-mail address/, new Visitor());
  });

  test('if the human refuses at the provider', async () => {
    google.human = null;
    await refused(403, /was told to refuse/, new Visitor());
  });

  test('if Google takes the hill’s own secret no more, which is not the human’s fault', async () => {
    google.secretEnded = true;
    await refused(502, /Google does not take sign-ins of this hill/, new Visitor());
    google.secretEnded = false;
  });

  test('if the state is another', async () => {
    await refused(
      400,
      /does not belong to this sign-in/,
      new Visitor(),
      when('/callback', (url) => url.searchParams.set('state', 'x'.repeat(43))),
    );
  });

  test('if the state is missing', async () => {
    await refused(
      400,
      /does not belong to this sign-in/,
      new Visitor(),
      when('/callback', (url) => url.searchParams.delete('state')),
    );
  });

  test('if the ID token was made for another nonce', async () => {
    await refused(
      400,
      /does not belong to this sign-in/,
      new Visitor(),
      when('/auth', (url) => url.searchParams.set('nonce', 'another')),
    );
  });

  test('if the code was made for another verifier (PKCE)', async () => {
    await refused(
      400,
      /does not belong to this sign-in/,
      new Visitor(),
      when('/auth', (url) => url.searchParams.set('code_challenge', 'x'.repeat(43))),
    );
  });

  test('if the answer names another issuer', async () => {
    await refused(
      400,
      /does not belong to this sign-in/,
      new Visitor(),
      when('/callback', (url) => url.searchParams.set('iss', 'https://accounts.example')),
    );
  });

  test('if a code of somebody else’s is put into it', async () => {
    // an attacker stops short of the own callback, and puts the code into the victim's
    let code = '';
    await expect(
      signIn(new Visitor(), (url) => {
        if (!url.pathname.endsWith('/callback')) return url;
        code = url.searchParams.get('code') ?? '';
        throw new Error('stopped');
      }),
    ).rejects.toThrow('stopped');
    expect(code).not.toBe('');

    await refused(
      400,
      /does not belong to this sign-in/,
      new Visitor(),
      when('/callback', (url) => url.searchParams.set('code', code)),
    );
  });

  test('in a browser that did not begin it', async () => {
    const other = new Visitor();
    const begun = await other.once(`${door.baseUrl}/sign-in/google`);
    expect(begun.status).toBe(303);
    const stranger = new Visitor();
    const page = await stranger.go(
      `${door.baseUrl}/sign-in/google/callback?code=abc&state=${new URL(begun.headers.get('Location') ?? '').searchParams.get('state')}`,
    );

    expect(page.status).toBe(400);
    expect(page.text).toContain('was not begun in this browser');
  });

  test('a second time with the same answer', async () => {
    const visitor = new Visitor();
    let back = '';
    await signIn(
      visitor,
      when('/callback', (url) => (back = url.href)),
    );
    const before = await counts();

    const page = await visitor.go(back);

    expect(page.status).toBe(400);
    expect(await counts()).toEqual(before);
  });
});

describe('operators see how sign-ins end', () => {
  const ended = () => {
    const found = door.metrics.collect().find(({ name }) => name === 'hill_sign_ins_total');
    return Object.fromEntries((found?.points ?? []).map(([{ outcome }, n]) => [outcome, n])) as Record<string, number>;
  };
  const change = async (work: () => Promise<unknown>) => {
    const before = ended();
    await work();
    return Object.fromEntries(
      Object.entries(ended()).flatMap(([is, n]) =>
        n === before[is] ? [] : [[is, (n as number) - (before[is] as number)]],
      ),
    );
  };
  const brought = (changed: (url: URL) => void) =>
    signIn(new Visitor(), (url) => {
      if (url.pathname.endsWith('/callback')) changed(url);
      return url;
    });

  test('well, refused, or failed for want of the provider', async () => {
    expect(await change(() => signIn(new Visitor()))).toEqual({ done: 1 });
    google.human = null;
    expect(await change(() => signIn(new Visitor()))).toEqual({ refused: 1 });
    google.human = { sub: 'g-1', email: 'ann@example.com', email_verified: true };
    google.secretEnded = true;
    expect(await change(() => signIn(new Visitor()))).toEqual({ failed: 1 });
    google.secretEnded = false;
  });

  test('and nobody makes one look failed by what a browser brings', async () => {
    const forged = () =>
      brought((url) => {
        url.searchParams.delete('code');
        url.searchParams.set('error', 'invalid_client');
      });
    expect(await change(forged)).toEqual({ refused: 1 });
    expect(await change(() => brought((url) => url.searchParams.set('code', 'x')))).toEqual({ refused: 1 });
  });
});

test('begins at the provider with the exact redirect address, S256 and the scopes that are needed', async () => {
  const response = await new Visitor().once(`${door.baseUrl}/sign-in/google`);
  const url = new URL(response.headers.get('Location') ?? '');

  expect(response.status).toBe(303);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    redirect_uri: `${door.baseUrl}/sign-in/google/callback`,
    scope: 'openid email',
    response_type: 'code',
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
});

test('goes on to no page of another site', async () => {
  for (const target of [
    'https://evil.example/account',
    '//evil.example/account',
    '/\\evil.example',
    '/account/../../evil',
    '/nowhere',
  ]) {
    const page = await new Visitor().go(`${door.baseUrl}/sign-in/google?return_to=${encodeURIComponent(target)}`);
    expect(page.url).toBe(`${door.baseUrl}/account`);
  }
});

test('without configured GitHub there is Google alone, and no development sign-in', async () => {
  const page = await new Visitor().go(`${door.baseUrl}/sign-in`);

  expect(page.text).toContain('Continue with Google');
  expect(page.text).not.toContain('Continue with GitHub');
  expect(page.text).not.toContain('development sign-in');
  expect(
    (await new Visitor().post(`${door.baseUrl}/sign-in/development`, { email: 'eve@example.com' })).status,
  ).toBeGreaterThanOrEqual(404);
});

test('leaves no code, token, cookie or address in the log', () => {
  expect(door.logged()).toContain('a sign-in failed');
  expect(door.logged()).not.toMatch(/@example\.com|code=|state=|eyJ/);
});
