// A run in a few lines of a terminal.
import { dollars } from '../html/words.ts';
import type { Gathered, Gathering, Mean } from './gather.ts';
import { meetingsOf, mixOf, worth } from './tournament.ts';

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

/** How strategies did against each, the best first, and which mix of them would last. */
export function ranking(gathering: Gathering, names: readonly string[], pointCents: number): string {
  const all = meetingsOf(gathering, names);
  const mix = mixOf(names, all, pointCents);
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const rows = names
    .map((name, n) => {
      const own = all.filter((meeting) => meeting.name === name);
      return {
        name,
        gain: mean(own.map((meeting) => worth(meeting, pointCents))),
        points: mean(own.map(({ points }) => points.mean)),
        cents: mean(own.map(({ cents }) => cents.mean)),
        share: 100 * (mix[n]?.accounts.at(-1) ?? 0),
      };
    })
    .sort((a, b) => b.gain - a.gain);
  return [
    '\nAgainst each, and against its like',
    table(
      ['strategy', 'gain a night', 'points', 'cents', 'would last'],
      rows.map(({ name, gain, points, cents, share }) => [
        ...[name, gain.toFixed(0), points.toFixed(3), cents.toFixed(0), `${share.toFixed(0)} %`],
      ]),
    ),
    `Of an account each night. Gain: points at ${pointCents} cents, less what was paid. Would last: its share in the end if what gains more than the mean grows.`,
  ].join('\n');
}

/** Columns in as much room as they need. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, n) => Math.max(name.length, ...rows.map((row) => (row[n] ?? '').length)));
  const line = (row: readonly string[]) =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  ');
  return [head, ...rows].map(line).join('\n');
}
