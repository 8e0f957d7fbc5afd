// What a refused call says, with the code's name instead of its SQLSTATE.
import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { sqlFolder } from '../../../src/db/sql-folder.ts';

const registry = new Map(
  [...fs.readFileSync(path.join(sqlFolder, 'rules', 'errors.sql'), 'utf8').matchAll(/\('(ZH\w{3})',\s*'(\w+)'/g)].map(
    ([, state, code]) => [state as string, code as string] as const,
  ),
);

export interface Refusal {
  /** The registered code; the bare SQLSTATE of an error that is no refusal of the hill. */
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly detail: Record<string, unknown>;
}

export function refusalOf(error: unknown): Refusal {
  const { code, message, hint, detail } = error as pg.DatabaseError;
  if (code === undefined) throw error;
  const known = registry.get(code);
  return {
    code: known ?? code,
    message,
    hint,
    detail: known && detail ? (JSON.parse(detail) as Record<string, unknown>) : {},
  };
}

/** The refusal that a call ended in; a call that went through fails the test. */
export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  let result: unknown;
  try {
    result = await call;
  } catch (error) {
    return refusalOf(error);
  }
  throw new Error(`Nothing was refused: ${JSON.stringify(result)}`);
}
