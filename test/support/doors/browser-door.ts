// Door B as a client and its human go through it, without a browser: registration, the consent page's form, code,
// refresh.
import { createHash, randomBytes } from 'node:crypto';
import { type Answer, type OAuth, succeeded, type Tokens } from './oauth.ts';
import { formOf } from './visitor.ts';

export const callback = 'http://127.0.0.1:4321/callback';
export const verifier = randomBytes(32).toString('base64url');
const codeChallenge = createHash('sha256').update(verifier).digest('base64url');

type More = Record<string, string | undefined>;

export function useBrowserDoor(door: OAuth) {
  const browser = {
    register: async (redirect_uris = [callback], more: object = {}) =>
      (
        await door.json<{ client_id: string; scope: string }>('/oauth/register', {
          client_name: 'A harness',
          redirect_uris,
          ...more,
        })
      ).body,

    asking: (client_id: string, more: More = {}) => {
      const all = {
        response_type: 'code',
        client_id,
        redirect_uri: callback,
        scope: 'hill:read hill:play',
        state: 'a state',
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        resource: door.authUrl,
        ...more,
      };
      return new URLSearchParams(
        Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
    },
    authorize: (query: URLSearchParams, headers: Record<string, string> = {}, at = door.authUrl) =>
      fetch(`${at}/oauth/authorize?${query}`, { headers, redirect: 'manual' }),
    /** Where an answer sends the browser. */
    told: (response: Response): URL => {
      if (response.status !== 303) throw new Error(`no redirect: ${response.status}`);
      return new URL(response.headers.get('location') as string, door.baseUrl);
    },
    /** The human reads the consent page and presses a button: where the browser goes then. */
    decide: async (query: URLSearchParams, decision: string, session: string): Promise<Response> => {
      const cookie = `hill_session=${session}`;
      const page = await browser.authorize(query, { Cookie: cookie }, door.baseUrl);
      const text = await page.text();
      if (page.status !== 200) throw new Error(`${page.status} ${text}`);
      return fetch(`${door.baseUrl}/oauth/authorize`, {
        method: 'POST',
        headers: { Cookie: cookie, Origin: door.baseUrl },
        body: new URLSearchParams({ ...formOf(text, '/oauth/authorize'), decision }),
        redirect: 'manual',
      });
    },
    /** The code of a request that the human approves. */
    approved: async (client_id: string, session: string, more: More = {}) =>
      browser
        .told(await browser.decide(browser.asking(client_id, more), 'approve', session))
        .searchParams.get('code') as string,
    exchange: (
      client_id: string,
      code: string,
      more: Record<string, string> = {},
      by: OAuth = door,
    ): Promise<Answer<Tokens>> =>
      by.form<Tokens>('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        client_id,
        redirect_uri: callback,
        code_verifier: verifier,
        ...more,
      }),
    refresh: (
      client_id: string,
      refresh_token: string,
      more: Record<string, string> = {},
      by: OAuth = door,
    ): Promise<Answer<Tokens>> =>
      by.form<Tokens>('/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id, ...more }),
    /** All of it. */
    signedIn: async (email: string, more: More = {}) => {
      const [{ client_id }, session] = [await browser.register(), await door.human(email)];
      const code = await browser.approved(client_id, session, more);
      const tokens = succeeded(await browser.exchange(client_id, code));
      return { client_id, session, code, tokens, refresh_token: tokens.refresh_token as string };
    },
  };
  return browser;
}
