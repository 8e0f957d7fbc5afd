// PostgreSQL itself tells a DBA and staff nothing of a deposit: every function of pg_catalog that they may call, and
// every table that they may read, with the marks that locks leave on rows, is looked at before and after whatever an
// account does. Rules 9.2 and 9.5; decisions 491.
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDbaLogins } from '../sql/replay/logins.ts';
import { type Account, anAccount, call, refusal, useHill } from '../support/hill/index.ts';
import { differences, lookAtRows, type Seen } from '../support/hill/onlooker.ts';
import { forgetQuestions, leftOut, lookAtSystem, prepareLooks, treated } from '../support/hill/system.ts';

const hill = useHill();
useDbaLogins(hill);
let ann: Account;
let bob: Account;
let cid: Account;
const session = randomBytes(32).toString('hex');
const staff = { name: 'staff', role: 'hill_staff', settings: { 'hill.staff_session': session } };
const dba = { name: 'the DBA', role: 'hill_dba' };

/** All that the two see. What PostgreSQL tells it tells everybody, so one of them asks for it. */
async function looks(): Promise<Map<string, Seen>> {
  return new Map([
    ['rows of the DBA', await lookAtRows(hill, dba)],
    ['rows of staff', await lookAtRows(hill, staff)],
    ['the system', await lookAtSystem(hill, { role: 'hill_dba' })],
  ]);
}

const changes = (before: Map<string, Seen>, after: Map<string, Seen>) =>
  [...after].flatMap(([name, seen]) =>
    Object.keys(differences(before.get(name) as Seen, seen)).map((about) => `${name}: ${about}`),
  );

/** Does something, and has the session that did it tell its statistics at once. */
async function doing(act: () => Promise<unknown>): Promise<void> {
  await act();
  await hill.as('web').query('select pg_stat_force_next_flush()');
}

const web = <T>(name: string, args: Record<string, unknown>) => call<T>(hill.as('web'), name, args);
const token = () => randomBytes(32).toString('hex');
const audience = 'https://hill.test/mcp';
const scopes = ['hill:read', 'hill:play'];
const held = {
  client: `client ${randomUUID()}`,
  refresh: token(),
  assertion: token(),
  claim: token(),
  device: token(),
};

beforeAll(async () => {
  ann = await anAccount(hill, { name: 'Ann', credits: 100_000, daily_cap_cents: 100_000, max_stake_cents: 90_000 });
  cid = await anAccount(hill, { name: 'Cid', credits: 9000 });
  bob = await anAccount(hill, { name: 'Bob', credits: 9000 });
  await hill.rows(
    "insert into oauth.staff_sessions values (sha256(convert_to($1, 'UTF8')), 'Sam', now(), 'infinity', null)",
    [session],
  );
  // a client, a claimed registration of it, and a chain of refresh tokens
  await hill.rows(
    `with client as (insert into oauth.clients (id, kind, name, scopes, created_at) values ($1, 'registered', 'A client', $5, engine.now()) returning id),
          held as (insert into oauth.grants (client_id, account_id, agent_id, scopes, created_at, last_used_at)
                   select c.id, $2::uuid, $3::uuid, $5, engine.now(), engine.now() from client c returning id),
          chain as (insert into oauth.refresh_chains (grant_id, scopes, audience, created_at)
                    select h.id, $5, $6, engine.now() from held h returning id),
          refresh as (insert into oauth.refresh_tokens (token_hash, chain_id, created_at, expires_at)
                      select engine.hash_token($4), c.id, engine.now(), engine.now() + interval '30 days' from chain c),
          registered as (insert into oauth.registrations (grant_id, claim_token_hash, claim_expires_at, generation, email, claimed_at, issued_at, created_at)
                         select h.id, sha256('claim'), engine.now(), 2, 'ann@hill.test', engine.now(), engine.now(), engine.now() from held h returning id)
     insert into oauth.assertions (token_hash, registration_id, generation, created_at, expires_at)
     select engine.hash_token($7), r.id, 2, engine.now(), engine.now() + interval '30 days' from registered r`,
    [held.client, ann.id, ann.agentId, held.refresh, scopes, audience, held.assertion],
  );
  await web('api_oauth.register_anonymous', {
    ...{ registration_id: randomUUID(), client_id: `another ${randomUUID()}`, client_name: 'Another' },
    ...{ claim_token: held.claim, assertion: token() },
  });
  await web('api_oauth.begin_claim', {
    ...{
      claim_token: held.claim,
      email: 'ann@hill.test',
      attempt_token: token(),
      user_code: 'ABCD-EFGH',
      at_most: 10,
      seconds: 600,
    },
  });
  // nights to look at; and each session has by then loaded what it needs
  for (let night = 1; night <= 2; night++) {
    await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: 'again' });
    await hill.clock.ringBell();
  }
  await hill.clock.at('10:00');
  await hill.asAgent(ann).play({ slot: 9, move: 'PEACE' });
  await prepareLooks(hill);
});

describe('the looks themselves', () => {
  test('ask every function of pg_catalog, save those that are listed with a reason', async () => {
    const { called, left, unknown } = await treated(hill, 'hill_dba');
    expect(unknown, 'types of which test/support/hill/system.ts has no value').toEqual([]);
    const kept = await hill.rows<{ name: string }>(
      `select distinct p.proname::text as name from pg_proc p
        where p.pronamespace = 'pg_catalog'::regnamespace and not has_function_privilege('hill_dba', p.oid, 'execute') order by 1`,
    );
    const listed = (title: string, names: readonly string[]) =>
      `## ${title}\n\n${[...new Set(names)].sort().join(' ')}\n`;
    const sections = [
      listed(
        'Not for a DBA',
        kept.map(({ name }) => name),
      ), // prettier-ignore
      ...Object.entries(left)
        .sort()
        .map(([reason, names]) => listed(`Left out: ${reason}`, names)), // prettier-ignore
      listed(
        'Called',
        called.map(({ name }) => name),
      ), // prettier-ignore
    ];
    const head =
      '# Functions of PostgreSQL\n\nWhich of them a DBA may call, and which of those test/rls/system.test.ts asks whether they tell of a deposit.\n';
    await expect([head, ...sections].join('\n')).toMatchFileSnapshot('../snapshots/system-functions.md');
    const named = Object.values(leftOut).flat();
    const there = await hill.rows(
      "select distinct proname from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname = any ($1)",
      [named],
    );
    expect(there).toHaveLength(named.length);
  });

  test('are answered much, and the same when nothing happens', async () => {
    const before = await looks();
    const answers = [...(before.get('the system') as Seen).values()];
    expect(answers.length).toBeGreaterThan(1500);
    expect(answers.filter((answer) => !/^[0-9A-Z]{5} /.test(answer)).length).toBeGreaterThan(700);
    expect(changes(before, await looks())).toEqual([]);
  });

  test('would tell of a deposit, of who may read statistics', async () => {
    const look = () => lookAtSystem(hill, { role: 'pg_monitor', only: /^pg_stat|^pg_current_wal|_size$/ });
    const before = await look();
    await doing(() =>
      hill.asAgent(bob).play({ slot: 8, move: 'PEACE', message: 'a longer message than that of others' }),
    );

    const told = Object.keys(differences(before, await look()));
    for (const name of [
      'pg_stat_get_backend_wal(',
      'pg_stat_get_backend_io(',
      'pg_stat_get_wal()',
      'pg_current_wal_insert_lsn()',
      'table pg_catalog.pg_stat_wal',
    ])
      expect(
        told.some((about) => about.startsWith(name)),
        name,
      ).toBe(true);
  });

  test('would tell of a function that is planted in pg_catalog, and the list of them too', async () => {
    await hill.rows(`
      create function pg_catalog.pg_stat_planted(pid integer) returns bigint language sql stable security definer
      as 'select wal_bytes::bigint from pg_catalog.pg_stat_get_backend_wal(pid)'`);
    try {
      forgetQuestions(hill);
      expect((await treated(hill, 'hill_dba')).called.map(({ name }) => name)).toContain('pg_stat_planted');
      const look = () => lookAtSystem(hill, { role: 'hill_dba', only: /planted/ });
      const before = await look();
      await doing(() => hill.asAgent(bob).play({ slot: 7, move: 'PEACE' }));
      expect(Object.keys(differences(before, await look()))).toContain('pg_stat_planted(integer)');
    } finally {
      await hill.rows('drop function pg_catalog.pg_stat_planted(integer)');
      forgetQuestions(hill);
    }
  });

  test('would tell of a table that may be read as a whole, by the marks on its rows', async () => {
    const jane = { name: 'a DBA with more rights', role: `${hill.name}_dba` };
    await hill.rows(`grant select on hill.agents to ${jane.role}`);
    const before = await lookAtRows(hill, jane);
    await doing(exchange);
    expect(Object.keys(differences(before, await lookAtRows(hill, jane)))).toEqual(['hill.agents']);
    await hill.rows(`revoke select on hill.agents from ${jane.role}`);
  });
});

const exchange = () =>
  web('api_oauth.exchange_assertion', {
    assertion: held.assertion,
    access_token: token(),
    scopes,
    audience,
    next_assertion: null,
  });

describe('what an account does', () => {
  const acts: [string, () => Promise<unknown>][] = [
    ['a PASS', () => hill.asAgent(ann).play({ slot: 9, move: 'PASS' })],
    ['a PEACE', () => hill.asAgent(ann).play({ slot: 3, move: 'PEACE' })],
    [
      'a WAR with a message',
      () => hill.asAgent(cid).play({ slot: 4, move: 'WAR', stake_cents: 900, message: 'zugzwang' }),
    ],
    [
      'a replacement',
      () => hill.asAgent(cid).play({ slot: 4, move: 'WAR', stake_cents: 1000, message: 'zugzwang again' }),
    ],
    ['a withdrawal', () => hill.asHuman(cid).withdrawMove(4)],
    ['a refusal', () => refusal(hill.asAgent(cid).play({ slot: 3, move: 'WAR', stake_cents: 90_001 }))],
    ['its own look at itself', () => hill.asAgent(ann).ownState()],
    ['a token for an assertion', async () => expect(await exchange()).toBe(true)],
    [
      'a refresh',
      async () => {
        const given = { refresh_token: held.refresh, client_id: held.client, grace_seconds: 30 };
        expect(await web('api_oauth.refresh', { ...given, access_token: token(), next_token: token(), scopes })).toBe(
          true,
        );
      },
    ],
    [
      'a poll',
      async () =>
        expect(await web('api_oauth.poll_claim', { claim_token: held.claim })).toMatchObject({
          outcome: expect.any(String),
        }),
    ],
  ];
  let last: Map<string, Seen>;
  let standard: Seen;

  test.each(acts)('%s is not to be seen in PostgreSQL', async (_, act) => {
    standard ??= await lookAtSystem(hill, { role: 'hill_staff', standard: true });
    const before = last ?? (await looks());
    await doing(act);
    last = await looks();

    expect(changes(before, last)).toEqual([]);
  });

  test('is not to be seen in information_schema, nor all of it together', async () => {
    expect(
      Object.keys(differences(standard, await lookAtSystem(hill, { role: 'hill_staff', standard: true }))),
    ).toEqual([]);
  });
});
