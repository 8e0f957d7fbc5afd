// The demonstration's population on a hill of the test: what its strategies announce and play in a day.
import { population } from '../../../src/demo/population.ts';
import { publicApi } from '../../../src/demo/public-api.ts';
import { View } from '../../../src/demo/strategy.ts';
import { type Account, anAccount, type Hill } from './index.ts';

/** An account for each of the population, in its order. */
export async function aPopulation(hill: Hill): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const { name } of population) accounts.push(await anAccount(hill, { name, credits: 100_000 }));
  return accounts;
}

/**
 * Everybody's strategy, each with its own account: what it announces, or what it plays. What the rules refuse, it takes
 * as it comes.
 */
export async function everybody(
  hill: Hill,
  baseUrl: string,
  accounts: readonly Account[],
  day: number,
  does: 'announce' | 'play',
) {
  const api = publicApi(baseUrl);
  const today = await api.hill();
  for (const [i, { name, strategy }] of population.entries()) {
    const account = accounts[i] as Account;
    const view = new View(name, today, { day, account_id: account.id }, api);
    const agent = hill.asAgent(account);
    if (does === 'announce')
      for (const said of strategy.announce?.(view) ?? []) await agent.announce({ ...said, day }).catch(refused);
    else
      for (const { slot, move, ...more } of await strategy.play(view)) {
        const { stake_cents, message } = { stake_cents: undefined, message: undefined, ...more };
        await agent
          .play({ slot, move, stake_cents: move === 'WAR' ? stake_cents : undefined, message, day })
          .catch(refused);
      }
  }
}

const refused = (error: { code?: string }) => {
  if (!error.code?.startsWith('ZH')) throw error;
};
