// Credits that staff give: within limits, above them by two, never to oneself, once under a key, and with a way back.
// Rules 18.6, 18.7.
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../support/hill/doors.ts';
import { type Account, anAccount, balanced, books, refusal, useHill } from '../support/hill/index.ts';
import { aMember, type Role } from '../support/hill/staff.ts';
import { aTournament, enter, redeem } from '../support/hill/tournaments.ts';

interface Order {
  id: string;
  state: 'made' | 'waiting' | 'declined';
  lot_id: string | null;
  code: string | null;
}
type Member = Awaited<ReturnType<typeof aMember>>;

const hill = useHill();
const reason = 'agreed by telephone';
let keys = 0;
let ann: Account;
let members: Record<Exclude<Role, 'viewer'> | 'other' | 'boss', Member>;

beforeAll(async () => {
  ann = await anAccount(hill, { name: 'Ann' });
  const member = (role: Role) => aMember(hill, role);
  members = {
    support: await member('support'),
    manager: await member('manager'),
    other: await member('manager'),
    owner: await member('owner'),
    boss: await member('owner'),
  };
});

type Caller = Pick<Member, 'query' | 'call'>;
const order = async (as: Caller, cents: number, { to = ann, key = `ticket ${keys++}` } = {}): Promise<Order> =>
  (
    await as.query<Order & { [column: string]: unknown }>('select * from api_staff.grant_credits($1, $2, $3, $4)', [
      to.id,
      cents,
      key,
      reason,
    ])
  )[0] as Order;
const approve = (as: Caller, { id }: Order) => as.call('api_staff.approve_credits', { order_id: id, reason });
const revoke = (as: Caller, lot_id: string | null, revoked?: boolean) =>
  as.call('api_staff.revoke_grant', { lot_id, reason, revoked });
const cup = async (slug: string) => {
  const { day } = await hill.asWorker().readClock();
  return aTournament(hill, { slug, opens_day: day, sign_ups_close_day: day, starts_day: day + 1, ends_day: day + 2 });
};
const stateOf = async ({ id }: Order) =>
  (await hill.rows<Order>('select state from hill.credit_orders where id = $1', [id]))[0]?.state;
const granted = async ({ id }: Account) =>
  Number(
    (await hill.rows<{ cents: string }>('select granted_cents as cents from engine.credits_of($1)', [id]))[0]?.cents,
  );
const lastEntry = async () =>
  (await hill.rows('select id, staff_name, action, details from hill.audit_log order by id desc limit 1'))[0];

describe('an order', () => {
  test.each([
    ['support', 2_000],
    ['manager', 50_000],
  ] as const)('of %s is made at once up to %i cents, and refused over the limit of the role', async (role, alone) => {
    expect((await order(members[role], alone)).state).toBe('made');
    expect(await refusal(order(members[role], { support: 2_001, manager: 100_001 }[role]))).toMatchObject({
      code: 'OVER_STAFF_LIMIT',
      detail: { per: 'order', limit_cents: { support: 2_000, manager: 100_000 }[role] },
    });
  });

  test('is counted with the others of the day, also of two at once', async () => {
    const member = await aMember(hill, 'support');
    for (let n = 0; n < 4; n++) await order(member, 2_000);
    const both = await Promise.allSettled([order(member, 1_500), order(member, 1_500)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await refusal(order(member, 501))).toMatchObject({
      code: 'OVER_STAFF_LIMIT',
      detail: { per: 'day', limit_cents: 10_000, left_cents: 500 },
    });
    await hill.clock.ringBell();
    expect((await order(member, 501)).state).toBe('made');
  });

  test('is made once under a key, and no other has that key', async () => {
    const before = await granted(ann);
    const key = 'a double click';
    const [first, second] = await Promise.all([
      order(members.support, 700, { key }),
      order(members.support, 700, { key }),
    ]);
    expect(second).toEqual(first);
    expect(await granted(ann)).toBe(before + 700);
    expect(await refusal(order(members.support, 701, { key }))).toMatchObject({
      code: 'NOT_ALLOWED',
      detail: { argument: 'key', order_id: Number(first.id) },
    });
    expect((await refusal(order(members.support, 5, { key: ' ' }))).code).toBe('INVALID_ARGUMENT');
    // another member's key is another key
    expect((await order(members.manager, 700, { key })).id).not.toBe(first.id);
  });

  test('is never for oneself: not the million, not a cent, not as the second, not by a code', async () => {
    for (const cents of [100_000_000, 1])
      expect((await refusal(order(members.owner, cents, { to: members.owner.account }))).code).toBe('OWN_ACCOUNT');
    const forBoss = await order(members.owner, 60_000, { to: members.boss.account });
    expect((await refusal(approve(members.boss, forBoss))).code).toBe('OWN_ACCOUNT');

    const slug = await cup('spring-cup');
    const [made] = await members.manager.query<{ code: string }>(
      "select code from api_staff.create_tournament_code($1, 500, 2, 'own', $2)",
      [slug, reason],
    );
    for (const who of [members.manager.account, ann]) await enter(hill, who, slug);
    expect((await refusal(redeem(hill, members.manager.account, made?.code as string))).code).toBe('OWN_ACCOUNT');
    expect(await redeem(hill, ann, made?.code as string)).toMatchObject({ granted_cents: 500 });
  });

  test('above the limit of one waits: nothing is given before a second member has approved it', async () => {
    const before = await granted(ann);
    const waiting = await order(members.manager, 60_000);
    expect(waiting).toMatchObject({ state: 'waiting', lot_id: null });
    expect(await granted(ann)).toBe(before);
    expect(await members.support.query('select id from api_staff.waiting_orders()')).toContainEqual({ id: waiting.id });
    // not by who ordered it, nor by the key, nor by a role that may not
    for (const [as, code] of [
      [members.manager, 'NOT_ALLOWED'],
      [hill.asStaff(), 'NOT_ALLOWED'],
      [members.support, 'ROLE_TOO_LOW'],
    ] as const)
      expect((await refusal(approve(as, waiting))).code).toBe(code);

    await approve(members.other, waiting);
    expect(await granted(ann)).toBe(before + 60_000);
    expect(await lastEntry()).toMatchObject({
      staff_name: members.other.account.name,
      action: 'approve_credits',
      details: { ordered_by: members.manager.account.name, cents: 60_000, state: 'made' },
    });
    expect((await refusal(approve(members.owner, waiting))).code).toBe('NOT_ALLOWED');
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('is approved by who may order as much, within a week; or declined by anybody, the one who ordered it too', async () => {
    const large = await order(members.owner, 200_000);
    expect(await refusal(approve(members.manager, large))).toMatchObject({
      code: 'OVER_STAFF_LIMIT',
      detail: { per: 'order', limit_cents: 100_000 },
    });
    const old = await order(members.owner, 70_000);
    await hill.root.query("update hill.credit_orders set ordered_at = ordered_at - interval '8 days' where id = $1", [
      old.id,
    ]);
    expect((await refusal(approve(members.boss, old))).code).toBe('NOT_ALLOWED');
    for (const [as, one] of [
      [members.owner, old],
      [members.support, large],
    ] as const) {
      await as.call('api_staff.decline_credits', { order_id: one.id, reason });
      expect(await stateOf(one)).toBe('declined');
    }
    expect((await refusal(approve(members.boss, large))).code).toBe('NOT_ALLOWED');
  });

  test('of two who decide at once has one decision', async () => {
    const one = await order(members.owner, 60_000);
    const both = await Promise.allSettled([
      approve(members.boss, one),
      members.other.call('api_staff.decline_credits', { order_id: one.id, reason }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('with the staff key counts as one member’s, whatever name is given, and gets no approval', async () => {
    await hill.root.query("update hill.staff_limits set day_cents = 60000 where role = 'owner'");
    expect((await order(hill.asStaff('Sam'), 50_000)).state).toBe('made');
    expect(await refusal(order(hill.asStaff('Sue'), 20_000))).toMatchObject({
      code: 'OVER_STAFF_LIMIT',
      detail: { per: 'day', left_cents: 10_000 },
    });
    await hill.root.query("update hill.staff_limits set day_cents = 5000000 where role = 'owner'");
    expect(await refusal(order(hill.asStaff('Sue'), 50_001))).toMatchObject({
      code: 'OVER_STAFF_LIMIT',
      detail: { per: 'order', limit_cents: 50_000 },
    });
  });

  test('of a code counts all its uses, and the code is there when it is approved', async () => {
    const slug = await cup('meetup');
    const [waiting] = await members.manager.query<Order & { [column: string]: unknown }>(
      "select * from api_staff.create_tournament_code($1, 1200, 50, 'meetup', $2, 'MEET-2026')",
      [slug, reason],
    );
    expect(waiting).toMatchObject({ state: 'waiting', code: null });
    expect(await hill.rows("select from hill.tournament_codes where code = 'MEET-2026'")).toEqual([]);
    await approve(members.other, waiting as Order);
    expect(await hill.rows("select cents, uses from hill.tournament_codes where code = 'MEET-2026'")).toEqual([
      { cents: 1200, uses: 50 },
    ]);
  });

  describe('of many codes', () => {
    const codes = async (as: Caller, slug: string, key: string, cents = 100, count = 50, note: string | null = null) =>
      (
        await as.query<Order & { [column: string]: unknown }>(
          "select * from api_staff.create_tournament_codes($1, $2, $3, 'meet-up', $4, $5, note => $6)",
          [slug, cents, count, key, reason, note],
        )
      )[0] as Order;
    const made = ({ id }: Order) =>
      hill.rows<{ code: string; uses: number; used: number; revoked: boolean }>(
        'select code, uses, used, revoked_at is not null as revoked from hill.tournament_codes where order_id = $1 order by code',
        [id],
      );

    test('is of as many different ones, each for one account, once under a key', async () => {
      const slug = await cup('many-codes');
      const twice = await Promise.all([1, 2].map(() => codes(members.manager, slug, 'double click', 100, 500)));
      expect(twice[1]).toEqual(twice[0]);
      const all = await made(twice[0] as Order);
      expect(new Set(all.map(({ code }) => code)).size).toBe(500);
      for (const { code, uses } of all) {
        expect(code).toMatch(/^MEET-UP-[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{4}$/);
        expect(uses).toBe(1);
      }
      expect((await refusal(codes(members.manager, slug, 'double click', 100, 500, 'other'))).code).toBe('NOT_ALLOWED');
      await enter(hill, ann, slug);
      expect(await redeem(hill, ann, all[0]?.code as string)).toMatchObject({ granted_cents: 100 });
      await enter(hill, members.manager.account, slug);
      expect((await refusal(redeem(hill, members.manager.account, all[1]?.code as string))).code).toBe('OWN_ACCOUNT');
    });

    test('counts their sum, and waits for a second member, who is not paid by one either', async () => {
      const slug = await cup('dear-codes');
      expect((await refusal(codes(members.manager, slug, 'over', 2_001, 50))).code).toBe('OVER_STAFF_LIMIT');
      const waiting = await codes(members.owner, slug, 'dear', 1_200, 50);
      expect(waiting.state).toBe('waiting');
      expect(await made(waiting)).toEqual([]);
      await approve(members.other, waiting);
      const all = await made(waiting);
      expect(all).toHaveLength(50);
      await enter(hill, members.other.account, slug);
      expect((await refusal(redeem(hill, members.other.account, all[0]?.code as string))).code).toBe('OWN_ACCOUNT');
    });

    test('is taken back with all that nobody has redeemed, beside a redemption at once, and given again', async () => {
      const slug = await cup('late-codes');
      const order = await codes(await aMember(hill, 'manager'), slug, 'late', 100, 3);
      const [first, second] = await made(order);
      const [bea, cal] = [await anAccount(hill), await anAccount(hill)];
      for (const one of [bea, cal]) await enter(hill, one, slug);
      await redeem(hill, bea, first?.code as string);
      const revokeAll = (revoked = true) =>
        members.other.call('api_staff.revoke_tournament_codes', { order_id: order.id, reason, revoked });
      const raced = await Promise.allSettled([revokeAll(), redeem(hill, cal, second?.code as string)]);
      expect(raced[0]?.status).toBe('fulfilled');
      for (const { used, revoked } of await made(order)) expect(revoked).toBe(used === 0);
      expect(await lastEntry()).toMatchObject({
        action: 'revoke_tournament_codes',
        details: { order_id: Number(order.id), revoked: true, reverses: expect.any(Number) },
      });
      await revokeAll(false);
      expect((await made(order)).filter(({ revoked }) => revoked)).toEqual([]);
      expect(
        (await refusal(members.support.call('api_staff.revoke_tournament_codes', { order_id: order.id, reason }))).code,
      ).toBe('ROLE_TOO_LOW');
      expect(await books(hill.root)).toEqual(balanced);
    });

    test.each([
      ['codes', { codes: 0 }],
      ['codes', { codes: 501 }],
      ['codes', { codes: null }],
      ['prefix', { prefix: null }],
      ['prefix', { prefix: 'x' }],
      ['prefix', { prefix: '=SUM(A1)' }],
      ['prefix', { prefix: 'x'.repeat(21) }],
      ['note', { note: 'x'.repeat(201) }],
      ['expires_day', { expires_day: 1_000_001 }],
    ])('is refused for its %s: %j', async (argument, given) => {
      const [{ slug } = { slug: '' }] = await hill.rows<{ slug: string }>('select slug from hill.tournaments limit 1');
      const call = {
        slug,
        cents: 5,
        codes: 2,
        prefix: 'ab',
        key: 'wrong',
        reason,
        note: null,
        expires_day: null,
        ...given,
      };
      expect(await refusal(members.manager.call('api_staff.create_tournament_codes', call))).toMatchObject({
        code: 'INVALID_ARGUMENT',
        detail: { argument },
      });
    });
  });

  test('is not made by writing to the tables, nor is a limit raised', async () => {
    for (const change of [
      'update hill.staff_limits set order_cents = 100000000, alone_cents = 100000000',
      "update hill.credit_orders set state = 'made'",
      'delete from hill.credit_orders',
      `insert into hill.lots (account_id, transfer_id, from_cents, cents, granted_at, expires_at) values ('${ann.id}', 1, 0, 1, now(), now())`,
    ])
      expect((await refusal(members.owner.query(change))).code).toBe('42501');
    expect((await refusal(members.owner.query("select trusted.set_staff_limits('owner', 1, 1, 1)"))).code).toBe(
      '42501',
    );
  });
});

describe('a grant that is taken back', () => {
  const history = (account: Account) =>
    call<{ transfers: { kind: string; granted_cents: number }[] }>(hill.asPublic(), 'api_human.history', {
      session: account.session,
    });

  test('shows nothing before the bell, and loses then what the night has left of it', async () => {
    const bea = await anAccount(hill);
    const { lot_id } = await order(members.support, 1_000, { to: bea });
    const [granting] = await hill.rows<{ id: string }>('select max(id) as id from hill.audit_log');
    await revoke(members.support, lot_id);
    expect(await lastEntry()).toMatchObject({
      action: 'revoke_grant',
      details: { lot_id: Number(lot_id), revoked: true, reverses: Number(granting?.id) },
    });
    expect(await granted(bea)).toBe(1_000);
    await hill.asAgent(bea).play({ slot: 7, move: 'PEACE' });
    await hill.clock.ringBell();

    expect(await granted(bea)).toBe(0);
    expect(await hill.rows('select taken_cents from hill.lot_revocations where lot_id = $1', [lot_id])).toEqual([
      { taken_cents: 700 },
    ]);
    expect((await history(bea)).transfers).toContainEqual(
      expect.objectContaining({ kind: 'revocation', granted_cents: -700 }),
    );
    expect((await refusal(revoke(members.support, lot_id, false))).code).toBe('NOT_ALLOWED');
    expect(await books(hill.root)).toEqual(balanced);
    expect(
      await hill.rows('select * from engine.replay_nights(1, $1)', [(await hill.asWorker().readClock()).last_night]),
    ).toEqual([]);
  });

  test('stays after all if staff say so before the bell', async () => {
    const cal = await anAccount(hill);
    const { lot_id } = await order(members.manager, 1_000, { to: cal });
    await revoke(members.manager, lot_id);
    await revoke(members.manager, lot_id, false);
    expect(await refusal(revoke(members.manager, lot_id, false))).toMatchObject({ code: 'NOT_ALLOWED' });
    await hill.clock.ringBell();
    expect(await granted(cal)).toBe(1_000);
    await revoke(members.manager, lot_id);
    await hill.clock.ringBell();
    expect(await granted(cal)).toBe(0);
  });

  test('leaves the other grants of the account their cents, to be spent and to expire', async () => {
    const dee = await anAccount(hill, { granted: [300, 400] });
    const { lot_id } = await order(members.support, 500, { to: dee });
    await revoke(members.support, lot_id);
    await hill.clock.ringBell();
    expect(await granted(dee)).toBe(700);
    await hill.asAgent(dee).play({ slot: 7, move: 'PEACE' });
    await hill.clock.ringBell();
    expect(await granted(dee)).toBe(400);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('is one’s own for support, any for a manager, and none of the house', async () => {
    const eve = await anAccount(hill);
    const { lot_id } = await order(members.manager, 100, { to: eve });
    expect(await refusal(revoke(members.support, lot_id))).toMatchObject({
      code: 'ROLE_TOO_LOW',
      detail: { role: 'support', needs: 'manager' },
    });
    await revoke(members.other, lot_id);
    const house = await anAccount(hill, { house: true, granted: 100 });
    const [lot] = await hill.rows<{ id: string }>('select id from hill.lots where account_id = $1', [house.id]);
    expect((await refusal(revoke(members.owner, lot?.id as string))).code).toBe('NOT_ALLOWED');
  });
});
