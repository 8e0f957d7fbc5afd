// Two web processes, as npm starts them: what one of them ends is refused by the other at the next call. Rows 2, 47 and
// 48 of protocol 11.
import { expect, test } from 'vitest';
import { secret, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { formOf, Visitor } from '../support/doors/visitor.ts';
import { aServer, runHill } from '../support/hill/hill-process.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const door = useOAuth(hill); // for the ceremony, with the same secret

test('48: a human cuts an agent, a client gives itself up: refused at the next call, by every process', async () => {
  const origins = await Promise.all(
    [1, 2].map(async () => {
      const { PORT } = await aServer();
      // one hill under one name, as behind a proxy
      const settings = {
        BASE_URL: door.baseUrl,
        HILL_CLOCK: 'simulated',
        HILL_SIGNING_SECRET: secret,
        WEB_DATABASE_URL: hill.url('web'),
      };
      await runHill(['web'], { ...settings, PORT }).says('Hill is open');
      return `http://127.0.0.1:${PORT}`;
    }),
  );
  const [first, second] = origins as [string, string];
  const whoami = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'whoami', arguments: {} },
  });
  const ask = (origin: string, token: string) =>
    fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: whoami,
    });
  const everywhere = async (token: string) =>
    Promise.all([...origins, ...origins].map(async (origin) => (await ask(origin, token)).status));

  for (let round = 0; round < 5; round++) {
    const { tokens, session, agentId } = await door.playing(`cut-${round}@example.com`);
    expect(await everywhere(tokens.access_token)).toEqual([200, 200, 200, 200]); // each has verified and may remember it
    const human = new Visitor(session);
    const csrf = formOf((await human.go(`${first}/account`)).text, '/account/cut')?.csrf as string;

    const cut = await human.post(`${first}/account/cut`, { csrf, agent_id: agentId }, { Origin: door.baseUrl });

    expect(cut.headers.get('location')).toBe('/account?done=cut');
    expect(await everywhere(tokens.access_token)).toEqual([401, 401, 401, 401]);
    const refused = await ask(second, tokens.access_token);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect((await door.exchange(tokens.identity_assertion as string)).body.error).toBe('invalid_grant');

    const { tokens: others } = await door.playing(`revoked-${round}@example.com`);
    expect(await everywhere(others.access_token)).toEqual([200, 200, 200, 200]);
    const revoked = await fetch(`${first}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: others.access_token }),
    });
    expect(revoked.status).toBe(200);
    expect(await everywhere(others.access_token)).toEqual([401, 401, 401, 401]);
  }
  expect(succeeded(await door.exchange((await door.register()).identity_assertion)).scope).toBe('hill:read');
});
