// db/budget.ts · how many connections a process may have at once, and what each part of it gets. docs/operations.md (Connections) has the sums.
import { StartError } from '../process/start-error.ts';
import type { Door } from './logins.ts';

export interface Budget {
  /** `calls` is for whoever plays, signs in and asks for tokens. */
  readonly web: { readonly calls: number; readonly reading: number };
  readonly worker: { readonly clockwork: number; readonly errands: number };
  readonly console: number;
}

const usual: Readonly<Record<Door, number>> = { web: 10, worker: 9, console: 3 };
/** With fewer a part would wait for itself. */
const least: Readonly<Record<Door, number>> = { web: 4, worker: 7, console: 1 };
const listener = 1;
/** The bell and the count; while one of them takes long, a connection more each that asks whether the server is still at work on it. */
const clockwork = 2;
const pulses = clockwork;

/** Divides the connections of a process (HILL_DATABASE_CONNECTIONS, or as many as is usual) among the parts that run in it. */
export function budget(connections: number | null, parts: readonly Door[]): Budget {
  const sum = (of: Readonly<Record<Door, number>>) => parts.reduce((all, door) => all + of[door], 0);
  const all = connections ?? sum(usual);
  if (all < sum(least)) throw new StartError(`HILL_DATABASE_CONNECTIONS: this process needs at least ${sum(least)}.`);
  // what is left beyond the least, in the usual proportions; what that leaves goes to the first
  const more = (door: Door) => Math.floor(((all - sum(least)) * usual[door]) / sum(usual));
  const rest = parts.slice(1).reduce((left, door) => left - least[door] - more(door), all);
  const of = (door: Door) => (parts[0] === door ? rest : least[door] + more(door));
  const web = of('web') - listener;
  const reading = Math.round(web / 3);
  return {
    web: { calls: web - reading, reading },
    worker: { clockwork, errands: of('worker') - listener - clockwork - pulses },
    console: of('console'),
  };
}
