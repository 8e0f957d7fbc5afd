// A tournament of strategies: each against each, all together, and which mix of them would last.
import type { Gathering, Mean, Shares } from './gather.ts';

/** Each with each, and with its like. */
export const allPairs = (names: readonly string[]): [string, string][] =>
  names.flatMap((a, n) => names.slice(n).map((b): [string, string] => [a, b]));

export interface Meeting {
  readonly name: string;
  readonly against: string;
  /** Of an account each night. */
  readonly points: Mean;
  readonly cents: Mean;
}

/** What each came to in the worlds that it had with one other. */
export const meetingsOf = ({ byLabel }: Gathering, names: readonly string[]): Meeting[] =>
  allPairs(names).flatMap(([a, b]) => {
    const standings = byLabel.get(`${a} and ${b}`)?.standings() ?? [];
    return standings.map(({ name, points, cents }) => ({ name, against: name === a ? b : a, points, cents }));
  });

/** What a meeting is worth to the one who plays `name`. */
export const worth = ({ points, cents }: Meeting, pointCents: number): number => points.mean * pointCents - cents.mean;

/**
 * The replicator dynamics: what does better than the mean grows. All begin with the same share; steps take the place of
 * nights.
 */
export function mixOf(names: readonly string[], all: readonly Meeting[], pointCents: number, steps = 3_000): Shares[] {
  const payoff = names.map((name) =>
    names.map((against) => {
      const meeting = all.find((one) => one.name === name && one.against === against);
      return meeting ? worth(meeting, pointCents) : 0;
    }),
  );
  const range = Math.max(...payoff.flat()) - Math.min(...payoff.flat()) || 1;
  const mix = names.map((name) => ({ name, accounts: [1 / names.length], points: [] }));
  for (let step = 0; step < steps; step++) {
    const shares = mix.map(({ accounts }) => accounts[step] as number);
    const fitness = payoff.map((row) => row.reduce((sum, value, n) => sum + value * (shares[n] as number), 0));
    const mean = fitness.reduce((sum, value, n) => sum + value * (shares[n] as number), 0);
    const grown = shares.map((share, n) => share * (1 + ((fitness[n] as number) - mean) / range / 4));
    const sum = grown.reduce((total, share) => total + share, 0); // 1 but for what rounding adds up to
    for (const [n, { accounts }] of mix.entries()) accounts.push((grown[n] as number) / sum);
  }
  return mix;
}
