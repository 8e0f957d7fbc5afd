// The hill's locks are the hill's: a DBA, the console's login and the web's can neither take them nor learn from them
// who deposits. Rules 9.2.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';

const hill = useHill();
const attackers: Record<string, () => pg.Pool> = {};
let ann: Account;
let bob: Account;

beforeAll(async () => {
  [ann, bob] = [
    await anAccount(hill, { name: 'Ann', credits: 9000 }),
    await anAccount(hill, { name: 'Bob', credits: 9000 }),
  ];
  const [dba, password] = [`jane_${randomBytes(4).toString('hex')}`, randomBytes(12).toString('hex')];
  await hill.admin.query(`create role ${dba} login password '${password}' in role hill_dba`);
  await hill.admin.query(`grant connect on database ${hill.name} to ${dba}`);
  const jane = hill.pool(Object.assign(new URL(hill.ownerUrl), { username: dba, password }).href, 4);
  Object.assign(attackers, {
    'a DBA': () => jane,
    'the console': () => hill.as('console'),
    'the web': () => hill.as('web'),
  });
});

const names = ['a DBA', 'the console', 'the web'];
const modes = [
  'access share',
  'row share',
  'row exclusive',
  'share update exclusive',
  'share',
  'share row exclusive',
  'exclusive',
  'access exclusive',
];

/** Every way to hold something, in a session that stays open, and what each was told. */
async function takeWhatItCan(client: pg.PoolClient, as: string): Promise<Map<string, string>> {
  const told = new Map<string, string>();
  const tables = ['hill.day_lock', 'hill.locks', 'hill.reservations', 'hill.sealed_moves', 'hill.log_waiting'];
  const statements = [
    ...tables.flatMap((table) => modes.map((mode) => `lock table ${table} in ${mode} mode`)),
    ...tables.flatMap((table) =>
      ['for update', 'for no key update', 'for share', 'for key share'].map((how) => `select 1 from ${table} ${how}`),
    ),
    'select engine.try_day()',
    `select trusted.lock_one('boards')`,
    `select trusted.lock_account('${ann.id}')`,
    `select trusted.take_instant('${ann.id}')`,
    ...[
      'hill.accounts',
      'hill.wallets',
      'hill.mandates',
      'hill.nights',
      'hill.settings',
      'oauth.access_tokens',
    ].flatMap((table) => [
      `lock table ${table} in exclusive mode`,
      `select 1 from ${table} for update`,
      `select 1 from ${table} for key share`,
    ]),
  ];
  await client.query('begin');
  if (as === 'the console') await client.query('set local role hill_staff');
  for (const statement of statements) {
    await client.query('savepoint one');
    await client.query(statement).then(
      () => told.set(statement, 'done'),
      (error: pg.DatabaseError) => told.set(statement, error.code ?? ''),
    );
    if (told.get(statement) !== 'done') await client.query('rollback to savepoint one');
  }
  // nothing here uses advisory locks, and enough of them would leave no room for any other
  await client.query('savepoint one');
  await expect(client.query('select pg_advisory_lock(1212763212)')).rejects.toMatchObject({ code: '42501' });
  await client.query('rollback to savepoint one');
  return told;
}

describe.each(names)('%s', (name) => {
  test('can take no lock that a deposit or a bell needs', async () => {
    const client = await (attackers[name] as () => pg.Pool)().connect();
    try {
      const told = await takeWhatItCan(client, name);

      // to look at a table that it may read is all, and that conflicts with nothing that the hill does at a bell or a
      // deposit
      expect([...told].filter(([, answer]) => answer === 'done').map(([statement]) => statement)).toEqual([]);
      await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: name });
      await hill.clock.ringBell();
      await hill.asWorker().playHouse();
      expect(await hill.rows('select max(day) as day from hill.boards')).toEqual(
        await hill.rows('select max(day) as day from hill.nights'),
      );
    } finally {
      await client.query('rollback');
      client.release(true);
    }
  });

  test('cannot tell from pg_locks which account deposits', async () => {
    const client = await (attackers[name] as () => pg.Pool)().connect();
    const seen: unknown[] = [];
    try {
      for (const account of [ann, bob]) {
        const deposit = await hill.as('web').connect();
        try {
          // the first deposit of a connection also locks what its plans choose among, so it is the second one that is
          // looked at
          for (const statement of ['begin', 'rollback; begin']) {
            await deposit.query(statement);
            await deposit.query(`select api_agent.play($1, 2, 'PEACE', message => $2)`, [account.token, name]);
          }
          const pid = (await deposit.query('select pg_backend_pid() as pid')).rows[0].pid;
          await expect(client.query('select from pg_locks')).rejects.toMatchObject({ code: '42501' });
          // nor could it, where sql/harden.sql was never run
          const { rows } = await hill.root.query(
            `select locktype, relation::regclass::text, page, tuple, classid, objid, objsubid, mode, granted from pg_locks
              where pid = $1 and locktype not in ('virtualxid', 'transactionid') and coalesce(relation::regclass::text, '') not like 'pg%' order by 1, 2, 8`,
            [pid],
          );
          expect(rows.filter(({ locktype }) => locktype !== 'relation')).toEqual([]);
          seen.push(rows);
        } finally {
          await deposit.query('rollback');
          deposit.release(true);
        }
      }
    } finally {
      client.release();
    }
    expect(seen[1]).toEqual(seen[0]);
  });
});
