// What staff do for a human who cannot sign in: an account goes over to another sign-in, or is closed. By two, after a
// wait, and not if any sign-in of the account objects. Rules 18.8.
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashed } from '../../src/process/proofs.ts';
import { carryOutOrders } from '../../src/worker/tasks.ts';
import { topUp } from '../support/hill/accounts.ts';
import { call } from '../support/hill/doors.ts';
import { type Account, anAccount, balanced, books, refusal, useHill } from '../support/hill/index.ts';
import { aSender, hastenMail, mailTo } from '../support/hill/mail.ts';
import { prove, type SignedIn, signIn } from '../support/hill/sign-in.ts';
import { aMember, type Role } from '../support/hill/staff.ts';
import { aMailServer } from '../support/peers/mail-server.ts';

interface Order {
  [column: string]: unknown;
  id: string;
  state: string;
  day: number;
}
type Member = Awaited<ReturnType<typeof aMember>>;
type What = 'move_sign_in' | 'close_account_for';
const whats = ['move_sign_in', 'close_account_for'] as const;

const hill = useHill();
const reason = 'proved it by a receipt';
let members: Record<'viewer' | 'support' | 'manager' | 'other', Member>;
let n = 0;
let name: string;
let human: SignedIn;
let to: { id: string };

beforeAll(async () => {
  const member = (role: Role) => aMember(hill, role);
  members = {
    viewer: await member('viewer'),
    support: await member('support'),
    manager: await member('manager'),
    other: await member('manager'),
  };
});

beforeEach(async () => {
  name = `ann${n++}`;
  human = await signIn(hill.as('web'), { provider: 'google', subject: `old-${name}`, email: `${name}@old.example` });
  to = { id: human.account_id };
});

/** What signs in to an account that a test made; the human of this test has another then. */
const aLogin = async ({ id }: { id: string }) => {
  await hill.rows('delete from oauth.sign_ins where account_id = $1', [human.account_id]);
  await hill.rows('insert into oauth.humans (account_id, created_at) values ($1, now()) on conflict do nothing', [id]);
  await hill.rows(
    `insert into oauth.sign_ins (provider, subject, account_id, email, created_at, last_used_at)
     values ('google', $2, $1, $3, now(), now())`,
    [id, `old-${name}`, `${name}@old.example`],
  );
  to = { id };
};
type Caller = Pick<Member, 'query'>;
const begin = async (as: Caller, what: What, { id } = to, key: string = randomUUID()): Promise<Order> =>
  (await as.query<Order>(`select * from api_staff.${what}($1, $2, $3)`, [id, key, reason]))[0] as Order;
const approve = async (as: Caller, { id }: Order) =>
  (await as.query<Order>('select * from api_staff.approve_account_order($1, $2)', [id, reason]))[0] as Order;
const stopByStaff = (as: Caller, { id }: Order) =>
  as.query('select api_staff.stop_account_order($1, $2)', [id, reason]);
const stop = ({ id }: Order, session = human.session) =>
  call<boolean>(hill.as('web'), 'api_human.stop_account_order', { session, account_order_id: id });
const codeOf = async (as: Caller, { id }: Order) =>
  (await as.query<{ code: string | null }>('select api_staff.sign_in_code($1) as code', [id]))[0]?.code ?? null;
const proveNew = (code: string, subject = `new-${name}`, provider = 'github') => {
  const email = `${name}@new.example`;
  return call<{ name: string }>(hill.as('web'), 'api_human.prove_new_sign_in', {
    ...{ code, provider, subject, email },
    ...prove('prove new sign-in', hashed(code), provider, subject, email),
  });
};
const comeIn = (provider: string, subject: string) =>
  signIn(hill.as('web'), { provider, subject, email: `${name}@${provider === 'google' ? 'old' : 'new'}.example` });
/** Begun, proven where it has to be, and approved. */
const approved = async (what: What): Promise<Order> => {
  const order = await begin(members.support, what);
  if (what === 'move_sign_in') await proveNew((await codeOf(members.support, order)) as string);
  return approve(members.manager, order);
};
/** Until the bell of the order has rung. */
const wait = async ({ day }: Order) => {
  while ((await hill.asWorker().readClock()).last_night < day) await hill.clock.ringBell();
};
const carryOut = () => carryOutOrders(hill.as('worker'));
const stateOf = async ({ id }: Order) =>
  (await hill.rows<Order>('select state from hill.account_orders where id = $1', [id]))[0]?.state;
const signInsOf = ({ id } = to) =>
  hill.rows('select provider, subject, email from oauth.sign_ins where account_id = $1 order by 1, 2', [id]);
const closed = async () => (await hill.rows('select from hill.closings where account_id = $1', [to.id])).length === 1;
const eventsOf = async ({ id } = to) =>
  (await hill.rows('select event from hill.security_events where account_id = $1 order by id', [id])).map(
    ({ event }) => event,
  );
const account = (session: string) => call<{ account_id: string }>(hill.as('web'), 'api_human.account', { session });
const old = () => [{ provider: 'google', subject: `old-${name}`, email: `${name}@old.example` }];

describe('a move', () => {
  test('lets the new sign-in open the account after a bell a week later, and ends what opened it', async () => {
    const ann: Account = await anAccount(hill, { credits: 5_000 });
    await aLogin(ann);
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await call(hill.as('web'), 'api_human.make_feed', { session: ann.session, token: `feed ${name}` });
    const balance = () => hill.rows('select granted_cents + paid_cents as cents from engine.credits_of($1)', [ann.id]);

    const order = await begin(members.support, 'move_sign_in');
    const code = (await codeOf(members.support, order)) as string;
    expect(await proveNew(` ${code.toLowerCase()} `)).toEqual({ name: ann.name });
    const { day } = await approve(members.manager, order);
    const { day: today } = await hill.asWorker().readClock();
    expect(day).toBe(today + 7);
    await hill.clock.ringBell();
    const before = await balance();
    while ((await hill.asWorker().readClock()).last_night < day - 1) await hill.clock.ringBell();
    await carryOut();
    expect(await signInsOf()).toEqual(old());
    expect((await account(ann.session)).account_id).toBe(ann.id);

    await wait({ ...order, day });
    await Promise.all([carryOut(), carryOut()]);

    expect(await signInsOf()).toEqual([{ provider: 'github', subject: `new-${name}`, email: `${name}@new.example` }]);
    expect((await comeIn('github', `new-${name}`)).account_id).toBe(ann.id);
    expect((await comeIn('google', `old-${name}`)).account_id).not.toBe(ann.id);
    expect(await refusal(account(ann.session))).toMatchObject({ code: 'INVALID_TOKEN' });
    expect(await refusal(hill.asAgent(ann).play({ slot: 3, move: 'PEACE' }))).toMatchObject({ code: 'INVALID_TOKEN' });
    expect(await refusal(call(hill.as('web'), 'api_human.feed', { token: `feed ${name}` }))).toMatchObject({
      code: 'INVALID_TOKEN',
    });
    expect(await balance()).toEqual(before);
    expect((await eventsOf()).filter((event) => event === 'sign_in_moved')).toHaveLength(1);
    expect(
      await hill.rows('select state, code, subject, email from hill.account_orders where id = $1', [order.id]),
    ).toEqual([{ state: 'done', code: null, subject: null, email: null }]);
    expect(await books(hill.root)).toEqual(balanced);
    await carryOut();
    expect((await comeIn('github', `new-${name}`)).account_id).toBe(ann.id);
  });

  test('is approved only when its human has signed in with the code, which works once and is read by nobody else', async () => {
    const order = await begin(members.support, 'move_sign_in');
    expect((await refusal(approve(members.manager, order))).message).toContain('has not signed in with the code');
    const code = (await codeOf(members.support, order)) as string;
    for (const as of [members.manager, members.viewer, hill.asStaff()]) expect(await codeOf(as, order)).toBeNull();
    expect((await refusal(members.support.query('select code from hill.account_orders'))).code).toBe('42501');
    expect((await refusal(members.support.query('select subject, email from hill.account_orders'))).code).toBe('42501');
    expect((await refusal(proveNew('AAAA-BBBBB-CCCCC'))).code).toBe('UNKNOWN_CODE');

    const both = await Promise.allSettled([proveNew(code, `one-${name}`), proveNew(code, `two-${name}`)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await codeOf(members.support, order)).toBeNull();
    expect(await approve(members.manager, order)).toMatchObject({ state: 'approved', subject: null, email: null });
  });

  test('takes no sign-in that opens an account, and none that waits for another', async () => {
    const taken = await comeIn('github', `taken-${name}`);
    const order = await begin(members.support, 'move_sign_in');
    const code = (await codeOf(members.support, order)) as string;
    expect((await refusal(proveNew(code, `taken-${name}`))).code).toBe('SIGN_IN_TAKEN');
    await proveNew(code);

    // by a mere visit, or by another account that adds it
    expect((await refusal(comeIn('github', `new-${name}`))).code).toBe('SIGN_IN_WAITS');
    const [email, next_session] = [`${name}@new.example`, randomUUID()];
    const [session, subject] = [taken.session, `new-${name}`];
    const adding = call(hill.as('web'), 'api_human.add_sign_in', {
      ...{ session, provider: 'github', subject, email, next_session },
      ...prove('add sign-in', hashed(session), 'github', subject, email, hashed(next_session)),
    });
    expect((await refusal(adding)).code).toBe('SIGN_IN_WAITS');
    const second = await begin(members.support, 'move_sign_in', { id: taken.account_id });
    expect((await refusal(proveNew((await codeOf(members.support, second)) as string))).code).toBe('SIGN_IN_WAITS');

    await stop(order);
    expect((await comeIn('github', `new-${name}`)).first).toBe(true);
  });

  test('that fails keeps no other from being done, and is tried again', async () => {
    const failing = await approved('move_sign_in');
    const other = await comeIn('google', `other-${name}`);
    // no door lets that happen
    const thief = ['github', `new-${name}`];
    await hill.root.query(
      `insert into oauth.sign_ins (provider, subject, account_id, created_at, last_used_at) values ($1, $2, $3, now(), now())`,
      [...thief, other.account_id],
    );
    const next = await begin(members.support, 'close_account_for', { id: other.account_id });
    await wait(await approve(members.manager, next));
    await expect(carryOut()).rejects.toThrow();
    expect([await stateOf(failing), await stateOf(next)]).toEqual(['approved', 'done']);
    await carryOut(); // the closing has forgotten that sign-in
    expect(await stateOf(failing)).toBe('done');
  });

  test('of a member of the staff takes the role away, which an owner gives anew', async () => {
    const boss = await aMember(hill, 'owner');
    await aMember(hill, 'owner');
    await aLogin(boss.account);
    await wait(await approved('move_sign_in'));
    await carryOut();
    expect(await hill.rows('select from hill.staff_members where account_id = $1', [to.id])).toEqual([]);
    expect((await refusal(boss.query('select api_staff.tonight()'))).code).toBe('INVALID_TOKEN');
  });

  test('leaves a suspension as it is', async () => {
    await hill.root.query('update hill.accounts set suspended_at = engine.now() where id = $1', [to.id]);
    await wait(await approved('move_sign_in'));
    await carryOut();
    const { session } = await comeIn('github', `new-${name}`);
    expect(await account(session)).toMatchObject({ account_id: to.id, suspended: true });
  });
});

test('a closing for a human is the closing that its human would do', async () => {
  const [mine, theirs] = [await anAccount(hill, { name: `Mine ${n}` }), await anAccount(hill, { name: `Theirs ${n}` })];
  for (const each of [mine, theirs]) {
    await topUp(hill, each, 2_000);
    await hill.asAgent(each).play({ slot: 5, move: 'PEACE', message: 'words' });
  }
  await aLogin(theirs);
  await wait(await approved('close_account_for'));
  await hill.root.query('update oauth.human_sessions set created_at = clock_timestamp() where account_id = $1', [
    mine.id,
  ]);
  const [{ slug } = {}] = await hill.rows('select slug from hill.accounts where id = $1', [mine.id]);
  await call(hill.as('web'), 'api_human.close_account', { session: mine.session, slug });
  await carryOut();
  await hill.clock.ringBell();

  const left = async ({ id }: Account) =>
    (
      await hill.rows(
        `select a.name, a.url, c.day,
                (select array_agg(m.message) from hill.moves m where m.account_id = a.id) as messages,
                (select granted_cents + paid_cents from engine.credits_of(a.id)) as cents,
                (select count(*) from oauth.sign_ins i where i.account_id = a.id) as sign_ins,
                (select array_agg(g.name || coalesce(g.model, '') order by g.id) from hill.agents g where g.account_id = a.id) as agents,
                (select count(*) from oauth.human_sessions s where s.account_id = a.id and s.revoked_at is null) as sessions
           from hill.accounts a join hill.closings c on c.account_id = a.id where a.id = $1`,
        [id],
      )
    )[0];
  expect(await left(theirs)).toMatchObject({ name: 'Closed account', cents: 0, messages: [null] });
  expect(await left(theirs)).toEqual(await left(mine));
  expect(await eventsOf(theirs)).toContain('account_closed');
  expect(await books(hill.root)).toEqual(balanced);
});

describe.each(whats)('%s', (what) => {
  test('wants two members, of whom neither has the account, and not the key', async () => {
    expect((await refusal(begin(hill.asStaff(), what))).code).toBe('NOT_ALLOWED');
    expect((await refusal(begin(members.viewer, what))).code).toBe('ROLE_TOO_LOW');
    expect((await refusal(begin(members.manager, what, members.manager.account))).code).toBe('OWN_ACCOUNT');
    await aLogin(members.other.account);
    const own = await begin(members.manager, what);
    if (what === 'move_sign_in') await proveNew((await codeOf(members.manager, own)) as string);
    for (const [as, code] of [
      [members.manager, 'NOT_ALLOWED'], // began it
      [hill.asStaff(), 'NOT_ALLOWED'],
      [members.support, 'ROLE_TOO_LOW'],
      [members.other, 'OWN_ACCOUNT'],
    ] as const)
      expect((await refusal(approve(as, own))).code).toBe(code);
    expect(await stateOf(own)).toBe('begun');
    await stopByStaff(hill.asStaff(), own);
    expect(await stateOf(own)).toBe('stopped');
  });

  test('is begun once by a double click, and once beside a colleague', async () => {
    const key = randomUUID();
    const [one, two] = await Promise.all([
      begin(members.support, what, to, key),
      begin(members.support, what, to, key),
    ]);
    expect(one).toEqual(two);
    const other = what === 'move_sign_in' ? 'close_account_for' : 'move_sign_in';
    expect((await refusal(begin(members.support, other, to, key))).code).toBe('NOT_ALLOWED');
    expect((await refusal(begin(members.support, what, to, ' '))).code).toBe('INVALID_ARGUMENT');
    await stopByStaff(members.support, one);

    const both = await Promise.allSettled([begin(members.support, what), begin(members.manager, other)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(
      await hill.rows('select from hill.account_orders where account_id = $1 and ended_at is null', [to.id]),
    ).toHaveLength(1);
  });

  test('is approved once by two at once, or is stopped', async () => {
    const order = await begin(members.support, what);
    if (what === 'move_sign_in') await proveNew((await codeOf(members.support, order)) as string);
    const both = await Promise.allSettled([approve(members.manager, order), approve(members.other, order)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await eventsOf()).filter((event) => event === 'staff_order_approved')).toHaveLength(1);
    expect(await stop(order)).toBe(true);
    expect((await refusal(approve(members.other, order))).message).toContain('stopped');
    expect((await refusal(stopByStaff(members.other, order))).message).toContain('stopped');
  });

  test('waits a week for approval at most, and is over then', async () => {
    const order = await begin(members.support, what);
    if (what === 'move_sign_in') await proveNew((await codeOf(members.support, order)) as string);
    await hill.root.query("update hill.account_orders set begun_at = begun_at - interval '8 days' where id = $1", [
      order.id,
    ]);
    expect((await refusal(approve(members.manager, order))).message).toContain('more than 7 days');
    await carryOut();
    expect(await stateOf(order)).toBe('stopped');
    expect((await begin(members.support, what)).state).toBe('begun');
  });

  test('is stopped by an old sign-in in the last moment, by two clients at once, and by no other account', async () => {
    const order = await approved(what);
    const stranger = await comeIn('github', `stranger-${name}`);
    expect(await stop(order, stranger.session)).toBe(false);
    await wait(order);
    expect((await Promise.all([stop(order), stop(order)])).sort()).toEqual([false, true]);
    await carryOut();
    expect([await signInsOf(), await closed()]).toEqual([old(), false]);
    expect((await account(human.session)).account_id).toBe(to.id);
    expect(await stateOf(order)).toBe('stopped');
  });

  test('is either done or stopped when both come at once', async () => {
    for (let round = 0; round < 6; round++) {
      const before = { provider: 'google', subject: `race-${name}-${round}`, email: `${name}-${round}@race.example` };
      human = await signIn(hill.as('web'), before);
      to = { id: human.account_id };
      const order = await begin(members.support, what);
      if (what === 'move_sign_in')
        await proveNew((await codeOf(members.support, order)) as string, `raced-${name}-${round}`);
      await approve(members.manager, order);
      await hill.root.query('update hill.account_orders set day = engine.last_night() where id = $1', [order.id]);
      const [, stopped] = await Promise.all([
        carryOut(),
        round % 2 === 0
          ? stop(order).catch(() => false)
          : stopByStaff(members.support, order).then(
              () => true,
              () => false,
            ),
        carryOut(),
      ]);
      const done = what === 'move_sign_in' ? JSON.stringify(await signInsOf()).includes('raced') : await closed();
      expect([stopped, await stateOf(order)]).toEqual(done ? [false, 'done'] : [true, 'stopped']);
    }
  });

  test('ends with an account that its human closes meanwhile, and nothing of the new login is kept', async () => {
    const order = await approved(what);
    const [{ slug } = {}] = await hill.rows('select slug from hill.accounts where id = $1', [to.id]);
    await call(hill.as('web'), 'api_human.close_account', { session: human.session, slug });
    expect(await hill.rows('select state, subject, email from hill.account_orders where id = $1', [order.id])).toEqual([
      { state: 'stopped', subject: null, email: null },
    ]);
    await wait(order);
    await carryOut();
    expect(await signInsOf()).toEqual([]);
    expect((await refusal(begin(members.support, what))).code).toBe('ACCOUNT_CLOSED');
  });

  test('is told on the page and in the private feed, and mailed to every address of the account', async () => {
    const server = await aMailServer();
    await mailTo(hill, human, `${name}@notices.example`);
    await call(hill.as('web'), 'api_human.make_feed', { session: human.session, token: `feed ${name}` });
    const told = async () => {
      const warnings = await call<{ code: string }[]>(hill.as('web'), 'api_human.warnings', { session: human.session });
      const feed = await call<{ warnings: object[] }>(hill.as('web'), 'api_human.feed', { token: `feed ${name}` });
      return [warnings[0], feed.warnings[0]];
    };
    const order = await begin(members.support, what);
    const begun = { code: 'STAFF_ORDER', what, state: 'begun', at: null, account_order_id: Number(order.id) };
    expect(await told()).toEqual([expect.objectContaining(begun), expect.objectContaining(begun)]);
    if (what === 'move_sign_in') await proveNew((await codeOf(members.support, order)) as string);
    await hill.rows("update hill.mails set ended_at = now(), ended_as = 'dropped' where ended_at is null");
    const { day } = await approve(members.manager, order);
    const waits = { ...begun, state: 'approved', at: expect.stringMatching(/T00:00:00\.000000Z$/) };
    expect(await told()).toEqual([expect.objectContaining(waits), expect.objectContaining(waits)]);

    await hastenMail(hill);
    await aSender(hill, server).all();
    const mails = server.received.filter(({ mail: { subject } }) => subject?.startsWith('The staff were asked'));
    expect(mails.map((mail) => mail.to).sort()).toEqual([`${name}@notices.example`, `${name}@old.example`]);
    const [{ date } = {}] = await hill.rows("select to_char(engine.bell_at($1), 'YYYY-MM-DD') as date", [day]);
    for (const mail of mails) {
      expect(mail.header('List-Unsubscribe')).toBeUndefined();
      expect(mail.mail.text).toContain(`after the bell of ${date}, 00:00 UTC`);
      expect(mail.mail.text).toContain('http://localhost:1/account#staff-order');
      expect(mail.raw).not.toContain('new.example');
    }
    // who unsubscribed or whose server refuses loses what else is mailed, and this is not flooded away
    expect(
      await hill.rows("select from hill.mails where account_id = $1 and facts <> '{}' and ended_at is not null", [
        to.id,
      ]),
    ).toEqual([]);
    await stop(order);
    expect((await told())[0]).not.toMatchObject({ code: 'STAFF_ORDER' });
  });
});
