// A run in a few lines of a terminal.
import { dollars } from '../html/words.ts';
import type { Gathered, Mean } from './gather.ts';

export const figure =
  (digits: number, scale = 1) =>
  ({ mean, within }: Mean): string =>
    `${(mean * scale).toFixed(digits)}${within === null ? '' : ` ± ${(within * scale).toFixed(digits)}`}`;

export function summary(gathered: Gathered): string {
  const { label, places, stays, seeds } = gathered;
  const ended = stays.reduce((sum, count) => sum + count, 0);
  const nights = stays.reduce((sum, count, length) => sum + count * length, 0);
  const burned = places.reduce((sum, place) => sum + place.burned_cents, 0);
  const burns = places.reduce((sum, place) => sum + place.BURN, 0);
  const all = places.reduce((sum, { VACANT, PEACE, WAR, BURN }) => sum + VACANT + PEACE + WAR + BURN, 0);
  return [
    ...(label === '' ? [] : [`\n${label}`]),
    table(
      ['strategy', 'points a night', 'cents a night', 'points per $', 'seated %', 'WAR %'],
      gathered
        .standings()
        .map(({ name, points, cents, perDollar, seated, wars }) => [
          ...[name, figure(3)(points), figure(0)(cents), figure(2)(perDollar)],
          ...[figure(0, 100)(seated), figure(0, 100)(wars)],
        ]),
    ),
    `Of an account each night; ± holds the mean of all seeds in 19 of 20 cases (${seeds === 1 ? 'one seed has none' : `${seeds} seeds`}).`,
    `A stay lasts ${(nights / Math.max(1, ended)).toFixed(1)} nights. ${((100 * burns) / Math.max(1, all)).toFixed(1)} % of the places burn, and ${dollars(Math.round(burned / seeds))} a world.`,
    ...words(gathered.words),
  ].join('\n');
}

/** How often what was announced came true. */
function words(said: Readonly<Record<string, number>>): string[] {
  const all = (intention: string) =>
    Object.entries(said).reduce((sum, [what, count]) => sum + (what.startsWith(`${intention} `) ? count : 0), 0);
  const kept = (['PEACE', 'WAR'] as const)
    .filter((intention) => all(intention) > 0)
    .map(
      (intention) =>
        `${((100 * (said[`${intention} kept`] ?? 0)) / all(intention)).toFixed(0)} % of announced ${intention}`,
    );
  return kept.length === 0 ? [] : [`Kept: ${kept.join(', ')}.`];
}

/** Columns in as much room as they need. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, n) => Math.max(name.length, ...rows.map((row) => (row[n] ?? '').length)));
  const line = (row: readonly string[]) =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  ');
  return [head, ...rows].map(line).join('\n');
}
