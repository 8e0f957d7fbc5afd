// What has ended is deleted, and nothing that can still matter: reuse is still detected, an expired claim is still told
// so, humans keep what they approved.
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { forget } from '../../src/worker/tasks.ts';
import { useBrowserDoor } from '../support/doors/browser-door.ts';
import { useDevice } from '../support/doors/device.ts';
import { attemptOf, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { call, useHill } from '../support/hill/index.ts';
import { aWorker } from '../support/hill/worker.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const door = useOAuth(hill);
const browser = useBrowserDoor(door);
const device = useDevice(door);
const days = (n: number) => n * 86_400_000;
let named = 0;
const anEmail = () => `human-${++named}@example.com`;

const tables = [
  ...[
    'rates',
    'access_tokens',
    'authorization_codes',
    'refresh_tokens',
    'refresh_chains',
    'assertions',
    'claim_attempts',
    'registrations',
    'device_codes',
  ],
  ...['grants', 'clients', 'human_sessions', 'staff_sessions', 'console_codes', 'signing_keys'],
] as const;
type Counts = Record<(typeof tables)[number], number>;

const counts = async (): Promise<Counts> => {
  const [row] = await hill.rows<Counts>(
    `select ${tables.map((t) => `(select count(*)::integer from oauth.${t}) as ${t}`).join(', ')}`,
  );
  return row as Counts;
};
/** By the worker's login, one row at a time, so that what depends on what is met in every order. */
const forgetAll = (batch = 1) => forget(hill.as('worker'), undefined, batch);

/** Until a call of a function waits for a lock. */
const toWait = (name: string) =>
  until('it waits', async () => {
    const waiting = await hill.rows(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ $1",
      [name],
    );
    return waiting.length > 0;
  });

// first: whoever starts a worker later waits for the bells of all days that have passed
test('the worker does it by itself, when its job comes by', async () => {
  await aWorker(hill);
  await door.playing(anEmail());
  await hill.clock.tick(days(3));
  const ended = async () => (await counts()).access_tokens;
  expect(await ended()).toBeGreaterThan(0);

  await hill.as('worker').query("select graphile_worker.add_job('forget')");

  await until('what has ended is gone', async () => (await ended()) === 0);
});

test('what is live stays, whatever it is', async () => {
  const { tokens } = await door.playing(anEmail());
  const { client_id, tokens: browsers } = await browser.signedIn(anEmail());
  const waiting = await door.register();
  succeeded(await door.claim(waiting.claim_token, anEmail()));
  const codes = succeeded(await device.ask((await device.register()).client_id));
  const before = await counts();

  await forgetAll();

  expect(await counts()).toEqual(before);
  expect((await device.type(await device.human(anEmail()), codes.user_code)).status).toBe(200);
  expect(await door.accepts(tokens.access_token)).toBe('ok');
  expect((await browser.refresh(client_id, browsers.refresh_token as string)).status).toBe(200);
  expect((await door.poll(waiting.claim_token)).body.error).toBe('authorization_pending');
});

test('reuse of a refresh token is found as long as it could be used at all, and so is a replayed code', async () => {
  const { client_id, code, tokens } = await browser.signedIn(anEmail());
  const second = succeeded(await browser.refresh(client_id, tokens.refresh_token as string));
  await hill.clock.tick(days(20));
  const third = succeeded(await browser.refresh(client_id, second.refresh_token as string));
  await hill.clock.tick(days(9));

  await forgetAll();

  expect((await browser.refresh(client_id, tokens.refresh_token as string)).body.error).toBe('invalid_grant');
  expect((await browser.refresh(client_id, third.refresh_token as string)).body.error).toBe('invalid_grant');

  const other = await browser.signedIn(anEmail());
  await hill.clock.tick(days(25));
  const renewed = succeeded(await browser.refresh(other.client_id, other.tokens.refresh_token as string));
  await hill.clock.tick(days(8)); // the first token of the chain is gone by now, and its code is not
  await forgetAll();
  expect((await browser.exchange(other.client_id, other.code)).body.error).toBe('invalid_grant');
  expect((await browser.refresh(other.client_id, renewed.refresh_token as string)).body.error).toBe('invalid_grant');
  expect(code).not.toBe(other.code);
});

test('a client that nobody uses stays when it asks for a code at the instant at which it would be forgotten', async () => {
  const { client_id } = await device.register();
  await hill.clock.tick(days(32));
  const client = await hill.as('web').connect();
  try {
    await client.query('begin');
    await client.query("select api_oauth.begin_device($1, $2, $3, '{hill:read}', 'https://hill.example')", [
      client_id,
      ...[randomUUID(), randomUUID()],
    ]);
    const forgotten = forgetAll(100);
    await toWait('forget_ended');
    await client.query('commit');
    await forgotten;
  } finally {
    client.release();
  }

  expect(await hill.rows('select from oauth.clients where id = $1', [client_id])).toHaveLength(1);
});

describe('what is forgotten while somebody waits for it gives nothing:', () => {
  const secrets = () => Array.from({ length: 3 }, () => randomBytes(16).toString('hex')) as [string, string, string];
  /** What is called waits for a grant, and meanwhile all that has ended is forgotten. */
  const beside = async (client_id: string, name: string, args: Record<string, unknown>): Promise<unknown> => {
    await hill.clock.tick(days(32));
    // it was used for something else since
    await hill.root.query('update oauth.grants set last_used_at = engine.door_now() where client_id = $1', [client_id]);
    const client = await hill.root.connect();
    try {
      await client.query('begin');
      await client.query('select from oauth.grants where client_id = $1 for update', [client_id]);
      const late = call(hill.as('web'), name, args);
      await toWait(name);
      await forgetAll();
      await client.query('commit');
      return await late;
    } finally {
      client.release();
    }
  };

  test('an assertion', async () => {
    const [client_id, claim_token, assertion] = secrets();
    const registration = { registration_id: randomUUID(), client_id, client_name: 'A bot', claim_token, assertion };
    await call(hill.as('web'), 'api_oauth.register_anonymous', registration);
    const asked = { assertion, access_token: claim_token, scopes: ['hill:read'], audience: 'x', next_assertion: null };

    expect(await beside(client_id, 'api_oauth.exchange_assertion', asked)).toBe(false);
    expect(await hill.rows('select from oauth.assertions')).toEqual([]);
  });

  test('an authorization code', async () => {
    const { client_id } = await browser.register();
    const code = await browser.approved(client_id, await door.human(anEmail()));
    const [access_token, refresh_token] = secrets();

    expect(await beside(client_id, 'api_oauth.exchange_code', { code, access_token, refresh_token })).toBe(false);
  });

  test('a refresh token', async () => {
    const { client_id, refresh_token } = await browser.signedIn(anEmail());
    const [access_token, next_token] = secrets();
    const asked = { refresh_token, client_id, access_token, next_token, scopes: ['hill:read'], grace_seconds: 30 };

    expect(await beside(client_id, 'api_oauth.refresh', asked)).toBe(false);
  });
});

test('a registration is told that it has expired until it lapses, and is unknown then', async () => {
  const registration = await door.register();
  succeeded(await door.claim(registration.claim_token, anEmail()));
  await hill.clock.tick(days(3));
  await forgetAll();
  expect(await door.claim(registration.claim_token, anEmail())).toMatchObject({
    status: 410,
    body: { error: 'claim_expired' },
  });

  await hill.clock.tick(days(30));
  await forgetAll();
  expect(await door.claim(registration.claim_token, anEmail())).toMatchObject({
    status: 401,
    body: { error: 'invalid_claim_token' },
  });
});

test('40 days later nothing is left but what a human approved and what the audit needs', async () => {
  const email = anEmail();
  const { registration, agentId, session } = await door.playing(email, 'A bot that stays');
  const revoked = await door.register();
  await door.revoke(revoked.claim_token);
  const refused = await door.register();
  await door.refuse(await door.human(email), attemptOf(succeeded(await door.claim(refused.claim_token, email))));
  await browser.register();
  await browser.signedIn(anEmail());
  succeeded(await device.ask((await device.register()).client_id));
  await device.approved(anEmail());
  await hill.root.query(
    "insert into oauth.staff_sessions values (sha256($1), 'Sam', now() - interval '3 days', now() - interval '2 days', null)",
    [randomBytes(32)],
  );
  await hill.root.query(
    `insert into oauth.console_codes
     select sha256($1), account_id, sha256('x'), now() - interval '3 days', now() - interval '2 days' from oauth.humans limit 1`,
    [randomBytes(32)],
  );
  await hill.root.query(
    "update oauth.human_sessions set expires_at = now() - interval '2 days' where token_hash <> engine.hash_token($1)",
    [session],
  );
  await hill.root.query("update oauth.signing_keys set retires_at = engine.now() + interval '1 day'");
  const events = await hill.rows('select * from hill.security_events order by id');
  const [approved] = await hill.rows<{ n: number }>(
    'select count(*)::integer as n from oauth.grants where account_id is not null',
  );

  await hill.clock.tick(days(40));
  await forgetAll(3);

  expect(await counts()).toEqual({
    ...Object.fromEntries(tables.map((name) => [name, 0])),
    grants: approved?.n,
    clients: (await hill.rows('select distinct client_id from oauth.grants')).length,
    human_sessions: 1,
  });
  expect(await hill.rows('select * from hill.security_events order by id')).toEqual(events);
  const agents = (await hill.rows<{ agents: { agent_id: string; client_id: string; last_used_at: string }[] }>(
    'select api_human.agents($1) as agents',
    [session],
  )) as [{ agents: { agent_id: string; client_id: string; last_used_at: string }[] }];
  expect(agents[0].agents.find((agent) => agent.agent_id === agentId)).toMatchObject({
    client_id: registration.client_id,
    last_used_at: expect.any(String),
  });
  expect(await forgetAll()).toBe(0);
});

test('a token that was deleted is an unknown one: it revokes nothing, and is answered the same', async () => {
  const { tokens, registration } = await door.playing(anEmail());
  let { identity_assertion } = tokens;
  for (let i = 0; i < 5; i++) {
    await hill.clock.tick(days(0.5));
    ({ identity_assertion } = succeeded(await door.exchange(identity_assertion as string)));
  }
  await forgetAll();

  expect(await door.revoke(tokens.identity_assertion as string, { client_id: registration.client_id })).toMatchObject({
    status: 200,
  });

  expect((await door.exchange(identity_assertion as string)).status).toBe(200);
});

describe('nobody else deletes anything', () => {
  test.each(['web', 'console'] as const)('the login %s may not', async (login) => {
    await expect(hill.as(login).query('select api_worker.forget_ended(1)')).rejects.toMatchObject({ code: '42501' });
    await expect(hill.as(login).query('delete from oauth.access_tokens')).rejects.toMatchObject({ code: '42501' });
  });

  test('the worker may not by itself', async () => {
    await expect(hill.as('worker').query('delete from oauth.access_tokens')).rejects.toMatchObject({ code: '42501' });
  });
});
