// Sign-in with GitHub, against a server that speaks GitHub's endpoints; and both providers for one human. Protocol 5.1.
import { beforeEach, describe, expect, test } from 'vitest';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { Visitor } from '../support/doors/visitor.ts';
import { useHill } from '../support/hill/index.ts';
import { useGithub } from '../support/peers/github-server.ts';
import { useGoogle } from '../support/peers/google-server.ts';

const hill = useHill();
const google = useGoogle();
const github = useGithub();
const door = useHumansDoor(hill, (baseUrl) => {
  google.redirectUri = `${baseUrl}/sign-in/google/callback`;
  github.redirectUri = `${baseUrl}/sign-in/github/callback`;
  return {
    GOOGLE_ISSUER: google.issuer,
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    GITHUB_URL: github.url,
    GITHUB_API_URL: github.url,
    GITHUB_CLIENT_ID: github.clientId,
    GITHUB_CLIENT_SECRET: github.clientSecret,
  };
});

const signIn = (visitor: Visitor, change?: (url: URL) => URL) => visitor.go(`${door.baseUrl}/sign-in/github`, change);
const accounts = async () =>
  (await hill.rows<{ count: number }>('select count(*)::int as count from oauth.humans'))[0]?.count;
const address = (email: string, verified = true, primary = true) => ({ email, verified, primary });

beforeEach(() => {
  github.human = { id: 7, emails: [address('other@example.com', true, false), address('Gil@Example.com')] };
});

test('a human with a GitHub account signs in with the primary verified address', async () => {
  const page = await signIn(new Visitor());

  expect(page).toMatchObject({ url: `${door.baseUrl}/account`, status: 200 });
  expect(page.text).toContain('gil@example.com');
  expect(page.text).toContain('You sign in with GitHub');
});

test('the same address through both providers is two accounts: an address is no key', async () => {
  const [first, second] = [new Visitor(), new Visitor()];
  github.human = { id: 8, emails: [address('both@example.com')] };
  google.human = { sub: 'g-both', email: 'BOTH@example.com', email_verified: true };
  const before = (await accounts()) ?? 0;

  await signIn(first);
  await second.go(`${door.baseUrl}/sign-in/google`);

  expect(await accounts()).toBe(before + 2);
  expect((await door.page(second, '/account')).text).toContain('You sign in with Google.');
  expect((await door.page(second, '/account')).text).toContain('Signed in as <bdi>both@example.com</bdi>');
  expect((await door.page(first, '/account')).text).not.toContain('Signed in as');
});

test('two humans with two addresses are two accounts', async () => {
  const before = (await accounts()) ?? 0;
  for (const id of [20, 21]) {
    github.human = { id, emails: [address(`two-${id}@example.com`)] };
    await signIn(new Visitor());
  }
  expect(await accounts()).toBe(before + 2);
});

describe('a sign-in is refused, and opens no session,', () => {
  const refused = async (status: number, words: RegExp, change?: (url: URL) => URL) => {
    const visitor = new Visitor();
    const page = await signIn(visitor, change);
    expect(page.status).toBe(status);
    expect(page.text).toMatch(words);
    expect(visitor.cookies.has('hill_session')).toBe(false);
  };

  test('if the primary address is not verified, though another is', async () => {
    github.human = { id: 9, emails: [address('new@example.com', false), address('old@example.com', true, false)] };
    await refused(403, /no verified e-mail address/);
  });

  test('if the human refuses', async () => {
    github.human = null;
    await refused(403, /was told to refuse/);
  });

  test.each([
    ['the state is another', '/callback', 'state'],
    ['the code is another', '/callback', 'code'],
    ['the code was made for another verifier (PKCE)', '/authorize', 'code_challenge'],
  ])('if %s', async (_, part, parameter) => {
    await refused(400, /does not belong to this sign-in/, (url) => {
      if (url.pathname.endsWith(part)) url.searchParams.set(parameter, 'x'.repeat(43));
      return url;
    });
  });

  test('if it was begun at the other provider', async () => {
    const visitor = new Visitor();
    const begun = await visitor.once(`${door.baseUrl}/sign-in/google`);
    const state = new URL(begun.headers.get('Location') ?? '').searchParams.get('state');

    const page = await visitor.go(`${door.baseUrl}/sign-in/github/callback?code=abc&state=${state}`);

    expect(page.status).toBe(400);
  });
});
