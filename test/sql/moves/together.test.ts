// Deposits that travel together: each has its own caller, its own answer and its own row, as if it had come alone.
// Decisions 315.
import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BatchAnswer, playMany, unsalted } from '../../support/hill/doors.ts';
import {
  type Account,
  anAccount,
  anotherAgent,
  call,
  closeAccount,
  type PlayArgs,
  type Receipt,
  refusal,
  refusalOf,
  useHill,
} from '../../support/hill/index.ts';
import { aRandomMove } from '../../support/hill/random-play.ts';
import { randomFrom, seed } from '../../support/random.ts';
import { until } from '../../support/until.ts';

const hill = useHill();
const batches = Number(process.env.HILL_TEST_BATCHES ?? 12);

type Call = PlayArgs & { token: string };

const codes = new Map<string, string>();
beforeAll(async () => {
  for (const { state, code } of await hill.rows<{ state: string; code: string }>(
    'select state, code from engine.errors()',
  ))
    codes.set(state, code);
});

/** A receipt, or in a word what the call was told. */
const told = (answer: BatchAnswer) =>
  'busy' in answer ? 'busy' : 'refused' in answer ? (codes.get(answer.refused.state) ?? answer.refused.state) : answer;

describe('a batch', () => {
  test('answers each call in its place, and keeps an account and a token of nobody out', async () => {
    const [ann, bob, carl, dora] = await Promise.all([0, 1, 2, 3].map(() => anAccount(hill, { credits: 5000 })));
    const reader = await anAccount(hill);
    await hill.rows(`update oauth.access_tokens set scopes = '{hill:read}' where token_hash = engine.hash_token($1)`, [
      reader.token,
    ]);
    const closed = await anAccount(hill);
    await closeAccount(hill, closed);

    const answers = await playMany(hill.as('web'), [
      { token: (ann as Account).token, slot: 1, move: 'PEACE' },
      { token: 'nobody', slot: 1, move: 'PEACE' },
      { token: (bob as Account).token, slot: 2, move: 'WAR', stake_cents: 900, message: 'Mine' },
      { token: reader.token, slot: 1, move: 'PEACE' },
      { token: closed.token, slot: 1, move: 'PEACE' },
      { token: (ann as Account).token, slot: 2, move: 'PEACE' },
      { token: (dora as Account).token, slot: 99, move: 'PEACE' },
      { token: (carl as Account).token, slot: 3, move: 'PEACE' },
    ]);

    expect(answers.map(told)).toEqual([
      expect.objectContaining({ slot: 1, move: 'PEACE', moves_left: 3 }),
      'INVALID_TOKEN',
      expect.objectContaining({ slot: 2, move: 'WAR', stake_cents: 900, message: 'Mine' }),
      'INSUFFICIENT_SCOPE',
      'ACCOUNT_CLOSED',
      'busy', // the second of an account goes with the next batch
      'INVALID_ARGUMENT',
      expect.objectContaining({ slot: 3, move: 'PEACE' }),
    ]);
    const rows = await hill.rows<{ account_id: string; agent_id: string }>(
      'select account_id, agent_id from hill.sealed_moves order by seq',
    );
    // numbers and instants in the order of arrival
    expect(rows).toEqual([ann, bob, carl].map((account) => ({ account_id: account?.id, agent_id: account?.agentId })));
    expect(
      await hill.rows(
        'select 1 from (select at < lag(at) over (order by seq) as back from hill.sealed_moves) m where back',
      ),
    ).toEqual([]);
  });

  test('has at most 64 calls, and lists of one length', async () => {
    const one = { token: 'nobody', slot: 1, move: 'PEACE' };
    expect(
      (
        await playMany(
          hill.as('web'),
          Array.from({ length: 64 }, () => one),
        )
      ).map(told),
    ).toEqual(Array(64).fill('INVALID_TOKEN'));
    expect(
      (
        await refusal(
          playMany(
            hill.as('web'),
            Array.from({ length: 65 }, () => one),
          ),
        )
      ).code,
    ).toBe('INVALID_ARGUMENT');
    const uneven = {
      tokens: ['nobody'],
      slots: [1, 2],
      moves: ['PEACE'],
      stakes: [null],
      messages: [null],
      days: [null],
    };
    expect((await refusal(call(hill.as('web'), 'api_agent.play_many', uneven))).code).toBe('INVALID_ARGUMENT');
    expect((await refusal(call(hill.as('web'), 'api_agent.play_many', { ...uneven, slots: null }))).code).toBe(
      'INVALID_ARGUMENT',
    );
    expect((await refusal(playMany(hill.as('web'), []))).code).toBe('INVALID_ARGUMENT');
  });

  test('goes past an account that is held, and nobody waits for it; alone, its call waits', async () => {
    const [ann, stuck, bob] = (await Promise.all([0, 1, 2].map(() => anAccount(hill, { credits: 5000 })))) as [
      Account,
      Account,
      Account,
    ];
    await hill.asRoot(async (holder) => {
      await holder.query('begin');
      await holder.query('select trusted.lock_account($1)', [stuck.id]);
      const calls = [ann, stuck, bob].map(({ token }) => ({ token, slot: 5, move: 'PEACE' }));
      expect((await playMany(hill.as('web'), calls)).map(told)).toEqual([
        expect.objectContaining({ slot: 5 }),
        'busy',
        expect.objectContaining({ slot: 5 }),
      ]);
      expect(await call(hill.as('web'), 'api_agent.play', { ...calls[1], waits: false })).toEqual({ busy: true });
      const alone = hill.asAgent(stuck).play({ slot: 5, move: 'PEACE' });
      await until(
        'it waits',
        async () => (await hill.rows("select from pg_locks where not granted and locktype = 'transactionid'")).length,
      );
      await holder.query('rollback');
      expect(await alone).toMatchObject({ slot: 5 });
    });
  });

  test('that comes while the bell rings is refused call by call', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    const barred = await anAccount(hill, { credits: 5000, suspended: true });
    await hill.asRoot(async (bell) => {
      await bell.query('begin; lock table hill.day_lock in exclusive mode');
      const calls = [ann.token, 'nobody', barred.token].map((token) => ({ token, slot: 5, move: 'PEACE' }));
      expect((await playMany(hill.as('web'), calls)).map(told)).toEqual([
        'BELL_RINGING',
        'INVALID_TOKEN',
        'ACCOUNT_SUSPENDED',
      ]);
      await bell.query('rollback');
    });
  });
});

/** All that deposits leave behind, but for numbers and instants. */
async function left(client: pg.ClientBase) {
  const { rows: moves } = await client.query(
    `select day, account_id, agent_id, slot, move, stake_cents, cost_cents, message, ended, ended_at is null as live,
            dense_rank() over (order by at) as instant
       from hill.sealed_moves order by seq`,
  );
  const { rows: reservations } = await client.query(
    'select account_id, day, cents, peace, war, moves, acted_at is null as idle from hill.reservations order by account_id',
  );
  return { moves, reservations };
}

/** What a call gives alone, in a transaction that goes on. */
async function alone(client: pg.ClientBase, each: Call): Promise<unknown> {
  await client.query('savepoint alone');
  try {
    return unsalted(await call<Receipt>(client, 'api_agent.play', each));
  } catch (thrown) {
    await client.query('rollback to alone');
    const { code, message, hint, detail } = refusalOf(thrown);
    return { code, message, hint, detail };
  }
}

/** The same of an answer in a batch. */
const asAlone = (answer: BatchAnswer) => {
  if (!('refused' in answer)) return unsalted(answer);
  const { state, ...refused } = answer.refused;
  return { ...refused, code: codes.get(state) };
};

describe('the property', () => {
  test(`random batches give what their calls give one by one (HILL_SEED=${seed})`, async () => {
    const random = randomFrom(seed);
    const slots = [1, 2, 3, 4, 10];
    const accounts: Account[] = [];
    for (let i = 0; i < 14; i++) {
      const account = await anAccount(hill, {
        credits: random.pick([200, 700, 2500, 9000]),
        granted: random.pick([[], [300]]),
        daily_cap_cents: random.pick([500, 1000, 4000]),
        max_stake_cents: random.pick([850, 1500]),
        suspended: random.chance(0.1),
        barred: random.chance(0.1),
      });
      accounts.push(account, ...(random.chance(0.3) ? [await anotherAgent(hill, account)] : []));
    }
    await hill.rows('update hill.places set opens_day = 3 where slot = 10');
    const cut = random.pick(accounts);
    await hill.rows('update hill.agents set cut_at = engine.now() where id = $1', [cut.agentId]);
    const seen = new Set<unknown>();

    for (let round = 0; round < batches; round++) {
      // nights between make holders with rents, and days that are past
      if (round > 0 && round % 4 === 0) await hill.clock.ringBell();
      const calls: Call[] = random
        .shuffle(accounts)
        .slice(0, 1 + random.below(accounts.length))
        .filter(({ id }, n, chosen) => chosen.findIndex((one) => one.id === id) === n)
        .map(({ token }) => ({
          token: random.chance(0.05) ? 'nobody' : token,
          ...aRandomMove(random, slots),
          ...(random.chance(0.05) ? { slot: random.pick([0, 11, null]) } : {}),
          ...(random.chance(0.05)
            ? { stake_cents: random.pick([1, 9_000_000_000_000_000, '9223372036854775807']) }
            : {}),
          ...(random.chance(0.05) ? { message: random.pick(['two\nlines', 'x'.repeat(141), '']) } : {}),
          ...(random.chance(0.1) ? { day: random.pick([1, 2, 3]) } : {}),
        }));
      await hill.asRoot(async (client) => {
        await client.query('begin');
        const together = await playMany(client, calls);
        const afterAll = await left(client);
        await client.query('rollback; begin');
        const one_by_one: unknown[] = [];
        for (const each of calls) one_by_one.push(await alone(client, each));
        expect(together.map(asAlone)).toEqual(one_by_one);
        expect(afterAll).toEqual(await left(client));
        await client.query('commit');
        for (const answer of together) seen.add(typeof told(answer) === 'string' ? told(answer) : 'receipt');
      });
    }
    // whatever the seed: some of both
    expect(seen).toContain('receipt');
    expect(seen.size).toBeGreaterThan(1);
  });
});

// A planner takes some dozens of rows for few: it would read all of them, for each deposit.
test('a batch on a small hill reads its own agents and tokens alone', async () => {
  const ann = await anAccount(hill, { credits: 5000 });
  await hill.asRoot(async (root) => {
    await root.query('begin');
    await root.query(
      `with others as (
         insert into hill.agents (account_id, name, model, created_at)
         select a.account_id, 'Agent ' || n, a.model, a.created_at
           from hill.agents a cross join generate_series(1, 60) n where a.id = $1 returning id)
       insert into oauth.access_tokens
       select (jsonb_populate_record(t, o.own)).*
         from oauth.access_tokens t
        cross join lateral (
          select jsonb_build_object('agent_id', id, 'token_hash', sha256(id::text::bytea)) as own from others) o
        where t.agent_id = $1`,
      [ann.agentId],
    );
    await root.query('analyze hill.agents, oauth.access_tokens');
    const read = async () =>
      (
        await root.query<{ rows: number }>(`
          select sum(seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_xact_user_tables
           where relid in ('hill.agents'::regclass, 'oauth.access_tokens'::regclass)`)
      ).rows[0]?.rows as number;
    const before = await read();
    expect((await playMany(root, [{ token: ann.token, slot: 1, move: 'PEACE' }])).map(told)).toEqual([
      expect.objectContaining({ slot: 1 }),
    ]);
    expect((await read()) - before).toBeLessThan(10);
    await root.query('rollback');
  });
});

describe('an actor of a batch', () => {
  let ann: Account;
  let bob: Account;
  const both = () => [ann, bob].map(({ token }) => ({ token, slot: 6, move: 'PEACE' }));

  beforeAll(async () => {
    [ann, bob] = (await Promise.all([0, 1].map(() => anAccount(hill, { credits: 5000 })))) as [Account, Account];
  });

  test.each([
    ['a move', 'sealed_moves', 'new.account_id := %L; new.agent_id := %L', '42501'],
    ['a reservation', 'reservations', 'new.account_id := %L', '42501'],
    [
      'an end of a move',
      'sealed_moves',
      "update hill.sealed_moves set ended = 'replaced' where account_id = %L",
      'not found',
    ],
  ])('plants nothing on the caller before: %s', async (_what, table, statement, outcome) => {
    await hill.asRoot(async (root) => {
      await root.query('begin');
      const { rows } = await root.query('select format($1, $2::text, $3::text) as planted', [
        statement,
        ann.id,
        ann.agentId,
      ]);
      // as a rule would that is wrong
      await root.query(`
        create function pg_temp.plant() returns trigger language plpgsql as $$
        begin
          if new.account_id = '${bob.id}' then ${rows[0].planted}; end if;
          return new;
        end $$;
        create trigger plant before insert or update on hill.${table} for each row execute function pg_temp.plant()`);
      const crossed = await playMany(root, both()).then(
        async () =>
          (await root.query('select account_id as of, ended from hill.sealed_moves where slot = 6 order by seq')).rows,
        ({ code }: pg.DatabaseError) => code,
      );
      await root.query('rollback');
      // where the row was not found, the caller before has what it had
      expect(crossed).toEqual(
        outcome === 'not found' ? [ann, bob].map(({ id }) => ({ of: id, ended: null })) : outcome,
      );
    });
  });

  test('leaves nobody behind: not for a call that is refused, and not after the batch', async () => {
    await hill.asAgent(ann).play({ slot: 6, move: 'PEACE' });
    await hill.asOwnerOf('hill_api_agent', async (client) => {
      const seen = async () =>
        (await client.query('select account_id from hill.sealed_moves union all select account_id from hill.wallets'))
          .rowCount;
      await client.query("select engine.enter_agents($1, 'hill:play')", [[ann.token]]);
      expect(await seen()).toBe(2);
      await client.query("select engine.enter_agents('{nobody}', 'hill:play')");
      expect(await seen()).toBe(0);
      await playMany(client, both());
      expect(await seen()).toBe(0);
    });
  });

  test('is not one that the connection names', async () => {
    const login = await hill.as('web').connect();
    try {
      await login.query("select set_config('hill.account_id', $1, false)", [bob.id]);
      expect(
        (
          await playMany(login, [
            { token: ann.token, slot: 9, move: 'PEACE' },
            { token: 'nobody', slot: 9, move: 'PEACE' },
          ])
        ).map(told),
      ).toEqual([expect.objectContaining({ slot: 9 }), 'INVALID_TOKEN']);
    } finally {
      login.release(true);
    }
    expect(
      await hill.rows('select account_id, agent_id from hill.sealed_moves where slot = 9 and account_id = any ($1)', [
        [ann.id, bob.id],
      ]),
    ).toEqual([{ account_id: ann.id, agent_id: ann.agentId }]);
  });
});
