// The staff's console as its users meet it: a real server on a test's database, spoken to over HTTP.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { startConsole } from '../../../src/console/index.ts';
import type { Stoppable } from '../../../src/process/listen.ts';
import type { Hill } from '../hill/hill.ts';
import { freePort } from '../ports.ts';

interface GraphqlAnswer<T = Record<string, unknown>> {
  readonly data?: T;
  readonly errors?: readonly { message: string; path?: unknown; extensions?: Record<string, unknown> }[];
}

export interface StaffConsole {
  readonly url: string;
  /** The staff key, as its file has it. */
  readonly key: string;
  /** All that the console has logged, at every level. */
  logged(): string;
  /** As a browser asks from the console's own page: with its Origin, and no redirect followed. */
  fetch(path: string, options?: RequestInit & { headers?: Record<string, string> }): Promise<Response>;
  /** Types the key into the form. Gives the cookie to send from then on. */
  signIn(name?: string): Promise<string>;
  /** The cookie of a member who signed in with an account, by the session that the site would open. */
  signInAs(account: { readonly id: string; readonly name: string }): Promise<string>;
  /** A query as GraphiQL sends it. */
  graphql<T = Record<string, unknown>>(
    cookie: string,
    query: string,
    variables?: Record<string, unknown>,
  ): Promise<GraphqlAnswer<T>>;
  /** The data of a query that must succeed. */
  data<T = Record<string, unknown>>(cookie: string, query: string, variables?: Record<string, unknown>): Promise<T>;
}

/** What the console passes to the database for a cookie: the hash of its token. */
export const sessionOf = (cookie: string): string =>
  createHash('sha256')
    .update(/hill_staff=([^;]+)/.exec(cookie)?.[1] as string)
    .digest('base64url');

/**
 * Call it at the top of a test file, after useHill. The console is there from the first hook or test on. `site` is
 * asked then for the address at which humans sign in.
 */
export function useConsole(hill: Hill, site = () => 'http://localhost:8080', at?: number): StaffConsole {
  const key = randomBytes(32).toString('base64url');
  let server: Stoppable;
  let url = '';
  let logged = '';
  const log = pino(
    { level: 'trace' },
    {
      write(line: string) {
        logged += line;
      },
    },
  );

  beforeAll(async () => {
    await hill.owner.query('select trusted.set_staff_key($1)', [createHash('sha256').update(key).digest()]);
    const port = at ?? (await freePort());
    server = await startConsole({ consolePort: port, connections: null, baseUrl: site() }, hill.url('console'), log);
    url = `http://localhost:${port}`;
  });
  afterAll(() => server?.stop());

  const ask: StaffConsole['fetch'] = (path, options = {}) =>
    fetch(`${url}${path}`, { redirect: 'manual', ...options, headers: { Origin: url, ...options.headers } });

  const graphql: StaffConsole['graphql'] = async <T>(
    cookie: string,
    query: string,
    variables: Record<string, unknown> = {},
  ) => {
    const response = await ask('/graphql', {
      method: 'POST',
      headers: { Cookie: cookie, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as GraphqlAnswer<T>;
  };

  return {
    get url() {
      return url;
    },
    key,
    logged: () => logged,
    fetch: ask,
    graphql,
    async signIn(name = 'Sam') {
      const response = await ask('/sign-in', { method: 'POST', body: new URLSearchParams({ key, name }) });
      if (response.status !== 303) throw new Error(`not signed in: ${response.status} ${await response.text()}`);
      return cookieOf(response);
    },
    async signInAs({ id, name }) {
      const cookie = `hill_staff=${randomUUID()}`;
      await hill.root.query(
        `insert into oauth.staff_sessions (token_hash, staff_name, created_at, expires_at, account_id)
         values (sha256(convert_to($1, 'UTF8')), $2, now(), now() + interval '1 hour', $3)`,
        [sessionOf(cookie), name, id],
      );
      return cookie;
    },
    async data<T>(cookie: string, query: string, variables?: Record<string, unknown>) {
      const { data, errors } = await graphql<T>(cookie, query, variables);
      if (errors || !data) throw new Error(JSON.stringify(errors, null, 2));
      return data;
    },
  };
}

/** The cookie that an answer sets, as it is sent back. */
export const cookieOf = (response: Response): string =>
  (response.headers.getSetCookie()[0] ?? '').split(';')[0] as string;
