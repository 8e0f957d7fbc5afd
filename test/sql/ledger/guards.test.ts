// Balances change by transfers and bells, and by nothing else, whoever asks; what is written once stays. Rules 5.5.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Account, anAccount, balanced, books, useHill } from '../../support/hill/index.ts';

const hill = useHill();
let ann: Account;

beforeAll(async () => {
  ann = await anAccount(hill, { credits: 5000, granted: 500, daily_cap_cents: 5000 });
  const bob = await anAccount(hill, { credits: 5000 });
  await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
  await hill.asAgent(ann).play({ slot: 2, move: 'WAR', stake_cents: 900 });
  await hill.asAgent(bob).announce({ slot: 2, intention: 'WAR' });
  await hill.clock.ringBell();
  await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
});

/** Everything that is written, to see that it stays as it is. */
const everything = () =>
  hill.rows(`
    select (select jsonb_agg(w order by w.account_id) from hill.wallets w) as wallets, (select jsonb_agg(l order by l.code) from hill.ledger_accounts l) as service,
           (select jsonb_agg(t order by t.id) from hill.transfers t) as transfers, (select jsonb_agg(l order by l.id) from hill.lots l) as lots,
           (select jsonb_agg(s order by s.account_id) from hill.settlements s) as settlements, (select jsonb_agg(m order by m.seq) from hill.moves m) as moves,
           (select jsonb_agg(n) from hill.nights n) as nights, (select jsonb_agg(s order by s.slot) from hill.seats s) as seats,
           (select jsonb_agg(p order by p.slot) from hill.place_results p) as places`);

const roles = [
  'hill_owner',
  'hill_api_worker',
  'hill_api_human',
  'hill_api_agent',
  'hill_api_staff',
  'hill_staff',
  'hill_dba',
  'hill_worker',
];

const balances: [string, string][] = [
  ['paid credits', 'update hill.wallets set paid_cents = paid_cents + 1'],
  ['granted credits', 'update hill.wallets set granted_cents = 0'],
  ['both against each other', 'update hill.wallets set granted_cents = granted_cents - 1, paid_cents = paid_cents + 1'],
  [
    'credits, as a bell does with its rings',
    'update hill.wallets set paid_cents = paid_cents - 1, ring_day = ring_day + 1',
  ],
  ["what is another's", 'update hill.wallets set account_id = gen_random_uuid()'],
  ['a wallet away', 'delete from hill.wallets'],
  ['all wallets away', 'truncate hill.wallets cascade'],
  ["the service's balance", "update hill.ledger_accounts set balance_cents = balance_cents - 1 where code = 'cash'"],
  [
    "the service's balance of rents",
    "update hill.ledger_accounts set balance_cents = balance_cents - 1 where code = 'rent'",
  ],
  ["the service's account away", 'delete from hill.ledger_accounts'],
];

describe.each(roles)('%s cannot write', (role) => {
  test.each(balances)('%s', async (_, statement) => {
    const before = await everything();

    await expect(hill.asOwnerOf(role, (client) => client.query(statement))).rejects.toMatchObject({
      code: expect.stringMatching(/^(ZHLED|42501)$/),
    });

    expect(await everything()).toEqual(before);
  });
});

const written = [
  'transfers',
  'lots',
  'settlements',
  'moves',
  'nights',
  'seats',
  'place_results',
  'moves_000001',
  'settlements_000001',
];

describe.each(roles)('%s cannot change what is written once', (role) => {
  test.each(written)('in %s', async (table) => {
    const before = await everything();
    const [column] = await hill.rows<{ name: string }>(
      "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and attname in ('at', 'day', 'cents')  order by attnum desc limit 1",
      [`hill.${table}`],
    );

    for (const statement of [
      `update hill.${table} set ${column?.name} = ${column?.name}`,
      `delete from hill.${table}`,
      `truncate hill.${table} cascade`,
    ]) {
      // refused, or, where policies show the role no row, without effect
      const done = await hill
        .asOwnerOf(role, (client) => client.query(statement))
        .catch((error: { code: string }) => error);
      if ('code' in done) expect(done.code).toMatch(/^(ZHLED|42501)$/);
      else expect(done.rowCount).toBe(0);
    }

    expect(await everything()).toEqual(before);
  });
});

describe('a wallet', () => {
  test('starts empty: nobody can bring one with credits in it', async () => {
    await expect(
      hill.asOwnerOf('hill_api_worker', (client) =>
        client.query(
          "with a as (insert into hill.accounts (name, slug, created_at) values ('Rich', 'rich', now()) returning id) insert into hill.wallets (account_id, since, paid_cents) select id, now(), 100 from a",
        ),
      ),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(ZHLED|23503)$/) });
  });

  test('never goes below 0: a transfer that would is refused whole, and the other side with it', async () => {
    const expire = (cents: number) =>
      hill.asOwnerOf('hill_api_worker', (client) =>
        client.query(
          "insert into hill.transfers (day, at, kind, debit_account_id, credit_code, cents, reason) values (2, now(), 'expiry', $1, 'expired', $2, 'too much')",
          [ann.id, cents],
        ),
      );

    await expect(expire(501)).rejects.toMatchObject({ code: '23514' });
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('is there for every transfer, though no foreign key says so of what goes out', async () => {
    await expect(
      hill.asOwnerOf('hill_api_worker', (client) =>
        client.query(
          "insert into hill.transfers (day, at, kind, debit_account_id, credit_code, cents, reason) values (2, now(), 'lapse', gen_random_uuid(), 'lapsed', 1, 'nobody')",
        ),
      ),
    ).rejects.toMatchObject({ code: 'ZHLED' });
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('knows no transfer that is not one of its kinds', async () => {
    const transfer = (columns: string, values: string) =>
      hill.asOwnerOf('hill_api_worker', (client) =>
        client.query(
          `insert into hill.transfers (day, at, cents, reason, ${columns}) values (2, now(), 100, 'odd', ${values})`,
          values.includes('$1') ? [ann.id] : [],
        ),
      );

    for (const [columns, values] of [
      ['kind, debit_account_id, credit_code', "'topup', $1, 'cash'"], // out instead of in
      ['kind, debit_code, credit_account_id', "'topup', 'grants', $1"],
      ['kind, debit_code, credit_account_id', "'grant', 'cash', $1"],
      ['kind, debit_code, credit_code', "'topup', 'cash', 'rent'"],
      ['kind, credit_account_id', "'topup', $1"],
      ['kind, debit_code, credit_account_id', "'gift', 'cash', $1"],
    ] as const)
      await expect(transfer(columns, values), values).rejects.toMatchObject({ code: '23514' });
    expect(await books(hill.root)).toEqual(balanced);
  });
});

describe('the bell', () => {
  test('publishes no night that does not balance, says so, and leaves everything as it was', async () => {
    // what no role can do: a wallet that was written past its guards
    await hill.asRoot((client) =>
      client.query('set session_replication_role = replica; update hill.wallets set paid_cents = paid_cents + 7'),
    );
    const before = await everything();
    await hill.clock.toMidnight();

    await expect(hill.asWorker().ringNextBell()).rejects.toMatchObject({
      code: 'ZHCON',
      message: expect.stringContaining('night 2'),
    });

    expect(await everything()).toEqual(before);
    expect(await hill.rows('select account_id, slot from hill.sealed_moves where ended is null')).toEqual([
      { account_id: ann.id, slot: 3 },
    ]);
    await hill.asRoot((client) =>
      client.query('set session_replication_role = replica; update hill.wallets set paid_cents = paid_cents - 7'),
    );
    expect(await hill.asWorker().ringNextBell()).toMatchObject({ day: 2, moves: 1 });
  });

  test.each([
    [
      'a reservation that no move has made',
      'update hill.reservations set peace = peace + 1, day = 3, cents = cents + 300',
    ],
    ['a live move that nothing was reserved for', 'update hill.reservations set day = 0'],
    [
      'a move that costs another price than was reserved',
      'update hill.reservations set cents = cents + 1 where day = 3',
    ],
  ])('refuses %s', async (_, spoil) => {
    const before = await everything();
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.rows('create table saved as select * from hill.reservations');
    await hill.rows(spoil);
    const [clock] = await hill.rows<{ shown_at: string }>('select shown_at::text from hill.settings');
    await hill.clock.toMidnight();

    await expect(hill.asWorker().ringNextBell()).rejects.toMatchObject({ code: 'ZHCON' });

    expect(await everything()).toEqual(before);
    await hill.rows(
      'update hill.reservations r set day = s.day, cents = s.cents, peace = s.peace from saved s where s.account_id = r.account_id',
    );
    await hill.rows('drop table saved');
    // an error reaches its client before its transaction has let go of the day, and until then the next deposit would
    // be told that the bell is ringing
    await hill.rows('begin; lock table hill.day_lock in exclusive mode; commit');
    await hill.rows('update hill.settings set shown_at = $1', [clock?.shown_at]);
  });
});
