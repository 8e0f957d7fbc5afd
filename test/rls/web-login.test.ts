// The web's login in the hands of an attacker: a connection with its URL, on which any SQL can be run. It gets no
// account and no cent. Protocol 5.1; decisions 24.
import { createHmac, randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepProofKey, secretFits } from '../../src/db/kept-settings.ts';
import { parseConfig } from '../../src/process/config.ts';
import { hashed, prover } from '../../src/process/proofs.ts';
import { keptUserCode } from '../../src/process/user-codes.ts';
import { useDevice } from '../support/doors/device.ts';
import { attemptOf, type Claim, secret, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { type Account, anAccount, call, useHill } from '../support/hill/index.ts';
import { usePayments } from '../support/hill/payments.ts';
import { prove, type SignedIn, signIn } from '../support/hill/sign-in.ts';

const hill = useHill();
const door = useOAuth(hill);
const device = useDevice(door);
const payments = usePayments(hill);

/** What the attacker has: a connection. */
let login: pg.Client;
let ann: Account;
/** A human whose provider and id anybody can read, on GitHub for one. */
let victim: SignedIn;
/** The attacker's own account, honestly opened. */
let own: SignedIn;
let claim: Claim;
let claimToken: string;

const victims = { provider: 'github', subject: '583231', email: 'victim@example.com' };

beforeAll(async () => {
  victim = await signIn(hill.as('web'), victims);
  own = await signIn(hill.as('web'), { provider: 'google', subject: 'mallory', email: 'mallory@example.com' });
  ann = await anAccount(hill, { credits: 5000, granted: 700 });
  await hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 900, message: 'sealed' });
  const registration = await door.register();
  claimToken = registration.claim_token;
  claim = succeeded(await door.claim(claimToken, victims.email));
});

beforeEach(async () => {
  login = new pg.Client({ connectionString: hill.url('web') });
  await login.connect();
});

afterEach(() => login?.end());

const kept = [
  ...[
    'transfers',
    'wallets',
    'lots',
    'payments',
    'ledger_accounts',
    'reservations',
    'sealed_moves',
    'accounts',
    'agents',
    'mandates',
    'top_ups',
    'payment_events',
    'payment_claims',
  ].map((name) => `hill.${name}`),
  ...[
    'human_sessions',
    'staff_sessions',
    'sign_ins',
    'humans',
    'grants',
    'access_tokens',
    'authorization_codes',
    'registrations',
  ].map((name) => `oauth.${name}`),
  ...[
    'claim_attempts',
    'device_codes',
    'signing_keys',
    'receipt_keys',
    'proof_keys',
    'next_proof_keys',
    'stripe_keys',
    'stripe_modes',
    'staff_keys',
    'refresh_tokens',
  ].map((name) => `oauth.${name}`),
];

/** Money and whoever may act, every row of it. */
const state = async () =>
  Object.fromEntries(
    await Promise.all(
      kept.map(async (table) => [
        table,
        (await hill.rows<{ row: string }>(`select t::text as row from ${table} t order by 1`)).map(({ row }) => row),
      ]),
    ),
  );

/** The attacker's statement must fail, by one of these codes, and change nothing. */
async function fails(codes: readonly string[], text: string, values: unknown[] = []): Promise<void> {
  const before = await state();
  const thrown = await login.query(text, values).then(
    ({ rows }) => `it succeeded: ${JSON.stringify(rows)}`,
    ({ code, hint, detail }: pg.DatabaseError) => {
      expect(`${hint} ${detail}`).not.toMatch(/583231|victim@/);
      return code;
    },
  );
  await login.query('rollback');
  expect(codes, text).toContain(thrown);
  expect(await state()).toEqual(before);
}

const refused = ['ZHPRF'];
const forbidden = ['42501'];
const newSession = () => randomBytes(32).toString('base64url');
const at = (offset: number) => String(Date.now() + offset);

/** A proof for any instant, which the attacker could have seen somewhere. */
function provenAt(proven_at: string, purpose: string, ...fields: string[]): [string, string] {
  const real = Date.now;
  try {
    Date.now = () => Number(proven_at);
    const { proof } = prove(purpose as 'sign in', ...fields);
    return [proven_at, proof];
  } finally {
    Date.now = real;
  }
}

describe('coming in as somebody', () => {
  const statement = 'select api_human.sign_in($1, $2, $3, $4, $5, $6)';
  const { provider, subject, email } = victims;

  test.each([
    ['nothing', null],
    ['an empty text', ''],
    ['what looks like one', 'a'.repeat(64)],
    ['a text that is none', '\\x00é"'],
    ['the hash of the arguments without a key', createHmac('sha256', '').update('sign in').digest('hex')],
    ['a very long text', 'a'.repeat(1_000_000)],
  ])('with %s for a proof', async (_, proof) => {
    await fails(refused, statement, [provider, subject, email, newSession(), at(0), proof]);
  });

  test.each([['9223372036854775807'], ['-9223372036854775808'], [null]])('at the instant %s', async (instant) => {
    await fails(refused, statement, [provider, subject, email, newSession(), instant, 'a'.repeat(64)]);
  });

  test('with a good proof of its own sign-in, altered in any argument', async () => {
    const [mine, session] = [['google', 'mallory', 'mallory@example.com'] as const, newSession()];
    const [instant, proof] = provenAt(at(0), 'sign in', ...mine, hashed(session));
    for (const altered of [
      [provider, subject, mine[2], session, instant],
      [mine[0], subject, mine[2], session, instant],
      [mine[0], mine[1], email, session, instant],
      [mine[0], mine[1], mine[2].toUpperCase(), session, instant],
      [mine[0], mine[1], mine[2], newSession(), instant],
      [mine[0], mine[1], mine[2], session, String(Number(instant) + 1)],
      // the same letters, cut elsewhere
      ['googlem', 'allory', mine[2], session, instant],
      [mine[0], 'mallory19:mallory@example.com', '', session, instant],
      [mine[0], mine[1], mine[2], null, instant],
    ])
      await fails(refused, statement, [...altered, proof]);
  });

  test('with a proof for another purpose', async () => {
    const session = newSession();
    for (const purpose of ['top up', 'add sign-in', 'signing key', 'secret', 'sign in '])
      await fails(refused, statement, [
        provider,
        subject,
        email,
        session,
        ...provenAt(at(0), purpose, provider, subject, email, hashed(session)),
      ]);
  });

  test('with a proof that is older than a minute, or of a minute to come', async () => {
    for (const offset of [-61_000, 62_000, -86_400_000]) {
      const session = newSession();
      await fails(refused, statement, [
        provider,
        subject,
        email,
        session,
        ...provenAt(at(offset), 'sign in', provider, subject, email, hashed(session)),
      ]);
    }
    // on this side of the minute it is good, or the test above would prove nothing
    const session = newSession();
    const arguments_ = [
      provider,
      subject,
      email,
      session,
      ...provenAt(at(-55_000), 'sign in', provider, subject, email, hashed(session)),
    ];
    await expect(login.query(statement, arguments_)).resolves.toBeDefined();
  });

  test('with a proof that was used, before and after its session ended', async () => {
    const session = newSession();
    const seen = [
      provider,
      subject,
      email,
      session,
      ...provenAt(at(0), 'sign in', provider, subject, email, hashed(session)),
    ];
    await hill.as('web').query(statement, seen); // the web process was faster

    await fails(refused, statement, seen);
    await hill.as('web').query('select api_human.sign_out($1)', [session]);
    await fails(refused, statement, seen);
    await expect(call(hill.as('web'), 'api_human.account', { session })).rejects.toMatchObject({ code: 'ZHTOK' });
  });

  test('by two at one instant with one proof: one session', async () => {
    const session = newSession();
    const seen = [
      provider,
      subject,
      email,
      session,
      ...provenAt(at(0), 'sign in', provider, subject, email, hashed(session)),
    ];

    const answers = await Promise.all(
      [1, 2, 3, 4].map(() =>
        hill
          .as('web')
          .query(statement, seen)
          .then(
            () => 'in',
            ({ code }) => code,
          ),
      ),
    );

    expect(answers.sort()).toEqual(['ZHPRF', 'ZHPRF', 'ZHPRF', 'in']);
  });

  test('by adding the own sign-in to another’s account, or another’s to the own', async () => {
    const add = 'select api_human.add_sign_in($1, $2, $3, $4, $5, $6, $7)';
    const next = newSession();
    await fails(['ZHTOK'], add, [
      newSession(),
      'google',
      'mallory',
      'mallory@example.com',
      next,
      at(0),
      'a'.repeat(64),
    ]);
    await fails(refused, add, [own.session, provider, subject, email, next, at(0), 'a'.repeat(64)]);
    await fails(refused, add, [own.session, 'google', 'new', email, next, at(0), 'a'.repeat(64)]);
    // a proof that was seen is of one session: the human's own
    const seen = provenAt(at(0), 'add sign-in', hashed(victim.session), 'google', 'new', email, hashed(next));
    await fails(refused, add, [own.session, 'google', 'new', email, next, ...seen]);
    await fails(['ZHSIL'], 'select api_human.remove_sign_in($1, $2, $3)', [own.session, 'google', 'mallory']);
    expect(await call(hill.as('web'), 'api_human.remove_sign_in', { session: own.session, provider, subject })).toBe(
      false,
    );
  });
});

describe('making a cent', () => {
  const statement = 'select api_human.top_up($1, $2, $3, $4, $5, $6)';
  const payment = () => `sandbox ${newSession()}`;

  test('by a top-up of the own account without a proof', async () => {
    for (const proof of [null, '', 'a'.repeat(64)])
      await fails(refused, statement, [own.session, 100_000, 'mine', payment(), at(0), proof]);
  });

  test('by a proof of a top-up that was seen: altered, late or again', async () => {
    const reference = payment();
    const fields = [hashed(own.session), '2000', 'paid', reference];
    const [instant, proof] = provenAt(at(0), 'top up', ...fields);
    for (const altered of [
      [own.session, 20_000, 'paid', reference, instant],
      [own.session, 2_000, 'paid ', reference, instant],
      [own.session, 2_000, 'paid', payment(), instant],
      [victim.session, 2_000, 'paid', reference, instant],
      [own.session, 2_000, 'paid', reference, String(Number(instant) - 1)],
      [own.session, null, 'paid', reference, instant],
      [own.session, 2_000, null, reference, instant],
      [own.session, 2_000, 'paid', null, instant],
    ])
      await fails(refused, statement, [...altered, proof]);
    await fails(refused, statement, [
      own.session,
      2_000,
      'paid',
      reference,
      ...provenAt(at(-61_000), 'top up', ...fields),
    ]);

    const good = [own.session, 2_000, 'paid', reference, instant, proof];
    const before = await hill.rows('select paid_cents from hill.wallets where account_id = $1', [own.account_id]);
    expect(before).toEqual([{ paid_cents: 0 }]);
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        hill
          .as('web')
          .query(statement, good)
          .then(
            () => 'paid',
            ({ code }) => code,
          ),
      ),
    );
    expect(answers.sort()).toEqual(['ZHPRF', 'ZHPRF', 'paid']);
    await fails(refused, statement, good);
    // nor with a fresh proof of the same payment
    await fails(refused, statement, [own.session, 2_000, 'paid', reference, ...provenAt(at(0), 'top up', ...fields)]);
    expect(await hill.rows('select paid_cents from hill.wallets where account_id = $1', [own.account_id])).toEqual([
      { paid_cents: 2000 },
    ]);
  });

  test('by writing into any table, or reading one', async () => {
    const tables = await hill.rows<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and c.relkind in ('r', 'p', 'v', 'm') order by 1`,
    );
    expect(tables.map(({ name }) => name)).toContain('graphile_migrate.login_secret');
    for (const { name } of tables)
      for (const text of [
        `select * from ${name}`,
        `insert into ${name} select * from ${name}`,
        `delete from ${name}`,
        `truncate ${name}`,
        `copy ${name} to stdout`,
      ])
        await expect(login.query(text), text).rejects.toMatchObject({ code: '42501' });
    await fails(
      forbidden,
      `insert into hill.transfers (day, at, kind, debit_code, credit_account_id, cents, reason) values (1, now(), 'topup', 'cash', '${own.account_id}', 1, 'x')`,
    );
    await fails(forbidden, 'update hill.wallets set paid_cents = paid_cents + 1');
  });
});

describe('making a cent by what Stripe would say', () => {
  /** The attacker's statement changes nothing, and says this. */
  const says = async (outcome: string, body: string | null, signature: string | null) => {
    const before = await state();
    const { rows } = await login.query('select api_human.take_stripe_event($1, $2) as answer', [
      body === null ? null : Buffer.from(body),
      signature,
    ]);
    expect(rows[0].answer.outcome ?? rows[0].answer.refused.state).toBe(outcome);
    expect(await state()).toEqual(before);
  };
  const { stripe } = payments;
  const paid = async () => {
    const { session } = await payments.begin({ id: own.account_id, session: own.session } as Account, 100_000);
    return stripe.pay(session);
  };

  test('with an event of its own making, for a top-up that it began', async () => {
    const event = await paid();
    const { body, signature } = stripe.signed(event);
    const now = Math.floor(Date.now() / 1000);
    const hmac = (key: string | Buffer) => createHmac('sha256', key).update(`${now}.${body}`).digest('hex');
    for (const forged of [
      null,
      '',
      't=,v1=',
      `t=${now},v1=${hmac('')}`,
      `t=${now},v1=${hmac('whsec_')}`,
      `t=${now},v1=${hmac(Buffer.alloc(64))}`,
    ])
      await says('ZHSIG', body, forged);
    await says('ZHSIG', null, signature);
    await says('ZHSIG', '', signature);
    // under the key of proofs, which is another one
    await says('ZHSIG', body, `t=${now},v1=${prove('stripe event' as 'top up', body).proof}`);
    await fails(forbidden, 'select api_worker.take_stripe_event($1, $2, $3)', [
      body,
      ...provenAt(at(0), 'stripe event', body),
    ]);
    await fails(forbidden, 'select api_worker.take_stripe_session($1, $2, $3)', [
      body,
      ...provenAt(at(0), 'stripe session', body),
    ]);
    for (const text of [
      "select engine.take_event('{}')",
      "select engine.settle_checkout('{}')",
      "select engine.take_claim('refund', '{}', now(), 'x')",
      "select trusted.take_signed_event('', '')",
      "select engine.stripe_signed('', '')",
      'select trusted.take_back(1)',
      'select engine.set_bar(gen_random_uuid(), now())',
      'select trusted.release_claims(gen_random_uuid(), now())',
      "select trusted.set_stripe_key(decode(repeat('00', 64), 'hex'), decode(repeat('00', 64), 'hex'))",
      "select api_staff.lift_bar(gen_random_uuid(), 'please')",
      'table oauth.stripe_keys',
      'table oauth.stripe_modes',
      'select trusted.set_stripe_mode(false)',
      "select trusted.set_terms('Mallory', '1', 'mine', null, 'mine', null)",
      "update hill.terms set operator = 'Mallory'",
      'delete from hill.terms_accepted',
      'update oauth.stripe_modes set live = not live',
      "select query_to_xml('table oauth.stripe_keys', true, true, '')",
    ])
      await fails(forbidden, text);
  });

  test('with one that it saw: altered, late or again', async () => {
    const event = await paid();
    const { body, signature } = stripe.signed(event);
    await says('ZHSIG', body.replace('100000', '900000'), signature);
    await says('ZHSIG', body.replaceAll(own.account_id, victim.account_id), signature);
    await says('ZHSIG', body, stripe.signed(event, { at: Math.floor(Date.now() / 1000) - 400 }).signature);
    expect(await payments.tell(event)).toBe('credited');
    await says('known', body, signature);
    await says('known', body, stripe.signed(event).signature);
  });

  test('by noting another session, or for another’s top-up', async () => {
    const { top_up_id } = await payments.begin({ id: victim.account_id, session: victim.session } as Account, 2000);
    const before = await state();
    const note = 'select api_human.note_checkout($1, $2, $3)';
    await login.query(note, [own.session, top_up_id, 'cs_mine']);
    await login.query(note, [victim.session, top_up_id, 'cs_mine']); // the first one stays
    expect(await state()).toEqual(before);
    await fails(['ZHTOK'], note, [newSession(), top_up_id, 'cs_mine']);
    expect(
      (await login.query('select api_human.pending_top_up($1, $2) as found', [own.session, top_up_id])).rows,
    ).toEqual([{ found: null }]);
  });
});

describe('reading the key', () => {
  /** The key itself and its two blocks, as bytea is shown. */
  const keyTexts = async () => {
    const [key] = await hill.rows<{ inner: string; outer: string; bare: string }>(
      `select encode(inner_block, 'hex') as inner, encode(outer_block, 'hex') as outer,
              (select string_agg(lpad(to_hex(get_byte(inner_block, i) # 54), 2, '0'), '' order by i) from generate_series(0, 31) i) as bare
         from oauth.proof_keys`,
    );
    return Object.values(key as object) as string[];
  };

  test('from its table, its functions and files', async () => {
    const oid = (await hill.rows<{ path: string }>("select pg_relation_filepath('oauth.proof_keys') as path"))[0]?.path;
    for (const text of [
      'table oauth.proof_keys',
      'select count(*) from oauth.proof_keys',
      "select trusted.proof_holds('', '')",
      "select engine.check_proof('sign in', '{}', 0, '')",
      "select trusted.set_proof_key(decode(repeat('00', 64), 'hex'), decode(repeat('00', 64), 'hex'))",
      "select engine.open_session(gen_random_uuid(), repeat('x', 40))",
      'create table public.mine as table oauth.proof_keys',
      "copy oauth.proof_keys to program 'cat'",
      `select pg_read_binary_file('${oid}')`,
      `select pg_read_file('${oid}')`,
      `select lo_import('${oid}')`,
      "select pg_ls_dir('.')",
      "select query_to_xml('table oauth.proof_keys', true, true, '')",
      'alter table oauth.proof_keys no force row level security',
      'create policy mine on oauth.proof_keys using (true)',
      'grant select on oauth.proof_keys to public',
      'comment on table oauth.proof_keys is $$mine$$',
    ])
      await fails(forbidden, text);
  });

  test('from anything that it may read: catalogues, statistics, activity, function bodies, what its callers may call', async () => {
    const texts = await keyTexts();
    expect(texts.map((text) => text.length)).toEqual([128, 128, 64]);
    const key = prover(() => secret)('sign in');
    expect(key.proof).toMatch(/^[0-9a-f]{64}$/);
    await hill.rows('analyze oauth.proof_keys');
    // set again by the owner, while the attacker looks
    await keepProofKey(secret, hill.ownerUrl);
    const { rows } = await login.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
        where c.relkind in ('r', 'v', 'm', 'p', 'f') and has_schema_privilege(c.relnamespace, 'usage') and has_any_column_privilege(c.oid, 'select')
          and not c.relname in ('pg_statistic', 'pg_largeobject') order by 1`,
    );
    expect(rows.length).toBeGreaterThan(150);
    const unread: string[] = [];
    for (const { name } of rows) {
      const found = await login
        .query<{ seen: boolean }>(`select bool_or(t::text ~ $1) as seen from ${name} t`, [texts.join('|')])
        .catch(({ code }) => code as string);
      if (typeof found === 'string') unread.push(`${name} ${found}`);
      else expect(found.rows[0]?.seen ?? false, name).toBe(false);
    }
    // what cannot be read whole cannot be read by this login
    expect(unread.filter((line) => !line.endsWith('42501'))).toEqual([]);
    expect((await login.query("select 1 from pg_stats where tablename = 'proof_keys'")).rows).toEqual([]);
    const bodies = await login.query<{ body: string }>(
      "select prosrc as body from pg_proc where prosrc ~ '[0-9a-f]{64}'",
    );
    expect(bodies.rows).toEqual([]);
  });

  test('by whether a guess is nearly right: every wrong one has the same answer', async () => {
    const session = newSession();
    const [instant, proof] = provenAt(at(0), 'sign in', 'github', '583231', 'victim@example.com', hashed(session));
    const answers = new Set<string>();
    for (const guess of [
      proof.replace(/^./, (c) => (c === '0' ? '1' : '0')),
      proof.replace(/.$/, (c) => (c === '0' ? '1' : '0')),
      proof.slice(0, 63),
      `${proof}0`,
      proof.toUpperCase(),
      ` ${proof}`,
      'x',
    ])
      answers.add(
        await login
          .query('select api_human.sign_in($1, $2, $3, $4, $5, $6)', [
            'github',
            '583231',
            'victim@example.com',
            session,
            instant,
            guess,
          ])
          .then(
            () => 'in',
            ({ code, message, hint, detail, where }: pg.DatabaseError) =>
              JSON.stringify({ code, message, hint, detail, where }),
          ),
      );
    // a subject that nobody has, and one that somebody has, are refused alike
    for (const subject of ['583231', 'nobody'])
      answers.add(
        await login
          .query('select api_human.sign_in($1, $2, $3, $4, $5, $6)', [
            'github',
            subject,
            'victim@example.com',
            session,
            instant,
            'x',
          ])
          .then(
            () => 'in',
            ({ code, message, hint, detail, where }: pg.DatabaseError) =>
              JSON.stringify({ code, message, hint, detail, where }),
          ),
      );

    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toContain('ZHPRF');
  });
});

describe('becoming another role, or deceiving a function', () => {
  test('by set role or session authorization', async () => {
    const roles = await hill.rows<{ rolname: string }>('select rolname from pg_roles where rolname <> $1', [
      new URL(hill.url('web')).username,
    ]);
    for (const { rolname } of roles)
      for (const text of [
        `set role ${pg.escapeIdentifier(rolname)}`,
        `set session authorization ${pg.escapeIdentifier(rolname)}`,
      ])
        await expect(login.query(text), text).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|0L000)$/) });
    for (const text of [
      'alter role current_user superuser',
      'alter role current_user createrole',
      `grant hill_owner to ${pg.escapeIdentifier(new URL(hill.url('web')).username)}`,
    ])
      await fails(forbidden, text);
  });

  test('by objects of its own: it can make none, for a session or for good', async () => {
    for (const text of [
      'create temp table proof_keys (inner_block bytea, outer_block bytea)',
      'create temp view sign_ins as select 1',
      "create function pg_temp.sha256(bytea) returns bytea language sql as $$ select '' $$",
      'create function public.sha256(bytea) returns bytea language sql as $$ select $1 $$',
      'create schema engine_too',
      'create table public.human_sessions (x text)',
      'create operator public.= (leftarg = bytea, rightarg = bytea, function = byteaeq)',
      'create table api_human.sign_ins (x text)',
      'create extension pgcrypto schema pg_catalog',
      "do language plpgsql $$ begin execute 'create temp table t (x text)'; end $$",
    ])
      await fails(forbidden, text);
  });

  test('by settings: the actor, the path, the bell, the role’s own defaults', async () => {
    const { username } = new URL(hill.url('web'));
    await login.query('begin');
    for (const [name, value] of [
      ['hill.account_id', victim.account_id],
      ['hill.accounts', `{${victim.account_id}}`],
      ['hill.staff_session', 'x'],
      ['hill.bell', 'ringing'],
      ['search_path', 'oauth, hill, engine, public, pg_catalog'],
      ['plan_cache_mode', 'force_custom_plan'],
    ])
      await login.query('select set_config($1, $2, false)', [name, value]);
    await login.query('commit');
    await login.query(
      `alter role ${pg.escapeIdentifier(username)} in database ${hill.name} set search_path = 'oauth, public, pg_catalog'`,
    );
    await fails(refused, 'select api_human.sign_in($1, $2, $3, $4, $5, $6)', [
      'github',
      '583231',
      'victim@example.com',
      newSession(),
      at(0),
      'a'.repeat(64),
    ]);
    await fails(refused, 'select api_human.top_up($1, 2000, $2, $2, $3, $2)', [own.session, 'x', at(0)]);
    await fails(['ZHTOK'], 'select api_human.account($1)', ['x']);
    expect((await login.query('select api_human.account($1) as account', [own.session])).rows[0].account).toMatchObject(
      {
        account_id: own.account_id,
      },
    );
    await login.query(`alter role ${pg.escapeIdentifier(username)} in database ${hill.name} reset all`);
    await login.query('set row_security = off'); // asks for an error instead of fewer rows
    await fails(forbidden, 'select api_human.account($1)', [victim.session]);
  });

  test('by listening: no transaction of the hill notifies, and none that adds a job', async () => {
    const notifying = "from pg_proc where prosrc ~ 'pg_notify' and pronamespace::regnamespace::text";
    expect(
      await hill.rows(`select oid::regprocedure as name ${notifying} !~ '^(pg_catalog|graphile_worker)$'`),
    ).toEqual([]);
    const silent = ['search_path=graphile_worker, pg_catalog, pg_temp'];
    const ofJobs = await hill.rows<{ proconfig: string[] }>(`select proconfig ${notifying} = 'graphile_worker'`);
    expect(ofJobs.length).toBeGreaterThan(1);
    for (const { proconfig } of ofJobs) expect(proconfig).toEqual(silent);

    const heard: unknown[] = [];
    login.on('notification', (notification) => heard.push(notification));
    await login.query('listen "jobs:insert"; listen heard');
    await hill.as('worker').query("select graphile_worker.add_job('deliver')");
    await hill.rows('notify heard');
    await expect.poll(() => heard).toMatchObject([{ channel: 'heard' }]);
  });
});

describe('taking what is another’s', () => {
  test('claim: it is approved, refused, polled and begun again with its tokens alone', async () => {
    const attempt = attemptOf(claim);
    // the page's token may leak; its human's session does not
    expect(await call(login, 'api_human.look_at_claim', { session: own.session, attempt_token: attempt })).toEqual({
      outcome: 'wrong_account',
    });
    for (const name of ['approve_claim', 'refuse_claim']) {
      const more = name === 'approve_claim' ? { user_code: claim.claim_attempt.user_code } : {};
      expect(await call(login, `api_human.${name}`, { session: own.session, attempt_token: attempt, ...more })).toEqual(
        {
          outcome: 'wrong_account',
        },
      );
      await fails(
        ['ZHTOK'],
        `select api_human.${name}(${['$1', '$2', ...Object.keys(more).map(() => '$3')].join(', ')})`,
        [newSession(), attempt, ...Object.values(more)],
      );
    }
    expect(
      await call(login, 'api_oauth.redeem_claim', {
        claim_token: claimToken,
        access_token: 'mine',
        assertion: 'mine too',
        audience: 'x',
      }),
    ).toBe(false);
    expect(
      await call(login, 'api_oauth.redeem_claim', {
        claim_token: 'x',
        access_token: 'mine',
        assertion: 'mine too',
        audience: 'x',
      }),
    ).toBe(false);
    expect(await call(login, 'api_oauth.poll_claim', { claim_token: 'x' })).toEqual({ outcome: 'invalid_grant' });
    expect(await hill.rows('select status from oauth.claim_attempts')).toEqual([{ status: 'initiated' }]);
  });

  test('device’s code: it is not found by its letters, and approved by nobody without a session', async () => {
    const { client_id } = await device.register();
    const { user_code, device_code } = succeeded(await device.ask(client_id));
    const letters = user_code.replace('-', '');
    for (const typed of [user_code, letters, letters.toLowerCase()])
      expect(await call(login, 'api_human.look_at_device', { session: own.session, user_code: typed })).toEqual({
        outcome: 'unknown',
      });
    // what the database keeps is a hash of what the secret derives: the letters do not lead to it, nor it to them
    const kept = keptUserCode(parseConfig({ HILL_SIGNING_SECRET: secret }))(user_code);
    for (const text of ['select * from oauth.device_codes', 'select user_hash from oauth.device_codes'])
      await fails(forbidden, text);
    for (const [name, more] of [
      ['look_at_device', ''],
      ['approve_device', ", 'Mallory'"],
      ['refuse_device', ''],
    ])
      await fails(['ZHTOK'], `select api_human.${name}($1, $2${more})`, [newSession(), kept]);
    expect(
      await call(login, 'api_oauth.redeem_device', { device_code, client_id, access_token: 'a', refresh_token: 'b' }),
    ).toBe(false);
    // even with the code, it is the own account that a session approves for
    expect(
      await call(login, 'api_human.approve_device', { session: own.session, user_code: kept, account_name: null }),
    ).toEqual({
      outcome: 'approved',
    });
    expect(await hill.rows('select account_id from oauth.grants where client_id = $1', [client_id])).toEqual([
      { account_id: own.account_id },
    ]);
  });

  test('client, code, assertion or refresh token: an exchange asks for what only its holder has', async () => {
    await call(login, 'api_oauth.register_client', {
      client_id: 'mine',
      client_name: 'x',
      redirect_uris: ['https://evil.example/'],
      scopes: ['hill:read'],
      details: '{}',
    });
    const approve = 'select api_human.approve_client($1, $2, $3, $4, $5, $6, $7)';
    const asked = ['mine', 'a code', 'https://evil.example/', 'x'.repeat(43), ['hill:read', 'hill:play'], 'x'];
    await fails(['ZHTOK'], approve, [newSession(), ...asked]);
    const agents = await hill.rows('select id from hill.agents where account_id <> $1', [own.account_id]);
    await login.query(approve, [own.session, ...asked]);
    expect(await hill.rows('select id from hill.agents where account_id <> $1', [own.account_id])).toEqual(agents); // the own account's alone

    expect(await call(login, 'api_oauth.exchange_code', { code: 'x', access_token: 'a', refresh_token: 'b' })).toBe(
      false,
    );
    expect(
      await call(login, 'api_oauth.exchange_assertion', {
        assertion: 'x',
        access_token: 'a',
        scopes: ['hill:play'],
        audience: 'x',
        next_assertion: null,
      }),
    ).toBe(false);
    expect(
      await call(login, 'api_oauth.refresh', {
        refresh_token: 'x',
        client_id: 'mine',
        access_token: 'a',
        next_token: 'b',
        scopes: [],
        grace_seconds: 9,
      }),
    ).toBe(false);
    await fails(['ZHTOK'], 'select api_agent.whoami($1)', ['a']);
  });

  test('place among the keys that sign: none is added without a proof', async () => {
    const jwk = JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' });
    const key = ['k'.repeat(43), jwk, 'c2VhbGVk', 0, 0];
    const statement = 'select api_oauth.add_signing_key($1, $2, $3, $4, $5, $6, $7)';
    for (const proof of [null, '', 'a'.repeat(64)]) await fails(refused, statement, [...key, at(0), proof]);
    const [instant, proof] = provenAt(at(0), 'signing key', ...key.map(String));
    await fails(refused, statement, ['j'.repeat(43), ...key.slice(1), instant, proof]);
    await fails(refused, statement, [key[0], jwk.replace('"x"', '"z"'), ...key.slice(2), instant, proof]);
    await fails(refused, statement, [...key.slice(0, 3), 0, 1, instant, proof]);
  });

  test('sign receipts of its own: its key is not kept without a proof, nor with one for another key', async () => {
    const key = ['k'.repeat(43), JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: 'x' })];
    const statement = 'select api_oauth.keep_receipt_key($1, $2, $3, $4)';
    for (const proof of [null, '', 'a'.repeat(64)]) await fails(refused, statement, [...key, at(0), proof]);
    await fails(refused, statement, [...key, ...provenAt(at(0), 'signing key', ...key)]);
    await fails(refused, statement, ['j'.repeat(43), key[1], ...provenAt(at(0), 'receipt key', ...key)]);
  });
});

// What the login may call is listed here, so that whoever adds a function judges it as the attacker would.
describe('every function that it may call', () => {
  /**
   * Anybody may, through the doors: they read what is public, count, or keep what the caller brings and nobody else
   * relies on.
   */
  const harmless = new Set(
    [
      'admit client_name begin_claim exchange_assertion exchange_code find_client keep_document_client lifetimes look_at_code look_at_refresh poll_claim redeem_claim',
      'refresh register_anonymous register_client revoke_token signing_keys receipt_keys',
      'begin_device poll_device redeem_device',
    ]
      .join(' ')
      .split(' ')
      .map((name) => `api_oauth.${name}`),
  );
  /** Of the human's own, by a token that was shown or mailed once; for practice, by that of a claim's page. */
  const byToken = new Set([
    ...['api_human.feed', 'api_human.confirm_mail', 'api_human.stop_mail'],
    'api_human.practice_claim',
  ]);
  // what Stripe has signed, for which its signature is the proof; and whether that can be verified
  harmless.add('api_human.take_stripe_event').add('api_human.stripe_key_set');
  const callable = () =>
    login.query<{ name: string; first: string | null; names: string[]; types: string[] }>(
      `select p.pronamespace::regnamespace || '.' || p.proname as name, p.proargnames[1] as first, coalesce(p.proargnames[1:p.pronargs], '{}') as names,
              array(select format_type(t, null) from unnest(p.proargtypes) with ordinality a (t, n) order by n) as types
         from pg_proc p
        where has_function_privilege(p.oid, 'execute') and has_schema_privilege(p.pronamespace, 'usage')
          and p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema') order by 1`,
    );

  test('reads what is public, or asks for a token, a session or a proof', async () => {
    const { rows } = await callable();
    const judged = (row: (typeof rows)[number]) =>
      row.names.includes('proof')
        ? 'proof'
        : row.name.startsWith('api_public.')
          ? 'public'
          : row.name.startsWith('api_agent.') && (row.first === 'token' || row.first === 'tokens')
            ? 'token'
            : byToken.has(row.name) || (row.name.startsWith('api_human.') && row.first === 'session')
              ? 'session'
              : harmless.has(row.name)
                ? 'harmless'
                : 'not judged';

    expect(rows.filter((row) => judged(row) === 'not judged').map(({ name }) => name)).toEqual([]);
    expect([...harmless].filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
    expect(rows.filter((row) => judged(row) === 'proof').map(({ name }) => name)).toEqual([
      'api_human.add_sign_in',
      'api_human.prove_new_sign_in',
      'api_human.secret_fits',
      'api_human.sign_in',
      'api_human.top_up',
      'api_oauth.add_signing_key',
      'api_oauth.keep_receipt_key',
    ]);
  });

  test('knows nobody by a made-up token or session, whatever the connection says of itself', async () => {
    const { rows } = await callable();
    const asked = rows.filter(
      ({ name, first }) => /^api_(agent|human)\./.test(name) && ['token', 'tokens', 'session'].includes(String(first)),
    );
    expect(asked.length).toBeGreaterThan(30);
    const before = await state();
    await login.query(
      "select set_config('hill.account_id', $1, false), set_config('hill.accounts', array[$1]::text, false)",
      [ann.id],
    );
    for (const { name, first, names, types } of asked) {
      const many = first === 'tokens'; // lists of one call
      const none = (type?: string) => (many ? `array[null]::${type}` : `null::${type}`);
      const list = names.map((argument, i) => `${argument} => ${i > 0 ? none(types[i]) : many ? 'array[$1]' : '$1'}`);
      const answer = await login.query(`select ${name}(${list.join(', ')}) as answer`, [newSession()]).then(
        // what refuses without an error says so
        ({ rows: [row] }) => [row.answer].flat()[0]?.refused?.state ?? row.answer,
        ({ code }) => code,
      );
      expect(name === 'api_human.sign_out' ? [''] : ['ZHTOK'], name).toContain(answer);
    }
    expect(await state()).toEqual(before);
  });
});

describe('the secret', () => {
  const other = 'another secret, of more than thirty-two characters';

  test('fits or not, and a proof of that proves nothing else', async () => {
    expect([await secretFits(hill.as('web'), secret), await secretFits(hill.as('web'), other)]).toEqual([true, false]);
    expect(await secretFits(hill.as('worker'), secret, 'api_worker')).toBe(true);
  });

  test('may change: proofs under the one before are refused from then on, and nobody is signed out', async () => {
    await keepProofKey(other, hill.ownerUrl);
    try {
      expect([await secretFits(hill.as('web'), secret), await secretFits(hill.as('web'), other)]).toEqual([
        false,
        true,
      ]);
      await expect(signIn(hill.as('web'), victims)).rejects.toMatchObject({ code: 'ZHPRF' });
      const session = newSession();
      const proof = prover(() => other)('sign in', 'github', '583231', 'victim@example.com', hashed(session));
      const again = await call<SignedIn>(hill.as('web'), 'api_human.sign_in', { ...victims, session, ...proof });
      expect(again.account_id).toBe(victim.account_id);
      expect(await call(hill.as('web'), 'api_human.account', { session: victim.session })).toMatchObject({
        account_id: victim.account_id,
      });
    } finally {
      await keepProofKey(secret, hill.ownerUrl);
    }
    await expect(signIn(hill.as('web'), victims)).resolves.toMatchObject({ account_id: victim.account_id });
  });

  test('makes the same proofs here and in SQL, of any text', async () => {
    for (const fields of [[], [''], ['', ''], ['é', '😀'], ['3:abc,'], ['a,', '1:b'], ['x'.repeat(10_000)]]) {
      const [{ bytes } = { bytes: '' }] = await hill.rows<{ bytes: string }>(
        "select convert_from(engine.proof_message('p', $1), 'UTF8') as bytes",
        [fields],
      );
      expect(bytes).toBe(['p', ...fields].map((field) => `${Buffer.byteLength(field)}:${field},`).join(''));
    }
  });
});
