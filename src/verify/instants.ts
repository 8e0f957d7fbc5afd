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
  let [latest, text] = [Number.NEGATIVE_INFINITY, ''];
  for (const [, run] of byRun) {
    const read = run.map((one) => ({ ...one, ms: instantOf(one.at) }));
    for (const { at, which, ms } of read)
      if (ms < latest - quarterMs)
        wrong.push(`${which} says that it was deposited at ${at}, and came into the log behind what was at ${text}`);
    for (const { at, ms } of read) if (ms > latest) [latest, text] = [ms, at];
  }
  check(
    wrong.length === 0,
    `The ${instants.length} opened deposits of night ${day} came into the log in the order of their instants, as far as it tells.`,
    `Of night ${day}, ${wrong[0]}${andOthers(wrong)}.`,
  );
}
