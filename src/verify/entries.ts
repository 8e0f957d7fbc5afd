// What the entries of all logs of a hill say, by the day that they are about. Rules 20.3.
import type { LoggedAnnouncements } from './announcements.ts';
import type { LoggedDay } from './openings.ts';

/** Where an entry stands: its number, counted on from log to log, and its run. */
interface Position {
  readonly number: number;
  readonly run: number;
}

interface LoggedNight extends Position {
  readonly engine: string;
  readonly result: string;
}

export class Entries {
  readonly engines = new Set<string>();
  readonly receiptKeys = new Set<string>();
  readonly nights = new Map<number, LoggedNight[]>();
  /** Hashes of night files. */
  readonly files = new Map<number, string[]>();
  /** How nights were sealed, without the day: see sealOf in closings.ts. */
  readonly seals = new Map<number, string[]>();
  /** Numbers of entries by commitment. */
  readonly deposits = new Map<number, Map<string, number>>();
  readonly #announcements = new Map<number, Map<string, Position>>();
  /** Of each entry, by its number less one. */
  readonly runs: number[] = [];
  size = 0;
  // A batch is sorted, announcements last, and is not told from the next one where that goes on in order: a run is one
  // of them or more.
  #run = 0;
  #before = '';

  add(entry: string): void {
    const [kind, first = '', second = '', result = ''] = entry.split(' ');
    const day = Number(first);
    this.size += 1;
    const order = `${Number(kind === 'announcement')} ${entry}`;
    if (order < this.#before) this.#run += 1;
    this.#before = order;
    this.runs.push(this.#run);
    const position = { number: this.size, run: this.#run };
    if (kind === 'deposit') ofDay(this.deposits, day).set(second, this.size);
    else if (kind === 'announcement') ofDay(this.#announcements, day).set(second, position);
    else if (kind === 'receipt-key') this.receiptKeys.add(first);
    else if (kind === 'engine') this.engines.add(first);
    else if (kind === 'night')
      this.nights.set(day, [...(this.nights.get(day) ?? []), { engine: second, result, ...position }]);
    else if (kind === 'file') this.files.set(day, [...(this.files.get(day) ?? []), second]);
    else if (kind === 'closed' || kind === 'unsealed')
      this.seals.set(day, [...(this.seals.get(day) ?? []), entry.replace(` ${first}`, '')]);
  }

  /** The first day of which anything is logged, and the last night. */
  get days(): { readonly oldest: number; readonly newest: number } {
    const all = [...this.nights.keys(), ...this.deposits.keys(), ...this.#announcements.keys()];
    return { oldest: Math.min(...all), newest: Math.max(...this.nights.keys()) };
  }

  night(day: number): LoggedNight | undefined {
    return this.nights.get(day)?.[0];
  }

  /** Undefined of a day without a night, or from before deposits were logged. */
  openings(day: number): LoggedDay | undefined {
    const night = this.night(day);
    const first = Math.min(...this.deposits.keys());
    if (!night || !(day >= first)) return undefined;
    return { deposits: this.deposits.get(day) ?? new Map(), night: night.number, first: day === first };
  }

  /** Likewise of announcements. */
  announcements(day: number): LoggedAnnouncements | undefined {
    const night = this.night(day);
    const first = Math.min(...this.#announcements.keys());
    if (!night || !(day >= first)) return undefined;
    const inTime = [...(this.#announcements.get(day) ?? [])].map(
      ([commitment, { number, run }]) => [commitment, number < night.number || run === night.run] as const,
    );
    return { inTime: new Map(inTime), first: day === first };
  }
}

function ofDay<T>(all: Map<number, Map<string, T>>, day: number): Map<string, T> {
  const known = all.get(day) ?? new Map<string, T>();
  all.set(day, known);
  return known;
}
