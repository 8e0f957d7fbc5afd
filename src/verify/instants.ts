// Holds the instants of deposits against the batches of the log that have them: what came later is behind. Rules 20.3,
// 20.52.
import { andOthers, type Instant } from './openings.ts';
import { instantOf } from './reading.ts';
import type { Checked } from './report.ts';

/** A batch has what happened up to a quarter hour, but for what was still under way. */
const quarterMs = 900_000;

/** `runs` has of each entry, by its number less one, the run that it stands in: see Entries. */
export function checkInstants(
  { check }: Checked,
  day: number,
  instants: readonly Instant[],
  runs: readonly number[],
): void {
  if (instants.length === 0) return;
  const wrong: string[] = [];
  const byRun = [...Map.groupBy(instants, ({ number }) => runs[number - 1] ?? 0)].sort(([a], [b]) => a - b);
  let latest: Instant | null = null;
  for (const [, run] of byRun) {
    for (const { at, which } of run)
      if (latest && instantOf(at) < instantOf(latest.at) - quarterMs)
        wrong.push(
          `${which} says that it was deposited at ${at}, and came into the log behind what was at ${latest.at}`,
        );
    for (const one of run) if (!latest || instantOf(one.at) > instantOf(latest.at)) latest = one;
  }
  check(
    wrong.length === 0,
    `The ${instants.length} opened deposits of night ${day} came into the log in the order of their instants, as far as it tells.`,
    `Of night ${day}, ${wrong[0]}${andOthers(wrong)}.`,
  );
}
