// db/call.ts · the way of every door into the database: one function of an API schema, in one statement.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { fromDatabase, noText, returnedRefusal, wasUndone } from './errors.ts';
import { isText } from './text.ts';

export type ApiFunction = `api_${'public' | 'agent' | 'human' | 'oauth'}.${string}`;
export type Args = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

/** Calls a function with named arguments; those that are undefined take their defaults. Throws a Refusal or a Failure. */
export async function call<T>(db: pg.Pool, name: ApiFunction, args: Args = {}): Promise<T> {
  const askedAt = performance.now();
  const { text, values } = expression(name, args);
  const [{ result }] = await run<{ result: T }>(db, `select ${text} as result`, values, async () => {
    if (!ofToday.has(name) || args.day !== undefined) return undefined;
    // The day of the first attempt: what was meant for it must not be bought for another one.
    const day = await dayAgo(db, (performance.now() - askedAt) / 1_000);
    const pinned = expression(name, { ...args, day });
    return { text: `select ${pinned.text} as result`, values: pinned.values };
  });
  const refusal = returnedRefusal(result);
  if (refusal) throw refusal;
  return result;
}

/** What the clock says of how long something that was just read may be kept: see api_public.clock. */
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

/** A record of the public reading and the clock, both of the same snapshot. */
export async function read<T>(db: pg.Pool, name: `api_public.${string}`, args: Args = {}): Promise<{ clock: Clock; record: T }> {
  const { text, values } = expression(name, args);
  const [row] = await run<{ clock: Clock; record: T }>(db, `select api_public.clock() as clock, ${text} as record`, values);
  return row;
}

/** A piece of a night: lines of JSON, and after what to go on. Throws a Refusal or a Failure. */
export async function piece(
  db: pg.Pool,
  { n, list, after, max }: { n: number; list: string; after: string | null; max: number },
): Promise<{ lines: string | null; next: string | null }> {
  const [row] = await run<{ lines: string | null; next: string | null }>(
    db,
    'select lines, next from api_public.night_lines(n => $1, list => $2, after => $3, max => $4)',
    [n, list, after, max],
  );
  return row;
}

function expression(name: ApiFunction, args: Args) {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  // Here every text of every door passes, and what is none would be an error of the database's, and a line in its log.
  for (const [, value] of given) if (![value].flat().every((one) => typeof one !== 'string' || isText(one))) throw noText();
  return {
    text: `${name}(${given.map(([key], i) => `${key} => $${i + 1}`).join(', ')})`,
    values: given.map(([, value]) => value),
  };
}

/** These mean the day on which they are called, unless one is named. */
const ofToday: ReadonlySet<string> = new Set(['api_agent.play', 'api_agent.announce']);

async function dayAgo(db: pg.Pool, seconds: number): Promise<number> {
  const { rows } = await db.query<{ day: number }>('select api_public.day_ago($1) as day', [seconds]);
  return (rows[0] as { day: number }).day;
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** What was undone through no fault of the call, as while functions are being replaced, is done once more: as it was, or as `again` says. */
async function run<R extends pg.QueryResultRow>(
  db: pg.Pool,
  text: string,
  values: unknown[],
  again: () => Promise<Statement | undefined> = async () => undefined,
): Promise<[R]> {
  try {
    const { rows } = await db.query<R>({ name: statementName(text), text, values });
    return rows as [R];
  } catch (error) {
    if (!wasUndone(error)) throw fromDatabase(error);
  }
  try {
    const statement = (await again()) ?? { text, values };
    // without a name: what this connection has prepared may be of a function that is gone
    const { rows } = await db.query<R>(statement.text, statement.values);
    return rows as [R];
  } catch (error) {
    throw fromDatabase(error);
  }
}

// Each connection parses and plans a statement once. There are as many as functions and sets of arguments that are given: a few hundred at most.
const names = new Map<string, string>();

function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
  }
  return name;
}
