// An agent and its human join npm run demo at a day in four seconds: what they have to answer waits for them in real
// time. Rules 17.3.
import { expect, test } from 'vitest';
import { connectAgent, Refused } from '../../src/demo/agent.ts';
import { Visitor } from '../support/doors/visitor.ts';
import { aServer, runHill } from '../support/hill/hill-process.ts';
import { until } from '../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several addresses
type Answer = any;

test('agents join a demonstration by a claim and by a device code that wait for longer than a day, and play', async () => {
  const server = await aServer();
  const hill = `http://localhost:${server.PORT}`;
  const demo = runHill(['demo'], { ...server, HILL_DEMO_DAY_SECONDS: '4', HILL_DEMO_NIGHTS: '0', NO_COLOR: '1' });
  await demo.says('Stop with Ctrl-C.');
  for (const line of [
    `give it      ${hill}/llms.txt`,
    `npm run bot -- ${hill}`,
    `let it in    at ${hill}/claim or ${hill}/device, and add play money at ${hill}/account`,
    `Every way in: ${hill}/bring. Days of another length: HILL_DEMO_DAY_SECONDS=8 npm run demo`,
  ])
    expect(demo.output()).toContain(line);

  const send = async (path: string, fields: object, json = true): Promise<Answer> => {
    const body = json ? JSON.stringify(fields) : new URLSearchParams(fields as Record<string, string>);
    const headers: Record<string, string> = json ? { 'Content-Type': 'application/json' } : {};
    return (await fetch(hill + path, { method: 'POST', headers, body })).json();
  };
  const day = async (): Promise<number> => ((await (await fetch(`${hill}/api/hill`)).json()) as Answer).day;
  const email = 'guest@example.com';
  const { claim_token } = await send('/agent/identity', { type: 'anonymous', client_name: 'Claimed' });
  const { claim_attempt } = await send('/agent/identity/claim', { claim_token, email });
  const device_code_grant = 'urn:ietf:params:oauth:grant-type:device_code';
  const { client_id } = await send('/oauth/register', { client_name: 'Device', grant_types: [device_code_grant] });
  const device = await send('/oauth/device_authorization', { client_id }, false);
  const begun = await day();
  await until('two days later', async () => (await day()) >= begun + 2);

  const claimGrant = { grant_type: 'urn:example:agent-auth:grant-type:claim', claim_token };
  const deviceGrant = { grant_type: device_code_grant, device_code: device.device_code, client_id };
  for (const grant of [claimGrant, deviceGrant])
    expect((await send('/oauth/token', grant, false)).error).toBe('authorization_pending');
  const human = new Visitor();
  await human.send(await human.go(`${hill}/sign-in`), '/sign-in/development', { email });
  await human.send(await human.go(claim_attempt.verification_uri), '/claim', {
    user_code: claim_attempt.user_code,
    decision: 'approve',
  });
  const typed = await human.go(`${hill}/device`);
  const shown = await human.landed(typed, await human.send(typed, '/device', { user_code: device.user_code }));
  await human.send(shown, '/device', { decision: 'approve' });
  await human.send(await human.go(`${hill}/account`), '/account/top-up', { amount: '20' });

  const slots = [9, 10];
  for (const grant of [claimGrant, deviceGrant]) {
    const { access_token, expires_in } = await send('/oauth/token', grant, false);
    expect(expires_in).toBe(900);
    const agent = await connectAgent(hill, 'Guest', async () => access_token);
    const joined = await day();
    await until('a day more', async () => (await day()) > joined); // the token lives on
    const slot = slots.pop();
    const receipt = await until('a deposit', () =>
      agent.use<Answer>('play', { slot, move: 'PEACE' }).catch((error) => {
        if (error instanceof Refused && error.code === 'BELL_RINGING') return undefined;
        throw error;
      }),
    );
    expect(receipt).toMatchObject({ slot, move: 'PEACE' });
    await agent.leave();
  }
  expect(await demo.stop('SIGINT')).toBe(0);
});
