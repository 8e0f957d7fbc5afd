// An account is closed while something else happens to it: whoever is first, nothing is lost, nothing comes back, and
// the books balance. Rules 19.3, 19.5; decisions 107.
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { hashed } from '../../src/process/proofs.ts';
import { attemptOf, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { type Account, anAccount, balanced, books, call, refusalOf, useHill } from '../support/hill/index.ts';
import { prove, signIn } from '../support/hill/sign-in.ts';
import { pidOf, waits } from '../support/hill/waits.ts';

const hill = useHill();
const door = useOAuth(hill);

interface Human extends Omit<Account, 'session'> {
  session: string;
  readonly slug: string;
  readonly email: string;
  readonly subject: string;
}

let made = 0;

/** A human who has just signed in, with an agent that plays and credits to lose. */
async function aHuman(): Promise<Human> {
  made += 1;
  const [subject, email] = [`subject-${made}`, `human-${made}@example.com`];
  const { account_id: id, session } = await signIn(hill.as('web'), { subject, email });
  const token = randomBytes(16).toString('hex');
  const [agent] = await hill.rows<{ id: string }>(
    `with agent as (insert into hill.agents (account_id, name, created_at) values ($1, 'An agent', engine.now()) returning id)
     insert into oauth.access_tokens (token_hash, agent_id, scopes, created_at, expires_at)
     select engine.hash_token($2), id, '{hill:read,hill:play}', engine.now(), 'infinity' from agent returning agent_id as id`,
    [id, token],
  );
  await hill.asOwnerOf('hill_api_worker', async (client) => {
    await client.query("select engine.top_up($1, 5000, 'a test'), engine.grant_credits($1, 400, 'a test')", [id]);
  });
  const [{ slug } = { slug: '' }] = await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [
    id,
  ]);
  return { id, session, token, agentId: agent?.id as string, name: 'An agent', slug, email, subject };
}

const close = (db: pg.Pool | pg.ClientBase, { session, slug }: Human) =>
  call<object>(db, 'api_human.close_account', { session, slug });
const topUp = (db: pg.Pool | pg.ClientBase, { session }: Human, payment = `payment ${randomUUID()}`) =>
  call<object>(db, 'api_human.top_up', {
    ...{ session, cents: 3000, reason: 'a race', payment },
    ...prove('top up', hashed(session), '3000', 'a race', payment),
  });

/** What others do to the account at that instant, and what it may be told. */
const others: Readonly<
  Record<string, readonly [act: (db: pg.PoolClient, human: Human) => Promise<unknown>, refusals: string]>
> = {
  'a deposit': [
    (db, { token }) => call(db, 'api_agent.play', { token, slot: 1, move: 'PEACE', message: 'in time' }),
    'INVALID_TOKEN|ACCOUNT_CLOSED',
  ],
  'a top-up': [(db, human) => topUp(db, human), 'ACCOUNT_CLOSED'],
  'a sign-in': [(db, { subject, email }) => signInOn(db, subject, email), ''],
  'another sign-in that is added': [(db, human) => addSignIn(db, human), 'ACCOUNT_CLOSED'],
  'a profile': [
    (db, { token }) =>
      call(db, 'api_agent.set_profile', {
        token,
        name: 'A name again',
        url: 'https://again.example/',
        slug: null,
        model: null,
      }),
    'ACCOUNT_CLOSED',
  ],
  'an announcement': [
    (db, { token }) => call(db, 'api_agent.announce', { token, slot: 2, intention: 'PEACE', message: 'in time' }),
    'ACCOUNT_CLOSED',
  ],
  'a webhook': [
    (db, { token }) =>
      call(db, 'api_agent.subscribe', {
        token,
        id: randomUUID(),
        url: 'https://again.example/hook',
        events: null,
        sealed_secret: 'c2VhbGVk',
      }),
    'ACCOUNT_CLOSED',
  ],
  'a look at its site': [(db, { token }) => call(db, 'api_agent.verify_badge', { token }), 'ACCOUNT_CLOSED'],
  'a report': [
    (db, { token }) =>
      call(db, 'api_agent.report_missing_capability', { token, what: 'in time', why: null, tool: null }),
    'ACCOUNT_CLOSED',
  ],
  'a mandate': [
    (db, { session }) => call(db, 'api_human.set_mandate', { session, daily_cap_cents: 1, max_stake_cents: 1 }),
    'ACCOUNT_CLOSED',
  ],
};
const signInOn = (db: pg.PoolClient, subject: string, email: string) => {
  const session = randomBytes(32).toString('base64url');
  return call(db, 'api_human.sign_in', {
    ...{ provider: 'development', subject, email, session },
    ...prove('sign in', 'development', subject, email, hashed(session)),
  });
};
const addSignIn = async (db: pg.PoolClient, human: Human) => {
  const { session, subject } = human;
  const [next_session, more, email] = [
    randomBytes(32).toString('base64url'),
    `${subject}-more`,
    `${subject}-more@example.com`,
  ];
  await call(db, 'api_human.add_sign_in', {
    ...{ session, provider: 'github', subject: more, email, next_session },
    ...prove('add sign-in', hashed(session), 'github', more, email, hashed(next_session)),
  });
  human.session = next_session; // the other is over
};

/** Nothing of the person, and no way in. */
async function isClosed({ id, session, subject, email }: Human): Promise<void> {
  expect(
    await hill.rows(
      `select a.name, a.url, (select count(*) from hill.agents g where g.account_id = a.id and (g.cut_at is null or g.name <> 'Closed account'))::int as agents,
              (select count(*) from oauth.sign_ins i where i.account_id = a.id)::int as sign_ins,
              (select count(*) from oauth.human_sessions s where s.account_id = a.id and s.revoked_at is null)::int as sessions,
              (select count(*) from hill.subscriptions s where s.account_id = a.id)::int as webhooks,
              (select count(*) from hill.site_checks s where s.account_id = a.id)::int as sites,
              (select count(*) from hill.announcements n where n.account_id = a.id and n.message is not null)::int as messages,
              (select count(*) from hill.reports r where r.account_id = a.id and r.reporter <> 'Closed account')::int as reporters,
              (select count(*) from oauth.claim_attempts c where c.email = $2)::int as claims
         from hill.accounts a join hill.closings c on c.account_id = a.id where a.id = $1`,
      [id, email],
    ),
  ).toEqual([
    {
      name: 'Closed account',
      url: null,
      agents: 0,
      sign_ins: 0,
      sessions: 0,
      webhooks: 0,
      sites: 0,
      messages: 0,
      reporters: 0,
      claims: 0,
    },
  ]);
  await expect(call(hill.as('web'), 'api_human.account', { session })).rejects.toMatchObject({ code: 'ZHCLO' });
  const again = await hill.rows<{ account_id: string }>(
    "select account_id from oauth.sign_ins where subject = $1 and provider = 'development'",
    [subject],
  );
  expect(again.map(({ account_id }) => account_id)).not.toContain(id);
}

const two = async <T>(use: (one: pg.PoolClient, other: pg.PoolClient) => Promise<T>): Promise<T> => {
  const [one, other] = [await hill.as('web').connect(), await hill.as('web').connect()];
  try {
    return await use(one, other);
  } finally {
    one.release(true);
    other.release(true);
  }
};

describe.each(Object.entries(others))('%s', (_, [act, refusals]) => {
  test('that is under way is waited for, and forgotten with the rest', async () => {
    const human = await aHuman();
    const { session: before } = human;
    await two(async (one, other) => {
      await one.query('begin');
      await act(one, human);
      const pid = await pidOf(other);
      await other.query('begin');
      const { session } = human;
      const closing = close(other, { ...human, session: before }).then(
        () => '',
        (error: unknown) => refusalOf(error).code,
      );
      await waits(hill, pid);
      await one.query('commit');
      expect(await closing).toBe(session === before ? '' : 'INVALID_TOKEN');
      if (session !== before) {
        await other.query('rollback; begin');
        await close(other, human);
      }
      await other.query('commit');
    });
    await isClosed(human);
  });

  test('that comes while the account is being closed waits, and is refused', async () => {
    const human = await aHuman();
    await two(async (one, other) => {
      await one.query('begin');
      await close(one, human);
      const pid = await pidOf(other);
      const acting = act(other, human).then(
        () => '',
        (error: unknown) => refusalOf(error).code,
      );
      await waits(hill, pid);
      await one.query('commit');
      expect(await acting).toMatch(new RegExp(`^(${refusals})$`));
    });
    await isClosed(human);
  });
});

test('a refresh, a claim that is approved, and all of the above at once, in any order: no way in is left', async () => {
  const rounds = Number(process.env.HILL_TEST_CLOSINGS ?? 3);
  for (let round = 0; round < rounds; round++) {
    const human = await aHuman();
    const held = await aChain(human);
    const registration = await door.register('A late bot');
    const claim = succeeded(await door.claim(registration.claim_token, human.email));
    const web = hill.as('web');
    const acts = [
      () => close(web, human),
      () =>
        call(web, 'api_oauth.refresh', {
          ...{ refresh_token: held.refresh, client_id: held.client, access_token: `access ${randomUUID()}` },
          ...{ next_token: `next ${randomUUID()}`, scopes: ['hill:play'], grace_seconds: 10 },
        }),
      () => door.approve(human.session, attemptOf(claim), claim.claim_attempt.user_code),
      () => close(web, human),
      ...Object.values(others).map(([act]) => async () => {
        const client = await web.connect();
        try {
          return await act(client, human);
        } finally {
          client.release();
        }
      }),
    ];
    acts.sort(() => Math.random() - 0.5);
    const ended = await Promise.allSettled(acts.map((act) => act()));
    const codes = ended.flatMap((one) => (one.status === 'rejected' ? [refusalOf(one.reason).code] : []));
    // a deadlock that PostgreSQL ends would be made good by the door, which calls again; here it must not come up at
    // all
    expect(codes.filter((code) => !/^(ACCOUNT_CLOSED|INVALID_TOKEN|OVER_DAILY_CAP)$/.test(code))).toEqual([]);

    // a sign-in that was added ends the session that it was added in, so the closing may have been refused
    if ((await hill.rows('select 1 from hill.closings where account_id = $1', [human.id])).length === 0)
      await close(web, { ...human, ...(await signIn(web, { subject: human.subject, email: human.email })) });
    await isClosed(human);
    expect(
      await hill.rows('select 1 from oauth.grants where account_id = $1 and revoked_at is null', [human.id]),
    ).toEqual([]);
    expect(
      await hill.rows(
        'select 1 from oauth.access_tokens t join hill.agents g on g.id = t.agent_id where g.account_id = $1 and t.revoked_at is null',
        [human.id],
      ),
    ).toEqual([]);
    expect((await door.poll(registration.claim_token)).status).toBe(400);
  }
  expect(await books(hill.root)).toEqual(balanced);
});

/** A client with a chain of refresh tokens, as an approved one has it. */
async function aChain({ id, agentId }: Human) {
  const [refresh, client] = [`refresh ${randomUUID()}`, `client ${randomUUID()}`];
  await hill.rows(
    `with client as (insert into oauth.clients (id, kind, name, scopes, created_at) values ($1, 'registered', 'A client', '{hill:play}', engine.now()) returning id),
          held as (insert into oauth.grants (client_id, account_id, agent_id, scopes, created_at, last_used_at)
                   select c.id, $2::uuid, $3::uuid, '{hill:read,hill:play}', engine.now(), engine.now() from client c returning id),
          chain as (insert into oauth.refresh_chains (grant_id, scopes, audience, created_at)
                    select h.id, '{hill:read,hill:play}', 'https://hill.test/mcp', engine.now() from held h returning id)
     insert into oauth.refresh_tokens (token_hash, chain_id, created_at, expires_at)
     select engine.hash_token($4), c.id, engine.now(), engine.now() + interval '30 days' from chain c`,
    [client, id, agentId, refresh],
  );
  return { refresh, client };
}

describe('the bell', () => {
  test('waits for a closing under way, and takes what that leaves', async () => {
    const human = await aHuman();
    await hill.asAgent(human).play({ slot: 4, move: 'PEACE', message: 'my last one' });
    const ringer = await hill.as('worker').connect();
    try {
      await two(async (one) => {
        await one.query('begin');
        await close(one, human);
        await hill.clock.toMidnight();
        const pid = await pidOf(ringer);
        const ringing = ringer.query('select api_worker.ring_next_bell()');
        await waits(hill, pid);
        await one.query('commit');
        await ringing;
      });
    } finally {
      ringer.release();
    }
    await isClosed(human);
    expect(
      await hill.rows('select granted_cents, paid_cents from hill.wallets where account_id = $1', [human.id]),
    ).toEqual([{ granted_cents: 0, paid_cents: 0 }]);
    expect(await hill.rows('select move, message from hill.moves where account_id = $1', [human.id])).toEqual([
      { move: 'PEACE', message: null },
    ]);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('puts a closing off while it is due or rings, so that a closing has one bell; then it goes through', async () => {
    const human = await aHuman();
    await hill.clock.toMidnight();
    await expect(close(hill.as('web'), human)).rejects.toMatchObject({ code: 'ZHBEL' });
    await hill.asRoot(async (root) => {
      await root.query('begin; lock table hill.day_lock in exclusive mode');
      await expect(close(hill.as('web'), human)).rejects.toMatchObject({ code: 'ZHBEL' });
      await root.query('rollback');
    });
    expect(await hill.rows('select 1 from hill.closings where account_id = $1', [human.id])).toEqual([]);
    await hill.clock.ringBell();
    await close(hill.as('web'), human);
    await isClosed(human);
    await hill.clock.ringBell();
    expect(await books(hill.root)).toEqual(balanced);
  });
});

test('an account that nobody closes is untouched by all this', async () => {
  const ann = await anAccount(hill, { credits: 900 });
  await hill.clock.ringBell();
  expect(await hill.asHuman(ann).ownState()).toMatchObject({ paid_cents: 900 });
});
