// Figures as ratios, in one table.
export interface Figure {
  readonly what: string;
  /** What was measured, in words with its unit, and what it was measured against in the same run. */
  readonly measured: string;
  readonly against: string;
  readonly ratio: number;
  /** 'most': the ratio should be at most the target; 'least': at least. */
  readonly bound: 'most' | 'least';
  readonly target: number;
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? Number.NaN) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

export const ms = (value: number): string =>
  value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const mb = (value: number): string => `${(value / 1e6).toFixed(value < 1e7 ? 2 : 0)} MB`;

const met = (figure: Figure): boolean =>
  figure.bound === 'most' ? figure.ratio <= figure.target : figure.ratio >= figure.target;

/** `judged` false leaves out whether targets were met, for runs whose ratios mean nothing. */
export function table(figures: readonly Figure[], judged: boolean): string {
  const rows = [
    ['what', 'measured', 'against', 'ratio', 'target', ''],
    ...figures.map((f) => [
      f.what,
      f.measured,
      f.against,
      f.ratio.toFixed(2),
      `${f.bound === 'most' ? '≤' : '≥'} ${f.target}`,
      !judged ? '' : met(f) ? 'met' : 'MISSED',
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
