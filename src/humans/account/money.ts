// Amounts as people type them, and as they are told which ones will do.
import { dollars } from '../../html/words.ts';

/** Cents of "12", "12.5", "$1,200.00"; undefined for anything else. */
export function parseDollars(text: string | null): number | undefined {
  const found = /^\$?(\d{1,3}(?:,\d{3})+|\d{1,7})(?:\.(\d{1,2}))?$/.exec((text ?? '').trim());
  if (!found) return undefined;
  const [, whole = '', part = ''] = found;
  return Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
}

/** 1250 is "12.50", as an input field takes it. */
export const inDollars = (cents: number): string => (cents / 100).toFixed(2);

/** 100000 is "$1,000": whole dollars have no cents. */
export const briefly = (cents: number): string => dollars(cents).replace(/\.00$/, '');

export const enterAnAmount = (least: number, most: number): string =>
  `Enter an amount from ${briefly(least)} to ${briefly(most)}.`;
