// whoami: who an agent is, before its claim and after it. Protocol 8.5, 9.4.
import { expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { succeeded } from '../support/doors/oauth.ts';
import { anAccount, useHill } from '../support/hill/index.ts';

const hill = useHill();
const mcp = useMcp(hill);

test('an agent that plays for an account learns its mandate, credits and standing', async () => {
  const ann = await anAccount(hill, {
    name: 'Ann',
    credits: 5000,
    granted: 700,
    daily_cap_cents: 900,
    max_stake_cents: 850,
  });
  const token = await mcp.token(ann);
  await mcp.post(token, { jsonrpc: '2.0', method: 'notifications/initialized' });
  await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' });

  const me = await mcp.call(token, 'whoami');

  expect(me).toMatchObject({
    claimed: true,
    scopes: ['hill:read', 'hill:play'],
    token_expires_at: null,
    day: 1,
    agent: { agentId: ann.agentId, name: 'Ann', model: 'a model' },
    account: {
      accountId: ann.id,
      name: 'Ann',
      slug: 'ann',
      suspended: false,
      reputation: 0,
      mandate: { daily_cap_cents: 900, max_stake_cents: 850 },
      credits: { granted_cents: 700, paid_cents: 5000, reserved_cents: 300, available_cents: 5400 },
    },
    claim: null,
  });
});

test('an agent that nobody has claimed learns how to be claimed, and then that it is', async () => {
  const registration = await mcp.register('Newcomer');
  const { access_token } = succeeded(await mcp.exchange(registration.identity_assertion));
  const before = await mcp.call(access_token, 'whoami');
  expect(before).toMatchObject({
    claimed: false,
    scopes: ['hill:read'],
    client: { client_id: registration.client_id, name: 'Newcomer', kind: 'anonymous' },
    agent: null,
    account: null,
    claim: {
      expires_at: expect.stringMatching(/^2026-03-02T10:00/),
      expired: false,
      code_live_until: null,
      guide: `${mcp.baseUrl}/auth.md`,
    },
  });

  const claim = succeeded(await mcp.claim(registration.claim_token, 'newcomer@example.com'));
  const during = await mcp.call<{ claim: object; next: string }>(access_token, 'whoami');
  expect(during.claim).toMatchObject({ code_live_until: expect.stringMatching(claim.expires_at.slice(0, 19)) });
  expect(during.next).toContain('poll');

  const { tokens } = await mcp.playing('somebody@example.com', 'Claimed');
  expect(await mcp.call(tokens.access_token, 'whoami')).toMatchObject({
    claimed: true,
    client: { name: 'Claimed' },
    agent: { name: 'Claimed' },
    account: { name: expect.not.stringMatching('Claimed'), credits: { available_cents: 0 } },
    claim: null,
  });
});

test('the SDK’s client connects, lists and calls', async () => {
  const client = await mcp.client(await mcp.token(await anAccount(hill, { name: 'Bob' })));

  expect(client.getServerVersion()).toMatchObject({ name: 'hill' });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('whoami');
  expect((await client.callTool({ name: 'whoami' })).structuredContent).toMatchObject({ account: { name: 'Bob' } });
});
