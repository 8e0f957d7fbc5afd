// The authorization server as agents and humans meet it: over HTTP, on one host or on two.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { makePool } from '../../../src/db/pool.ts';
import { parseConfig } from '../../../src/process/config.ts';
import { startWeb, type Web } from '../../../src/web/index.ts';
import { call } from '../hill/doors.ts';
import type { Hill } from '../hill/hill.ts';
import { secret } from '../hill/secret.ts';
import { signIn } from '../hill/sign-in.ts';
import { freePort } from '../ports.ts';

export const claimGrant = 'urn:example:agent-auth:grant-type:claim';
export const assertionGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface Registration {
  registration_id: string;
  registration_type: string;
  client_id: string;
  identity_assertion: string;
  assertion_expires: string;
  pre_claim_scopes: string[];
  claim_url: string;
  claim_token: string;
  claim_token_expires: string;
  post_claim_scopes: string[];
}

export interface Claim {
  registration_id: string;
  claim_attempt_id: string;
  status: string;
  expires_at: string;
  claim_attempt: { user_code: string; expires_in: number; verification_uri: string; interval: number };
}

export interface Tokens {
  access_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
  refresh_token?: string;
  identity_assertion?: string;
  assertion_expires?: string;
  renew_before?: string;
}

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T & { error?: string; error_description?: string; message?: string; interval?: number };
}

export interface Decision {
  outcome: string;
  tries_left?: number;
  agent_id?: string;
  client_name?: string;
}

export { secret };

/** The settings of a set-up: the port is added. */
export const hosts = {
  'one host': (port: number) => ({ BASE_URL: `http://127.0.0.1:${port}` }),
  'two hosts': (port: number) => ({ BASE_URL: `http://localhost:${port}`, AUTH_URL: `http://127.0.0.1:${port}` }),
} as const;

/** `beside`: another process, whose addresses this one goes by too. It is asked at its own all the same. */
export function useOAuth(
  hill: Hill,
  setup: keyof typeof hosts = 'one host',
  env: Record<string, string> = {},
  beside?: { baseUrl: string; authUrl: string },
) {
  const door = anOAuth(hill, setup, env, beside);
  beforeAll(door.open);
  afterAll(door.close);
  return door;
}

/** One that the caller opens and closes. */
export function anOAuth(
  hill: Hill,
  setup: keyof typeof hosts = 'one host',
  env: Record<string, string> = {},
  beside?: { baseUrl: string; authUrl: string },
) {
  let web: Web;
  const pools: { end(): Promise<void> }[] = [];
  const answered = async <T>(response: Response): Promise<Answer<T>> => {
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text.startsWith('{') ? JSON.parse(text) : text) as Answer<T>['body'],
    };
  };

  const door = {
    baseUrl: '',
    authUrl: '',
    /** Everything that the web process logged. */
    logged: [] as string[],
    /** Resolves when it has heard of everything committed before. */
    caughtUp: () => web.caughtUp(),
    get: async <T>(url: string, headers: Record<string, string> = {}) => answered<T>(await fetch(url, { headers })),
    json: async <T>(path: string, body: unknown, headers: Record<string, string> = {}) =>
      answered<T>(
        await fetch(door.authUrl + path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
      ),
    form: async <T>(
      path: string,
      fields: Record<string, string> | [string, string][],
      headers: Record<string, string> = {},
    ) => answered<T>(await fetch(door.authUrl + path, { method: 'POST', headers, body: new URLSearchParams(fields) })),

    register: async (client_name = 'A bot') =>
      succeeded(await door.json<Registration>('/agent/identity', { type: 'anonymous', client_name })),
    claim: (claim_token: string, email: string) => door.json<Claim>('/agent/identity/claim', { claim_token, email }),
    exchange: (assertion: string, more: Record<string, string> = {}) =>
      door.form<Tokens>('/oauth/token', { grant_type: assertionGrant, assertion, ...more }),
    poll: (claim_token: string, more: Record<string, string> = {}) =>
      door.form<Tokens>('/oauth/token', { grant_type: claimGrant, claim_token, ...more }),
    revoke: (token: string, more: Record<string, string> = {}) => door.form('/oauth/revoke', { token, ...more }),

    /** A human who signed in with an address that a provider vouched for: the session. */
    human: async (email: string): Promise<string> => {
      const session = randomBytes(32).toString('base64url');
      await signIn(hill.as('web'), { subject: email, email, session });
      return session;
    },
    look: (session: string, attempt_token: string) =>
      call<Decision>(hill.as('web'), 'api_human.look_at_claim', { session, attempt_token }),
    approve: (session: string, attempt_token: string, user_code: string) =>
      call<Decision>(hill.as('web'), 'api_human.approve_claim', { session, attempt_token, user_code }),
    refuse: (session: string, attempt_token: string) =>
      call<Decision>(hill.as('web'), 'api_human.refuse_claim', { session, attempt_token }),

    /** Everything from registration to the code that the human has typed. */
    claimed: async (email: string, client_name = 'A bot') => {
      const registration = await door.register(client_name);
      const claim = succeeded(await door.claim(registration.claim_token, email));
      const session = await door.human(email);
      const decision = await door.approve(session, attemptOf(claim), claim.claim_attempt.user_code);
      if (decision.outcome !== 'approved') throw new Error(`The claim was not approved: ${decision.outcome}`);
      return { registration, claim, session, agentId: decision.agent_id as string };
    },
    /** And the tokens of it. */
    playing: async (email: string, client_name = 'A bot') => {
      const claimed = await door.claimed(email, client_name);
      return { ...claimed, tokens: succeeded(await door.poll(claimed.registration.claim_token)) };
    },
    /** A message to the play interface, as the holder of a token sends it. */
    mcp: (token: string, method: string, params: object = {}) =>
      door.json<{ result?: { structuredContent?: Record<string, unknown> } }>(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method, params },
        { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' },
      ),
    /** What the play interface says of an access token: 'ok', or the status and the error of its challenge. */
    accepts: async (token: string): Promise<string> => {
      const { status, headers } = await door.mcp(token, 'tools/list');
      return status === 200 ? 'ok' : `${status} ${/error="(\w+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]}`;
    },
  };

  const open = async () => {
    const port = await freePort();
    const settings = { PORT: String(port), HILL_SIGNING_SECRET: secret, ...hosts[setup](port), ...env };
    const asked = parseConfig(settings);
    const config = beside ? parseConfig({ ...settings, BASE_URL: beside.baseUrl, AUTH_URL: beside.authUrl }) : asked;
    const log = pino({ level: 'trace', base: null }, { write: (line: string) => door.logged.push(line) });
    const pool = makePool({ url: hill.url('web'), name: 'test web door', log });
    pools.push(pool);
    web = await startWeb(config, pool, log);
    door.baseUrl = asked.baseUrl;
    door.authUrl = asked.authUrl;
  };
  const close = async () => {
    await web.stop();
    await Promise.all(pools.map((pool) => pool.end()));
  };
  return Object.assign(door, { open, close });
}

export type OAuth = ReturnType<typeof useOAuth>;

export function succeeded<T>({ status, body }: Answer<T>): Answer<T>['body'] {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** The token of the claim page. */
export const attemptOf = ({ claim_attempt }: Claim): string =>
  new URL(claim_attempt.verification_uri).searchParams.get('claim_attempt_token') as string;

export const payloadOf = (jwt: string): Record<string, unknown> => part(jwt, 1);
export const headerOf = (jwt: string): Record<string, unknown> => part(jwt, 0);
const part = (jwt: string, index: number) =>
  JSON.parse(Buffer.from(jwt.split('.')[index] as string, 'base64url').toString('utf8'));
