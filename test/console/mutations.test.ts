// What staff can do in the console: each mutation wants a reason, leaves an entry in the audit log, and does what it
// says and nothing more. Rules 9.2.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useConsole } from '../support/doors/console.ts';
import { type Account, anAccount, refusal, useHill } from '../support/hill/index.ts';

const hill = useHill({ founders: 3 });
const staff = useConsole(hill);

let ann: Account;
let cookie: string;

beforeAll(async () => {
  ann = await anAccount(hill, { name: 'Ann', credits: 5000 });
  await hill.root.query('update hill.places set opens_day = 20 where slot = 10');
  cookie = await staff.signIn('Sam');
});

const grant = `mutation ($id: UUID!, $cents: BigInt!, $key: String!, $reason: String!) {
  grantCredits(input: {accountId: $id, cents: $cents, key: $key, reason: $reason}) {
    creditOrder { state lot { cents remainingCents account { name wallet { grantedCents } } } }
  }
}`;
const founder = `mutation ($id: UUID!, $founder: Boolean!, $reason: String!) {
  markFounder(input: {accountId: $id, founder: $founder, reason: $reason}) { account { name founder } }
}`;
const suspend = `mutation ($id: UUID!, $suspended: Boolean!, $reason: String!) {
  suspendAccount(input: {accountId: $id, suspended: $suspended, reason: $reason}) { account { name suspendedAt } }
}`;
const open = `mutation ($slot: Int!, $day: Int!, $reason: String!) {
  openPlace(input: {slot: $slot, day: $day, reason: $reason}) { place { slot opensDay } }
}`;
const hide = `mutation ($id: UUID!, $hidden: Boolean!, $reason: String!) {
  hideIcon(input: {accountId: $id, hidden: $hidden, reason: $reason}) { account { name icon } }
}`;
const all = [
  ['grantCredits', grant, () => ({ id: ann.id, cents: 100, key: randomUUID() })],
  ['markFounder', founder, () => ({ id: ann.id, founder: true })],
  ['suspendAccount', suspend, () => ({ id: ann.id, suspended: true })],
  ['openPlace', open, () => ({ slot: 10, day: 12 })],
  ['hideIcon', hide, () => ({ id: ann.id, hidden: true })],
] as const;

const reason = 'agreed with Ann by telephone';

/** All that a mutation could have changed. */
const state = () =>
  hill.rows(
    `select (select jsonb_agg(a order by a.id) from hill.accounts a) as accounts, (select jsonb_agg(w order by w.account_id) from hill.wallets w) as wallets,
            (select jsonb_agg(l order by l.id) from hill.lots l) as lots, (select jsonb_agg(t order by t.id) from hill.transfers t) as transfers,
            (select jsonb_agg(p order by p.slot) from hill.places p) as places, (select jsonb_agg(g order by g.id) from hill.audit_log g) as audit_log`,
  );
const lastEntry = async () =>
  (
    await hill.rows(
      'select staff_name, action, account_id, slot, details, reason from hill.audit_log order by id desc limit 1',
    )
  )[0];

const refused = async (query: string, variables: Record<string, unknown>, as = cookie) => {
  const before = await state();
  const { errors } = await staff.graphql(as, query, variables);
  expect(await state()).toEqual(before);
  return errors?.[0];
};

describe('every mutation', () => {
  test('wants a reason of 3 to 500 characters, and does nothing without', async () => {
    for (const [, query, variables] of all)
      for (const bad of ['', '  \n ', 'no', ` no\t`, 'x'.repeat(501)])
        expect(await refused(query, { ...variables(), reason: bad })).toMatchObject({
          message: 'A reason of 3 to 500 characters is required.',
          extensions: {
            code: 'REASON_REQUIRED',
            hint: expect.stringContaining('audit log'),
            detail: { argument: 'reason' },
          },
        });
  });

  test('says in its schema what it cannot do without', async () => {
    for (const [, query, variables] of all)
      for (const name of [...Object.keys(variables()), 'reason'])
        for (const nothing of [undefined, null])
          expect((await refused(query, { ...variables(), reason, [name]: nothing }))?.message).toMatch(
            new RegExp(`^Variable "\\$${name}"`),
          );
    // and the functions refuse null by themselves
    for (const [name, rest] of [
      ['grant_credits', "100, 'key'"],
      ['mark_founder', 'true'],
      ['hide_icon', 'true'],
      ['hide_profile', 'true'],
    ])
      expect((await refusal(hill.asStaff().query(`select api_staff.${name}(null, ${rest}, 'curious')`))).code).toBe(
        'NOT_FOUND',
      );
    for (const name of ['mark_founder', 'suspend_account', 'hide_icon', 'hide_profile'])
      expect((await refusal(hill.asStaff().query(`select api_staff.${name}('${ann.id}', null, 'curious')`))).code).toBe(
        'INVALID_ARGUMENT',
      );
    expect(
      (await refusal(hill.asStaff().query(`select api_staff.grant_credits('${ann.id}', null, 'key', 'curious')`))).code,
    ).toBe('INVALID_AMOUNT');
    expect((await refusal(hill.asStaff().query("select api_staff.open_place(10, null, 'curious')"))).code).toBe(
      'NOT_ALLOWED',
    );
    expect((await refusal(hill.asStaff().query(`select api_staff.mark_founder('${ann.id}', true, null)`))).code).toBe(
      'REASON_REQUIRED',
    );
  });

  test('is refused without a session, over HTTP and in the database', async () => {
    for (const [name, query, variables] of all) {
      expect(await refused(query, { ...variables(), reason }, ''), name).toMatchObject({
        extensions: { code: 'INVALID_TOKEN' },
      });
    }
    const login = hill.as('console');
    const client = await login.connect();
    await client.query('set role hill_staff');
    for (const call of [
      `api_staff.grant_credits('${ann.id}', 100, 'key', 'curious')`,
      `api_staff.mark_founder('${ann.id}', true, 'curious')`,
      `api_staff.suspend_account('${ann.id}', true, 'curious')`,
      "api_staff.open_place(10, 12, 'curious')",
    ]) {
      await client.query(
        "select set_config('hill.staff_session', 'made up', false), set_config('hill.staff_name', 'Sam', false)",
      );
      expect((await refusal(client.query(`select ${call}`))).code).toBe('INVALID_TOKEN');
    }
    client.release(true);
  });

  test('answers NOT_FOUND for what is not there', async () => {
    for (const [, query, variables] of all) {
      const nothing = 'slot' in variables() ? { slot: 11 } : { id: randomUUID() };
      expect(await refused(query, { ...variables(), ...nothing, reason })).toMatchObject({
        extensions: { code: 'NOT_FOUND' },
      });
    }
  });

  test('leaves an entry that is never changed nor taken back', async () => {
    await staff.data(cookie, grant, { id: ann.id, cents: 1, key: randomUUID(), reason });
    for (const change of [
      "update hill.audit_log set reason = 'other'",
      'delete from hill.audit_log',
      'truncate hill.audit_log',
    ])
      expect((await refusal(hill.root.query(change))).code).toBe('LEDGER_GUARD');
    for (const change of [
      "update hill.audit_log set reason = 'other'",
      'delete from hill.audit_log',
      "insert into hill.audit_log (at, staff_name, action, reason) values (now(), 'Sam', 'nothing', 'curious')",
    ])
      expect((await refusal(hill.asStaff().query(change))).code).toBe('42501');
    // Not even the functions' owner writes under another name.
    await expect(
      hill.asOwnerOf('hill_api_staff', (client) =>
        client.query(
          "insert into hill.audit_log (at, staff_name, action, reason) values (now(), 'Eve', 'nothing', 'curious')",
        ),
      ),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

describe('granting credits', () => {
  test('gives a lot of 90 days, and says who, to whom, how much and why', async () => {
    const before = Number(
      (
        await hill.rows<{ cents: number }>('select granted_cents as cents from hill.wallets where account_id = $1', [
          ann.id,
        ])
      )[0]?.cents,
    );
    const answer = await staff.data(cookie, grant, {
      id: ann.id,
      cents: 2500,
      key: 'ticket 1',
      reason: `  ${reason}\n`,
    });

    expect(answer).toEqual({
      grantCredits: {
        creditOrder: {
          state: 'made',
          lot: {
            cents: '2500',
            remainingCents: '2500',
            account: { name: 'Ann', wallet: { grantedCents: String(before + 2500) } },
          },
        },
      },
    });
    const [lot] = await hill.rows(
      'select id, extract(day from expires_at - granted_at)::integer as days from hill.lots order by id desc limit 1',
    );
    expect(lot).toMatchObject({ days: 90 });
    const details = { order_id: expect.any(Number), ordered_by: 'Sam', state: 'made', cents: 2500, lot_id: lot?.id };
    expect(await lastEntry()).toEqual({
      ...{ staff_name: 'Sam', action: 'grant_credits', account_id: ann.id, slot: null, reason },
      details,
    });
    // The account reads what it was given, not what staff said about it.
    expect(await hill.rows('select reason from hill.transfers order by id desc limit 1')).toEqual([
      { reason: 'Granted by staff' },
    ]);
    const { auditEntries } = await staff.data<{ auditEntries: unknown }>(
      cookie,
      '{ auditEntries(last: 1) { nodes { staffName action reason details account { name } } } }',
    );
    expect(auditEntries).toEqual({
      nodes: [
        {
          staffName: 'Sam',
          action: 'grant_credits',
          reason,
          details,
          account: { name: 'Ann' },
        },
      ],
    });
  });

  test('is of whole cents, more than none', async () => {
    for (const cents of [0, -1, '1000000001', 2 ** 31])
      expect(await refused(grant, { id: ann.id, cents, key: 'none', reason })).toMatchObject({
        extensions: { code: 'INVALID_AMOUNT', detail: { minimum_cents: 1, maximum_cents: 1_000_000_000 } },
      });
    for (const cents of [1.5, '1.5', 'many', '9'.repeat(30)])
      expect(await refused(grant, { id: ann.id, cents, key: 'none', reason })).toMatchObject({
        extensions: { code: 'INVALID_ARGUMENT' },
      });
  });
});

describe('marking a founder', () => {
  test('lets the account play before launch day, until it is taken back', async () => {
    const refusedToPlay = () => refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE' }));
    expect((await refusedToPlay()).code).toBe('HILL_NOT_OPEN');

    expect(await staff.data(cookie, founder, { id: ann.id, founder: true, reason })).toEqual({
      markFounder: { account: { name: 'Ann', founder: true } },
    });
    expect(await lastEntry()).toMatchObject({
      action: 'mark_founder',
      account_id: ann.id,
      details: { founder: true, was_founder: false },
    });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });

    await staff.data(cookie, founder, { id: ann.id, founder: false, reason });
    expect(await lastEntry()).toMatchObject({ details: { founder: false, was_founder: true } });
    expect((await refusedToPlay()).code).toBe('HILL_NOT_OPEN');
  });
});

describe('suspending an account', () => {
  test('stops its deposits and not the moves that it has made; the suspension is lifted again', async () => {
    await staff.data(cookie, founder, { id: ann.id, founder: true, reason });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
    const made = (await hill.asHuman(ann).ownState()).moves;

    const { suspendAccount } = await staff.data<{ suspendAccount: { account: { suspendedAt: string } } }>(
      cookie,
      suspend,
      {
        ...{ id: ann.id, suspended: true, reason },
      },
    );
    expect(suspendAccount.account.suspendedAt).toMatch(/^2026-03-01T10:00:00/);
    expect(await lastEntry()).toMatchObject({
      action: 'suspend_account',
      details: { suspended: true, was_suspended: false },
    });
    expect((await refusal(hill.asAgent(ann).play({ slot: 3, move: 'PEACE' }))).code).toBe('ACCOUNT_SUSPENDED');
    expect((await hill.asHuman(ann).ownState()).moves).toEqual(made);

    await hill.clock.tick();
    const again = await staff.data(cookie, suspend, { id: ann.id, suspended: true, reason });
    expect(again).toEqual({
      suspendAccount: { account: { name: 'Ann', suspendedAt: suspendAccount.account.suspendedAt } },
    });

    await staff.data(cookie, suspend, { id: ann.id, suspended: false, reason });
    expect(await lastEntry()).toMatchObject({ details: { suspended: false, was_suspended: true } });
    await hill.asAgent(ann).play({ slot: 2, move: 'PASS' });
  });

  test('is lifted by its own name, too', async () => {
    const restore = `mutation ($id: UUID!, $reason: String!) { restoreAccount(input: {accountId: $id, reason: $reason}) { account { suspendedAt } } }`;
    await staff.data(cookie, suspend, { id: ann.id, suspended: true, reason });
    for (const was_suspended of [true, false]) {
      expect(await staff.data(cookie, restore, { id: ann.id, reason })).toEqual({
        restoreAccount: { account: { suspendedAt: null } },
      });
      expect(await lastEntry()).toMatchObject({
        action: 'restore_account',
        details: { suspended: false, was_suspended },
      });
    }
    expect(await refused(restore, { id: randomUUID(), reason })).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
  });
});

describe('opening a place', () => {
  test('is for later days, and for places that are not open yet', async () => {
    for (const day of [12, 2, 30]) {
      expect(await staff.data(cookie, open, { slot: 10, day, reason })).toEqual({
        openPlace: { place: { slot: 10, opensDay: day } },
      });
      expect(await lastEntry()).toMatchObject({
        action: 'open_place',
        account_id: null,
        slot: 10,
        details: { opens_day: day },
        reason,
      });
    }
    for (const day of [1, 0, -3])
      expect(await refused(open, { slot: 10, day, reason })).toMatchObject({
        message: 'A place can open on a later day than today only.',
        extensions: { code: 'NOT_ALLOWED', detail: { argument: 'day', today: 1 } },
      });
    expect(await refused(open, { slot: 9, day: 5, reason })).toMatchObject({
      message: 'The place is open, and an open place stays open.',
      extensions: { code: 'NOT_ALLOWED', detail: { opens_day: 1, today: 1 } },
    });
  });

  test('waits for the bell: a place that would open at midnight cannot be moved once it is midnight', async () => {
    await staff.data(cookie, open, { slot: 10, day: 2, reason });
    await hill.clock.toMidnight();
    expect(await refused(open, { slot: 10, day: 5, reason })).toMatchObject({ extensions: { code: 'BELL_RINGING' } });
    await hill.clock.ringBell();
    expect(await refused(open, { slot: 10, day: 5, reason })).toMatchObject({ extensions: { code: 'NOT_ALLOWED' } });
  });

  test('holds the bell back while it is under way, and is refused while the bell rings', async () => {
    await hill.root.query('update hill.places set opens_day = 40 where slot = 9');
    const bell = await hill.root.connect();
    await bell.query('begin; lock table hill.day_lock in exclusive mode');
    expect(await refused(open, { slot: 9, day: 41, reason })).toMatchObject({ extensions: { code: 'BELL_RINGING' } });
    await bell.query('rollback');
    bell.release();
    expect(await staff.data(cookie, open, { slot: 9, day: 41, reason })).toMatchObject({
      openPlace: { place: { opensDay: 41 } },
    });
  });
});
