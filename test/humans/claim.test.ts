// The claim page as its human meets it: protocol 3.4; protocol 11, rows 30, 32 and 33.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { formOf, Visitor } from '../support/doors/visitor.ts';
import { call, useHill } from '../support/hill/index.ts';

const hill = useHill();
const door = useHumansDoor(hill);

/** An agent that has registered and named its human: what it holds, and what it gives to the human. */
async function anAttempt(email: string, client_name = 'Scout') {
  const [claim_token, attempt_token] = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')];
  const user_code = String(randomInt(1_000_000)).padStart(6, '0');
  const web = hill.as('web');
  await call(web, 'api_oauth.register_anonymous', {
    registration_id: randomUUID(),
    client_id: `agent_${randomBytes(8).toString('hex')}`,
    client_name,
    claim_token,
    assertion: randomBytes(24).toString('base64url'),
  });
  await call(web, 'api_oauth.begin_claim', {
    claim_token,
    email,
    attempt_token,
    user_code,
    at_most: 20,
    seconds: 3600,
  });
  return {
    user_code,
    wrong_code: user_code === '000000' ? '000001' : '000000',
    path: `/claim?claim_attempt_token=${attempt_token}`,
    attempt_token,
    outcome: async () => {
      await hill.clock.tick(60_000); // as slow as any poll has to be
      return (await call<{ outcome: string }>(web, 'api_oauth.poll_claim', { claim_token })).outcome;
    },
  };
}

type Attempt = Awaited<ReturnType<typeof anAttempt>>;

const decide = async (visitor: Visitor, { path, attempt_token }: Attempt, decision: string, user_code = '') => {
  const page = await door.page(visitor, path);
  const csrf = formOf(page.text, '/sign-out')?.csrf ?? '';
  return visitor.landed(
    page,
    await visitor.post(`${door.baseUrl}/claim`, { csrf, claim_attempt_token: attempt_token, decision, user_code }),
  );
};

describe('the human that the agent named', () => {
  test('signs in on the way, and sees which agent asks for what', async () => {
    const attempt = await anAttempt('ann@example.com', 'Scout <script>');
    const visitor = new Visitor();
    const signIn = await door.page(visitor, attempt.path);
    expect(signIn.text).toContain('Sign in to see which agent wants to play for you.');

    const answer = await visitor.send(signIn, '/sign-in/development', { email: 'Ann@example.com' });
    expect(answer.headers.get('Location')).toBe(attempt.path);
    const { text, status } = await door.page(visitor, attempt.path);

    expect(status).toBe(200);
    expect(text).toContain('Scout &lt;script&gt;');
    expect(text).toContain('Nobody has verified that name');
    for (const scope of ['hill:read', 'hill:play']) expect(text).toContain(`<code>${scope}</code>`);
    expect(text).toMatch(/at most <strong>\$10\.00<\/strong> a day/);
    expect(text).not.toContain(attempt.user_code);
    expect(await attempt.outcome()).toBe('authorization_pending');
  });

  test('types the code, and the agent plays for the account, which does not take its name', async () => {
    const attempt = await anAttempt('bea@example.com', 'Bea’s scout');
    const visitor = await door.signIn('bea@example.com');

    const decided = await decide(
      visitor,
      attempt,
      'approve',
      `${attempt.user_code.slice(0, 3)} ${attempt.user_code.slice(3)}`,
    );

    expect(decided.text).toContain('The agent is yours');
    expect(await attempt.outcome()).toBe('approved');
    const account = await door.page(visitor, '/account');
    expect(account.text).toMatch(/<h1><bdi>[A-Z][a-z]+ [A-Z][a-z]+<\/bdi><\/h1>/);
    expect(account.text).toContain('Bea’s scout'); // among its agents
    expect(account.text).toContain('last here');
  });

  test('refuses, and the agent is told so', async () => {
    const attempt = await anAttempt('cyd@example.com');
    const visitor = await door.signIn('cyd@example.com');

    expect((await decide(visitor, attempt, 'refuse')).text).toContain('You refused the agent');
    expect(await attempt.outcome()).toBe('access_denied');
    expect((await decide(visitor, attempt, 'approve', attempt.user_code)).text).toContain('You refused the agent');
  });

  test('mistypes the code five times, and it is locked: the right one comes too late', async () => {
    const attempt = await anAttempt('dot@example.com');
    const visitor = await door.signIn('dot@example.com');

    for (let left = 4; left >= 1; left--) {
      const { text } = await decide(visitor, attempt, 'approve', attempt.wrong_code);
      expect(text).toContain(`That is not the code. ${left} ${left === 1 ? 'try' : 'tries'} left.`);
    }
    expect(await decide(visitor, attempt, 'approve', attempt.wrong_code)).toMatchObject({
      status: 410,
      text: expect.stringContaining('The code is locked'),
    });
    expect(await decide(visitor, attempt, 'approve', attempt.user_code)).toMatchObject({ status: 410 });
    expect(await attempt.outcome()).toBe('expired_token');
  });

  test('comes after ten minutes: the code has expired', async () => {
    const attempt = await anAttempt('eve@example.com');
    const visitor = await door.signIn('eve@example.com');
    await hill.clock.tick(600_000);

    expect((await door.page(visitor, attempt.path)).status).toBe(410);
    expect(await decide(visitor, attempt, 'approve', attempt.user_code)).toMatchObject({ status: 410 });
    expect(await attempt.outcome()).toBe('expired_token');
  });
});

test('row 32: another account gets 403, learns nothing, and spends nothing of the code', async () => {
  const attempt = await anAttempt('fay@example.com', 'A telling name');
  const stranger = await door.signIn('stranger@example.com');

  for (let i = 0; i < 6; i++) expect((await decide(stranger, attempt, 'approve', attempt.user_code)).status).toBe(403);
  expect((await decide(stranger, attempt, 'refuse')).status).toBe(403);
  const page = await door.page(stranger, attempt.path);

  expect(page.status).toBe(403);
  expect(page.text).not.toContain('A telling name');
  expect(page.text).not.toContain('fay@example.com');
  expect(await attempt.outcome()).toBe('authorization_pending');
  expect((await decide(await door.signIn('fay@example.com'), attempt, 'approve', attempt.user_code)).text).toContain(
    'The agent is yours',
  );
});

test('row 33: without the form’s token nothing is approved', async () => {
  const attempt = await anAttempt('gil@example.com');
  const visitor = await door.signIn('gil@example.com');

  const answer = await visitor.post(`${door.baseUrl}/claim`, {
    claim_attempt_token: attempt.attempt_token,
    decision: 'approve',
    user_code: attempt.user_code,
  });

  expect(answer.status).toBe(403);
  expect(await attempt.outcome()).toBe('authorization_pending');
});

test('an unknown claim is said to be none', async () => {
  expect((await door.page(await door.signIn('hal@example.com'), '/claim?claim_attempt_token=nothing')).status).toBe(
    404,
  );
});

test('without the token of a claim the page says what a claim is, signed in or not', async () => {
  for (const visitor of [new Visitor(), await door.signIn('hal@example.com')]) {
    const { status, text } = await door.page(visitor, '/claim');
    expect(status).toBe(200);
    expect(text).toContain('Ask your agent for two things');
  }
});

test('codes are counted by address too, whoever is signed in', async () => {
  const attempt = await anAttempt('ida@example.com');
  const visitor = await door.signIn('ida@example.com');
  await hill.root.query("update oauth.rates set count = 60 where what = 'codes'");

  const limited = await decide(visitor, attempt, 'approve', attempt.user_code);

  expect(limited.status).toBe(429);
  expect(Number(limited.response.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(limited.text).toContain('Too many codes were tried.');
  expect(limited.text).toContain(`href="${attempt.path}"`);
  expect((await door.page(visitor, attempt.path)).text).toContain('5 tries left');
  await hill.root.query('delete from oauth.rates');
  expect((await decide(visitor, attempt, 'approve', attempt.user_code)).text).toContain('The agent is yours');
});

test('staff see what was approved, refused and locked, and no code', async () => {
  const events = await hill
    .asStaff()
    .query<{ event: string; text: string }>('select event, e::text as text from hill.security_events e');

  expect(new Set(events.map(({ event }) => event))).toEqual(
    new Set(['account_opened', 'sign_in_added', 'signed_in', 'agent_claimed', 'claim_refused', 'claim_locked']),
  );
  expect(events.map(({ text }) => text).join()).not.toMatch(/@example/);
});
