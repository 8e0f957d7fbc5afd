// The engine under test: nights in, results out, with every digit.
import type pg from 'pg';
import type { Database } from '../../../src/verify/engine.ts';
import { type NightResult, parseExactly, stringifyExactly } from '../hill/night.ts';

/** Resolves many nights in one query; a malformed one among them fails the whole query. */
export async function resolveNights(pool: pg.Pool, nights: unknown[]): Promise<NightResult[]> {
  const { rows } = await pool.query<{ result: string }>(
    `select engine.resolve_night(t.night)::text as result
       from jsonb_array_elements($1::jsonb) with ordinality t (night, place) order by t.place`,
    [stringifyExactly(nights)],
  );
  return rows.map((row) => parseExactly(row.result) as NightResult);
}

/** The result of one night, or the SQLSTATE with which it was refused. */
export async function resolveOrRefuse(engine: Database, night: unknown): Promise<NightResult | string> {
  try {
    const { rows } = await engine.query('select engine.resolve_night($1::jsonb)::text as result', [
      stringifyExactly(night),
    ]);
    return parseExactly((rows[0] as { result: string }).result) as NightResult;
  } catch (error) {
    const state = (error as { code?: unknown }).code;
    if (typeof state !== 'string') throw error;
    return state;
  }
}

/** SQLSTATE of INVALID_NIGHT. */
export const REFUSED = 'ZHNGT';
