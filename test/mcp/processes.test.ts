// What is counted and what is cut holds on every process: two web processes on one database. Protocol 2.4, 6.2, 10.2;
// row 49 of protocol 11.
import { describe, expect, test } from 'vitest';
import { allowance } from '../../src/mcp/door/allowance.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { anAccount, anotherAgent, useHill } from '../support/hill/index.ts';

const hill = useHill();
const one = useMcp(hill, 'one host', { HILL_LIMIT_CALLS: '10/60', AUTH_URL: 'http://localhost:9' });
// the same resource by another port: tokens are for AUTH_URL
const two = useMcp(hill, 'one host', { HILL_LIMIT_CALLS: '10/60', AUTH_URL: 'http://localhost:9' });
const at = { at: 'baseUrl' } as const;
const list = { jsonrpc: '2.0', id: 'an id', method: 'tools/list' };

describe('a token', () => {
  test('that was used on both is refused by both from the instant at which its human cuts the agent', async () => {
    const ann = await anAccount(hill);
    const token = await one.token(ann);
    for (const door of [one, two]) expect((await door.callTool(token, 'whoami', {}, at)).status).toBe(200);

    await hill.root.query('update hill.agents set cut_at = engine.now() where id = $1', [ann.agentId]);

    for (const door of [two, one]) {
      expect((await door.callTool(token, 'whoami', {}, at)).status).toBe(401);
      expect((await door.post(token, list, at)).status).toBe(401);
      // nor does a call that reaches no function of the database pass
      expect((await door.callTool(token, 'whoami', { verbose: true }, at)).status).toBe(401);
      expect((await door.request(token, 'ping', undefined, at)).status).toBe(401);
    }
  });

  test('that was revoked likewise', async () => {
    const token = await one.token(await anAccount(hill));
    for (const door of [one, two]) expect((await door.callTool(token, 'whoami', {}, at)).status).toBe(200);

    await hill.root.query(
      'update oauth.access_tokens set revoked_at = engine.now() where token_hash = engine.hash_token($1)',
      [token],
    );

    for (const door of [two, one]) expect((await door.callTool(token, 'whoami', {}, at)).status).toBe(401);
  });
});

describe('49: calls over the limit', () => {
  test('are 429 with Retry-After, whichever process is asked; other agents of the account go on', async () => {
    await hill.clock.at('11:00');
    const ann = await anAccount(hill);
    const token = await one.token(ann);
    for (let i = 0; i < 5; i++)
      for (const door of [one, two]) expect((await door.post(token, list, at)).status).toBe(200);

    for (const door of [one, two]) {
      const { status, headers, message } = await door.post(token, list, at);
      expect(status).toBe(429);
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(120);
      expect(message).toMatchObject({
        id: 'an id',
        error: { data: { code: 'rate_limited', retry_after_seconds: seconds, hint: expect.any(String) } },
      });
    }
    const other = await one.token(await anotherAgent(hill, ann));
    expect((await one.post(other, list, at)).status).toBe(200);
    // a renewed token is of the same agent
    expect((await one.post(await one.token(ann), list, at)).status).toBe(429);
  });

  test('pass again after the wait that was announced', async () => {
    await hill.clock.at('12:00:30');
    const token = await one.token(await anAccount(hill));
    for (let i = 0; i < 10; i++) await one.post(token, list, at);
    const refused = await two.post(token, list, at);
    expect(refused.status).toBe(429);

    await hill.clock.tick(Number(refused.headers.get('retry-after')) * 1000);

    expect((await two.post(token, list, at)).status).toBe(200);
  });

  test('are counted a portion at a time where the limit is large, and never admitted beyond it', async () => {
    await hill.clock.at('13:00');
    const counted = () =>
      hill.rows<{ count: number }>("select count from oauth.rates where who = engine.hash_token('a client')");
    const [mine, yours] = [
      allowance(hill.as('web'), { atMost: 500, seconds: 60 }),
      allowance(hill.as('web'), { atMost: 500, seconds: 60 }),
    ];
    expect(await Promise.all(Array.from({ length: 10 }, () => mine('a client')))).toEqual(Array(10).fill(0));
    expect(await counted()).toEqual([{ count: 10 }]); // together they took one portion
    await mine('a client');
    expect(await counted()).toEqual([{ count: 20 }]);

    let passed = 11;
    for (let i = 0; i < 600; i++) for (const ask of [mine, yours]) if ((await ask('a client')) === 0) passed += 1;

    expect(passed).toBe(500);
    expect(await counted()).toEqual([{ count: 500 }]);
  });

  test('of clients that call at once are counted together, and each by itself', async () => {
    await hill.clock.at('14:00');
    const db = hill.as('web');
    let statements = 0;
    const count = () => {
      statements += 1;
    };
    const ask = allowance(db, { atMost: 500, seconds: 60 });
    const clients = Array.from({ length: 50 }, (_, i) => `client ${i}`);
    expect(await Promise.all(Array.from({ length: 500 }, () => ask('client 7')))).toEqual(Array(500).fill(0)); // all that it may have

    db.on('acquire', count);
    const [mine, yours] = [clients, clients.toReversed()].map((all) =>
      Promise.all(all.map(allowance(db, { atMost: 500, seconds: 60 }))),
    );
    const waits = await mine;
    expect(await yours).toEqual(waits?.toReversed());
    db.off('acquire', count);

    expect(waits?.flatMap((wait, i) => (wait > 0 ? [clients[i]] : []))).toEqual(['client 7']);
    // of each process one in each lane, the others together, and client 7 alone once more
    expect(statements).toBe(8);
    const rows = await hill.rows(
      'select 1 from oauth.rates r, unnest($1::text[]) c where r.who = engine.hash_token(c) and r.count = 20',
      [clients],
    );
    expect(rows).toHaveLength(49);
  });
});
