// What is asked of an engine that was made of the sources that the log names, whichever database it is in: PostgreSQL,
// or PostgreSQL as WebAssembly. Rules 20.9, 20.10.
import type { Verdicts } from './announcements.ts';

/** An engine that did not come to an end in its time, and was ended. It may be one that never would. */
export class EngineEnded extends Error {}

/** PostgreSQL, or PGlite. */
export interface Database {
  query<R extends object>(text: string, values?: unknown[]): Promise<{ readonly rows: R[] }>;
}

/** How long an engine may take, in milliseconds. Whoever wrote it may be who is doubted. */
export interface Limits {
  readonly load: number;
  /** For one night of a million moves. */
  readonly night: number;
}
export const usual: Limits = { load: 300_000, night: 600_000 };

/** Whatever it does afterwards, nobody waits for it: where it runs is ended. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  work.catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EngineEnded(`${what} within ${ms / 1_000} seconds, and was ended.`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Throws EngineEnded where a query takes longer: once it has, at once, and nothing is asked any more. */
export function limited(query: Database['query'], ms: number, end: () => void): Database {
  let ended: EngineEnded | undefined;
  return {
    async query<R extends object>(...asked: Parameters<typeof query>) {
      if (ended) throw ended;
      try {
        // its statements may catch what ends them
        return await within(ms, 'It did not come to an end', query<R>(...asked));
      } catch (error) {
        if (error instanceof EngineEnded) {
          ended = error;
          end();
        }
        throw error;
      }
    },
  };
}

/** See engine.result_of. */
export async function resultOf(engine: Database, nightFile: string): Promise<string> {
  const { rows } = await engine.query<{ result: string }>('select engine.result_of(night => $1) as result', [
    nightFile,
  ]);
  return rows[0]?.result as string;
}

/** See engine.verdict. */
export async function verdictsOf(engine: Database): Promise<Verdicts> {
  const { rows } = await engine.query<{ case: string; verdict: string }>(
    `select a || ' ' || coalesce(p::text, 'nothing') as case, engine.verdict(a, p)::text as verdict
       from unnest('{PEACE,WAR,PASS}'::hill.move[]) a cross join unnest('{PEACE,WAR,null}'::hill.move[]) p`,
  );
  return new Map(rows.map((row) => [row.case, row.verdict]));
}
