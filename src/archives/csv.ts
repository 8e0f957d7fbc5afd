// CSV of RFC 4180 that no spreadsheet takes for formulas.

/** A column, and how to get its value. */
export type Columns<T> = Readonly<Record<string, (entry: T) => unknown>>;

/** Columns that have the names of their fields. */
export const columnsOf = <T>(...names: readonly (keyof T & string)[]): Columns<T> =>
  Object.fromEntries(names.map((name) => [name, (entry: T) => entry[name]]));

export const csvHead = (columns: Columns<never>): string => `${Object.keys(columns).map(field).join(',')}\r\n`;
export const csvLine = <T>(columns: Columns<T>, entry: T): string =>
  `${Object.values(columns)
    .map((of) => field(of(entry)))
    .join(',')}\r\n`;

// What a spreadsheet would take for a formula gets a quote mark in front, as spreadsheets mark text themselves. Numbers
// are ours and stay as they are.
const formula = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

function field(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
