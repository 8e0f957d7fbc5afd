// Strategies on a hill of the test: the demonstration's population, and what it announces and plays in a day.
import { looker, type Status } from '../../../docs/starters/typescript/look.ts';
import { withNext } from '../../../src/demo/agent.ts';
import { type Part, population } from '../../../src/demo/population.ts';
import { publicApi } from '../../../src/demo/public-api.ts';
import type { View } from '../../../src/strategies/strategy.ts';
import { until } from '../until.ts';
import { type Account, anAccount, call, type Hill } from './index.ts';

/** An account for each of the population, in its order. */
export async function aPopulation(hill: Hill, parts: readonly Part[] = population): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const { name } of parts) accounts.push(await anAccount(hill, { name, credits: 100_000 }));
  return accounts;
}

/** What strategies are given, by those who look at the hill of an address. What was read is read again after `anew`. */
export function views(hill: Hill, baseUrl: string) {
  const { read } = publicApi(baseUrl);
  const seen = new Map<string, Promise<unknown>>();
  const look = looker(<T>(path: string) => {
    const answer = seen.get(path) ?? read(path);
    seen.set(path, answer);
    return answer as Promise<T>;
  });
  return {
    anew: () => seen.clear(),
    /** For the strategy of an account at one of its hours. */
    viewOf({ id: accountId, token }: Account, name: string, hour: number): Promise<View> {
      const use = <T>(tool: string, args = {}) => call<T>(hill.as('web'), `api_agent.${tool}`, { token, ...args });
      return until('readers see the day', async () => {
        const view = await look(hour, { accountId, name }, withNext(await use<Status>('status')), use);
        if (!view) seen.clear();
        return view;
      });
    },
  };
}
const known = new WeakMap<Hill, ReturnType<typeof views>>();

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
  const { viewOf, anew } = known.get(hill) ?? views(hill, baseUrl);
  known.set(hill, { viewOf, anew });
  anew();
  for (const [i, { name, strategy }] of population.entries()) {
    const account = accounts[i] as Account;
    const agent = hill.asAgent(account);
    for (const hour of strategy.hours) {
      const { announcements = [], moves = [] } = await strategy.decide(await viewOf(account, name, hour));
      if (does === 'announce') for (const said of announcements) await agent.announce({ ...said, day }).catch(refused);
      else for (const move of moves) await agent.play({ ...move, day }).catch(refused);
    }
  }
}

const refused = (error: { code?: string }) => {
  if (!error.code?.startsWith('ZH')) throw error;
};
