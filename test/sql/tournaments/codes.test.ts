// Codes that grant the entrants of a tournament credits: once per account, as often as they have uses, to their expiry,
// and not by guessing. Rules 5.3, 8.5.
import { beforeAll, describe, expect, test } from 'vitest';
import { call as callAsDoors } from '../../../src/db/call.ts';
import { type Account, anAccount, balanced, books, refusal, useHill } from '../../support/hill/index.ts';
import { aCode, aTournament, enter, redeem, tournament } from '../../support/hill/tournaments.ts';

const hill = useHill();
let slug: string;
beforeAll(async () => {
  slug = await aTournament(hill, { sign_ups_close_day: 20, starts_day: 21, ends_day: 25 });
});

const entrant = async (options = {}): Promise<Account> => {
  const account = await anAccount(hill, options);
  await enter(hill, account, slug);
  return account;
};
const granted = async (account: Account) => (await hill.asHuman(account).ownState()).granted_cents;
const uses = async (code: string) =>
  (await hill.rows<{ used: number }>('select used from hill.tournament_codes where code = $1', [code]))[0]?.used;

describe('a code', () => {
  test('grants an entrant its credits as a lot that expires like any other', async () => {
    const [ann, code] = [await entrant(), await aCode(hill, slug, { cents: 750, uses: 2, shown: true })];
    expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{4}$/);

    expect(await redeem(hill, ann, ` ${code.toLowerCase()} \n`)).toEqual({
      ...{
        granted_cents: 750,
        lot_id: expect.any(Number),
        granted_at: '2026-03-01T10:00:00.000000Z',
        expires_at: '2026-05-30T10:00:00.000000Z',
      },
    });
    expect(await granted(ann)).toBe(750);
    expect((await hill.asHuman(ann).ownState()).lots).toEqual([
      { remaining_cents: 750, expires_at: '2026-05-30T10:00:00.000000Z' },
    ]);
    expect((await tournament(hill, slug)).tournament.code).toMatchObject({ code, usesLeft: 1 });
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('is redeemed once per account, by whichever of its agents or its human', async () => {
    const [ann, code] = [await entrant(), await aCode(hill, slug)];
    await redeem(hill, ann, code);
    const again = { code: 'CODE_REDEEMED', detail: { granted_cents: 500, redeemed_at: '2026-03-01T10:00:00.000000Z' } };
    expect(await refusal(redeem(hill, ann, code))).toMatchObject(again);
    await expect(
      callAsDoors(hill.asPublic(), 'api_human.redeem_code', { session: ann.session, code }),
    ).rejects.toMatchObject(again);
    expect([await granted(ann), await uses(code)]).toEqual([500, 1]);
  });

  test('is redeemed by a human on the account page, too', async () => {
    const [bob, code] = [await entrant(), await aCode(hill, slug)];
    expect(await callAsDoors(hill.asPublic(), 'api_human.redeem_code', { session: bob.session, code })).toMatchObject({
      granted_cents: 500,
    });
    expect(await granted(bob)).toBe(500);
  });

  test('is for entrants', async () => {
    const [out, code] = [await anAccount(hill), await aCode(hill, slug)];
    expect(await refusal(redeem(hill, out, code))).toMatchObject({
      code: 'ENTRANTS_ONLY',
      detail: { tournament: slug, sign_ups_close_day: 20 },
    });
    await enter(hill, out, slug);
    await redeem(hill, out, code);
    expect(await granted(out)).toBe(500);
  });

  test('is not spent on a suspended account', async () => {
    const [sue, code] = [await entrant(), await aCode(hill, slug, { uses: 1 })];
    const suspend = (suspended: boolean) =>
      hill.asStaff().call('api_staff.suspend_account', { account_id: sue.id, suspended, reason: 'a test of codes' });
    await suspend(true);
    expect((await refusal(redeem(hill, sue, code))).code).toBe('ACCOUNT_SUSPENDED');
    expect([await granted(sue), await uses(code)]).toEqual([0, 0]);
    await suspend(false);
    await redeem(hill, sue, code);
    expect([await granted(sue), await uses(code)]).toEqual([500, 1]);
  });

  test('has no more uses than it has', async () => {
    const code = await aCode(hill, slug, { uses: 1 });
    await redeem(hill, await entrant(), code);
    const late = await entrant();
    expect((await refusal(redeem(hill, late, code))).code).toBe('CODE_USED_UP');
    expect([await granted(late), await uses(code)]).toEqual([0, 1]);
  });

  test('ends when it expires and when it is revoked; what it granted stays', async () => {
    const code = await aCode(hill, slug, { expires_day: 1 });
    const revoked = await aCode(hill, slug);
    const ann = await entrant();
    await redeem(hill, ann, revoked);
    await hill.asStaff().call('api_staff.revoke_tournament_code', { code: revoked, reason: 'it leaked' });
    const bob = await entrant();
    expect((await refusal(redeem(hill, bob, revoked))).code).toBe('CODE_EXPIRED');
    await hill.clock.at('23:59:59.999999');
    await redeem(hill, bob, code);
    await hill.clock.toDay(2, '00:00');
    expect((await refusal(redeem(hill, ann, code))).code).toBe('CODE_EXPIRED');
    expect([await granted(ann), await granted(bob)]).toEqual([500, 500]);
  });
});

describe('guessing', () => {
  test('is counted by account: ten tries an hour, and not one more, though the eleventh be right', async () => {
    const [eve, code] = [await entrant(), await aCode(hill, slug)];
    for (let i = 0; i < 10; i++)
      expect((await refusal(redeem(hill, eve, `GUESS-${1000 + i}`))).code).toBe('UNKNOWN_CODE');
    const wait = await refusal(redeem(hill, eve, code));
    expect(wait).toMatchObject({ code: 'rate_limited', detail: { retry_after_seconds: expect.any(Number) } });
    expect(await granted(eve)).toBe(0);

    await redeem(hill, await entrant(), code); // another account is not held up
    const seconds = (wait.detail as { retry_after_seconds: number }).retry_after_seconds;
    await hill.clock.tick(seconds * 1000);
    await redeem(hill, eve, code);
    expect(await granted(eve)).toBe(500);
  });

  test('is a refusal like any other at the doors', async () => {
    const { token } = await entrant();
    await expect(
      callAsDoors(hill.asPublic(), 'api_agent.redeem_code', { token, code: 'NOT-A-CODE' }),
    ).rejects.toMatchObject({
      ...{
        name: 'Refusal',
        code: 'UNKNOWN_CODE',
        status: 404,
        hint: expect.stringContaining('letter by letter'),
        detail: { argument: 'code' },
      },
    });
  });

  test.each([null, '', '  ', 'x'.repeat(101)])('%j is no code at all', async (code) => {
    expect((await refusal(redeem(hill, await entrant(), code))).code).toBe('INVALID_ARGUMENT');
  });
});

describe('at one instant', () => {
  test('the last use goes to one of many', async () => {
    const code = await aCode(hill, slug, { uses: 3 });
    const many = await Promise.all(Array.from({ length: 8 }, () => entrant()));
    const outcomes = await Promise.all(
      many.map((account) =>
        redeem(hill, account, code).then(
          () => 'granted',
          (error) => error.code,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'granted')).toHaveLength(3);
    expect(new Set(outcomes)).toEqual(new Set(['granted', 'ZHCDF']));
    expect([await uses(code), (await Promise.all(many.map(granted))).reduce((a, b) => a + b)]).toEqual([3, 1500]);
  });

  test('one account that asks many times over is granted once', async () => {
    const [code, ann] = [await aCode(hill, slug, { uses: 50 }), await entrant()];
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () =>
        redeem(hill, ann, code).then(
          () => 'granted',
          (error) => error.code,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual(['ZHCDR', 'ZHCDR', 'ZHCDR', 'ZHCDR', 'ZHCDR', 'granted']);
    expect([await uses(code), await granted(ann)]).toEqual([1, 500]);
  });

  test('a code that is being revoked is redeemed before or not at all', async () => {
    const [code, ann] = [await aCode(hill, slug), await entrant()];
    const staff = await hill.root.connect();
    await staff.query('begin');
    await staff.query('update hill.tournament_codes set revoked_at = engine.now() where code = $1', [code]);
    const waiting = refusal(redeem(hill, ann, code));
    await expect
      .poll(() =>
        hill.rows("select 1 as waiting from pg_locks where not granted and locktype in ('transactionid', 'tuple')"),
      )
      .toHaveLength(1);
    await staff.query('commit');
    staff.release();
    expect((await waiting).code).toBe('CODE_EXPIRED');
  });
});

describe('the roles', () => {
  test('grant themselves nothing by writing a redemption: what the trigger refuses stays refused, and another’s row is not theirs to write', async () => {
    const [ann, bob, code] = [await entrant(), await anAccount(hill), await aCode(hill, slug, { uses: 1 })];
    const insert = (as: Account, whose: Account, columns = '(code, account_id) values ($1, $2)') =>
      refusal(
        hill.asOwnerOf('hill_api_agent', async (client) => {
          await client.query("select set_config('hill.account_id', $1, true)", [as.id]);
          await client.query(`insert into hill.tournament_redemptions ${columns}`, [code, whose.id]);
        }),
      );
    expect((await insert(bob, bob)).code).toBe('ENTRANTS_ONLY');
    expect((await insert(bob, ann)).code).toBe('42501');
    expect((await insert(ann, ann, '(code, account_id, lot_id, redeemed_at) values ($1, $2, 1, now())')).code).toBe(
      '42501',
    );
    expect([await uses(code), await granted(ann)]).toEqual([0, 0]);
  });

  test('read no code that is not shown', async () => {
    const [hidden, open] = [await aCode(hill, slug), await aCode(hill, slug, { shown: true })];
    for (const role of ['hill_api_public', 'hill_api_agent', 'hill_api_human', 'hill_api_worker']) {
      const seen = await hill.asOwnerOf(
        role,
        async (client) => (await client.query<{ code: string }>('select code from hill.tournament_codes')).rows,
      );
      expect(
        seen.map(({ code }) => code),
        role,
      ).toContain(open);
      expect(
        seen.map(({ code }) => code),
        role,
      ).not.toContain(hidden);
    }
    await expect(
      hill.asOwnerOf('hill_dba', (client) => client.query('select from hill.tournament_codes')),
    ).rejects.toMatchObject({
      code: '42501',
    });
  });
});
