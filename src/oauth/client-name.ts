// The name that a client gives itself, as SQL lets a human read it. Protocol 8.3.
import type pg from 'pg';
import { call } from '../db/call.ts';

/** A text as it may be shown; null if there is nothing to show. */
export type ShownName = (name: string) => Promise<string | null>;

export const shownNames =
  (db: pg.Pool): ShownName =>
  (name) =>
    // what a database cannot store, it cannot judge
    call<string | null>(db, 'api_oauth.client_name', { name: name.toWellFormed().replaceAll('\0', ' ') });

/** The name if it may be shown as it is. */
export async function fitName(shown: ShownName, name: unknown): Promise<string | undefined> {
  const given = typeof name === 'string' ? name.trim().normalize('NFC') : '';
  return given !== '' && (await shown(given)) === given ? given : undefined;
}
