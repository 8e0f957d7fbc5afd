// Nothing secret in the logs or in a plain column: every token, code, cookie and key that a full run handles, in
// processes as npm starts them, is looked for in all that they log, in PostgreSQL's own log, and in every column of
// every table. Rules 14.3; protocol 2.7.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sealer } from '../../src/process/secret.ts';
import { useBrowserDoor, verifier } from '../support/doors/browser-door.ts';
import { useDevice } from '../support/doors/device.ts';
import { attemptOf, secret, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { formOf, Visitor } from '../support/doors/visitor.ts';
import { aDataDir, aServer, hill as command, type HillProcess, runHill } from '../support/hill/hill-process.ts';
import { useHill } from '../support/hill/index.ts';
import { aReceiver } from '../support/peers/receiver.ts';

const hill = useHill();
const door = useOAuth(hill);
const browser = useBrowserDoor(door);
const device = useDevice(door);

/** What was handled: never to be found anywhere. */
const secrets = new Map<string, string>();
/** What the database has to keep as it is, and no log may have. */
const private_ = new Map<string, string>();
const keep = (all: Record<string, string | undefined>, into = secrets) => {
  for (const [name, value] of Object.entries(all)) {
    if (!value) throw new Error(`the run has no ${name}`);
    into.set(name, value);
  }
};
/** All that a visitor's browser was ever given. */
const keepCookies = (name: string, visitor: Visitor) => {
  for (const [cookie, value] of visitor.cookies) keep({ [`${name}: ${cookie}`]: value });
};

const processes: HillProcess[] = [];
const start = async (args: string[], says: string, env: Record<string, string>) => {
  const running = runHill(args, { HILL_CLOCK: 'simulated', LOG_LEVEL: 'trace', HILL_LOG: 'json', ...env });
  processes.push(running);
  await running.says(says);
};

/** Each door's whole way, as the processes serve it. */
async function run(consoleUrl: string, staffKey: string): Promise<void> {
  const email = 'careful@example.com';
  keep({ address: email }, private_);

  // Door A, to the claim and beyond, with its human at the pages
  const registration = await door.register();
  const reading = succeeded(await door.exchange(registration.identity_assertion));
  const claim = succeeded(await door.claim(registration.claim_token, email));
  await door.poll(registration.claim_token);
  const human = new Visitor();
  const signIn = await human.go(claim.claim_attempt.verification_uri);
  keepCookies('before the sign-in', human);
  keep({ 'sign-in form': formOf(signIn.text, '/sign-in/development')?.csrf });
  const signedIn = await human.send(signIn, '/sign-in/development', { email });
  keepCookies('session', human);
  const page = await human.go(new URL(signedIn.headers.get('location') as string, door.baseUrl).href);
  keep({ 'page form': formOf(page.text, '/claim')?.csrf });
  const wrong = claim.claim_attempt.user_code === '000000' ? '000001' : '000000';
  await human.send(page, '/claim', { user_code: wrong, decision: 'approve' });
  await human.send(page, '/claim', { user_code: claim.claim_attempt.user_code, decision: 'approve' });
  const playing = succeeded(await door.poll(registration.claim_token));
  const renewed = succeeded(await door.exchange(playing.identity_assertion as string));
  keep({
    assertion: registration.identity_assertion,
    'claim token': registration.claim_token,
    'reading token': reading.access_token,
    'attempt token': attemptOf(claim),
    'user code': claim.claim_attempt.user_code,
    'playing token': playing.access_token,
    'second assertion': playing.identity_assertion,
    'renewed token': renewed.access_token,
    'renewed assertion': renewed.identity_assertion,
  });

  // what it plays
  await human.send(await human.go(`${door.baseUrl}/account`), '/account/top-up', { amount: '50' });
  const message = `a message that is sealed ${randomBytes(8).toString('hex')}`;
  keep({ 'sealed message': message }, private_);
  const callTool = async (name: string, args: object) => {
    const answer = await fetch(`${door.baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${renewed.access_token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { result: { structuredContent: Record<string, string> } }).result
      .structuredContent;
  };
  await callTool('whoami', {});
  await callTool('play', { slot: 3, move: 'WAR', stake_cents: 912, message });
  await callTool('play', { slot: 99, move: 'WAR', stake_cents: 912, message });

  // what it is told of the night, by the worker
  const receiver = await aReceiver();
  const { secret: webhookSecret = '' } = await callTool('subscribe', { action: 'add', url: receiver.url });
  keep({ 'webhook secret': webhookSecret, 'key of the webhook secret': webhookSecret.replace('whsec_', '') });
  keep({ 'webhook address': new URL(receiver.url).search }, private_);
  await hill.clock.ringBell();
  const { headers } = await receiver.nth(1);
  keep({ 'webhook signature': headers['webhook-signature'] });

  // Door B
  const state = randomBytes(24).toString('base64url');
  const { client_id, code, tokens, session } = await browser.signedIn('other@example.com', { state });
  const refreshed = succeeded(await browser.refresh(client_id, tokens.refresh_token as string));
  await browser.exchange(client_id, code);
  await browser.refresh(client_id, tokens.refresh_token as string);
  keep({
    code,
    state,
    verifier,
    'harness’s human': session,
    'access token': tokens.access_token,
    'refresh token': tokens.refresh_token,
    'next access token': refreshed.access_token,
    'next refresh token': refreshed.refresh_token,
  });

  // the device grant, by the link that has the code in it
  const program = await device.register();
  const codes = succeeded(await device.ask(program.client_id));
  await device.poll(program.client_id, codes.device_code);
  const comparing = await human.go(codes.verification_uri_complete);
  await device.decide(human, await human.landed(comparing, await human.send(comparing, '/device')), 'approve');
  await hill.clock.tick(5_000);
  const shown = succeeded(await device.poll(program.client_id, codes.device_code));
  keep({
    'device code': codes.device_code,
    'user code of a device': codes.user_code,
    'its letters': codes.user_code.replace('-', ''),
    'access token of a device': shown.access_token,
    'refresh token of a device': shown.refresh_token,
  });

  // staff
  const staff = await fetch(`${consoleUrl}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: consoleUrl },
    body: new URLSearchParams({ key: staffKey, name: 'Sam' }),
  });
  const cookie = staff.headers.getSetCookie()[0]?.split(';')[0] as string;
  keep({ 'staff key': staffKey, 'staff session': cookie.slice(cookie.indexOf('=') + 1) });
  const asked = await fetch(`${consoleUrl}/graphql`, {
    method: 'POST',
    headers: { Origin: consoleUrl, 'Content-Type': 'application/json', Cookie: cookie },
    body: '{"query":"{ staffName }"}',
  });
  expect(await asked.json()).toEqual({ data: { staffName: 'Sam' } });

  // what is refused, and what fails, is handled too
  const refused = [
    'a secret that is no assertion',
    'a secret that is no claim token',
    'a secret that is no token',
    'a-secret-in-an-address',
  ];
  keep(Object.fromEntries(refused.map((text) => [text, text])));
  const [assertion, claimToken, token, address] = refused as [string, string, string, string];
  await door.exchange(assertion);
  await door.poll(claimToken);
  await door.claim(claimToken, email);
  await door.revoke(token);
  await door.get(`${door.authUrl}/.well-known/jwks.json?access_token=${address}`);
  await door.get(`${door.authUrl}/oauth/authorize?client_id=${address}&state=${address}`);
  await door.get(`${door.authUrl}/sign-in/google/callback?code=${address}`);
  await hill.rows('alter table oauth.registrations rename to registrations_gone');
  await door.poll(registration.claim_token);
  await door.exchange(renewed.identity_assertion as string);
  await human.go(claim.claim_attempt.verification_uri);
  await hill.rows('alter table oauth.registrations_gone rename to registrations');
}

const found = (text: string, among = secrets) =>
  [...among]
    .filter(([, value]) =>
      /^\d{6}$/.test(value) ? new RegExp(`(?<![\\d.])${value}(?!\\d)`).test(text) : text.includes(value),
    )
    .map(([name]) => name);

test('nothing of a full run is in a log, or in any column of any table', async () => {
  const HILL_DATA_DIR = aDataDir();
  const loginUrl = (part: string) =>
    Object.assign(new URL(hill.ownerUrl), { username: `${hill.name}_${part}`, password: `the password of the ${part}` })
      .href;
  const logins = {
    WEB_DATABASE_URL: loginUrl('web'),
    WORKER_DATABASE_URL: loginUrl('worker'),
    CONSOLE_DATABASE_URL: loginUrl('console'),
  };
  const migrated = await command(['migrate'], {
    ...logins,
    HILL_CLOCK: 'simulated',
    DATABASE_URL: hill.ownerUrl,
    HILL_DATA_DIR,
    HILL_SIGNING_SECRET: secret,
  });
  expect(migrated.code, migrated.output).toBe(0);
  const staffKey = fs.readFileSync(path.join(HILL_DATA_DIR, 'staff-key'), 'utf8').trim();
  const { PORT, CONSOLE_PORT } = await aServer(HILL_DATA_DIR);
  await start(['web'], 'Hill is open', {
    PORT,
    WEB_DATABASE_URL: logins.WEB_DATABASE_URL,
    HILL_SIGNING_SECRET: secret,
  });
  await start(['worker'], 'waiting for the bell', {
    WORKER_DATABASE_URL: logins.WORKER_DATABASE_URL,
    HILL_SIGNING_SECRET: secret,
  });
  await start(['console'], 'the staff console is at', {
    CONSOLE_PORT,
    CONSOLE_DATABASE_URL: logins.CONSOLE_DATABASE_URL,
  });
  door.baseUrl = `http://localhost:${PORT}`; // from here on the door is that process
  door.authUrl = door.baseUrl;

  await run(`http://localhost:${CONSOLE_PORT}`, staffKey);

  keep({ 'signing secret': secret });
  for (const part of ['web', 'worker', 'console']) keep({ [`password of the ${part}`]: `the password of the ${part}` });
  const keys = await hill.rows<{ kid: string; sealed: string }>(
    "select kid, encode(sealed_private, 'base64') as sealed from oauth.signing_keys",
  );
  for (const { kid, sealed } of keys)
    keep({ [`private key ${kid}`]: (JSON.parse(sealer(() => secret).open(sealed, kid)) as { d: string }).d });
  expect(secrets.size).toBeGreaterThan(30);

  // the logs, PostgreSQL's too; and something of what failed is there, so they are the right ones
  const logs = [migrated.output, ...processes.map(({ output }) => output())];
  expect(logs.join('\n')).toContain('the authorization server failed');
  expect(logs.join('\n')).toContain('whoami: ok');
  const [{ directory } = { directory: '' }] = await hill.rows<{ directory: string }>(
    "select current_setting('data_directory') as directory",
  );
  const serverLog = fs.readFileSync(path.join(path.dirname(directory), 'postgres.log'), 'utf8');
  expect(serverLog).toContain('database system is ready');
  for (const log of [...logs, serverLog]) expect([...found(log), ...found(log, private_)]).toEqual([]);

  // the database
  const tables = await hill.rows<{ name: string }>(
    "select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'm') and n.nspname !~ '^(pg_|information_schema)'",
  );
  expect(tables.length).toBeGreaterThan(30);
  let rows = 0;
  for (const { name } of tables) {
    const dump = await hill.rows<{ row: string }>(`select t::text as row from ${name} t`);
    rows += dump.length;
    const text = dump.map(({ row }) => row).join('\n');
    expect(found(text), name).toEqual([]);
    // bytea shows as hexadecimal: nothing may be there as it is, only its hash
    const hexadecimal = [...secrets]
      .filter(([, value]) => text.includes(Buffer.from(value).toString('hex')))
      .map(([known]) => known);
    expect(hexadecimal, name).toEqual([]);
  }
  expect(rows).toBeGreaterThan(60);
});
