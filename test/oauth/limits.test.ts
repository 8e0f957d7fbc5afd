// Limits, counted over all processes: row 49 of protocol 11. Protocol 10.2.
// HILL_TEST_FLOOD says how many requests one address sends in the floods at the end, for those who want more than 150.
import { describe, expect, test } from 'vitest';
import { countedAddress } from '../../src/http/counted-address.ts';
import { assertionGrant, attemptOf, type Claim, useOAuth } from '../support/doors/oauth.ts';
import { formOf, problemsOf } from '../support/doors/visitor.ts';
import { useHill } from '../support/hill/index.ts';

const few = {
  HILL_LIMIT_REGISTRATIONS: '4/60',
  HILL_LIMIT_CLAIMS: '4/60',
  HILL_LIMIT_CLAIMS_PER_AGENT: '2/60',
  HILL_LIMIT_TOKENS: '6/60',
  HILL_LIMIT_CODES: '2/60',
  HILL_PROXIES: '1',
};
const from = (address: string) => ({ 'X-Forwarded-For': address });

/**
 * What a form of a human says when it comes back, or a page over a limit: '' if nothing.
 */
const problemOf = async (answer: Response): Promise<string> => {
  if (answer.status === 429) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    return /<p>(Too many [^<]*)/.exec(await answer.text())?.[1] ?? '';
  }
  expect(answer.status).toBe(303);
  return problemsOf(answer)?.user_code ?? '';
};

describe('49: over a limit', () => {
  const hill = useHill();
  const one = useOAuth(hill, 'two hosts', few);
  const two = useOAuth(hill, 'two hosts', few);
  const register = (door: typeof one, address: string) =>
    door.json('/agent/identity', { type: 'anonymous' }, from(address));

  test('registration answers 429 with Retry-After, whichever process is asked; others go on', async () => {
    await hill.clock.at('11:00');
    for (const door of [one, two, one, two]) expect((await register(door, '203.0.113.1')).status).toBe(200);

    const { status, headers, body } = await register(one, '203.0.113.1');

    expect(status).toBe(429);
    expect(body).toEqual({ error: 'rate_limited', message: expect.any(String) });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60); // the window
    expect((await register(two, '203.0.113.1')).status).toBe(429);
    expect((await register(one, '203.0.113.2')).status).toBe(200);
  });

  test('whoever waits as long as was said gets in, and no sooner all at once', async () => {
    await hill.clock.at('12:00:30');
    for (let i = 0; i < 4; i++) await register(one, '203.0.113.3');
    let waits = 0;
    let answer = await register(one, '203.0.113.3');
    while (answer.status === 429) {
      await hill.clock.tick(Number(answer.headers.get('retry-after')) * 1000);
      answer = await register(one, '203.0.113.3');
      waits += 1;
    }
    expect(answer.status).toBe(200);
    expect(waits).toBeLessThanOrEqual(2);
    expect((await register(one, '203.0.113.3')).status).toBe(429); // the window slides: it is not empty at once
  });

  test('hammering does not lengthen the wait', async () => {
    await hill.clock.at('13:00');
    for (let i = 0; i < 40; i++) await register(one, '203.0.113.4');
    await hill.clock.at('13:01:30');

    expect((await register(one, '203.0.113.4')).status).toBe(200);
  });

  test('claims, the codes of one agent, and the token endpoint answer likewise', async () => {
    await hill.clock.at('14:00');
    const claim = (address: string, claim_token: string) =>
      one.json('/agent/identity/claim', { claim_token, email: 'ann@example.com' }, from(address));
    for (let i = 0; i < 4; i++) expect((await claim('203.0.113.5', `token ${i}`)).status).toBe(401);
    expect(await claim('203.0.113.5', 'token 5')).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
    const { body: agent } = await one.json<{ claim_token: string }>(
      '/agent/identity',
      { type: 'anonymous' },
      from('203.0.113.6'),
    );
    expect((await claim('203.0.113.6', agent.claim_token)).status).toBe(200);
    expect((await claim('203.0.113.7', agent.claim_token)).status).toBe(409);
    expect((await claim('203.0.113.8', agent.claim_token)).status).toBe(429);

    const token = () => one.form('/oauth/token', { grant_type: assertionGrant, assertion: 'x' }, from('203.0.113.9'));
    for (let i = 0; i < 6; i++) expect((await token()).status).toBe(400);
    const { status, headers, body } = await token();
    expect([status, body]).toEqual([429, { error: 'rate_limited', error_description: expect.any(String) }]);
    expect(headers.get('retry-after')).toBeTruthy();
  });

  test('claim tokens that are made up are counted by address alone: they leave no row each', async () => {
    await hill.clock.at('14:30');
    const count = async () => (await hill.rows<{ n: number }>('select count(*)::integer as n from oauth.rates'))[0]?.n;
    await one.json('/agent/identity/claim', { claim_token: 'made up', email: 'ann@example.com' }, from('203.0.113.13'));
    const before = await count();
    for (let i = 0; i < 3; i++)
      await one.json(
        '/agent/identity/claim',
        { claim_token: `made up ${i}`, email: 'ann@example.com' },
        from('203.0.113.13'),
      );

    expect(await count()).toBe(before);
  });

  test('an address that a client makes up in front of the proxy’s is not believed', async () => {
    await hill.clock.at('15:00');
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await register(one, `198.51.100.${i}, 203.0.113.10`));

    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  });

  test('codes that are typed on the claim page are counted by address', async () => {
    await hill.clock.at('16:00');
    const email = 'typist@example.com';
    const cookie = `hill_session=${await one.human(email)}`;
    const { body: agent } = await one.json<{ claim_token: string }>(
      '/agent/identity',
      { type: 'anonymous' },
      from('203.0.113.11'),
    );
    const { body: claim } = await one.json<Claim>(
      '/agent/identity/claim',
      { claim_token: agent.claim_token, email },
      from('203.0.113.11'),
    );
    const page = await (await fetch(claim.claim_attempt.verification_uri, { headers: { Cookie: cookie } })).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] as string;
    const user_code = claim.claim_attempt.user_code === '000000' ? '000001' : '000000';
    const type = () =>
      fetch(`${one.baseUrl}/claim`, {
        method: 'POST',
        headers: { Cookie: cookie, Origin: one.baseUrl, ...from('203.0.113.12') },
        body: new URLSearchParams({ csrf, claim_attempt_token: attemptOf(claim), user_code, decision: 'approve' }),
        redirect: 'manual',
      }).then(problemOf);

    expect([await type(), await type()]).toEqual([
      expect.stringMatching(/not the code/),
      expect.stringMatching(/not the code/),
    ]);
    expect(await type()).toMatch(/Too many/);
  });

  test('the addresses are kept as hashes only', async () => {
    const rows = await hill.rows('select encode(who, $1) as who from oauth.rates', ['escape']);
    expect(rows.length).toBeGreaterThan(5);
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
  });
});

describe('a wait', () => {
  const hill = useHill();

  test.each([1, 2, 3, 4, 7])(
    'who may come %i times in a window never waits for longer than it, and then gets in',
    async (atMost) => {
      const wait = async () =>
        (
          await hill.rows<{ wait: number }>("select engine.admit('a test', $1, $2, 3600) as wait", [
            `${atMost}`,
            atMost,
          ])
        )[0]?.wait as number;
      for (const beforehand of [0, 1, 600, 1799, 3599]) {
        await hill.clock.tick(beforehand * 1000);
        for (let i = 0; i < 2 * atMost; i++) await wait();
        const told = await wait();
        expect(told, `${beforehand}`).toBeGreaterThan(0);
        expect(told, `${beforehand}`).toBeLessThanOrEqual(3600);
        await hill.clock.tick(told * 1000);
        expect(await wait(), `${beforehand}`).toBe(0);
      }
    },
  );
});

describe('a flood from one address', () => {
  const hill = useHill();
  const door = useOAuth(hill, 'one host', { HILL_PROXIES: '1' }); // the limits that a hill has if nobody sets others
  const many = Number(process.env.HILL_TEST_FLOOD ?? 150);
  const timeout = 60_000 + many * 60;

  /**
   * Sends them, sixteen at a time; meanwhile somebody else asks, again and again. Gives how often each status came, and
   * what somebody else got.
   */
  const flood = async (send: (i: number) => Promise<number | string>, somebody: (i: number) => Promise<number>) => {
    const statuses: Record<number | string, number> = {};
    const others: number[] = [];
    const waits: number[] = [];
    let next = 0;
    const began = performance.now();
    const workers = Array.from({ length: 16 }, async () => {
      while (next < many) {
        const status = await send(next++);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    });
    const done = Promise.all(workers).then(() => true);
    do {
      const asked = performance.now();
      others.push(await somebody(others.length));
      waits.push(performance.now() - asked);
    } while (!(await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 50, false))])));
    if (process.env.HILL_TEST_FLOOD)
      console.log(
        `${many} in ${Math.round(performance.now() - began)} ms: ${JSON.stringify(statuses)}; others asked ${others.length} times, the median waited ${Math.round(waits.sort((a, b) => a - b)[waits.length >> 1] as number)} ms`,
      );
    return { statuses, others: new Set(others) };
  };

  test('of registrations is stopped, and others are served', { timeout }, async () => {
    const send = async (address: string) =>
      (await door.json('/agent/identity', { type: 'anonymous' }, from(address))).status;
    await Promise.all(Array.from({ length: 280 }, () => send('198.51.100.1'))); // near the limit of 300

    const { statuses, others } = await flood(
      () => send('198.51.100.1'),
      (i) => send(`192.0.2.${i % 250}`),
    );

    expect(statuses).toEqual({ 200: 20, 429: many - 20 });
    expect(others).toEqual(new Set([200]));
    expect(await hill.rows("select 1 from oauth.rates where what = 'registrations' and count = 300")).toHaveLength(1);
  });

  test('of wrong codes locks the claim at the fifth, is counted by address, and others are served', {
    timeout,
  }, async () => {
    const email = 'guessed@example.com';
    const cookie = `hill_session=${await door.human(email)}`;
    const { body: agent } = await door.json<{ claim_token: string }>(
      '/agent/identity',
      { type: 'anonymous' },
      from('192.0.2.251'),
    );
    const { body: claim } = await door.json<Claim>(
      '/agent/identity/claim',
      { claim_token: agent.claim_token, email },
      from('192.0.2.251'),
    );
    const page = await (await fetch(claim.claim_attempt.verification_uri, { headers: { Cookie: cookie } })).text();
    const csrf = formOf(page, '/claim')?.csrf as string;
    const right = Number(claim.claim_attempt.user_code);
    const type = async (i: number) => {
      const problem = await problemOf(
        await fetch(`${door.baseUrl}/claim`, {
          method: 'POST',
          headers: { Cookie: cookie, Origin: door.baseUrl, ...from('198.51.100.2') },
          body: new URLSearchParams({
            csrf,
            claim_attempt_token: attemptOf(claim),
            user_code: String((right + 1 + i) % 1_000_000).padStart(6, '0'),
            decision: 'approve',
          }),
          redirect: 'manual',
        }),
      );
      return problem.replace(/\d+.*/, '');
    };

    const { statuses, others } = await flood(
      type,
      async (i) => (await door.json('/agent/identity', { type: 'anonymous' }, from(`192.0.2.${i % 250}`))).status,
    );

    expect(statuses['That is not the code. ']).toBe(4); // the fifth locks it
    expect((await fetch(claim.claim_attempt.verification_uri, { headers: { Cookie: cookie } })).status).toBe(410);
    expect(others).toEqual(new Set([200]));
    const [typed] = await hill.rows<{ n: number }>(
      "select sum(count)::integer as n from oauth.rates where what = 'codes'",
    );
    expect(typed?.n).toBeLessThanOrEqual(60);
    expect((await door.poll(agent.claim_token)).body.error).toBe('expired_token');
    expect(
      await door.approve(cookie.slice('hill_session='.length), attemptOf(claim), claim.claim_attempt.user_code),
    ).toMatchObject({
      outcome: 'locked',
    });
  });
});

test.each([
  ['203.0.113.1', '203.0.113.1'],
  ['::ffff:203.0.113.1', '203.0.113.1'],
  ['::ffff:cb00:7101', '203.0.113.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s is counted as %s', (ip, counted) => {
  expect(countedAddress(ip)).toBe(counted);
});
