// How many connections a process and those it starts may hold, and how many each part gets. docs/operations.md
// (Connections) has the totals.
import { StartError } from '../process/start-error.ts';
import type { Door } from './logins.ts';

export interface Budget {
  /** Of each web process. `calls` serves play, sign-in and tokens. */
  readonly web: { readonly calls: number; readonly reading: number };
  readonly worker: { readonly clockwork: number; readonly errands: number };
  readonly console: number;
}

/** What each opens where HILL_DATABASE_CONNECTIONS does not say otherwise. */
export const usual: Readonly<Record<Door, number>> = { web: 10, worker: 9, console: 3 };
/** With fewer, a part would wait for itself. */
const least: Readonly<Record<Door, number>> = { web: 4, worker: 7, console: 1 };
const listener = 1;
/**
 * The bell and the count. While one of them takes long, one more connection asks whether the server is still working on
 * it.
 */
const clockwork = 2;
const pulses = clockwork;

/**
 * Divides HILL_DATABASE_CONNECTIONS, or the usual number, among the parts that run in a process, of which the web may
 * be several processes.
 */
export function budget(connections: number | null, parts: readonly Door[], webs = 1): Budget {
  const sum = (of: Readonly<Record<Door, number>>) =>
    parts.reduce((all, door) => all + of[door] * (door === 'web' ? webs : 1), 0);
  const all = connections ?? sum(usual);
  const needs = webs === 1 ? 'this process needs' : `${webs} web processes and what runs beside them need`;
  if (all < sum(least)) throw new StartError(`HILL_DATABASE_CONNECTIONS: ${needs} at least ${sum(least)}.`);
  // What remains beyond the least is shared in the usual proportions; the remainder of that goes to the first part.
  const more = (door: Door) => Math.floor(((all - sum(least)) * usual[door]) / sum(usual));
  const rest = parts.slice(1).reduce((left, door) => left - least[door] - more(door), all);
  const of = (door: Door) => (parts[0] === door ? rest : least[door] + more(door));
  const web = Math.floor(of('web') / webs) - listener;
  const reading = Math.round(web / 3);
  return {
    web: { calls: web - reading, reading },
    worker: { clockwork, errands: of('worker') - listener - clockwork - pulses },
    console: of('console'),
  };
}

/**
 * How many of the connections for calls are for deposits at once: as lanes, and beside them for those that wait for
 * their account. One is left for other calls.
 */
export function depositRoom(calls: number, lanes: number): { readonly lanes: number; readonly aside: number } {
  const width = Math.max(1, Math.min(lanes, calls - 2));
  return { lanes: width, aside: Math.max(1, calls - width - 1) };
}
