// The device grant (RFC 8628), for clients whose human has a screen elsewhere: row 54 of protocol 11. oauth4webapi is
// the client where a client is needed.
import { createHash } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { useBrowserDoor } from '../support/doors/browser-door.ts';
import { deviceGrant, useDevice } from '../support/doors/device.ts';
import { payloadOf, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { Visitor } from '../support/doors/visitor.ts';
import { call, useHill } from '../support/hill/index.ts';

const insecure = { [oauth.allowInsecureRequests]: true }; // http, on loopback
const both = 'hill:read hill:play';
const seconds = (n: number) => n * 1000;
const rounds = Number(process.env.HILL_TEST_ROUNDS ?? 4);
const stranger = 'BCDF-GHJK'; // nobody's code, but for one chance in 25,600,000,000

describe('a strict client', () => {
  const hill = useHill();
  const door = useOAuth(hill, 'two hosts');
  const device = useDevice(door);

  test('finds the endpoint, shows a code, waits, and is given what a browser would have brought', async () => {
    const issuer = new URL(door.authUrl);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }),
    );
    const { client_id, ...registered } = await device.register('A strict program');
    expect(registered).toMatchObject({
      redirect_uris: [],
      response_types: [],
      grant_types: ['refresh_token', deviceGrant],
    });
    const client: oauth.Client = { client_id };
    const asked = await oauth.deviceAuthorizationRequest(
      server,
      client,
      oauth.None(),
      { scope: both, resource: `${door.authUrl}/mcp` },
      insecure,
    );
    const codes = await oauth.processDeviceAuthorizationResponse(server, client, asked);
    expect(codes).toMatchObject({ verification_uri: `${door.baseUrl}/device`, expires_in: 600, interval: 5 });
    expect(codes.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const poll = async () => {
      await hill.clock.tick(seconds(5));
      const answer = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), codes.device_code, insecure);
      return oauth.processDeviceCodeResponse(server, client, answer);
    };
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending', status: 400 });

    // the human, on another machine, who is not signed in and types as humans do
    const visitor = new Visitor();
    const page = await visitor.go(`${door.authUrl}/device`);
    expect(page.url).toBe(`${door.baseUrl}/sign-in?return_to=%2Fdevice`);
    await visitor.send(page, '/sign-in/development', { email: 'ann@example.com' });
    const shown = await device.type(visitor, ` ${codes.user_code.toLowerCase().replace('-', ' – ')} `);
    expect(shown.status).toBe(200);
    for (const part of [
      'A strict program',
      'Nobody has verified that name',
      'Did somebody send you here?',
      '$10.00',
      'hill:play',
      codes.user_code,
    ])
      expect(shown.text).toContain(part);
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' });
    const done = await device.decide(visitor, shown, 'approve');
    expect(done.text).toContain('The program is connected');

    const tokens = await poll();
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: 900,
      scope: both,
      refresh_token: expect.any(String),
    });
    expect(payloadOf(tokens.access_token)).toMatchObject({ aud: door.authUrl, client_id, scope: both });
    expect(await door.accepts(tokens.access_token)).toBe('ok');
    await expect(poll()).rejects.toMatchObject({ error: 'invalid_grant' }); // once
    expect(await door.accepts(tokens.access_token)).toBe('ok');
    await hill.clock.tick(29 * 86_400_000);
    const renewed = await useBrowserDoor(door).refresh(client_id, tokens.refresh_token as string);
    expect(await door.accepts(succeeded(renewed).access_token)).toBe('ok');
    // an agent among the others, which its human can cut
    expect((await visitor.go(`${door.baseUrl}/account`)).text).toContain('A strict program');
  });
});

describe('the device grant', () => {
  const hill = useHill();
  const generous = {
    HILL_LIMIT_CODES: '100000/3600',
    HILL_LIMIT_CLAIMS: '100000/3600',
    HILL_LIMIT_REGISTRATIONS: '100000/3600',
  };
  const door = useOAuth(hill, 'one host', generous);
  const other = useOAuth(hill, 'one host', generous, door);
  const device = useDevice(door);
  const browser = useBrowserDoor(door);
  let named = 0;
  const anEmail = () => `human-${++named}@example.com`;
  const errorOf = async (answer: Promise<{ body: { error?: string } }>) => (await answer).body.error;
  const begun = async (more: Record<string, string> = {}) => {
    const { client_id } = await device.register();
    return { client_id, ...succeeded(await device.ask(client_id, more)) };
  };

  test('a link with the code in it shows the code to be compared: nothing is looked up, and nothing approved', async () => {
    const { client_id, device_code, user_code, verification_uri_complete } = await begun();
    const visitor = await device.human(anEmail());

    const page = await visitor.go(verification_uri_complete);
    expect(page.text).toContain(`<strong>${user_code}</strong>`);
    expect(page.text).not.toMatch(/name="decision"|A program/);
    expect(
      await hill.rows("select 1 from oauth.rates where what in ('codes', 'code_account', 'device_codes')"),
    ).toEqual([]);
    expect(await errorOf(device.poll(client_id, device_code))).toBe('authorization_pending');

    // the human says that it is the same, and then decides
    const shown = await visitor.landed(page, await visitor.send(page, '/device'));
    expect(shown.text).toContain('name="decision" value="approve"');
    await device.decide(visitor, shown, 'approve');
    expect((await device.poll(client_id, device_code)).status).toBe(200);
    // a link with something else in it brings the empty field
    expect((await visitor.go(`${door.baseUrl}/device?user_code=%3Cscript%3E`)).text).toContain(
      'The code that your program shows',
    );
  });

  test('polls that come too fast wait 5 seconds longer for good, on every process', async () => {
    const { client_id, device_code } = await begun();
    const poll = async (by = door) => {
      const { body } = await device.poll(client_id, device_code, {}, by);
      return [body.error, body.interval];
    };

    expect(await poll()).toEqual(['authorization_pending', 5]);
    await hill.clock.tick(seconds(1));
    expect(await poll(other)).toEqual(['slow_down', 10]);
    await hill.clock.tick(seconds(6));
    expect(await poll()).toEqual(['slow_down', 15]);
    await hill.clock.tick(seconds(15));
    expect(await poll(other)).toEqual(['authorization_pending', 15]);
  });

  test('a refusal is told, for good', async () => {
    const { client_id, device_code, user_code } = await begun();
    const visitor = await device.human(anEmail());

    const shown = await device.type(visitor, user_code);
    expect((await device.decide(visitor, shown, 'refuse')).text).toContain('You refused the program');

    expect(await errorOf(device.poll(client_id, device_code))).toBe('access_denied');
    expect((await device.decide(visitor, shown, 'approve')).text).toContain('No program waits with that code');
    expect(await errorOf(device.poll(client_id, device_code))).toBe('access_denied');
  });

  test('after 600 seconds the code is nothing to either side, even if it was approved and not fetched', async () => {
    const late = await begun();
    const approved = await device.approved(anEmail());
    await hill.clock.tick(seconds(600));

    expect(await errorOf(device.poll(late.client_id, late.device_code))).toBe('expired_token');
    expect(await errorOf(device.poll(approved.client_id, approved.device_code))).toBe('expired_token');
    expect((await device.type(await device.human(anEmail()), late.user_code)).text).toContain(
      'No program waits with that code',
    );
  });

  test('what is asked for is held to: scopes, resource and client', async () => {
    const reading = await device.approved(anEmail(), {
      scope: 'hill:read offline_access',
      resource: `${door.baseUrl}/`,
    });
    const { client_id } = await device.register();
    expect(await errorOf(device.poll(client_id, reading.device_code))).toBe('invalid_grant');
    expect(await errorOf(device.poll('nobody', reading.device_code))).toBe('invalid_client');
    expect(
      await errorOf(device.poll(reading.client_id, reading.device_code, { resource: 'https://elsewhere.example' })),
    ).toBe('invalid_target');
    const tokens = succeeded(
      await device.poll(reading.client_id, reading.device_code, { resource: `${door.baseUrl}/mcp` }),
    );
    expect(payloadOf(tokens.access_token)).toMatchObject({ aud: door.baseUrl, scope: 'hill:read' });

    expect(await errorOf(device.ask(client_id, { scope: 'openid' }))).toBe('invalid_scope');
    expect(await errorOf(device.ask(client_id, { resource: 'https://elsewhere.example' }))).toBe('invalid_target');
    expect(await device.ask('nobody')).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(await errorOf(door.form('/oauth/device_authorization', {}))).toBe('invalid_request');
    expect(await errorOf(door.form('/oauth/token', { grant_type: deviceGrant, client_id }))).toBe('invalid_request');
  });

  test('registration takes the grant, and wants redirect addresses only from clients that are sent back to', async () => {
    const registered = await browser.register(undefined, {
      grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    });
    expect(registered).toMatchObject({
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    });
    const { client_id } = registered;
    expect((await device.ask(client_id)).status).toBe(200);
    for (const grant_types of [undefined, ['authorization_code', deviceGrant], ['refresh_token']])
      expect(await errorOf(door.json('/oauth/register', { client_name: 'x', grant_types }))).toBe(
        'invalid_redirect_uri',
      );
    const shows = await device.register();
    expect((await browser.authorize(browser.asking(shows.client_id))).status).toBe(400);
  });

  test('a second approval of a client gives the agent that it has', async () => {
    const first = await device.approved('twice@example.com');
    const again = succeeded(await device.ask(first.client_id));
    await device.decide(first.visitor, await device.type(first.visitor, again.user_code), 'approve');

    for (const { device_code } of [first, again]) succeeded(await device.poll(first.client_id, device_code));
    expect(await hill.rows('select 1 from oauth.grants where client_id = $1', [first.client_id])).toHaveLength(1);
  });

  test('an agent that is cut, and an account that is closed, before the tokens were fetched: no tokens', async () => {
    const cut = await device.approved(anEmail());
    const session = cut.visitor.cookies.get('hill_session') as string;
    const [agent] = await call<{ agent_id: string }[]>(hill.as('web'), 'api_human.agents', { session });
    await call(hill.as('web'), 'api_human.cut_agent', { session, agent_id: agent?.agent_id });
    expect(await errorOf(device.poll(cut.client_id, cut.device_code))).toBe('invalid_grant');

    const closed = await device.approved(anEmail());
    const waiting = await begun();
    const shown = await device.type(closed.visitor, waiting.user_code);
    const held = { session: closed.visitor.cookies.get('hill_session') as string };
    const { slug } = await call<{ slug: string }>(hill.as('web'), 'api_human.account', held);
    await call(hill.as('web'), 'api_human.close_account', { ...held, slug });
    expect(await errorOf(device.poll(closed.client_id, closed.device_code))).toBe('invalid_grant');
    expect((await device.decide(closed.visitor, shown, 'approve')).url).toContain('/sign-in'); // as at consent
    expect(await errorOf(device.poll(waiting.client_id, waiting.device_code))).toBe('authorization_pending');
  });

  test('of two polls at one instant, on two processes, one issues; of two decisions, one counts', async () => {
    for (let round = 0; round < rounds; round++) {
      const { client_id, device_code } = await device.approved(anEmail());
      const answers = await Promise.all([door, other].map((by) => device.poll(client_id, device_code, {}, by)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const [tokens, loser] = answers[0]?.status === 200 ? answers : answers.reverse();
      expect(loser?.body.error).toBe('invalid_grant');
      expect(await door.accepts(tokens?.body.access_token as string)).toBe('ok');

      const waiting = await begun();
      const visitor = await device.human(anEmail());
      const shown = await device.type(visitor, waiting.user_code);
      const decided = await Promise.all(
        ['approve', 'refuse', 'approve'].map((decision) => device.decide(visitor, shown, decision)),
      );
      expect(decided.filter(({ url }) => url.includes('done='))).toHaveLength(1);
      const approved = decided.some(({ text }) => text.includes('The program is connected'));
      const { status, body } = await device.poll(waiting.client_id, waiting.device_code);
      expect(approved ? status : body.error).toBe(approved ? 200 : 'access_denied');
      expect(await hill.rows('select 1 from oauth.grants where client_id = $1', [waiting.client_id])).toHaveLength(
        approved ? 1 : 0,
      );
    }
  });

  test('a form from elsewhere, or of another session, decides nothing', async () => {
    const { client_id, device_code, user_code } = await begun();
    const [visitor, thief] = [await device.human(anEmail()), await device.human(anEmail())];
    const shown = await device.type(thief, user_code);
    const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      visitor.post(`${door.baseUrl}/device`, { user_code, decision: 'approve', ...fields }, headers);

    expect((await post({})).status).toBe(403);
    expect((await visitor.send(shown, '/device', { decision: 'approve' })).status).toBe(403); // with the other's token
    const own = await device.type(visitor, user_code);
    expect(
      (await visitor.send(own, '/device', { decision: 'approve' }, { Origin: 'https://evil.example' })).status,
    ).toBe(403);
    expect(await errorOf(device.poll(client_id, device_code))).toBe('authorization_pending');
  });

  test('neither code is stored so that it can be found: not by trying all codes of eight letters', async () => {
    const { device_code, user_code } = await begun();

    const kept = JSON.stringify(
      await hill.rows("select encode(device_hash, 'hex'), encode(user_hash, 'hex'), d::text from oauth.device_codes d"),
    );

    for (const code of [user_code, user_code.replace('-', ''), device_code]) {
      expect(kept).not.toContain(code);
      if (code !== device_code) expect(kept).not.toContain(createHash('sha256').update(code).digest('hex'));
    }
  });

  test('two clients never show the same code', async () => {
    const { client_id } = await device.register();
    const begin = (device_code: string) =>
      call(hill.as('web'), 'api_oauth.begin_device', {
        ...{ client_id, device_code, user_code: 'the same' },
        scopes: ['hill:read'],
        audience: 'x',
      });

    expect(await begin('one')).toEqual({ expires_in: 600, interval: 5 });
    expect(await begin('two')).toBeNull(); // the door then draws another
  });

  describe('guesses', () => {
    const typed = (visitor: Visitor, code = stranger) => device.type(visitor, code);

    test('a wrong code, and what is no code, are told beside the field, and stay in it', async () => {
      const visitor = await device.human(anEmail());
      expect((await typed(visitor)).text).toContain('No program waits with that code');
      for (const code of ['BCDF-GHJ', 'BCDF-GHJKL', 'ABCD-EFGH', '1234-5678', '"><script>']) {
        const page = await typed(visitor, code);
        expect(page.text).toContain('That is not a code');
        expect(page.text).toContain(
          `value="${code.replace(/["<>]/g, (c) => ({ '"': '&quot;', '<': '&lt;', '>': '&gt;' })[c] as string)}"`,
        );
      }
    });

    test('an account types 20 codes an hour, those of claims among them', async () => {
      const visitor = await device.human(anEmail());
      for (let i = 0; i < 20; i++) expect((await typed(visitor)).text).toContain('No program waits');
      const { client_id, device_code, user_code } = await begun();

      const limited = await typed(visitor, user_code); // nor does a right one help
      expect(limited.status).toBe(429);
      expect(Number(limited.response.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(limited.text).toMatch(/Too many codes were typed\. Try again in \d+ minutes\./);
      expect(await errorOf(device.poll(client_id, device_code))).toBe('authorization_pending');
      expect((await typed(await device.human(anEmail()), user_code)).text).toContain('value="approve"'); // others go on
    });

    test('all humans together type 3,000 an hour, a name that is refused with an approval does not try for free', async () => {
      const { user_code } = await begun();
      const visitor = await device.human(anEmail());
      const shown = await typed(visitor, user_code);
      const count = async () =>
        (await hill.rows<{ n: number }>("select count as n from oauth.rates where what = 'device_codes'"))[0]
          ?.n as number;
      const before = await count();
      expect((await device.decide(visitor, shown, 'approve', { account_name: 'House 3' })).text).toContain(
        'The name is reserved',
      );
      expect(await count()).toBeGreaterThan(before);

      await hill.root.query("update oauth.rates set count = 3000 where what = 'device_codes'");
      expect((await typed(visitor, user_code)).text).toContain('Too many codes');
      expect((await device.decide(visitor, shown, 'approve')).text).toContain('Too many codes');
      await hill.clock.tick(seconds(7200));
    });

    test('an address is counted too', async () => {
      const visitor = await device.human(anEmail());
      await typed(visitor);
      await hill.root.query("update oauth.rates set count = 100000 where what = 'codes'");

      expect((await typed(visitor)).text).toContain('Too many codes');
    });
  });
});
