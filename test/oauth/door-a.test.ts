// Door A, for agents without a browser: rows 23 to 35, 47, 48 and 51 of protocol 11. Protocol 2.4, 3.1, 3.2, 8.5, 10.1.
import { SignJWT, UnsecuredJWT } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  attemptOf,
  headerOf,
  payloadOf,
  type Registration,
  succeeded,
  type Tokens,
  useOAuth,
} from '../support/doors/oauth.ts';
import { formOf, Visitor } from '../support/doors/visitor.ts';
import { call, useHill } from '../support/hill/index.ts';

const both = 'hill:read hill:play';
const seconds = (n: number) => n * 1000;
const hours = (n: number) => seconds(n * 3600);

/** Where the answer to a form leads, or the answer itself. */
const settled = async (visitor: Visitor, answer: Response): Promise<{ status: number; text: string }> =>
  answer.status === 303
    ? visitor.go(new URL(answer.headers.get('location') as string, answer.url).href)
    : { status: answer.status, text: await answer.text() };

const hill = useHill();
const door = useOAuth(hill, 'two hosts');
let named = 0;
const anEmail = () => `human-${++named}@example.com`;

beforeEach(() => hill.clock.tick(seconds(1)));

describe('registration', () => {
  test('23: gives every field of protocol 3.1', async () => {
    const { status, headers, body } = await door.json('/agent/identity', {
      type: 'anonymous',
      client_name: 'Ann’s bot',
    });

    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(body).toEqual({
      registration_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      registration_type: 'anonymous',
      client_id: expect.any(String),
      identity_assertion: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      assertion_expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      pre_claim_scopes: ['hill:read'],
      claim_url: `${door.authUrl}/agent/identity/claim`,
      claim_token: expect.stringMatching(/^[\w-]{43}$/),
      claim_token_expires: expect.stringMatching(/Z$/),
      post_claim_scopes: ['hill:read', 'hill:play'],
    });
  });

  test.each([
    ['service_auth', 'service_auth_not_enabled'],
    ['identity_assertion', 'issuer_not_enabled'],
  ])('24: type %s is refused with %s', async (type, error) => {
    const { status, body } = await door.json('/agent/identity', { type });

    expect(status).toBe(400);
    expect(body).toEqual({ error, message: expect.any(String) });
  });

  test.each([
    ['no type', {}],
    ['another type', { type: 'root' }],
    ['an array', []],
    ['a name that is no text', { type: 'anonymous', client_name: 5 }],
    ['an empty name', { type: 'anonymous', client_name: '  ' }],
    ['a name that turns letters', { type: 'anonymous', client_name: 'a\u202eb' }],
    ...['\u3164', '\u2800', 'Ann\u115f', 'Ann\u{e0100}', '\u{1d159}', '\ufe0f', '!?'].map(
      (client_name) =>
        [`a name of ${JSON.stringify(client_name)}`, { type: 'anonymous', client_name }] as [string, object],
    ),
    ['a long name', { type: 'anonymous', client_name: 'x'.repeat(61) }],
    ['a null character', { type: 'anonymous', client_name: 'a\0b' }],
  ])('25: %s is invalid_request', async (_, body) => {
    expect(await door.json('/agent/identity', body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('25: what is not JSON is invalid_request', async () => {
    for (const [type, body] of [
      ['application/json', '{'],
      ['application/x-www-form-urlencoded', 'type=anonymous'],
      ['text/plain', '{"type": "anonymous"}'],
    ] as const) {
      const response = await fetch(`${door.authUrl}/agent/identity`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: 'invalid_request' });
    }
  });

  test('a body that does not end is not read to its end', async () => {
    const { status, body } = await door.json('/agent/identity', { type: 'anonymous', client_name: 'x'.repeat(20_000) });

    expect([status, body.error]).toEqual([413, 'invalid_request']);
  });
});

describe('jwt-bearer', () => {
  test('26: the first assertion reads for 900 seconds, and gives no refresh token', async () => {
    const { identity_assertion, client_id, registration_id } = await door.register();

    const { status, headers, body } = await door.exchange(identity_assertion);

    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'hill:read',
    });
    expect(headerOf(body.access_token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    const claims = payloadOf(body.access_token);
    expect(claims).toEqual({
      iss: door.authUrl,
      sub: registration_id,
      aud: door.authUrl,
      client_id,
      scope: 'hill:read',
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: (claims.iat as number) + 900,
    });
    expect(await door.accepts(body.access_token)).toBe('ok');
    await hill.clock.tick(seconds(901));
    expect(await door.accepts(body.access_token)).toBe('401 invalid_token');
    expect((await door.exchange(identity_assertion)).status).toBe(200);
  });

  test('26: a reading token does not play', async () => {
    const { identity_assertion } = await door.register();
    const { access_token: token } = succeeded(await door.exchange(identity_assertion, { scope: both }));

    const { status, headers } = await door.mcp(token, 'tools/call', {
      name: 'play',
      arguments: { slot: 1, move: 'PEACE' },
    });
    expect([status, headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope"'),
    ]);
  });

  test('27: altered, expired, of another type, unsigned or self-signed assertions are invalid_grant', async () => {
    const { identity_assertion: good } = await door.register();
    const { access_token } = succeeded(await door.exchange(good));
    const [head, payload, signature] = good.split('.') as [string, string, string];
    const altered = { ...payloadOf(good), generation: 2 };
    const unsigned = new UnsecuredJWT(payloadOf(good)).encode();
    const own = await new SignJWT(payloadOf(good))
      .setProtectedHeader({ alg: 'HS256', typ: 'identity-assertion+jwt', kid: headerOf(good).kid as string })
      .sign(new TextEncoder().encode('a key of the attacker, long enough for it'));
    const wrong = [
      `${head}.${Buffer.from(JSON.stringify(altered)).toString('base64url')}.${signature}`,
      `${head}.${payload}.${signature.slice(0, -4)}AAAA`,
      unsigned,
      own,
      access_token,
      'no token at all',
      'a.b.c',
    ];
    for (const assertion of wrong)
      expect(await door.exchange(assertion)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant', error_description: expect.any(String) },
      });

    await hill.clock.tick(hours(24));
    expect(await door.exchange(good)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('28: a foreign resource is invalid_target', async () => {
    const { identity_assertion } = await door.register();
    for (const resource of [
      'https://elsewhere.example',
      `${door.authUrl}/other`,
      `${door.authUrl}.evil.example`,
      `${door.authUrl}/mcp/`,
    ])
      expect(await door.exchange(identity_assertion, { resource })).toMatchObject({
        status: 400,
        body: { error: 'invalid_target' },
      });
  });

  test('51: a resource may be named in each of its forms, or not at all', async () => {
    const { identity_assertion } = await door.register();
    for (const origin of new Set([door.authUrl, door.baseUrl]))
      for (const resource of [origin, `${origin}/`, `${origin}/mcp`]) {
        const { access_token } = succeeded(await door.exchange(identity_assertion, { resource }));
        expect(payloadOf(access_token).aud).toBe(origin);
      }
    expect(payloadOf(succeeded(await door.exchange(identity_assertion)).access_token).aud).toBe(door.authUrl);
  });

  test('46: another client’s name is invalid_client', async () => {
    const { identity_assertion } = await door.register();

    expect(await door.exchange(identity_assertion, { client_id: 'somebody else' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  test('unknown scopes are dropped, and asking for nothing that exists is refused', async () => {
    const { identity_assertion } = await door.register();

    expect(succeeded(await door.exchange(identity_assertion, { scope: 'openid hill:read' })).scope).toBe('hill:read');
    expect((await door.exchange(identity_assertion, { scope: 'openid' })).body.error).toBe('invalid_scope');
  });

  test('a parameter that is given twice, another grant, and none, are refused', async () => {
    const grant_type = 'password';
    expect((await door.form('/oauth/token', { grant_type })).body.error).toBe('unsupported_grant_type');
    expect((await door.form('/oauth/token', {})).body.error).toBe('invalid_request');
    expect(
      (
        await door.form('/oauth/token', [
          ['grant_type', grant_type],
          ['grant_type', grant_type],
        ])
      ).body.error,
    ).toBe('invalid_request');
  });
});

describe('claim', () => {
  test('29: an unknown token is 401, a claimed one 409, one of yesterday 410', async () => {
    expect(await door.claim('no such token', 'ann@example.com')).toMatchObject({
      status: 401,
      body: { error: 'invalid_claim_token' },
    });
    const { registration } = await door.claimed(anEmail());
    const late = await door.register();
    expect(await door.claim(registration.claim_token, anEmail())).toMatchObject({
      status: 409,
      body: { error: 'claimed_or_in_flight' },
    });

    await hill.clock.tick(hours(24));

    expect(await door.claim(late.claim_token, anEmail())).toMatchObject({
      status: 410,
      body: { error: 'claim_expired' },
    });
    expect(await door.poll(late.claim_token)).toMatchObject({ status: 400, body: { error: 'claim_expired' } });
  });

  test('29, 35: a spent claim token is told to register anew, and is not sent to poll', async () => {
    const { registration } = await door.playing(anEmail());

    expect(await door.claim(registration.claim_token, anEmail())).toMatchObject({
      status: 401,
      body: { error: 'invalid_claim_token', message: expect.stringContaining('register again') },
    });
    expect(await door.poll(registration.claim_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: expect.stringContaining('register again') },
    });
  });

  test('52: a code that was asked for at 23 h 55 min is refused after 24 h: by the page, its button, the poll and the claim endpoint', async () => {
    const email = anEmail();
    const { claim_token } = await door.register();
    await hill.clock.tick(hours(24) - seconds(300));
    const claim = succeeded(await door.claim(claim_token, email));
    expect(claim.claim_attempt.expires_in).toBe(300); // not its ten minutes
    const visitor = new Visitor(await door.human(email));
    const page = await visitor.go(claim.claim_attempt.verification_uri);
    const press = (decision: string) =>
      visitor.post(`${door.baseUrl}/claim`, {
        ...formOf(page.text, '/claim'),
        user_code: claim.claim_attempt.user_code,
        decision,
      });
    expect(page.status).toBe(200);
    await hill.clock.tick(seconds(299.9));
    expect((await door.poll(claim_token)).body.error).toBe('authorization_pending');
    await hill.clock.tick(seconds(0.1));

    for (const answer of [await press('approve'), await press('refuse'), await visitor.once(page.url)]) {
      const { status, text } = await settled(visitor, answer);
      expect(status).toBe(410);
      expect(text).toMatch(/The claim has expired.*for 24 hours after it registered.*register again/s);
    }
    const polled = await door.poll(claim_token);
    expect(polled).toMatchObject({
      status: 400,
      body: { error: 'claim_expired', error_description: expect.stringContaining('Register') },
    });
    expect(await door.claim(claim_token, email)).toMatchObject({ status: 410, body: { error: 'claim_expired' } });
    expect(
      await hill.rows('select from hill.agents a join oauth.humans h using (account_id) where h.email = $1', [email]),
    ).toEqual([]);
  });

  test('52: what was approved in time, and is fetched after 24 h, gives nothing; its human sees that it has to ask again', async () => {
    const { registration, claim, session } = await door.claimed(anEmail());
    const [approved] = await hill.rows<{ expires: string }>(
      'select claim_expires_at::text as expires from oauth.registrations where id = $1',
      [registration.registration_id],
    );
    await hill.rows('update oauth.registrations set claim_expires_at = engine.now() where id = $1', [
      registration.registration_id,
    ]);

    expect((await door.poll(registration.claim_token)).body.error).toBe('claim_expired');
    expect(await door.look(session, attemptOf(claim))).toEqual({ outcome: 'claim_expired' });
    expect(await call(hill.as('web'), 'api_human.agents', { session })).toMatchObject([{ lapsed: true, cut_at: null }]);
    // and the record itself holds to it, whatever the poll before had been told
    const record = { claim_token: registration.claim_token, access_token: 'a', assertion: 'b', audience: door.authUrl };
    expect(await call(hill.as('web'), 'api_oauth.redeem_claim', record)).toBe(false);

    await hill.rows('update oauth.registrations set claim_expires_at = $2 where id = $1', [
      registration.registration_id,
      approved?.expires,
    ]);
    expect(succeeded(await door.poll(registration.claim_token)).scope).toBe(both);
    await hill.clock.tick(hours(24));
    expect((await door.poll(registration.claim_token)).body.error).toBe('claim_expired');
    expect(await door.look(session, attemptOf(claim))).toEqual({ outcome: 'approved' }); // what it fetched in time is its own
  });

  test('29: while a code is live no other is given, whatever the address; afterwards one is', async () => {
    const { claim_token } = await door.register();
    const first = succeeded(await door.claim(claim_token, anEmail()));
    expect((await door.claim(claim_token, anEmail())).status).toBe(409);

    await hill.clock.tick(seconds(600));

    const second = succeeded(await door.claim(claim_token, anEmail()));
    expect(second.claim_attempt_id).not.toBe(first.claim_attempt_id);
  });

  test.each([
    ['{claim_token, email}', (claim_token: string, email: string) => ({ claim_token, email })],
    ['a login_hint', (claim_token: string, login_hint: string) => ({ type: 'login_hint', claim_token, login_hint })],
  ])('30: with %s gives a code of 6 digits that is not in the address', async (_, form) => {
    const { claim_token, registration_id } = await door.register();
    const { status, body } = await door.json<Parameters<typeof attemptOf>[0]>(
      '/agent/identity/claim',
      form(claim_token, anEmail()),
    );

    expect(status).toBe(200);
    expect(body).toEqual({
      registration_id,
      claim_attempt_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'initiated',
      expires_at: expect.stringMatching(/Z$/),
      claim_attempt: {
        user_code: expect.stringMatching(/^\d{6}$/),
        expires_in: 600,
        verification_uri: expect.stringContaining(`${door.baseUrl}/claim?claim_attempt_token=`),
        interval: 5,
      },
    });
    expect(body.claim_attempt.verification_uri).not.toContain(`=${body.claim_attempt.user_code}`);
    expect(new URL(body.claim_attempt.verification_uri).searchParams.size).toBe(1);
  });

  test.each([
    ['no claim token', { email: 'ann@example.com' }],
    ['no address', { claim_token: 'x' }],
    ['no such address', { claim_token: 'x', email: 'ann' }],
    ['another type', { type: 'email', claim_token: 'x', email: 'ann@example.com' }],
  ])('with %s is invalid_request', async (_, body) => {
    expect(await door.json('/agent/identity/claim', body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  test('31: polls are told to wait, to slow down for good, and that the code has expired', async () => {
    const { claim_token } = await door.register();
    expect((await door.poll(claim_token)).body.error).toBe('expired_token'); // no code yet
    succeeded(await door.claim(claim_token, anEmail()));
    const poll = async () => {
      const { status, body } = await door.poll(claim_token);
      expect(status).toBe(400);
      return [body.error, body.interval];
    };

    expect(await poll()).toEqual(['authorization_pending', 5]);
    await hill.clock.tick(seconds(5));
    expect(await poll()).toEqual(['authorization_pending', 5]);
    await hill.clock.tick(seconds(2));
    expect(await poll()).toEqual(['slow_down', 10]);
    await hill.clock.tick(seconds(5));
    expect(await poll()).toEqual(['slow_down', 15]);
    await hill.clock.tick(seconds(15));
    expect(await poll()).toEqual(['authorization_pending', 15]); // it stays
    await hill.clock.tick(seconds(600));
    expect((await door.poll(claim_token)).body.error).toBe('expired_token');
    expect((await door.poll('no such token')).body.error).toBe('invalid_grant');
  });

  test('32: another account is refused, is no guess, and spends nothing', async () => {
    const email = anEmail();
    const { claim_token } = await door.register();
    const claim = succeeded(await door.claim(claim_token, email));
    const [attempt, code] = [attemptOf(claim), claim.claim_attempt.user_code];
    const stranger = await door.human(anEmail());

    for (let i = 0; i < 8; i++)
      expect(await door.approve(stranger, attempt, code)).toEqual({ outcome: 'wrong_account' });
    expect(await door.look(stranger, attempt)).toEqual({ outcome: 'wrong_account' });
    expect(await door.refuse(stranger, attempt)).toEqual({ outcome: 'wrong_account' });

    expect((await door.poll(claim_token)).body.error).toBe('authorization_pending');
    const human = await door.human(email.toUpperCase());
    expect(await door.look(human, attempt)).toMatchObject({
      outcome: 'initiated',
      tries_left: 5,
      client_name: 'A bot',
    });
    expect(await door.approve(human, attempt, code)).toMatchObject({ outcome: 'approved' });
  });

  test('a claim page is given what it shows, and no id of what the claim is made of', async () => {
    const email = anEmail();
    const { claim_token, registration_id } = await door.register('Iris');
    const claim = succeeded(await door.claim(claim_token, email));
    const [attempt, code] = [attemptOf(claim), claim.claim_attempt.user_code];
    const human = await door.human(email);

    const shown = {
      registration_id,
      client_id: expect.any(String),
      client_name: 'Iris',
      registered_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      scopes: ['hill:read', 'hill:play'],
    };
    expect(await door.look(human, attempt)).toEqual({ outcome: 'initiated', ...shown, tries_left: 5 });
    expect(await door.approve(human, attempt, 'wrong')).toEqual({ outcome: 'wrong_code', ...shown, tries_left: 4 });
    expect(await door.approve(human, attempt, code)).toEqual({
      outcome: 'approved',
      ...shown,
      tries_left: 4,
      agent_id: expect.any(String),
    });
  });

  test('33: the fifth wrong code locks, even for the right one; a fresh code goes', async () => {
    const email = anEmail();
    const { claim_token } = await door.register();
    const claim = succeeded(await door.claim(claim_token, email));
    const [attempt, code] = [attemptOf(claim), claim.claim_attempt.user_code];
    const wrong = code === '000000' ? '000001' : '000000';
    const human = await door.human(email);

    for (const tries_left of [4, 3, 2, 1])
      expect(await door.approve(human, attempt, wrong)).toMatchObject({ outcome: 'wrong_code', tries_left });
    expect(await door.approve(human, attempt, wrong)).toEqual({ outcome: 'locked' });
    expect(await door.approve(human, attempt, code)).toEqual({ outcome: 'locked' });
    expect((await door.poll(claim_token)).body.error).toBe('expired_token');

    const next = succeeded(await door.claim(claim_token, email));
    expect(await door.approve(human, attemptOf(next), next.claim_attempt.user_code)).toMatchObject({
      outcome: 'approved',
    });
  });

  test('32, 33: the page answers another account with 403, a form without its token too, and locks at the fifth wrong code', async () => {
    const email = anEmail();
    const { claim_token } = await door.register();
    const claim = succeeded(await door.claim(claim_token, email));
    const code = claim.claim_attempt.user_code;
    const visitorOf = async (address: string) => {
      const visitor = new Visitor(await door.human(address));
      return { visitor, page: await visitor.go(claim.claim_attempt.verification_uri) };
    };

    const stranger = await visitorOf(anEmail());
    expect(stranger.page.status).toBe(403);
    const { visitor, page } = await visitorOf(email);
    const form = formOf(page.text, '/claim') as Record<string, string>;
    const type = (fields: Record<string, string>) =>
      visitor.post(`${door.baseUrl}/claim`, { ...form, decision: 'approve', ...fields });
    expect((await type({ user_code: code, csrf: '' })).status).toBe(403);
    expect(
      (await type({ user_code: code, csrf: formOf(stranger.page.text, '/sign-out')?.csrf as string })).status,
    ).toBe(403);
    expect((await door.poll(claim_token)).body.error).toBe('authorization_pending');

    const statuses = [];
    for (let i = 0; i < 6; i++) {
      const answer = await type({ user_code: code === '000000' ? '000001' : '000000' });
      statuses.push((await settled(visitor, answer)).status);
    }
    // the form again, as long as it may be tried
    expect(statuses).toEqual([200, 200, 200, 200, 410, 410]);
    expect((await settled(visitor, await type({ user_code: code }))).status).toBe(410);
    expect((await door.poll(claim_token)).body.error).toBe('expired_token');
  });

  test('33: one account types 20 codes an hour, and then waits', async () => {
    const email = anEmail();
    const human = await door.human(email);
    const outcomes: string[] = [];
    for (let agent = 0; agent < 5; agent++) {
      const { claim_token } = await door.register();
      const claim = succeeded(await door.claim(claim_token, email));
      const wrong = claim.claim_attempt.user_code === '000000' ? '000001' : '000000';
      for (let i = 0; i < 5; i++) outcomes.push((await door.approve(human, attemptOf(claim), wrong)).outcome);
    }

    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(5);
    expect(outcomes.slice(0, 20)).not.toContain('rate_limited');
  });

  test('refused on the page: the poll is told access_denied', async () => {
    const email = anEmail();
    const { claim_token } = await door.register();
    const claim = succeeded(await door.claim(claim_token, email));
    const human = await door.human(email);

    expect(await door.refuse(human, attemptOf(claim))).toMatchObject({ outcome: 'refused' });
    expect((await door.poll(claim_token)).body.error).toBe('access_denied');
    expect(await door.approve(human, attemptOf(claim), claim.claim_attempt.user_code)).toEqual({ outcome: 'refused' });
  });

  test('34: success gives both scopes and the next assertion; what was before is dead', async () => {
    const email = anEmail();
    const registration = await door.register('Ann’s best bot');
    const before = succeeded(await door.exchange(registration.identity_assertion));
    const claim = succeeded(await door.claim(registration.claim_token, email));
    const human = await door.human(email);
    expect(await door.approve(human, attemptOf(claim), claim.claim_attempt.user_code)).toMatchObject({
      outcome: 'approved',
    });

    const tokens = succeeded(await door.poll(registration.claim_token));

    expect(tokens).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: both,
      identity_assertion: expect.any(String),
      assertion_expires: expect.stringMatching(/Z$/),
      renew_before: expect.stringMatching(/Z$/),
    });
    expect(payloadOf(tokens.identity_assertion as string)).toMatchObject({
      email,
      email_verified: true,
      generation: 2,
    });
    expect(await door.accepts(tokens.access_token)).toBe('ok');
    expect(await door.accepts(before.access_token)).toBe('401 invalid_token');
    expect(await door.exchange(registration.identity_assertion)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await door.poll(registration.claim_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const [account] = await hill.rows(
      'select a.name from hill.accounts a join oauth.humans h on h.account_id = a.id where h.email = $1',
      [email],
    );
    expect(account?.name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/); // the human kept the name that was proposed, not the agent's
  });

  test('34: the claimed agent plays for its human', async () => {
    await hill.clock.toDay(await hill.clock.day(), '23:00'); // the bells of the days that these tests let pass
    const { tokens, session } = await door.playing(anEmail());
    const { body } = await door.mcp(tokens.access_token, 'tools/call', {
      name: 'play',
      arguments: { slot: 1, move: 'PASS' },
    });

    expect(body.result?.structuredContent).toMatchObject({ move: 'PASS' });
    expect(await call(hill.as('web'), 'api_human.agents', { session })).toMatchObject([
      { name: 'A bot', cut_at: null, scopes: ['hill:read', 'hill:play'] },
    ]);
  });

  test('34b: the second assertion renews itself, a day later too; earlier ones live to their end', async () => {
    const { tokens } = await door.playing(anEmail());
    const first = tokens.identity_assertion as string;
    const renewed = succeeded(await door.exchange(first));
    expect(renewed).toMatchObject({
      scope: both,
      expires_in: 900,
      identity_assertion: expect.any(String),
      assertion_expires: expect.any(String),
    });
    expect(renewed.identity_assertion).not.toBe(first);
    expect((await door.exchange(first)).status).toBe(200);

    await hill.clock.tick(hours(23));
    const late = succeeded(await door.exchange(renewed.identity_assertion as string));
    await hill.clock.tick(hours(23));
    const later = succeeded(await door.exchange(late.identity_assertion as string));

    expect(later.scope).toBe(both);
    expect((await door.exchange(first)).body.error).toBe('invalid_grant');
    expect(succeeded(await door.exchange(later.identity_assertion as string, { scope: 'hill:read' })).scope).toBe(
      'hill:read',
    );
  });

  test('tokens are there to be fetched after the code’s ten minutes', async () => {
    const { registration } = await door.claimed(anEmail());
    await hill.clock.tick(hours(1));

    expect(succeeded(await door.poll(registration.claim_token)).scope).toBe(both);
  });
});

describe('revocation', () => {
  test('47: a known token kills all that its client holds, before the claim', async () => {
    const registration = await door.register();
    const one = succeeded(await door.exchange(registration.identity_assertion));
    const two = succeeded(await door.exchange(registration.identity_assertion));

    expect((await door.revoke(one.access_token)).status).toBe(200);

    for (const token of [one.access_token, two.access_token])
      expect(await door.accepts(token)).toBe('401 invalid_token');
    expect((await door.exchange(registration.identity_assertion)).body.error).toBe('invalid_grant');
    expect((await door.claim(registration.claim_token, anEmail())).body.error).toBe('invalid_claim_token');
  });

  test.each(['access_token', 'identity_assertion'] as const)('47: and after it, by its %s', async (which) => {
    const { tokens, registration, session } = await door.playing(anEmail());

    expect((await door.json('/oauth/revoke', { token: tokens[which], client_id: registration.client_id })).status).toBe(
      200,
    );

    expect(await door.accepts(tokens.access_token)).toBe('401 invalid_token');
    expect((await door.exchange(tokens.identity_assertion as string)).body.error).toBe('invalid_grant');
    const { rows } = await hill.as('web').query('select api_human.agents($1) as agents', [session]);
    expect(rows[0].agents).toMatchObject([{ cut_at: expect.any(String) }]);
  });

  test('47: an unknown one is answered the same, and another client’s changes nothing', async () => {
    const { tokens } = await door.playing(anEmail());

    for (const answer of [
      await door.revoke('no such token'),
      await door.revoke(tokens.access_token, { client_id: 'somebody else' }),
      await door.revoke(tokens.access_token, { client_id: 'x', token_type_hint: 'refresh_token' }),
    ])
      expect(answer.status).toBe(200);

    expect(await door.accepts(tokens.access_token)).toBe('ok');
    expect(await door.form('/oauth/revoke', {})).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test.each<[string, (all: { registration: Registration; before: Tokens; tokens: Tokens }) => string]>([
    ['an access token that has expired', ({ tokens }) => tokens.access_token],
    ['an access token from before the claim', ({ before }) => before.access_token],
    ['the first assertion, which the claim superseded', ({ registration }) => registration.identity_assertion],
    ['the second assertion, which has expired', ({ tokens }) => tokens.identity_assertion as string],
    ['the claim token, which is spent', ({ registration }) => registration.claim_token],
  ])('47: what has ended ends what its client holds: %s', async (_, which) => {
    const email = anEmail();
    const registration = await door.register();
    const before = succeeded(await door.exchange(registration.identity_assertion));
    const claim = succeeded(await door.claim(registration.claim_token, email));
    await door.approve(await door.human(email), attemptOf(claim), claim.claim_attempt.user_code);
    const tokens = succeeded(await door.poll(registration.claim_token));
    await hill.clock.tick(hours(12));
    const renewed = succeeded(await door.exchange(tokens.identity_assertion as string));
    await hill.clock.tick(hours(12));
    const { access_token, identity_assertion } = succeeded(await door.exchange(renewed.identity_assertion as string));
    const other = await door.playing(email, 'Another bot');
    const token = which({ registration, before, tokens });

    expect((await door.revoke(token, { client_id: other.registration.client_id })).status).toBe(200);
    expect(await door.accepts(access_token), 'not by another client').toBe('ok');
    expect((await door.revoke(token, { client_id: registration.client_id })).status).toBe(200);

    expect(await door.accepts(access_token)).toBe('401 invalid_token');
    expect((await door.exchange(identity_assertion as string)).body.error).toBe('invalid_grant');
    expect(await door.accepts(other.tokens.access_token), 'of that client alone').toBe('ok');
  });

  test('47: a registration that nobody has claimed ends by what has expired, too', async () => {
    const registration = await door.register();
    const old = succeeded(await door.exchange(registration.identity_assertion));
    await hill.clock.tick(seconds(901));
    const { access_token } = succeeded(await door.exchange(registration.identity_assertion));

    await door.revoke(old.access_token);

    expect(await door.accepts(access_token)).toBe('401 invalid_token');
    expect((await door.exchange(registration.identity_assertion)).body.error).toBe('invalid_grant');
    expect((await door.claim(registration.claim_token, anEmail())).body.error).toBe('invalid_claim_token');
  });

  test('47: how long the answer takes does not tell whether a token was known', async () => {
    const took = async (token: string) => {
      const began = performance.now();
      expect(await door.revoke(token)).toMatchObject({ status: 200, body: {} });
      return performance.now() - began;
    };
    const { tokens } = await door.playing(anEmail());
    const known = await took(tokens.access_token);

    expect(Math.min(known, await took(tokens.access_token), await took('no such token'))).toBeGreaterThanOrEqual(49);
  });

  test('47: a claim token that is not spent ends what was approved and not yet fetched', async () => {
    const { registration } = await door.claimed(anEmail());

    await door.revoke(registration.claim_token);

    expect((await door.poll(registration.claim_token)).body.error).toBe('invalid_grant');
  });

  test('48: a human who cuts an agent ends all of it at once, and nothing else', async () => {
    const email = anEmail();
    const { tokens, session, agentId } = await door.playing(email);
    const other = await door.playing(email, 'Another bot');
    const cut = (human: string) => hill.as('web').query('select api_human.cut_agent($1, $2) as cut', [human, agentId]);

    expect((await cut(await door.human(anEmail()))).rows[0].cut).toBe(false); // not theirs
    expect(await door.accepts(tokens.access_token)).toBe('ok');
    expect((await cut(session)).rows[0].cut).toBe(true);

    expect(await door.accepts(tokens.access_token)).toBe('401 invalid_token');
    expect((await door.exchange(tokens.identity_assertion as string)).body.error).toBe('invalid_grant');
    expect(await door.accepts(other.tokens.access_token)).toBe('ok');
    expect((await door.exchange(other.tokens.identity_assertion as string)).status).toBe(200);
  });

  test('a registration that is unused for 30 days lapses', async () => {
    const { registration } = await door.claimed(anEmail());
    const { tokens, session } = await door.playing(anEmail());
    const idle = await door.playing(anEmail());
    // so that nothing but the lapse can refuse
    await hill.rows('update oauth.registrations set claim_expires_at = $1', ['infinity']);
    let { identity_assertion } = tokens;
    for (let day = 0; day < 32; day++) {
      await hill.clock.tick(hours(23));
      ({ identity_assertion } = succeeded(await door.exchange(identity_assertion as string))); // who comes every day stays
    }

    expect((await door.poll(registration.claim_token)).body.error).toBe('invalid_grant');
    // and its human is told
    const agentsOf = (session: string) => call(hill.as('web'), 'api_human.agents', { session });
    expect(await agentsOf(idle.session)).toMatchObject([{ lapsed: true, cut_at: null }]);
    expect(await agentsOf(session)).toMatchObject([{ lapsed: false, cut_at: null }]);
  });
});
