// The dates of days, by the hill's own clock. Rules 2.1.
import type { Clock } from '../db/call.ts';

/** When the bell of a day rang, or will ring. */
export const bellOf = (day: number, { day: today, next_bell_at }: Pick<Clock, 'day' | 'next_bell_at'>): string =>
  new Date(Date.parse(next_bell_at) - (today - day) * 86_400_000).toISOString();

/** The date of a day; its bell rings at the end of it. */
export const dateOf = (day: number, clock: Clock): string => bellOf(day - 1, clock).slice(0, 10);
