// Everything that agents and human of one account do at once: its limits hold, and what is the same is counted once.
// Rules 3.
import { describe, expect, test } from 'vitest';
import {
  type Account,
  anAccount,
  anotherAgent,
  balanced,
  books,
  grant,
  type Receipt,
  refusalOf,
  topUp,
  useHill,
} from '../support/hill/index.ts';

const hill = useHill();
const rounds = 25;

/** Starts all calls at once: what was accepted, and the codes of what was refused. */
async function atOnce<T>(calls: readonly (() => Promise<T>)[]): Promise<{ done: T[]; refused: string[] }> {
  const results = await Promise.allSettled(calls.map((call) => call()));
  return {
    done: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    refused: results.flatMap((result) => (result.status === 'rejected' ? [refusalOf(result.reason).code] : [])),
  };
}

async function twoAgents(options: Parameters<typeof anAccount>[1]): Promise<[Account, Account]> {
  const first = await anAccount(hill, options);
  return [first, await anotherAgent(hill, first)];
}

describe('two agents of one account at once', () => {
  test('who send the same move twelve times make one', async () => {
    for (let round = 0; round < rounds; round++) {
      const agents = await twoAgents({ credits: 2000 });
      const move = round % 2 ? { slot: 3, move: 'PEACE', message: 'We' } : { slot: 3, move: 'WAR', stake_cents: 900 };

      const { done, refused } = await atOnce(
        Array.from({ length: 12 }, (_, i) => () => hill.asAgent(agents[i % 2] as Account).play(move)),
      );

      expect(refused).toEqual([]);
      expect(new Set(done.map((receipt) => JSON.stringify(receipt))).size).toBe(1);
      expect(done[0]).toMatchObject({ moves_left: 3, places_left: 1 });
    }
  });

  test('who both take the last cent: one of them gets it', async () => {
    for (let round = 0; round < rounds; round++) {
      const agents = await twoAgents({ credits: 300 });

      const { done, refused } = await atOnce(
        agents.map((agent, i) => () => hill.asAgent(agent).play({ slot: 1 + i, move: 'PEACE' })),
      );

      expect([done.length, refused]).toEqual([1, ['INSUFFICIENT_CREDITS']]);
    }
  });

  test('who announce at once announce two things at most, and the same thing once', async () => {
    for (let round = 0; round < rounds; round++) {
      const agents = await twoAgents({});

      const { done, refused } = await atOnce(
        [1, 2, 3, 3, 2, 1].map(
          (slot, i) => () => hill.asAgent(agents[i % 2] as Account).announce({ slot, intention: 'PEACE' }),
        ),
      );

      expect(new Set(refused)).toEqual(new Set(['NO_ANNOUNCEMENTS_LEFT']));
      expect([done.length, new Set(done.map(({ slot }) => slot)).size]).toEqual([4, 2]);
      expect(
        await hill.rows('select count(*)::int as count from hill.announcements where account_id = $1', [agents[0].id]),
      ).toEqual([{ count: 2 }]);
    }
  });
});

describe('agent and human at once', () => {
  test('withdraw and replace: whoever comes second sees what the first has done', async () => {
    for (let round = 0; round < rounds; round++) {
      const [ann, bob] = await twoAgents({ credits: 2000 });
      await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });

      const { refused } = await atOnce<unknown>([
        () => hill.asHuman(ann).withdrawMove(1),
        () => hill.asAgent(bob).play({ slot: 1, move: 'WAR', stake_cents: 900 }),
        () => hill.asHuman(ann).withdrawMove(1),
        () => hill.asAgent(ann).play({ slot: 1, move: 'PASS' }),
      ]);

      expect(refused).toEqual([]);
      const state = await hill.asHuman(ann).ownState();
      expect(state.reserved_cents).toBe(state.moves.reduce((sum, { reserved_cents }) => sum + reserved_cents, 0));
      expect(state.places_left).toBe(2 - state.moves.length);
    }
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('top up and deposit: the credits are counted once, and no deposit is lost', async () => {
    for (let round = 0; round < rounds; round++) {
      const [ann, bob] = await twoAgents({ credits: 300 });

      const { done } = await atOnce<Receipt | null>([
        () => topUp(hill, ann, 2000).then(() => null),
        () => hill.asAgent(ann).play({ slot: 1, move: 'PEACE' }),
        () => topUp(hill, ann, 2000).then(() => null),
        () => hill.asAgent(bob).play({ slot: 2, move: 'PEACE' }),
      ]);

      expect(await hill.asHuman(ann).ownState()).toMatchObject({
        paid_cents: 4300,
        reserved_cents: 300 * done.filter(Boolean).length,
      });
    }
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('a mandate that is lowered binds what is deposited after it, not before', async () => {
    for (let round = 0; round < rounds; round++) {
      const [ann] = await twoAgents({ credits: 2000 });

      const { done, refused } = await atOnce<unknown>([
        () => hill.asHuman(ann).setMandate(0, 0),
        () => hill.asAgent(ann).play({ slot: 1, move: 'PEACE' }),
      ]);

      expect(done.length + refused.length).toBe(2);
      expect(refused.every((code) => code === 'OVER_DAILY_CAP')).toBe(true);
      expect(await hill.asHuman(ann).ownState()).toMatchObject({
        daily_cap_cents: 0,
        reserved_cents: refused.length ? 0 : 300,
      });
    }
  });
});

test('grants that reach an account at once lie on its line in the order of their instants, on a clock that goes on', async () => {
  const ann = await anAccount(hill);
  await hill.asWorker().setClock(null, 1);

  for (let round = 0; round < rounds; round++)
    expect((await atOnce(Array.from({ length: 8 }, () => () => grant(hill, ann, 10)))).refused).toEqual([]);

  expect((await hill.asHuman(ann).ownState()).granted_cents).toBe(rounds * 80);
  expect(await books(hill.root)).toEqual(balanced);
});
