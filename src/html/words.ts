// Numbers, names and lists as people read them.

/** 1234567 is $12,345.67. */
export const dollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD', minimumFractionDigits: 2 });

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

/** "3rd". */
export const ordinal = (n: number): string =>
  n +
  ({ one: 'st', two: 'nd', few: 'rd' }[new Intl.PluralRules('en', { type: 'ordinal' }).select(n) as string] ?? 'th');

/** "1, 2 and 3". */
export function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
}

/** The two largest units: "5 h 12 min". */
export function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return 'less than a minute';
  const units = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const;
  return units
    .slice(units.findIndex(([n]) => n > 0))
    .slice(0, 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ');
}

/** An instant for the attribute `datetime`, which takes milliseconds at most. */
export const datetime = (iso: string): string => `${iso.slice(0, 23)}Z`;

export const clockTime = (iso: string): string => `${iso.slice(11, 16)} UTC`;

export const date = (iso: string): string => iso.slice(0, 10);

/** The address of a link that somebody else chose, if a browser may be sent to it. */
export function safeUrl(url: string | null): string | null {
  return url !== null && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : null;
}
