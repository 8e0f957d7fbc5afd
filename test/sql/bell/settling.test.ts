// A large night reaches the wallets after its bell, in pieces. Whoever reads or spends meanwhile has what it took taken
// off. Rules 5.4, 5.5.
import { beforeAll, describe, expect, test } from 'vitest';
import { settleAll } from '../../../src/worker/tasks.ts';
import {
  type Account,
  anAccount,
  balanced,
  books,
  call,
  grant,
  type Hill,
  refusal,
  topUp,
  useHill,
} from '../../support/hill/index.ts';

const settle = (hill: Hill, after: string | null = null) =>
  call<{ after?: string; ringing?: true } | null>(hill.as('worker'), 'api_worker.settle_wallets', { after });
const shown = async (hill: Hill, account: Account) =>
  (
    await hill.rows('select granted_cents, paid_cents, ring_day from hill.wallets where account_id = $1', [account.id])
  )[0];
const wrong = (hill: Hill) =>
  hill.rows(
    `select c.name, c.example
       from (select * from engine.check_balances() union all select * from engine.check_settlements()
             union all select * from engine.check_reputations() union all select * from engine.check_payments()) c
      where c.wrong > 0`,
  );
/** Nothing is out of order, whether wallets show the night or not. */
const sound = async (hill: Hill) => {
  expect(await books(hill.root)).toEqual(balanced);
  expect(await wrong(hill)).toEqual([]);
};
/** A night of four accounts is as large as one of a million. */
const small = async (hill: Hill) => {
  for (const name of ['settled_at_once', 'settling_piece'])
    await hill.root.query(
      `create or replace function engine.${name}() returns integer language sql immutable parallel safe return 2`,
    );
};

describe('a night that is larger than a piece', () => {
  const hill = useHill();
  const unsettled = async () =>
    (await hill.rows<{ night: number | null }>('select engine.unsettled_night() as night'))[0]?.night ?? null;
  const ownState = (account: Account) => hill.asAgent(account).ownState();
  let all: [Account, Account, Account, Account];

  beforeAll(() => small(hill));

  test('is published before the wallets show it, and everybody is told what is left', async () => {
    const make = (name: string) => anAccount(hill, { name, credits: 2000, granted: 500, daily_cap_cents: 100_000 });
    all = [await make('ann'), await make('bob'), await make('cid'), await make('dee')];
    for (const [i, one] of all.entries()) await hill.asAgent(one).play({ slot: i + 1, move: 'PEACE' });
    await hill.clock.toMidnight();
    expect(await hill.asWorker().ringNextBell()).toMatchObject({ day: 1, accounts: 4 });

    expect(await unsettled()).toBe(1);
    for (const one of all) {
      expect(await shown(hill, one)).toEqual({ granted_cents: 500, paid_cents: 2000, ring_day: 0 });
      expect(await ownState(one)).toMatchObject({
        ...{ granted_cents: 200, paid_cents: 2000, reserved_cents: 0, available_cents: 2200, reputation: 1 },
        lots: [{ remaining_cents: 200 }],
      });
    }
    await sound(hill);
  });

  test('cannot be spent once more, and takes nothing of what comes in meanwhile', async () => {
    const [ann, bob, cid] = all;
    await hill.asHuman(ann).setMandate(100_000, 100_000);
    expect(await refusal(hill.asAgent(ann).play({ slot: 5, move: 'WAR', stake_cents: 2201 }))).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    });
    await hill.asAgent(ann).play({ slot: 5, move: 'WAR', stake_cents: 2200 });
    await topUp(hill, bob, 3000);
    await grant(hill, cid, 700);
    expect(await ownState(bob)).toMatchObject({ granted_cents: 200, paid_cents: 5000 });
    expect(await ownState(cid)).toMatchObject({ granted_cents: 900, paid_cents: 2000 });
    await sound(hill);
  });

  test('reaches them in pieces, of which each can be begun anew', async () => {
    const before = await Promise.all(all.map(ownState));
    const first = await settle(hill);
    expect(first).toEqual({ after: expect.any(String) });
    expect(await unsettled()).toBe(1);
    await sound(hill);
    expect(await settle(hill)).toEqual(first); // whoever was killed and begins again
    await sound(hill);
    // two at once, one of which does what the other has done
    await Promise.all([settleAll(hill.as('worker')), settleAll(hill.as('worker'))]);
    expect(await unsettled()).toBeNull();
    expect(await settle(hill)).toBeNull();
    expect(await shown(hill, all[1])).toEqual({ granted_cents: 200, paid_cents: 5000, ring_day: 1 });
    expect(await Promise.all(all.map(ownState))).toEqual(before);
    await sound(hill);
  });

  test('builds no board before', async () => {
    for (const one of all.slice(1)) await hill.asAgent(one).play({ slot: 1, move: 'PEACE' });
    await hill.clock.toMidnight();
    await hill.asWorker().ringNextBell();
    await hill.asWorker().buildAllBoards();
    expect(await hill.rows('select max(day) as day from hill.boards')).toEqual([{ day: null }]);
    await settleAll(hill.as('worker'));
    await hill.asWorker().buildAllBoards();
    expect(await hill.rows('select max(day) as day from hill.boards')).toEqual([{ day: 2 }]);
    await sound(hill);
  });

  test('is settled by the next bell, where no worker has', async () => {
    for (const one of all.slice(1)) await hill.asAgent(one).play({ slot: 2, move: 'PEACE' });
    await hill.clock.toMidnight();
    await hill.asWorker().ringNextBell();
    await settle(hill);
    expect(await unsettled()).toBe(3);
    for (const one of all.slice(1)) await hill.asAgent(one).play({ slot: 3, move: 'PEACE' });
    await hill.clock.toMidnight();
    await sound(hill);
    await hill.asWorker().ringNextBell();
    expect(await unsettled()).toBe(4);
    expect(await shown(hill, all[3])).toMatchObject({ ring_day: 3 });
    await sound(hill);
  });

  test('is not settled while the next bell rings: that bell does it', async () => {
    await hill.asOwnerOf('hill_api_worker', async (client) => {
      await client.query('lock table hill.day_lock in exclusive mode');
      expect(await settle(hill)).toEqual({ ringing: true });
    });
    await settleAll(hill.as('worker'));
    await sound(hill);
  });

  test('is settled at once for whoever closed the account, so that nothing is left of it', async () => {
    const [ann, ...others] = all;
    for (const one of others) await hill.asAgent(one).play({ slot: 4, move: 'PEACE' });
    const closing = others[0] as Account;
    const { session } = closing;
    const [{ slug } = { slug: '' }] = await hill.rows<{ slug: string }>(
      'select slug from hill.accounts where id = $1',
      [closing.id],
    );
    await call(hill.as('web'), 'api_human.close_account', { session, slug });
    await hill.clock.toMidnight();
    await hill.asWorker().ringNextBell();
    expect(await unsettled()).toBe(5);
    expect(await shown(hill, closing)).toMatchObject({ granted_cents: 0, paid_cents: 0, ring_day: 5 });
    expect(await shown(hill, others[1] as Account)).toMatchObject({ ring_day: 4 });
    expect(await shown(hill, ann)).toMatchObject({ ring_day: 2 });
    await sound(hill);
  });
});

describe('a bell between two pieces of the night before', () => {
  const hill = useHill();
  test('leaves no account of the next one out', async () => {
    await small(hill);
    const all = [await anAccount(hill, { credits: 2000 }), await anAccount(hill, { credits: 2000 })];
    all.push(await anAccount(hill, { credits: 2000 }));
    const night = async () => {
      for (const one of all) await hill.asAgent(one).play({ slot: 1, move: 'PEACE' });
      await hill.clock.toMidnight();
      await hill.asWorker().ringNextBell();
    };
    await night();
    let after = (await settle(hill))?.after;
    await night();
    while (after !== undefined) after = (await settle(hill, after))?.after;
    expect(await hill.rows('select engine.unsettled_night() as night')).toEqual([{ night: null }]);
    await sound(hill);
  });
});

describe('granted credits that expire at the bell of a large night', () => {
  const hill = useHill();
  const lots = () =>
    hill.rows(
      `select sum(t.cents)::int as taken, (select n.expired_cents::int from hill.nights n where n.day = 91) as published
         from hill.transfers t where t.kind = 'expiry'`,
    );
  const history = ({ session }: Account) => call(hill.as('web'), 'api_human.history', { session });
  let all: [Account, Account, Account, Account];

  beforeAll(() => small(hill));

  test('are gone for everybody, before a wallet shows it', async () => {
    const make = (name: string) => anAccount(hill, { name, credits: 2000, granted: [500, 300] });
    all = [await make('ann'), await make('bob'), await make('cid'), await make('dee')];
    await hill.clock.toDay(91);
    await settleAll(hill.as('worker'));
    // dee does not move, and loses her lots all the same
    for (const one of all.slice(0, 3)) await hill.asAgent(one).play({ slot: 1, move: 'PEACE' });
    await hill.clock.toMidnight();
    await hill.asWorker().ringNextBell();

    expect(await lots()).toEqual([{ taken: null, published: null }]);
    const [ann, , , dee] = all;
    expect(await shown(hill, dee)).toMatchObject({ granted_cents: 800 });
    for (const one of all)
      expect(await hill.asAgent(one).ownState()).toMatchObject({
        ...{ granted_cents: 0, paid_cents: 2000, available_cents: 2000, lots: [] },
      });
    const rows = await hill
      .asStaff()
      .query('select account_id, granted_cents::int, paid_cents::int from api_staff.most_credits()');
    expect(rows).toEqual(
      all
        .map(({ id }) => ({ account_id: id, granted_cents: 0, paid_cents: 2000 }))
        .sort((a, b) => (a.account_id < b.account_id ? -1 : 1)),
    );
    await grant(hill, ann, 40);
    expect(await hill.asAgent(ann).ownState()).toMatchObject({ granted_cents: 40, lots: [{ remaining_cents: 40 }] });
    await sound(hill);
  });

  test('are taken piece by piece, each once, and then the night says how much it was', async () => {
    const told = await Promise.all(all.map(history));
    const first = await settle(hill);
    expect(await settle(hill)).toEqual(first);
    await sound(hill);
    expect(await Promise.all(all.map(history))).toEqual(told);
    await settleAll(hill.as('worker'));
    expect(await lots()).toEqual([{ taken: 3 * 500 + 800, published: 3 * 500 + 800 }]);
    expect(await shown(hill, all[0])).toMatchObject({ granted_cents: 40, paid_cents: 2000 });
    expect(await Promise.all(all.map(history))).toEqual(told);
    await sound(hill);
  });

  test('are known for good: nobody writes what a night says of them', async () => {
    const write = (client: { query(text: string): Promise<unknown> }, change: string) =>
      expect(client.query(`update hill.nights set ${change} where day = 91`)).rejects.toThrow('cannot be changed');
    await hill.asOwnerOf('hill_owner', async (client) => {
      await write(client, 'expired_cents = expired_cents + 1');
    });
  });
});
