// What is asked of an engine that was made of the sources that the log names, whichever database it is in: PostgreSQL,
// or PostgreSQL as WebAssembly. Rules 20.9, 20.10.
import type { Verdicts } from './announcements.ts';

/** An engine that did not come to an end in its time, and was ended. It may be one that never would. */
export class EngineEnded extends Error {}

export interface Engine {
  query(text: string, values?: string[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** See engine.result_of. */
export async function resultOf(engine: Engine, nightFile: string): Promise<string> {
  const { rows } = await engine.query('select engine.result_of(night => $1) as result', [nightFile]);
  return (rows[0] as { result: string }).result;
}

/** See engine.verdict. */
export async function verdictsOf(engine: Engine): Promise<Verdicts> {
  const { rows } = await engine.query(
    `select a || ' ' || coalesce(p::text, 'nothing') as case, engine.verdict(a, p)::text as verdict
       from unnest('{PEACE,WAR,PASS}'::hill.move[]) a cross join unnest('{PEACE,WAR,null}'::hill.move[]) p`,
  );
  return new Map((rows as { case: string; verdict: string }[]).map((row) => [row.case, row.verdict]));
}
