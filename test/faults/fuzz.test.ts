// Whatever is sent, no door breaks: real processes, asked over raw connections for all that they serve, with something
// wrong about it. By hand as many as one likes: HILL_TEST_FUZZ=25000 npx vitest run test/faults/fuzz.test.ts; HILL_SEED
// repeats a run.
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { csrfField, csrfToken } from '../../src/humans/forms.ts';
import { KeyRing } from '../../src/oauth/keys.ts';
import { lifetimesOf } from '../../src/oauth/lifetimes.ts';
import { randomToken, signer } from '../../src/oauth/tokens.ts';
import { sealer } from '../../src/process/secret.ts';
import { type Asked, type Endpoint, request, type Spoiler, send, wrongWith } from '../support/doors/fuzz.ts';
import { unescaped, Visitor } from '../support/doors/visitor.ts';
import { aServer, runHill } from '../support/hill/hill-process.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { seed } from '../support/random.ts';

const requests = Number(process.env.HILL_TEST_FUZZ ?? 1_500);
const atOnce = 8;
/** Forms that sign out end sessions, and codes are spent. */
const renewEvery = 400;
const secret = 'a secret of the tests, of more than thirty-two characters';
const hill = useHill({ day: 3 });

interface Description {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get?: { readonly parameters?: readonly Parameter[] }; readonly parameters?: readonly Parameter[] }
    >
  >;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema?: Schema;
  readonly example?: unknown;
}
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
}

/** A value that a schema may take. */
function sample(schema: Schema, spoil: Spoiler): unknown {
  const { random } = spoil;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return sample(random.pick(schema.anyOf), spoil);
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.[0] ?? 'object');
  if (type === 'integer' || type === 'number') return random.pick([1, 2, 3, schema.minimum ?? 0, 10, 500]);
  if (type === 'boolean') return random.chance(0.5);
  if (type === 'array') return Array.from({ length: random.below(4) }, () => sample(schema.items ?? {}, spoil));
  if (type === 'object')
    return spoil.object(
      Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(() => random.chance(0.8))
          .map(([name, one]) => [name, sample(one, spoil)]),
      ),
    );
  return random.pick(['x', 'ann', 'https://example.com/', '2026-03-02', '1']);
}

const query = (pairs: readonly (readonly [string, string])[]) =>
  pairs.length === 0
    ? ''
    : `?${pairs.map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`).join('&')}`;
const formBody = (pairs: readonly (readonly [string, string])[]) => query(pairs).slice(1);
const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };
const jsonType = { 'Content-Type': 'application/json' };

/** The forms of a page as endpoints, sent as its browser would. */
function formsOf(page: string, at: string, headers: Readonly<Record<string, string>>): Endpoint[] {
  return [...page.matchAll(/<form[^>]*?action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(([, action = '', inner = '']) => {
    const fields = [...inner.matchAll(/<(?:input|button|select|textarea)\b[^>]*>/g)].flatMap(
      ([tag]): [string, string][] => {
        const name = /\bname="([^"]*)"/.exec(tag)?.[1];
        return name === undefined ? [] : [[name, unescaped(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? '1')]];
      },
    );
    const target = new URL(unescaped(action), at).pathname;
    return {
      name: `form ${target}`,
      weight: 4,
      make: (spoil) => {
        // the token is what every handler asks for first: what is behind it is what this is about
        const kept = fields.filter(([name]) => name === csrfField && !spoil.random.chance(0.05));
        const others = spoil.pairs(fields.filter(([name]) => name !== csrfField));
        return { method: 'POST', target, headers: { ...formType, ...headers }, body: formBody([...kept, ...others]) };
      },
    };
  });
}

test(`${requests} requests that nobody should send: no 5xx, no stack, nothing in the log, and every refusal has its code (seed ${seed})`, async () => {
  const key = randomBytes(32).toString('base64url');
  await hill.owner.query('select trusted.set_staff_key($1)', [createHash('sha256').update(key).digest()]);
  const { PORT, CONSOLE_PORT, HILL_DATA_DIR } = await aServer();
  const many = '9999999/60';
  const settings = {
    ...{ PORT, CONSOLE_PORT, HILL_DATA_DIR, HILL_CLOCK: 'simulated', HILL_SIGNING_SECRET: secret, HILL_LOG: 'json' },
    ...Object.fromEntries(
      ['READS', 'REGISTRATIONS', 'CLAIMS', 'CLAIMS_PER_AGENT', 'CODES', 'TOKENS', 'CALLS'].map((name) => [
        `HILL_LIMIT_${name}`,
        many,
      ]),
    ),
  };
  const web = runHill(['web'], { ...settings, WEB_DATABASE_URL: hill.url('web') });
  const staff = runHill(['console'], { ...settings, CONSOLE_DATABASE_URL: hill.url('console') });
  await Promise.all([web.says('Hill is open'), staff.says('the staff console is at')]);
  const site = `http://localhost:${PORT}`;
  const desk = `http://localhost:${CONSOLE_PORT}`;

  const ann = await anAccount(hill, { credits: 100_000 });
  const ring = new KeyRing(
    hill.as('web'),
    sealer(() => secret),
  );
  const { access_token: token } = await signer(site, ring, lifetimesOf(hill.as('web'))).accessToken(Date.now() / 1000, {
    ...{ sub: ann.id, client_id: ann.agentId, audience: site, scopes: ['hill:read', 'hill:play'] },
  });
  await hill.root.query(
    `insert into oauth.access_tokens (token_hash, agent_id, scopes, audience, created_at, expires_at)
       values (engine.hash_token($1), $2, '{hill:read,hill:play}', $3, engine.now(), 'infinity')`,
    [token, ann.agentId, site],
  );
  const bearer = { ...jsonType, Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' };
  const rpc = async (method: string, params: object = {}) => {
    const answer = await fetch(`${site}/mcp`, {
      method: 'POST',
      headers: bearer,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await answer.json()) as { result: never }).result;
  };

  // --- what does not change
  const description = (await (await fetch(`${site}/openapi.json`)).json()) as Description;
  const reading = Object.entries(description.paths).map(([path, item]): Endpoint => {
    const parameters = [...(item.parameters ?? []), ...(item.get?.parameters ?? [])].map((one) =>
      one.$ref ? (description.components.parameters[one.$ref.split('/').at(-1) as string] as Parameter) : one,
    );
    const given = (place: Parameter['in'], spoil: Spoiler) =>
      parameters
        .filter((one) => one.in === place)
        .map((one): [string, string] => [one.name, String(one.example ?? sample(one.schema ?? {}, spoil))]);
    return {
      name: path,
      make: (spoil) => {
        const filled = given('path', spoil).reduce(
          (text, [name, value]) => text.replace(`{${name}}`, spoil.part(value)),
          path,
        );
        const fields = given('header', spoil).map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, '?')]);
        return {
          method: 'GET',
          target: filled + query(spoil.pairs(given('query', spoil))),
          headers: Object.fromEntries(fields),
        };
      },
    };
  });
  const { tools } = (await rpc('tools/list')) as { tools: { name: string; inputSchema: Schema }[] };
  const modern = (method: string, name: unknown): Record<string, string> => ({
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(typeof name === 'string' && /^[\x20-\x7e]{1,200}$/.test(name) ? { 'Mcp-Name': name } : {}),
  });
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const message = (method: string, params: object, spoil: Spoiler): Asked => {
    const now = spoil.random.chance(0.3);
    const sent = {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: now ? { ...params, _meta: spoil.object(envelope) } : params,
    };
    const headers = { ...bearer, ...(now ? modern(method, (params as { name?: unknown }).name) : {}) };
    return { method: 'POST', target: '/mcp', headers, body: spoil.json(spoil.object(sent)) };
  };
  const play = [
    ...tools.map(
      ({ name, inputSchema }): Endpoint => ({
        name: `tool ${name}`,
        weight: 3,
        make: (spoil) => message('tools/call', spoil.object({ name, arguments: sample(inputSchema, spoil) }), spoil),
      }),
    ),
    ...Object.entries({
      initialize: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
      'server/discover': {},
      ping: {},
      'tools/list': { cursor: 'x' },
      'resources/list': {},
      'resources/templates/list': {},
      'resources/read': { uri: 'hill://rules' },
      'prompts/list': {},
      'prompts/get': { name: 'x', arguments: { a: 'b' } },
      'subscriptions/listen': { notifications: {} },
      'notifications/initialized': {},
      'completion/complete': { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: 'b' } },
    }).map(
      ([method, params]): Endpoint => ({
        name: method,
        weight: 2,
        make: (spoil) => message(method, spoil.object(params), spoil),
      }),
    ),
  ];
  const pages = [
    ...[
      '/',
      '/day',
      '/day/1',
      '/boards',
      '/boards/points',
      '/boards/efficiency',
      '/boards/wall',
      '/identity/house-1',
      '/rules',
      '/rules.md',
      '/links.md',
    ],
    ...[
      '/errors',
      '/source',
      '/source/night/input.sql',
      '/tournaments',
      '/tournaments/x',
      '/go/house-1',
      '/account',
      '/claim',
      '/sign-in',
      '/healthz',
      '/llms.txt',
    ],
    ...[
      '/auth.md',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/jwks.json',
      '/sign-in/google/callback',
    ],
  ].map(
    (path): Endpoint => ({
      name: path,
      make: (spoil) => {
        const [, ...parts] = path.split('/');
        const target = `/${parts.map((part) => (spoil.random.chance(0.9) ? part : spoil.part(part))).join('/')}`;
        const pairs = spoil.random.chance(0.5)
          ? []
          : spoil.pairs([
              ['cursor', 'x'],
              ['return_to', '/account'],
              ['done', 'code'],
              ['top_up_cents', '5'],
            ]);
        return {
          method: 'GET',
          target: target + query(pairs),
          headers: spoil.random.chance(0.5) ? { Accept: 'text/html' } : {},
        };
      },
    }),
  );
  const graph = (spoil: Spoiler, cookie: string, text: string, variables: object): Asked => ({
    method: 'POST',
    target: '/graphql',
    headers: { ...jsonType, Cookie: cookie, Origin: desk },
    body: spoil.json(spoil.object({ query: text, variables, operationName: null })),
  });

  // --- what has to be renewed: sessions, tokens, claims, and the forms that have them
  const renew = async (): Promise<{ public: Endpoint[]; staff: Endpoint[] }> => {
    const visitor = new Visitor();
    const first = await visitor.go(`${site}/sign-in`);
    const email = `a-human-${randomBytes(4).toString('hex')}@example.com`;
    const signInForms = formsOf(first.text, first.url, { Origin: site, Cookie: cookieOf(visitor) });
    await visitor.send(first, '/sign-in/development', { email });
    const headers = { Origin: site, Cookie: cookieOf(visitor) };
    const post = async <T>(path: string, body: object): Promise<T> =>
      (await (await fetch(site + path, { method: 'POST', headers: jsonType, body: JSON.stringify(body) })).json()) as T;
    const bot = await post<{ claim_token: string; identity_assertion: string }>('/agent/identity', {
      type: 'anonymous',
      client_name: 'A bot',
    });
    const claim = await post<{ claim_attempt: { verification_uri: string } }>('/agent/identity/claim', {
      claim_token: bot.claim_token,
      email,
    });
    const back = 'http://127.0.0.1:9/back';
    const client = await post<{ client_id: string }>('/oauth/register', {
      client_name: 'A client',
      redirect_uris: [back],
    });
    const authorize: [string, string][] = Object.entries({
      ...{
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: back,
        scope: 'hill:read hill:play',
        state: 'x',
        resource: site,
      },
      ...{
        code_challenge: createHash('sha256').update(randomToken()).digest('base64url'),
        code_challenge_method: 'S256',
      },
    });
    const shown = await Promise.all(
      [
        ...[`${site}/account`, claim.claim_attempt.verification_uri, `${site}/oauth/authorize${query(authorize)}`],
        ...[`${site}/device`, `${site}/device?user_code=BCDF-GHJK`],
      ].map((url) => visitor.go(url)),
    );
    for (const page of shown) expect(page.status, page.url).toBe(200);
    const forms = [...signInForms, ...shown.flatMap((page) => formsOf(page.text, page.url, headers))];
    const grants = {
      authorization_code: {
        code: randomToken(),
        redirect_uri: back,
        client_id: client.client_id,
        code_verifier: randomToken(),
        resource: site,
      },
      'urn:ietf:params:oauth:grant-type:device_code': {
        device_code: randomToken(),
        client_id: client.client_id,
        resource: site,
      },
      refresh_token: { refresh_token: randomToken(), client_id: client.client_id, scope: 'hill:read' },
      'urn:ietf:params:oauth:grant-type:jwt-bearer': {
        assertion: bot.identity_assertion,
        scope: 'hill:read',
        resource: site,
      },
      'urn:example:agent-auth:grant-type:claim': { claim_token: bot.claim_token, resource: site },
    };
    const json = (path: string, body: Record<string, unknown>): Endpoint => ({
      name: path,
      weight: 4,
      make: (spoil) => ({ method: 'POST', target: path, headers: jsonType, body: spoil.json(spoil.object(body)) }),
    });
    const form = (path: string, fields: Record<string, string>): Endpoint => ({
      name: path,
      weight: 4,
      make: (spoil) => ({
        method: 'POST',
        target: path,
        headers: formType,
        body: formBody(spoil.pairs(Object.entries(fields))),
      }),
    });
    const oauth = [
      json('/agent/identity', { type: 'anonymous', client_name: 'A bot' }),
      json('/agent/identity/claim', { claim_token: bot.claim_token, email, type: 'login_hint', login_hint: email }),
      json('/oauth/register', { client_name: 'x', redirect_uris: [back], scope: 'hill:read' }),
      json('/oauth/revoke', { token: randomToken(), client_id: client.client_id }),
      form('/oauth/device_authorization', { client_id: client.client_id, scope: 'hill:read', resource: site }),
      form('/oauth/revoke', { token: randomToken(), client_id: client.client_id }),
      ...Object.entries(grants).map(([grant_type, fields]) => form('/oauth/token', { grant_type, ...fields })),
    ];
    const signedIn: Endpoint[] = [
      {
        name: 'GET /claim',
        weight: 4,
        make: (spoil) => ({
          method: 'GET',
          target: `/claim${query(spoil.pairs([['claim_attempt_token', 'x']]))}`,
          headers,
        }),
      },
      {
        name: 'GET /device',
        weight: 4,
        make: (spoil) => ({
          method: 'GET',
          target: `/device${query(
            spoil.pairs([
              ['user_code', 'BCDF-GHJK'],
              ['done', 'x'],
            ]),
          )}`,
          headers,
        }),
      },
      {
        name: 'GET /account',
        weight: 2,
        make: (spoil) => ({
          method: 'GET',
          target: `/account${query(
            spoil.pairs([
              ['done', 'x'],
              ['top_up_cents', '9'],
            ]),
          )}`,
          headers,
        }),
      },
      {
        name: 'GET /oauth/authorize',
        weight: 4,
        make: (spoil) => ({ method: 'GET', target: `/oauth/authorize${query(spoil.pairs(authorize))}`, headers }),
      },
    ];
    // what is live only with the token that its page had; a stale one is refused before anything else
    expect(
      forms.some(({ name }) => name === 'form /claim') && forms.some(({ name }) => name === 'form /account/code'),
    ).toBe(true);
    expect(csrfToken('x')).toHaveLength(43);

    const signed = await fetch(`${desk}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: desk },
      body: new URLSearchParams({ key, name: 'Sam' }),
    });
    const cookie = (signed.headers.getSetCookie()[0] ?? '').split(';')[0] as string;
    const signInPage = await (await fetch(desk)).text();
    const staffEndpoints: Endpoint[] = [
      ...formsOf(signInPage, desk, { Origin: desk }).map((one) => ({ ...one, weight: 1 })),
      {
        name: 'sign-in with the key',
        make: (spoil) => ({
          method: 'POST',
          target: '/sign-in',
          headers: { ...formType, Origin: desk },
          body: formBody([
            ['key', key],
            ['name', spoil.text('Sam')],
          ]),
        }),
      },
      {
        name: 'console /',
        make: (spoil) => ({
          method: 'GET',
          target: spoil.random.pick(['/', '/?x', '/graphql', '/graphiql/x', '/%00', '/x']),
          headers: { Cookie: cookie },
        }),
      },
      ...[
        ['query ($n: Int, $a: Cursor) { accounts(first: $n, after: $a) { nodes { name } } }', { n: 3, a: null }],
        ['query ($id: UUID!) { account(id: $id) { name } }', { id: ann.id }],
        [
          'mutation ($i: GrantCreditsInput!) { grantCredits(input: $i) { creditOrder { id } } }',
          { i: { accountId: ann.id, cents: 5, key: 'k', reason: 'because' } },
        ],
        ['{ __schema { types { name } } }', {}],
        [`{ ${'a { '.repeat(3_000)}b${' }'.repeat(3_000)} }`, {}],
        [`query ($a: ${'['.repeat(3_000)}Int${']'.repeat(3_000)}) { a }`, {}],
      ].map(
        ([text, variables]): Endpoint => ({
          name: `graphql ${String(text).slice(0, 30)}`,
          weight: 2,
          make: (spoil) => graph(spoil, cookie, text as string, spoil.object(variables as Record<string, unknown>)),
        }),
      ),
    ];
    return { public: [...reading, ...play, ...pages, ...forms, ...oauth, ...signedIn], staff: staffEndpoints };
  };

  const codesOf = (path: string): RegExp | undefined =>
    /^\/mcp(\?|$)/.test(path)
      ? /"code"/
      : /^\/api\//.test(path)
        ? /"code":"\w+"/
        : /^\/(oauth\/(token|revoke|register)|agent\/)/.test(path)
          ? /"error":"\w+"/
          : undefined;

  const wrong: string[] = [];
  const statuses: Record<string, number> = {};
  for (let from = 0; from < requests && wrong.length < 20; from += renewEvery) {
    const doors = await renew();
    let next = from;
    const one = async () => {
      while (next < Math.min(from + renewEvery, requests) && wrong.length < 20) {
        const number = next++;
        const atDesk = number % 12 === 0;
        const sent = request(
          seed,
          number,
          atDesk ? doors.staff : doors.public,
          atDesk ? `localhost:${CONSOLE_PORT}` : `localhost:${PORT}`,
        );
        const heard = await send(Number(atDesk ? CONSOLE_PORT : PORT), sent);
        statuses[heard.status] = (statuses[heard.status] ?? 0) + 1;
        const complaint = wrongWith(sent, heard, atDesk ? undefined : codesOf(sent.path));
        if (complaint)
          wrong.push(
            `request ${number} of seed ${seed} (${sent.name}): ${complaint}\n${show(sent.bytes.toString('latin1'))}\n=> ${show(`${heard.head}\n\n${heard.body}`)}`,
          );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
  }
  if (process.env.HILL_TEST_FUZZ) console.log(statuses);

  expect(wrong.join('\n\n')).toBe('');
  const loud = [web, staff]
    .flatMap((process) => process.output().split('\n'))
    .filter((line) => /"level":[4-6]0|^\s+at |Error/.test(line));
  expect(loud.filter((line) => !line.includes('nobody can sign in'))).toEqual([]);
  for (const process of [web, staff]) expect(process.child.exitCode).toBeNull();
  expect((await fetch(`${site}/healthz`)).status).toBe(200);
  expect(await Promise.all([web.stop(), staff.stop()])).toEqual([0, 0]);
});

const cookieOf = ({ cookies }: Visitor) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const show = (text: string) =>
  (text.length > 1_500 ? `${text.slice(0, 1_500)} … (${text.length})` : text).replaceAll('\0', '\\0');
