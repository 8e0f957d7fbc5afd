// Calls a function of the database. Every door, the worker and the start of a process do it here, but for deposits:
// deposits.ts.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { tracedCall } from '../process/tracing.ts';
import type { Query } from './client.ts';
import { fromDatabase, noText, returnedRefusal, wasUndone } from './errors.ts';
import { notifyOthers } from './notify.ts';
import { isText } from './text.ts';

/** Of the API schemas; of `engine` and `trusted` for the owner alone. */
export type SqlFunction =
  | `api_${'public' | 'agent' | 'human' | 'oauth' | 'worker' | 'staff'}.${string}`
  | `${'engine' | 'trusted'}.${string}`;
export type Args = Readonly<
  Record<string, string | number | boolean | readonly string[] | Uint8Array | null | undefined>
>;

/**
 * Calls a function with named arguments; those that are undefined take their defaults. Throws a Refusal or a Failure.
 */
export async function call<T>(db: pg.Pool | pg.ClientBase, name: SqlFunction, args: Args = {}): Promise<T> {
  const calledAt = performance.now();
  const { text, values } = expression(name, args);
  const again = async () => {
    if (!ofToday.has(name) || args.day !== undefined) return undefined;
    // The day of the first attempt: what was meant for that day must not be bought for the next one.
    const day = await call<number>(db, 'api_public.day_ago', { seconds: (performance.now() - calledAt) / 1_000 });
    const pinned = expression(name, { ...args, day });
    return { text: selecting(pinned.text), values: pinned.values };
  };
  const [{ result, changed }] = await tracedCall(name, () => run<Answered<T>>(db, selecting(text), values, again));
  if (changed === 'yes' && db instanceof pg.Pool) notifyOthers(db);
  const refusal = returnedRefusal(result);
  if (refusal) throw refusal;
  return result;
}

interface Answered<T> {
  readonly result: T;
  readonly changed: string | null;
}

/**
 * With whether its transaction notes that something changed, of which others are notified once it is committed: see
 * trusted.note_change.
 */
const selecting = (expression: string): string =>
  `select ${expression} as result, current_setting('hill.changed', true) as changed`;

/**
 * Calls a function once for each value of one argument, in their order, as one statement: what all of them did stands,
 * or nothing. `args` are the same for all. Throws a Refusal or a Failure.
 */
export async function callEach<T>(
  db: pg.Pool,
  name: SqlFunction,
  [argument, each]: readonly [name: string, values: readonly string[]],
  args: Args,
): Promise<T[]> {
  if (!each.every(isText)) throw noText();
  const { text, values } = expression(name, args);
  const one = `${text.slice(0, -1)}, ${argument} => e.value)`;
  const all = `select ${one} as result from unnest($${values.length + 1}::text[]) with ordinality as e (value, n) order by e.n`;
  const rows: { result: T }[] = await tracedCall(name, () => run<{ result: T }>(db, all, [...values, each]));
  return rows.map(({ result }) => result);
}

/**
 * Calls a function in a transaction with settings of its own (`set local …` statements). It is one message, so one
 * transaction that the server ends by itself: a process that freezes in the middle holds no lock. `deadlineMs` takes
 * the place of the pool's.
 */
export async function callWithSettings<T>(
  db: pg.Pool | pg.PoolClient,
  settings: readonly string[],
  name: SqlFunction,
  args: Readonly<Record<string, string>> = {},
  deadlineMs?: number,
): Promise<T> {
  try {
    // Several statements take no parameters.
    const given = Object.entries(args).map(([argument, value]) => `${argument} => ${pg.escapeLiteral(value)}`);
    const text = [...settings, selecting(`${name}(${given.join(', ')})`)].join('; ');
    const query: Query = { text, ...(deadlineMs ? { deadlineMs } : {}) };
    const results: unknown = await db.query(query);
    const { rows } = (results as pg.QueryResult<Answered<T>>[]).at(-1) as pg.QueryResult<Answered<T>>;
    if (rows[0]?.changed === 'yes' && db instanceof pg.Pool) notifyOthers(db);
    return rows[0]?.result as T;
  } catch (error) {
    throw fromDatabase(error);
  }
}

/** The clock, which says how long something that was just read may be kept: see api_public.clock. */
export interface Clock {
  readonly now: string;
  readonly day: number;
  readonly last_night: number;
  readonly boards_night: number;
  readonly next_bell_at: string;
  readonly simulated: boolean;
  readonly rate: number;
  readonly seconds_to_bell: number | null;
}

/** A public record and the clock, both from one snapshot. */
export async function read<T>(
  db: pg.Pool,
  name: `api_public.${string}`,
  args: Args = {},
): Promise<{ clock: Clock; record: T }> {
  const { text, values } = expression(name, args);
  const [row] = await tracedCall(name, () =>
    run<{ clock: Clock; record: T }>(db, `select api_public.clock() as clock, ${text} as record`, values),
  );
  return row;
}

/** A piece of a night as lines of JSON, and where the next piece begins. Throws a Refusal or a Failure. */
export async function piece(
  db: pg.Pool,
  door: 'api_public' | 'api_worker',
  { n, list, after, max }: { n: number; list: string; after: string | null; max: number },
): Promise<{ lines: string | null; next: string | null }> {
  const [row] = await run<{ lines: string | null; next: string | null }>(
    db,
    `select lines, next from ${door}.night_lines(n => $1, list => $2, after => $3, max => $4)`,
    [n, list, after, max],
  );
  return row;
}

/**
 * Moves of an identity on published nights, as lines of JSON, and the day before which the rest is. Throws a Refusal or
 * a Failure.
 */
export async function movesBefore(
  db: pg.Pool,
  slug: string,
  before: number | null,
): Promise<{ lines: string | null; next: number | null }> {
  const [row] = await run<{ lines: string | null; next: number | null }>(
    db,
    'select lines, next from api_public.identity_moves(slug => $1, before => $2)',
    [slug, before],
  );
  return row;
}

function expression(name: SqlFunction, args: Args) {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  // Text from every door passes here. What PostgreSQL cannot store as text would be its own error, with a line in its
  // log.
  for (const [, value] of given)
    if (![value].flat().every((one) => typeof one !== 'string' || isText(one))) throw noText();
  return {
    text: `${name}(${given.map(([key], i) => `${key} => $${i + 1}`).join(', ')})`,
    values: given.map(([, value]) => value),
  };
}

/** Called without a day, these mean the day on which they are called. */
const ofToday: ReadonlySet<string> = new Set(['api_agent.announce']);

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Runs a statement on a pool, and once more if the server undid it for a reason that has passed, such as functions that
 * were just replaced: as it was, or as
 * `again` says. On a single connection it is not repeated: that may be in a transaction, which is undone as well.
 */
async function run<R extends pg.QueryResultRow>(
  db: pg.Pool | pg.ClientBase,
  text: string,
  values: unknown[],
  again: () => Promise<Statement | undefined> = async () => undefined,
): Promise<[R]> {
  try {
    const { rows } = await db.query<R>({ name: statementName(text), text, values });
    return rows as [R];
  } catch (error) {
    if (!(db instanceof pg.Pool && wasUndone(error))) throw fromDatabase(error);
  }
  const statement = (await again()) ?? { text, values };
  try {
    // Without a name: what this connection has prepared under the name may refer to a function that is gone.
    const { rows } = await db.query<R>(statement.text, statement.values);
    return rows as [R];
  } catch (error) {
    throw fromDatabase(error);
  }
}

// Each connection parses and plans a statement once. There is one per function and set of arguments: a few hundred at
// most.
const names = new Map<string, string>();

function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
  }
  return name;
}
