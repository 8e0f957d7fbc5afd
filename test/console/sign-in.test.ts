// Signing in to the console with the staff key: the session, its end, and requests from other sites.
import { createHash } from 'node:crypto';
import http from 'node:http';
import os from 'node:os';
import { describe, expect, test } from 'vitest';
import { cookieOf, sessionOf, useConsole } from '../support/doors/console.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const staff = useConsole(hill);

const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
const sessions = () =>
  hill.rows<{ staff_name: string; hours: number; hash: string; live: boolean }>(
    `select staff_name, round(extract(epoch from expires_at - created_at) / 3600)::integer as hours, encode(token_hash, 'hex') as hash,
          revoked_at is null as live
     from oauth.staff_sessions order by created_at`,
  );
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('who is not signed in', () => {
  test('sees the form and nothing else', async () => {
    for (const path of ['/', '/?anything=1']) {
      const page = await staff.fetch(path);
      expect(page.status).toBe(200);
      const text = await page.text();
      expect(text).toContain('name="key"');
      expect(text).not.toContain('id="graphiql"');
    }
    for (const path of ['/graphiql', '/graphiql/4.5.0/graphiql.js', '/graphql', '/graphql/stream', '/anything'])
      expect((await staff.fetch(path)).status).toBe(401);
  });

  test('gets no answer from GraphQL, not even what it could ask', async () => {
    for (const cookie of ['', 'hill_staff=', `hill_staff=${'x'.repeat(43)}`]) {
      const answer = await staff.graphql(cookie, '{ __schema { types { name } } staffName }');
      expect(answer).toEqual({
        errors: [{ message: 'You are not signed in: load the page again.', extensions: { code: 'INVALID_TOKEN' } }],
      });
    }
  });
});

describe('the staff key', () => {
  test('opens a session of 12 hours that scripts cannot read and other sites cannot use, under the name that was given', async () => {
    const response = await staff.fetch('/sign-in', form({ key: ` ${staff.key}\n`, name: ' Sam Staff ' }));

    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/');
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^hill_staff=[\w-]{43}; path=\/; expires=[^;]+; samesite=strict; httponly$/);
    expect(await sessions()).toEqual([
      { staff_name: 'Sam Staff', hours: 12, hash: sha256(sessionOf(cookieOf(response))), live: true },
    ]);
    expect(await staff.data(cookieOf(response), '{ staffName }')).toEqual({ staffName: 'Sam Staff' });
  });

  test('shows GraphiQL, also at an address with a query string', async () => {
    const cookie = await staff.signIn('<b>Sam</b>');
    for (const path of ['/graphiql', '/graphiql?query=x', '/graphiql?']) {
      const page = await staff.fetch(path, { headers: { Cookie: cookie } });
      expect(page.status).toBe(200);
      const text = await page.text();
      expect(text).toContain('id="graphiql"');
      expect(text).toContain('&lt;b&gt;Sam&lt;/b&gt;');
      const nonce = /'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1] as string;
      expect(nonce).toHaveLength(24);
      expect(text.match(/<script/g)?.length).toBe(text.split(`<script nonce="${nonce}"`).length - 1);
    }
    const page = await (await staff.fetch('/graphiql', { headers: { Cookie: cookie } })).text();
    const [folder = ''] = /\/graphiql\/\d[^/]*\//.exec(page) ?? [];
    for (const name of ['graphiql.css', 'graphiql.js', 'editor.js', 'json.js', 'graphql.js']) {
      const file = await staff.fetch(folder + name, { headers: { Cookie: cookie } });
      expect(file.headers.get('content-type'), name).toContain(name.endsWith('css') ? 'text/css' : 'text/javascript');
      expect((await file.text()).length, name).toBeGreaterThan(100_000);
    }
  });

  test('wants a name with it', async () => {
    for (const name of ['', '   ', 'x'.repeat(61)]) {
      const response = await staff.fetch('/sign-in', form({ key: staff.key, name }));
      expect(response.status).toBe(400);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });

  test('is needed again after signing out', async () => {
    const cookie = await staff.signIn('Leaving');
    const response = await staff.fetch('/sign-out', { method: 'POST', headers: { Cookie: cookie } });

    expect(response.status).toBe(303);
    expect(response.headers.getSetCookie()[0]).toMatch(/^hill_staff=; path=\/; expires=Thu, 01 Jan 1970/);
    expect((await staff.graphql(cookie, '{ staffName }')).data).toBeUndefined();
    expect((await sessions()).find(({ staff_name }) => staff_name === 'Leaving')?.live).toBe(false);
  });

  test('is needed again when the session has expired', async () => {
    const cookie = await staff.signIn('Late');
    await hill.root.query(
      "update oauth.staff_sessions set expires_at = clock_timestamp() - interval '1 second' where staff_name = 'Late'",
    );
    expect((await staff.graphql(cookie, '{ staffName }')).data).toBeUndefined();
  });

  test('is in no log line, and neither is a session', async () => {
    const cookie = await staff.signIn('Quiet');
    await staff.graphql(cookie, '{ nope }');
    expect(staff.logged()).not.toContain(staff.key);
    expect(staff.logged()).not.toContain(cookie.slice('hill_staff='.length));
  });

  test('cannot be made up by whoever acts as staff in the database', async () => {
    const door = hill.asStaff('Sam');
    await expect(
      door.call('api_staff.open_session', { key: 'made up', staff_name: 'Mallory', session: 'm'.repeat(43) }),
    ).rejects.toMatchObject({
      code: 'ZHTOK',
    });
    await expect(door.query('select * from oauth.staff_keys')).rejects.toMatchObject({ code: '42501' });
    await expect(door.query("select trusted.set_staff_key(sha256('mine'))")).rejects.toMatchObject({ code: '42501' });
    await expect(door.query('select * from oauth.staff_sessions')).rejects.toMatchObject({ code: '42501' });
  });

  test('ends every session when another takes its place, and not when it is told again', async () => {
    const cookie = await staff.signIn('Old');
    const set = async (key: string) =>
      (
        await hill.owner.query<{ changed: boolean }>(
          'select trusted.set_staff_key(sha256(convert_to($1, $2))) as changed',
          [key, 'UTF8'],
        )
      ).rows;

    expect(await set(staff.key)).toEqual([{ changed: false }]);
    expect((await staff.graphql(cookie, '{ staffName }')).data).toEqual({ staffName: 'Old' });
    expect(await set('another')).toEqual([{ changed: true }]);
    expect((await staff.graphql(cookie, '{ staffName }')).data).toBeUndefined();
    expect(await set(staff.key)).toEqual([{ changed: true }]);
    expect((await staff.graphql(cookie, '{ staffName }')).data).toBeUndefined();
  });
});

describe('requests from elsewhere', () => {
  const attempt = async (headers: Record<string, string>) => {
    const cookie = await staff.signIn();
    const send = (path: string, type: string, body: string) =>
      new Promise<number>((resolve, reject) => {
        const url = new URL(`${staff.url}${path}`);
        const request = http.request(
          {
            host: '127.0.0.1',
            port: url.port,
            path,
            method: 'POST',
            headers: { Host: url.host, Cookie: cookie, 'Content-Type': type, ...headers },
          },
          (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)),
        );
        request.on('error', reject).end(body);
      });
    return [
      await send('/graphql', 'application/json', '{"query":"{ staffName }"}'),
      await send('/sign-in', 'application/x-www-form-urlencoded', `key=${staff.key}&name=Sam`),
      await send('/sign-out', 'application/x-www-form-urlencoded', ''),
    ];
  };

  test("are taken from the console's own pages", async () => {
    expect(await attempt({ Origin: staff.url })).toEqual([200, 303, 303]);
    expect(await attempt({ Origin: staff.url, 'Sec-Fetch-Site': 'same-origin' })).toEqual([200, 303, 303]);
    expect(await attempt({ 'Sec-Fetch-Site': 'same-origin' })).toEqual([200, 303, 303]);
  });

  test.each([
    ['another site', { Origin: 'https://elsewhere.example' }],
    [
      'another port of this machine, which SameSite lets through',
      { Origin: 'http://localhost:8080', 'Sec-Fetch-Site': 'same-site' },
    ],
    ['another port, from a browser that sends no Sec-Fetch-Site', { Origin: 'http://localhost:8080' }],
    ['a page without an origin', { Origin: 'null' }],
    ['a page that hides its origin', { 'Sec-Fetch-Site': 'cross-site' }],
    ['nobody knows where', {}],
  ])('are refused from %s', async (_from, headers) => {
    expect(await attempt(headers as Record<string, string>)).toEqual([403, 403, 403]);
  });

  test('are refused under any other name of this machine', async () => {
    expect(await attempt({ Host: 'elsewhere.example', Origin: 'http://elsewhere.example' })).toEqual([421, 421, 421]);
    expect(
      await attempt({ Host: 'localhost.elsewhere.example', Origin: 'http://localhost.elsewhere.example' }),
    ).toEqual([421, 421, 421]);
  });

  test('are refused in a form that pages can send without asking', async () => {
    const cookie = await staff.signIn();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/graphql']) {
      const response = await staff.fetch('/graphql', {
        method: 'POST',
        headers: { Cookie: cookie, 'Content-Type': type },
        body: '{"query":"{ staffName }"}',
      });
      expect(response.status).toBe(415);
    }
    const get = await staff.fetch('/graphql?query=%7BstaffName%7D', { headers: { Cookie: cookie } });
    expect(get.status).toBe(405);
    expect(await get.text()).not.toContain('Sam');
  });
});

test('the console listens on loopback alone', async () => {
  const { port } = new URL(staff.url);
  const others = Object.values(os.networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of others) await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow();
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
});
