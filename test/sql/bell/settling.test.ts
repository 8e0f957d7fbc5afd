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
  refusal,
  topUp,
  useHill,
} from '../../support/hill/index.ts';

const hill = useHill();
const settle = (after: string | null = null) =>
  call<{ after?: string; ringing?: true } | null>(hill.as('worker'), 'api_worker.settle_wallets', { after });
const unsettled = async () =>
  (await hill.rows<{ night: number | null }>('select engine.unsettled_night() as night'))[0]?.night ?? null;
const shown = async (account: Account) =>
  (
    await hill.rows('select granted_cents, paid_cents, ring_day from hill.wallets where account_id = $1', [account.id])
  )[0];
const ownState = (account: Account) => hill.asAgent(account).ownState();
const wrong = () =>
  hill.rows(
    `select c.name, c.example
       from (select * from engine.check_balances() union all select * from engine.check_settlements()
             union all select * from engine.check_reputations() union all select * from engine.check_payments()) c
      where c.wrong > 0`,
  );
/** Nothing is out of order, whether wallets show the night or not. */
const sound = async () => {
  expect(await books(hill.root)).toEqual(balanced);
  expect(await wrong()).toEqual([]);
};

beforeAll(async () => {
  // a night of four accounts is as large as one of a million
  for (const name of ['settled_at_once', 'settling_piece'])
    await hill.root.query(
      `create or replace function engine.${name}() returns integer language sql immutable parallel safe return 2`,
    );
});

describe('a night that is larger than a piece', () => {
  let all: [Account, Account, Account, Account];

  test('is published before the wallets show it, and everybody is told what is left', async () => {
    const make = (name: string) => anAccount(hill, { name, credits: 2000, granted: 500, daily_cap_cents: 100_000 });
    all = [await make('ann'), await make('bob'), await make('cid'), await make('dee')];
    for (const [i, one] of all.entries()) await hill.asAgent(one).play({ slot: i + 1, move: 'PEACE' });
    await hill.clock.toMidnight();
    expect(await hill.asWorker().ringNextBell()).toMatchObject({ day: 1, accounts: 4 });

    expect(await unsettled()).toBe(1);
    for (const one of all) {
      expect(await shown(one)).toEqual({ granted_cents: 500, paid_cents: 2000, ring_day: 0 });
      expect(await ownState(one)).toMatchObject({
        ...{ granted_cents: 200, paid_cents: 2000, reserved_cents: 0, available_cents: 2200, reputation: 1 },
        lots: [{ remaining_cents: 200 }],
      });
    }
    await sound();
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
    await sound();
  });

  test('reaches them in pieces, of which each can be begun anew', async () => {
    const before = await Promise.all(all.map(ownState));
    const first = await settle();
    expect(first).toEqual({ after: expect.any(String) });
    expect(await unsettled()).toBe(1);
    await sound();
    expect(await settle()).toEqual(first); // whoever was killed and begins again
    await sound();
    // two at once, one of which does what the other has done
    await Promise.all([settleAll(hill.as('worker')), settleAll(hill.as('worker'))]);
    expect(await unsettled()).toBeNull();
    expect(await settle()).toBeNull();
    expect(await shown(all[1])).toEqual({ granted_cents: 200, paid_cents: 5000, ring_day: 1 });
    expect(await Promise.all(all.map(ownState))).toEqual(before);
    await sound();
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
    await sound();
  });

  test('is settled by the next bell, where no worker has', async () => {
    for (const one of all.slice(1)) await hill.asAgent(one).play({ slot: 2, move: 'PEACE' });
    await hill.clock.toMidnight();
    await hill.asWorker().ringNextBell();
    await settle();
    expect(await unsettled()).toBe(3);
    for (const one of all.slice(1)) await hill.asAgent(one).play({ slot: 3, move: 'PEACE' });
    await hill.clock.toMidnight();
    await sound();
    await hill.asWorker().ringNextBell();
    expect(await unsettled()).toBe(4);
    expect(await shown(all[3])).toMatchObject({ ring_day: 3 });
    await sound();
  });

  test('is not settled while the next bell rings: that bell does it', async () => {
    await hill.asOwnerOf('hill_api_worker', async (client) => {
      await client.query('lock table hill.day_lock in exclusive mode');
      expect(await settle()).toEqual({ ringing: true });
    });
    await settleAll(hill.as('worker'));
    await sound();
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
    expect(await shown(closing)).toMatchObject({ granted_cents: 0, paid_cents: 0, ring_day: 5 });
    expect(await shown(others[1] as Account)).toMatchObject({ ring_day: 4 });
    expect(await shown(ann)).toMatchObject({ ring_day: 2 });
    await sound();
  });
});
