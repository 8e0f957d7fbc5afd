// Rules 3.7: the checks of a deposit come in a fixed order, and the first that fails names the error. Every pair of two
// that fail at once, and all of them at once.
import { describe, expect, test } from 'vitest';
import { type Account, anAccount, type Hill, type PlayArgs, refusal, useHill } from '../../support/hill/index.ts';

interface World {
  readonly hill: Hill;
  readonly account: Account;
}

interface Check {
  readonly code: string;
  readonly name?: string;
  /** What the caller gives wrongly. */
  readonly args?: Partial<PlayArgs>;
  /**
   * Done before: everything that makes this check fail for an account and a deposit that are otherwise in order.
   * Returns what undoes it.
   */
  readonly break?: (world: World) => Promise<() => Promise<unknown>>;
}

const today = 3;

const set = (hill: Hill, text: string, values: unknown[] = []) => hill.rows(text, values);

/** In the order of rules 3.7. Each is compatible with all the others, so that any two can fail together. */
const checks: Check[] = [
  { code: 'INVALID_ARGUMENT', name: 'unknown place', args: { slot: 11 } },
  { code: 'INVALID_ARGUMENT', name: 'unknown move', args: { move: 'TRUCE' } },
  {
    code: 'ACCOUNT_SUSPENDED',
    break: async ({ hill, account }) => {
      await set(hill, 'update hill.accounts set suspended_at = engine.now() where id = $1', [account.id]);
      return () => set(hill, 'update hill.accounts set suspended_at = null where id = $1', [account.id]);
    },
  },
  {
    code: 'HILL_NOT_OPEN',
    break: async ({ hill }) => {
      await set(hill, 'update hill.settings set founders_total = 7');
      return () => set(hill, 'update hill.settings set founders_total = 0');
    },
  },
  {
    code: 'BELL_RINGING',
    break: async ({ hill }) => {
      const bell = await hill.root.connect();
      await bell.query('begin; lock table hill.day_lock in exclusive mode');
      return async () => {
        await bell.query('rollback');
        bell.release();
      };
    },
  },
  { code: 'DAY_PASSED', args: { day: today - 1 } },
  {
    code: 'SLOT_CLOSED',
    break: async ({ hill }) => {
      await set(hill, 'update hill.places set opens_day = $1 where slot = 3', [today + 1]);
      return () => set(hill, 'update hill.places set opens_day = 1 where slot = 3');
    },
  },
  { code: 'INVALID_STAKE', args: { stake_cents: 799 } },
  { code: 'MESSAGE_TOO_LONG', args: { message: 'é'.repeat(141) } },
  {
    code: 'NO_MOVES_LEFT',
    break: async ({ hill, account }) => {
      // the fourth move, however many were made
      await set(hill, 'update hill.reservations set day = $2, moves = 4 where account_id = $1', [account.id, today]);
      return () => set(hill, 'update hill.reservations set moves = moves - 1 where account_id = $1', [account.id]);
    },
  },
  {
    code: 'TOO_MANY_PLACES',
    break: async ({ hill, account }) => {
      await set(hill, 'update hill.reservations set day = $2, peace = 1, war = 1, cents = 1100 where account_id = $1', [
        account.id,
        today,
      ]);
      return () => set(hill, 'update hill.reservations set war = 0, cents = 300 where account_id = $1', [account.id]);
    },
  },
  {
    code: 'STAKE_OVER_MANDATE',
    break: async ({ hill, account }) => {
      await set(hill, 'update hill.mandates set max_stake_cents = 700 where account_id = $1', [account.id]);
      return () => set(hill, 'update hill.mandates set max_stake_cents = 1500 where account_id = $1', [account.id]);
    },
  },
  {
    code: 'OVER_DAILY_CAP',
    break: async ({ hill, account }) => {
      await set(hill, 'update hill.mandates set daily_cap_cents = 100 where account_id = $1', [account.id]);
      return () => set(hill, 'update hill.mandates set daily_cap_cents = 5000 where account_id = $1', [account.id]);
    },
  },
  {
    code: 'INSUFFICIENT_CREDITS',
    break: async ({ hill, account }) => {
      // a wallet that was emptied since: what it holds goes by the back door, with what the ledger keeps against it
      const empty = `set local session_replication_role = replica;
        update hill.wallets set paid_cents = 0 where account_id = '${account.id}';
        update hill.ledger_accounts set balance_cents = balance_cents + 5000 where code = 'cash'`;
      await set(hill, `begin; ${empty}; commit`);
      return () => set(hill, `begin; ${empty.replace('= 0', '= 5000').replace('+ 5000', '- 5000')}; commit`);
    },
  },
];

const label = ({ code, name }: Check) => (name ? `${code} (${name})` : code);

describe('the checks of a deposit (rules 3.7)', () => {
  const hill = useHill({ day: 1 });
  const inOrder: PlayArgs = { slot: 3, move: 'WAR', stake_cents: 900, message: 'Hello', day: today };

  const broken = async (failing: readonly Check[]) => {
    const account = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });
    const undo: (() => Promise<unknown>)[] = [];
    for (const check of failing) if (check.break) undo.unshift(await check.break({ hill, account }));
    const args = Object.assign({ ...inOrder }, ...failing.map((check) => check.args)) as PlayArgs;
    return { account, args, undo };
  };

  test('take a deposit that is in order', async () => {
    await hill.clock.toDay(today);
    const { account, args } = await broken([]);

    expect(await hill.asAgent(account).play(args)).toMatchObject({
      day: today,
      slot: 3,
      move: 'WAR',
      stake_cents: 900,
    });
  });

  test.each(checks.map((check) => [label(check), check] as const))('%s by itself', async (_, check) => {
    const { account, args, undo } = await broken([check]);
    try {
      expect(await refusal(hill.asAgent(account).play(args))).toMatchObject({ code: check.code });
    } finally {
      for (const step of undo) await step();
    }
    expect(await hill.asAgent(account).play(inOrder), 'and nothing was deposited').toMatchObject({
      moves_left: expect.any(Number),
    });
    expect((await hill.asAgent(account).ownState()).moves).toHaveLength(1);
  });

  const pairs = checks.flatMap((first, i) =>
    checks.slice(i + 1).map((second) => [label(first), label(second), first, second] as const),
  );

  test.each(pairs)('%s comes before %s', async (_, __, first, second) => {
    const { account, args, undo } = await broken([second, first]);
    // of two wrong arguments of one name only one can be given: the first check's
    Object.assign(args, first.args);
    try {
      expect(await refusal(hill.asAgent(account).play(args))).toMatchObject({ code: first.code });
    } finally {
      for (const step of undo) await step();
    }
  });

  test('all of them at once, mended one by one from the first', async () => {
    const account = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });
    const mend = new Map<Check, () => Promise<unknown>>();
    // from the last: what asks the hill for something must come before the hill says no
    for (const check of checks.toReversed()) if (check.break) mend.set(check, await check.break({ hill, account }));
    const answers: string[] = [];
    for (const [i, check] of checks.entries()) {
      const args = Object.assign({ ...inOrder }, ...checks.slice(i).map(({ args }) => args)) as PlayArgs;
      answers.push((await refusal(hill.asAgent(account).play(args))).code);
      await mend.get(check)?.();
    }

    expect(answers).toEqual(checks.map(({ code }) => code));
    expect(await hill.asAgent(account).play(inOrder)).toMatchObject({ slot: 3, moves_left: 0, places_left: 0 });
  });
});
