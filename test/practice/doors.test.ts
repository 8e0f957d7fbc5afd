// A practice hill at its doors: nobody signs in, whoever has the code lets the agent in, nothing is fetched for
// anybody, and everything says PRACTICE. Rules 17.4.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receiptSigner } from '../../src/log/receipt.ts';
import { logOrigin, parseConfig } from '../../src/process/config.ts';
import { secret, useOAuth } from '../support/doors/oauth.ts';
import { Visitor } from '../support/doors/visitor.ts';
import { balanced, books, call, refusal, useHill } from '../support/hill/index.ts';
import { aCanary, type Canary } from '../support/outside/canary.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many addresses
type Answer = any;

const hill = useHill();
const practice = useOAuth(hill, 'one host', { HILL_ENV: 'practice' });
const real = useHill();
const realDoor = useOAuth(real);
const naming = useOAuth(real, 'one host', { HILL_PRACTICE_URL: 'https://practice.example' });

beforeAll(async () => {
  // as engine.open_hill begins one; a clock that stands still would be one that is full
  await hill.root.query('update hill.settings set practice = true, set_at = clock_timestamp(), rate = 0.000001');
});

/** An agent that reads what it is answered, and nothing else. */
async function lettingItselfIn(name = 'A stranger') {
  const registered = await practice.register(name);
  const claim = (await practice.json<Answer>('/agent/identity/claim', { claim_token: registered.claim_token })).body;
  const { href, form } = claim.practice;
  const answer = await fetch(href, { method: 'POST', body: new URLSearchParams(form) });
  return { registered, claim, answer, tokens: (await practice.poll(registered.claim_token)).body as Answer };
}

describe('an agent', () => {
  test('lets itself in by the form that it is given, plays with play money, and stays in as on any hill', async () => {
    const { answer, tokens } = await lettingItselfIn();
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('The agent is let in');

    const played = await practice.mcp(tokens.access_token, 'tools/call', {
      name: 'play',
      arguments: { slot: 4, move: 'PEACE' },
    });
    expect(played.body.result).toMatchObject({ structuredContent: { slot: 4, available_cents: 1_000_000 - 300 } });
    expect((await practice.exchange(tokens.identity_assertion)).body).toMatchObject({
      scope: 'hill:read hill:play',
    });
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('is asked for no address, and none that it gives is kept', async () => {
    const { claim_token } = await practice.register();
    await practice.claim(claim_token, 'jane@example.com');

    expect(await hill.rows("select 1 from oauth.claim_attempts where email like '%example.com'")).toEqual([]);
    expect(await hill.rows("select 1 from oauth.sign_ins where email not like '%@practice.invalid'")).toEqual([]);
  });

  test('has as many tries for its code as on any hill, and no account is opened for a wrong one', async () => {
    const { claim_token } = await practice.register();
    const { practice: way } = (await practice.json<Answer>('/agent/identity/claim', { claim_token })).body;
    const accounts = () => hill.rows('select count(*)::int as n from hill.accounts');
    const before = await accounts();
    const wrong = { ...way.form, user_code: way.form.user_code === '000000' ? '000001' : '000000' };
    const send = (form: Record<string, string>) =>
      fetch(way.href, { method: 'POST', body: new URLSearchParams(form) }).then(async (answer) => [
        answer.status,
        await answer.text(),
      ]);

    for (let left = 4; left > 0; left--)
      expect(await send(wrong)).toEqual([400, expect.stringContaining(`${left} ${left === 1 ? 'try' : 'tries'} left`)]);
    expect(await send(wrong)).toEqual([410, expect.stringContaining('The code is locked')]);
    expect(await send(way.form)).toEqual([410, expect.stringContaining('The code is locked')]);
    expect(await send({ ...way.form, claim_attempt_token: 'another' })).toEqual([404, expect.any(String)]);
    expect(await accounts()).toEqual(before);
  });

  test('is not let in by a page of another site', async () => {
    const { claim_token } = await practice.register();
    const { practice: way } = (await practice.json<Answer>('/agent/identity/claim', { claim_token })).body;
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }] as Record<
      string,
      string
    >[]) {
      const answer = await fetch(way.href, { method: 'POST', body: new URLSearchParams(way.form), headers });
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    }
    expect((await practice.poll(claim_token)).body).toMatchObject({ error: 'authorization_pending' });
  });
});

describe('a browser', () => {
  test('gets an account of its own without a sign-in, lets agents in to it, and no other browser gets that one', async () => {
    const [ann, bob] = [new Visitor(), new Visitor()];
    for (const visitor of [ann, bob]) {
      const page = await visitor.go(`${practice.baseUrl}/account`);
      expect(page.text).toContain('Nobody signs in on a practice hill');
      expect((await visitor.send(page, '/sign-in/practice')).status).toBe(303);
    }
    const shown = await ann.go(`${practice.baseUrl}/account`);
    expect(shown.text).toContain('$10,000.00');
    const { claim_token } = await practice.register('Of Ann');
    const { claim_attempt } = (await practice.json<Answer>('/agent/identity/claim', { claim_token })).body;
    const page = await ann.go(claim_attempt.verification_uri);
    await ann.send(page, '/claim', { user_code: claim_attempt.user_code, decision: 'approve' });
    expect((await practice.poll(claim_token)).status).toBe(200);
    expect((await ann.go(`${practice.baseUrl}/account`)).text).toContain('Of Ann');
    expect((await bob.go(`${practice.baseUrl}/account`)).text).not.toContain('Of Ann');
  });

  test('has no other way in, and a hill that is not for practice has not that one', async () => {
    const visitor = new Visitor();
    const page = await visitor.go(`${practice.baseUrl}/sign-in`);
    expect(page.text).not.toContain('development');
    expect((await visitor.post(`${practice.baseUrl}/sign-in/development`, { email: 'a@example.com' })).status).toBe(
      404,
    );
    expect((await visitor.post(`${realDoor.baseUrl}/sign-in/practice`, {})).status).toBe(404);
    const attempt = { attempt_token: 'x', user_code: '123456' };
    expect((await refusal(call(real.as('web'), 'api_human.practice_claim', attempt))).code).toBe('SETTING_REFUSED');
    expect((await refusal(call(real.as('worker'), 'api_worker.close_unused_accounts', { hours: 0 }))).code).toBe(
      'SETTING_REFUSED',
    );
    expect((await refusal(call(real.as('worker'), 'api_worker.stop_full_clock', { bytes: 0 }))).code).toBe(
      'SETTING_REFUSED',
    );
  });
});

describe('nothing is fetched', () => {
  let canary: Canary;
  beforeAll(async () => {
    canary = await aCanary();
  });
  afterAll(async () => {
    await canary.close();
  });

  test('for events, sites or clients, and each is told so', async () => {
    const { tokens } = await lettingItselfIn();
    const use = async (name: string, args: object = {}) =>
      (await practice.mcp(tokens.access_token, 'tools/call', { name, arguments: args })).body.result as Answer;
    const url = `http://127.0.0.1:${canary.port}/`;

    for (const address of [url, 'https://events.example/'])
      expect((await use('subscribe', { action: 'add', url: address })).structuredContent).toMatchObject({
        code: 'ADDRESS_REFUSED',
        message: 'A practice hill fetches nothing, and posts nothing anywhere.',
        hint: 'No address will do here. Read the night after each bell instead, or listen: get_help bell says how.',
      });
    const client_id = `${url}client.json`;
    const query = new URLSearchParams({ client_id, response_type: 'code', redirect_uri: `${url}back` });
    const asked = await fetch(`${practice.baseUrl}/oauth/authorize?${query}`, { redirect: 'manual' });
    expect([asked.status, await asked.text()]).toEqual([400, expect.stringContaining('url_not_allowed')]);
    expect(canary.heard()).toBe(0);
  });
});

describe('PRACTICE', () => {
  test('stands on every page, in every record and in every answer of a tool; on no other hill', async () => {
    const openapi = (await (await fetch(`${practice.baseUrl}/openapi.json`)).json()) as Answer;
    const records = Object.keys(openapi.paths).filter((path) => path.startsWith('/api/') && !/[{.]|events/.test(path));
    expect(records.length).toBeGreaterThan(10);
    for (const path of records.filter((path) => !['/api/identities', '/api/counters'].includes(path))) {
      const of = async (base: string) => ((await (await fetch(base + path)).json()) as Answer)._practice;
      expect([path, await of(practice.baseUrl)]).toEqual([path, expect.stringMatching(/^PRACTICE: /)]);
      expect([path, await of(realDoor.baseUrl)]).toEqual([path, undefined]);
    }
    const pages = ['/', '/rules', '/boards/points', '/nights', '/bring', '/log', '/errors', '/claim', '/account'];
    const subscribed = ['/nights.atom', '/tournaments.ics'];
    for (const path of [...pages, ...subscribed, '/rules.md', '/llms.txt', '/auth.md', '/mcp/server-card']) {
      const of = async (base: string) => (await fetch(base + path)).text();
      expect(await of(practice.baseUrl), path).toContain('PRACTICE');
      expect(await of(realDoor.baseUrl), path).not.toMatch(/PRACTICE[: ]/);
    }
    const { tokens } = await lettingItselfIn();
    const calls = [{ name: 'status' }, { name: 'get_help' }, { name: 'play', arguments: { slot: 4, move: 'WAR' } }];
    for (const given of calls) {
      const { result } = (await practice.mcp(tokens.access_token, 'tools/call', { arguments: {}, ...given })).body;
      expect((result as Answer).content[0].text).toMatch(/^PRACTICE\. /);
    }
  });

  test('what it signs counts on no other hill, and what another signs not on it, though both have one secret', async () => {
    const { tokens } = await lettingItselfIn();
    const { tokens: theirs } = await realDoor.playing('ann@example.com');
    const status = { name: 'status', arguments: {} };

    expect((await realDoor.mcp(tokens.access_token, 'tools/call', status)).status).toBe(401);
    expect((await practice.mcp(theirs.access_token, 'tools/call', status)).status).toBe(401);
    expect((await realDoor.exchange(tokens.identity_assertion)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await practice.exchange(theirs.identity_assertion as string)).body).toMatchObject({
      error: 'invalid_grant',
    });

    const at = { BASE_URL: 'http://localhost:8080' };
    const origins = [parseConfig(at), parseConfig({ ...at, HILL_ENV: 'practice' })].map(logOrigin);
    expect(origins).toEqual(['localhost:8080/log', 'localhost:8080/practice/log']);
    const [one, other] = origins.map((origin) => receiptSigner(secret, origin).kid);
    expect(one).not.toBe(other);
  });
});

test('a real hill leads there wherever agents and their humans look first; one that has none speaks of none', async () => {
  for (const path of ['/llms.txt', '/auth.md', '/bring', '/mcp/server-card']) {
    const of = async (base: string) => (await fetch(base + path)).text();
    expect(await of(naming.baseUrl), path).toContain('https://practice.example');
    expect(await of(realDoor.baseUrl), path).not.toContain('practise first');
  }
  const { tokens } = await naming.playing('bea@example.com');
  const said = async (method: string, params: object) =>
    JSON.stringify((await naming.mcp(tokens.access_token, method, params)).body);
  expect(await said('tools/call', { name: 'get_help', arguments: {} })).toContain('https://practice.example/llms.txt');
  const clientInfo = { name: 'a test', version: '1' };
  expect(await said('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })).toContain(
    'https://practice.example/llms.txt',
  );
});

describe('it stays small', () => {
  test('an account that nobody uses is closed, and one that is used is not', async () => {
    const [idle, busy] = [await lettingItselfIn('Idle'), await lettingItselfIn('Busy')];
    const of = async (name: string) =>
      (
        await hill.rows<{ account_id: string; grant: string }>(
          'select a.account_id, g.id as grant from hill.agents a join oauth.grants g on g.agent_id = a.id where a.name = $1',
          [name],
        )
      )[0] as { account_id: string; grant: string };
    const old = "clock_timestamp() - interval '8 days'";
    await hill.root.query(`update oauth.sign_ins set last_used_at = ${old}`);
    await hill.root.query(`update oauth.grants set last_used_at = ${old} where id <> $1`, [(await of('Busy')).grant]);
    expect(await call(hill.as('worker'), 'api_worker.close_unused_accounts', { hours: 200 })).toBe(0);
    const before = await of('Busy');

    expect(await call(hill.as('worker'), 'api_worker.close_unused_accounts', { hours: 168 })).toBeGreaterThan(0);

    const open = await hill.rows('select account_id from oauth.humans');
    expect(open).toEqual([{ account_id: before.account_id }]);
    const status = { name: 'status', arguments: {} };
    expect((await practice.mcp(idle.tokens.access_token, 'tools/call', status)).status).toBe(401);
    expect((await practice.mcp(busy.tokens.access_token, 'tools/call', status)).status).toBe(200);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('before its disk is full the clock stands still, nobody new is let in, and who is there plays on', async () => {
    const { tokens } = await lettingItselfIn();
    const full = (bytes: number) => call(hill.as('worker'), 'api_worker.stop_full_clock', { bytes });
    expect(await full(1e12)).toBe(false);
    expect((await practice.register()).claim_token).toBeDefined();

    expect(await full(1)).toBe(true);

    const refused = await practice.json<Answer>('/agent/identity', { type: 'anonymous', client_name: 'Late' });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([503, expect.stringContaining('Come back')]);
    const play = { name: 'play', arguments: { slot: 9, move: 'PEACE' } };
    expect((await practice.mcp(tokens.access_token, 'tools/call', play)).body.result).toMatchObject({
      structuredContent: { slot: 9 },
    });
    await hill.root.query('select engine.open_hill(null, $1, 600)', ['simulated']); // the next start, with more room
    expect((await practice.register()).claim_token).toBeDefined();
  });
});
