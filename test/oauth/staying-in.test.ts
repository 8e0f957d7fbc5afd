// How a claimed agent stays in: one that renews every 12 hours, by the very line of cron that /auth.md gives, and one
// that comes once a day, some seconds late. What each meets is what the documents say. Protocol 2.3, 3.4.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { payloadOf, type Registration, succeeded, type Tokens, useOAuth } from '../support/doors/oauth.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const door = useOAuth(hill, 'two hosts');
const hours = (n: number) => n * 3_600_000;
const hasTools = ['sh', 'curl', 'jq'].every((tool) => spawnSync('which', [tool]).status === 0);

const text = async (address: string) => (await (await fetch(door.baseUrl + address)).text()).replaceAll(/\s+/g, ' ');
let guide: string;
beforeAll(async () => {
  guide = await (await fetch(`${door.baseUrl}/auth.md`)).text();
});

const secondsFrom = (at: number, instant: string | undefined) => Math.round(Date.parse(instant as string) / 1000 - at);

test('what carries an assertion that renews itself names renew_before, 12 hours on', async () => {
  const { tokens, registration } = await door.playing('named@example.com');
  const renewed = succeeded(await door.exchange(tokens.identity_assertion as string));
  const narrow = succeeded(await door.exchange(tokens.identity_assertion as string, { scope: 'hill:read' }));

  for (const { identity_assertion, assertion_expires, renew_before } of [tokens, renewed, narrow]) {
    const { iat } = payloadOf(identity_assertion as string) as { iat: number };
    expect([secondsFrom(iat, renew_before), secondsFrom(iat, assertion_expires)]).toEqual([12 * 3600, 24 * 3600]);
  }
  // the first one renews nothing
  expect(registration).not.toHaveProperty('renew_before');
  const { identity_assertion } = await door.register();
  expect(Object.keys(succeeded(await door.exchange(identity_assertion))).sort()).toEqual([
    'access_token',
    'expires_in',
    'scope',
    'token_type',
  ]);
});

describe.skipIf(!hasTools)('a bot with the line of cron of /auth.md (apt-get install curl jq)', () => {
  const cron = () => /^```cron\n17 \*\/12 \* \* \* (.+)\n```$/m.exec(guide)?.[1] as string;
  const homeWith = (assertion: string) => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-cron-'));
    fs.mkdirSync(path.join(home, 'hill'));
    const file = path.join(home, 'hill', 'assertion');
    fs.writeFileSync(file, assertion);
    return { home, file };
  };
  const run = (home: string) =>
    new Promise<number | null>((resolve) => {
      spawn('sh', ['-c', cron()], { env: { PATH: process.env.PATH, HOME: home }, stdio: 'ignore' }).once(
        'close',
        resolve,
      );
    });

  test('stays in for as long as it likes, and needs its human once', async () => {
    const { tokens } = await door.playing('every-12-hours@example.com');
    const { home, file } = homeWith(tokens.identity_assertion as string);
    for (let n = 0; n < 20; n++) {
      await hill.clock.tick(hours(12) + 5_000);
      const before = fs.readFileSync(file, 'utf8');
      expect(await run(home)).toBe(0);
      expect(fs.readFileSync(file, 'utf8')).not.toBe(before);
    }

    const { access_token, scope } = succeeded(await door.exchange(fs.readFileSync(file, 'utf8')));
    expect([scope, await door.accepts(access_token)]).toEqual(['hill:read hill:play', 'ok']);
    fs.rmSync(home, { recursive: true });
  });

  test('may miss a run, and keeps what it has when one fails', async () => {
    const { tokens } = await door.playing('misses-one@example.com');
    const { home, file } = homeWith(tokens.identity_assertion as string);
    await hill.clock.tick(hours(24) - 5_000); // 12 hours late
    expect(await run(home)).toBe(0);
    const kept = fs.readFileSync(file, 'utf8');
    await hill.clock.tick(hours(24));

    expect(await run(home)).not.toBe(0); // too late: and it is told so
    expect(fs.readFileSync(file, 'utf8')).toBe(kept);
    fs.rmSync(home, { recursive: true });
  });
});

test('a bot that comes once a day, some seconds late, is out, and the documents say so', async () => {
  const email = 'once-a-day@example.com';
  const { tokens, registration } = await door.playing(email);
  await hill.clock.tick(hours(24) + 5_000);

  // what it is told
  const late = await door.exchange(tokens.identity_assertion as string);
  expect([late.status, late.body.error]).toEqual([400, 'invalid_grant']);
  expect(late.body.error_description).toContain('register again');
  expect(await door.claim(registration.claim_token, email)).toMatchObject({
    status: 410,
    body: { error: 'claim_expired' },
  });
  expect(await door.poll(registration.claim_token)).toMatchObject({ status: 400, body: { error: 'claim_expired' } });

  // what it had read
  const words = guide.replaceAll(/\s+/g, ' ');
  expect(words).toContain('Once a day is too seldom');
  expect(words).toMatch(
    /An assertion ends 24 hours after it was issued\. It is then answered `invalid_grant`.*register again/,
  );
  expect(words).toMatch(/\| `claim_expired` \| 410; 400 to a poll \| 24 hours have passed: register again \|/);
  expect(words).not.toMatch(/runs once a day needs its human once/);

  // and doing as it says works
  const again: Registration = await door.register();
  expect((await door.claim(again.claim_token, email)).status).toBe(200);
});

test('every text that tells how to stay in says every 12 hours, before renew_before', async () => {
  const { tokens } = await door.playing('reader@example.com');
  const help = async (topic: string) => {
    const { body } = await door.mcp(tokens.access_token, 'tools/call', { name: 'get_help', arguments: { topic } });
    return String(body.result?.structuredContent?.text);
  };
  const { access_token }: Tokens = succeeded(await door.exchange((await door.register()).identity_assertion));
  const me = await door.mcp(access_token, 'tools/call', { name: 'whoami', arguments: {} });
  const steps = (me.body.result?.structuredContent?.claim as { steps: string[] } | undefined)?.steps ?? [];

  for (const said of [await text('/auth.md'), await text('/llms.txt'), await help('claim'), steps.join(' ')]) {
    expect(said).toMatch(/every 12 hours/i);
    expect(said).toContain('renew_before');
    expect(said).not.toMatch(/every day|daily (?!cap)/i);
  }
});
