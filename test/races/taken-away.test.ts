// What takes away the right to deposit waits for a deposit under way, and a deposit that waits for it is refused: none
// is accepted after the answer. Rules 3.8, 3.11; protocol 6.
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { playMany } from '../support/hill/doors.ts';
import { type Account, anAccount, refusal, useHill } from '../support/hill/index.ts';
import { aCode, aTournament, enter } from '../support/hill/tournaments.ts';
import { pidOf, waits } from '../support/hill/waits.ts';

const hill = useHill();

/** Each in a transaction that is left open; root may do whatever the doors do. */
const takings: [string, string, (client: pg.ClientBase, account: Account) => Promise<unknown>][] = [
  [
    'the cut',
    'INVALID_TOKEN',
    (client, { session, agentId }) => client.query('select api_human.cut_agent($1, $2)', [session, agentId]),
  ],
  [
    'a mandate',
    'OVER_DAILY_CAP',
    (client, { session }) => client.query('select api_human.set_mandate($1, 0, 0)', [session]),
  ],
  [
    'a weekly cap',
    'WEEKLY_CAP',
    (client, { session }) => client.query('select api_human.set_weekly_cap($1, 0)', [session]),
  ],
  [
    'a pause',
    'PAUSED',
    (client, { session }) =>
      client.query(`select api_human.pause($1, (engine.now() at time zone 'UTC')::date + 1)`, [session]),
  ],
  [
    'a suspension',
    'ACCOUNT_SUSPENDED',
    async (client, { id }) => {
      await client.query(
        `insert into oauth.staff_sessions values (sha256('a session of staff'), 'Sam', now(), now() + interval '1 hour', null) on conflict do nothing`,
      );
      await client.query(`select set_config('hill.staff_session', 'a session of staff', true)`);
      await client.query(`select api_staff.suspend_account($1, true, 'it floods')`, [id]);
    },
  ],
  [
    'a revocation by the client',
    'INVALID_TOKEN',
    (client, { token }) => client.query(`select api_oauth.revoke_token($1, null)`, [token]),
  ],
  [
    'the end of a chain of refresh tokens',
    'INVALID_TOKEN',
    (client, { token }) =>
      client.query(
        'select engine.end_chain(t.chain_id) from oauth.access_tokens t where t.token_hash = engine.hash_token($1)',
        [token],
      ),
  ],
];

/** With a grant and a chain, as if it had come by the authorization server. */
async function aClientOf(): Promise<Account> {
  const ann = await anAccount(hill, { credits: 5000 });
  await hill.rows(
    `with client as (insert into oauth.clients (id, kind, name, scopes, created_at) values ($1::text, 'registered', 'A client', '{hill:play}', engine.now()) returning id),
          held as (insert into oauth.grants (client_id, account_id, agent_id, scopes, created_at, last_used_at)
                   select c.id, $1::uuid, $2::uuid, '{hill:read,hill:play}', engine.now(), engine.now() from client c returning id),
          chain as (insert into oauth.refresh_chains (grant_id, scopes, audience, created_at)
                    select h.id, '{hill:read,hill:play}', 'https://hill.test/mcp', engine.now() from held h returning id, grant_id)
     update oauth.access_tokens t set grant_id = c.grant_id, chain_id = c.id from chain c where t.token_hash = engine.hash_token($3)`,
    [ann.id, ann.agentId, ann.token],
  );
  return ann;
}

describe.each(takings)('%s', (_, code, take) => {
  test('waits for a deposit under way, which stands', async () => {
    const ann = await aClientOf();
    const [deposit, taking] = [await hill.as('web').connect(), await hill.root.connect()];
    try {
      await deposit.query('begin');
      const { rows } = await deposit.query(`select api_agent.play($1, 1, 'PEACE') as receipt`, [ann.token]);
      expect(rows[0].receipt).toMatchObject({ slot: 1, move: 'PEACE' });
      const pid = await pidOf(taking);
      await taking.query('begin');
      const taken = take(taking, ann);
      await waits(hill, pid);
      await deposit.query('commit');
      await taken;
      await taking.query('commit');
    } finally {
      deposit.release();
      taking.release();
    }
    expect(
      await hill.rows('select slot from hill.sealed_moves where account_id = $1 and ended is null', [ann.id]),
    ).toEqual([{ slot: 1 }]);
    expect((await refusal(hill.asAgent(ann).play({ slot: 2, move: 'PEACE' }))).code).toBe(code);
  });

  test('refuses a deposit that was on its way and had to wait for it', async () => {
    const ann = await aClientOf();
    const [deposit, taking] = [await hill.as('web').connect(), await hill.root.connect()];
    try {
      await taking.query('begin');
      await take(taking, ann);
      const pid = await pidOf(deposit);
      const played = deposit.query(`select api_agent.play($1, 1, 'PEACE') -> 'refused' ->> 'state' as state`, [
        ann.token,
      ]);
      await waits(hill, pid);
      await taking.query('commit');
      const registry = await hill.rows<{ state: string }>('select state from engine.errors() where code = $1', [code]);
      expect((await played).rows).toEqual(registry);
    } finally {
      deposit.release();
      taking.release();
    }
    expect(await hill.rows('select 1 from hill.sealed_moves where account_id = $1', [ann.id])).toEqual([]);
  });

  test('lets a batch past: the others deposit, its own call is told to come alone, and is refused then', async () => {
    const [bob, ann, carl] = [
      await anAccount(hill, { credits: 5000 }),
      await aClientOf(),
      await anAccount(hill, { credits: 5000 }),
    ];
    const calls = [bob, ann, carl].map(({ token }) => ({ token, slot: 1, move: 'PEACE' }));
    const taking = await hill.root.connect();
    try {
      await taking.query('begin');
      await take(taking, ann);
      expect(await playMany(hill.as('web'), calls)).toEqual([
        expect.objectContaining({ moves_left: 3 }),
        { busy: true },
        expect.objectContaining({ moves_left: 3 }),
      ]);
      await taking.query('commit');
    } finally {
      taking.release();
    }
    expect((await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE' }))).code).toBe(code);
    const [state] = await hill.rows('select state from engine.errors() where code = $1', [code]);
    expect(await playMany(hill.as('web'), calls)).toEqual([
      expect.objectContaining({ moves_left: 3 }),
      { refused: expect.objectContaining(state as object) },
      expect.objectContaining({ moves_left: 3 }),
    ]);
  });
});

describe('what else waits for its account beside the cut is refused, and leaves nothing', () => {
  const calls: [string, (account: Account) => Promise<[call: string, left: string]>][] = [
    ['an announcement', async () => [`api_agent.announce($1, 1, 'PEACE')`, 'hill.announcements']],
    [
      'a sign-up for a tournament',
      async () => [`api_agent.sign_up($1, '${await aTournament(hill)}')`, 'hill.tournament_entries'],
    ],
    [
      'a code',
      async (ann) => {
        const slug = await aTournament(hill, { slug: 'autumn-cup' });
        await enter(hill, ann, slug);
        return [`api_agent.redeem_code($1, '${await aCode(hill, slug)}')`, 'hill.tournament_redemptions'];
      },
    ],
    [
      'a subscription',
      async () => [
        `api_agent.subscribe($1, gen_random_uuid(), 'https://example.com', null, 'c2VhbGVk')`,
        'hill.subscriptions',
      ],
    ],
    ['a profile', async () => [`api_agent.set_profile($1, slug => 'another-slug')`, 'hill.former_slugs']],
  ];

  test.each(calls)('%s', async (_, make) => {
    const ann = await aClientOf();
    const [call, left] = await make(ann);
    const [late, cut] = [await hill.as('web').connect(), await hill.root.connect()];
    try {
      await cut.query('begin');
      await cut.query('select api_human.cut_agent($1, $2)', [ann.session, ann.agentId]);
      const pid = await pidOf(late);
      const refused = refusal(late.query(`select ${call}`, [ann.token]));
      await waits(hill, pid);
      await cut.query('commit');
      expect((await refused).code).toBe('INVALID_TOKEN');
    } finally {
      late.release();
      cut.release();
    }
    expect(await hill.rows(`select 1 from ${left} where account_id = $1`, [ann.id])).toEqual([]);
  });
});
