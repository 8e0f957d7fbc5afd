// Makes nights into files once their boards are built: all forms of a night in one transaction, the last night first,
// those that failed at the end. Rules 10.12.
import pLimit from 'p-limit';
import type pg from 'pg';
import { type ArchiveFile, makeFile } from '../archives/file.ts';
import { type Form, forms, formVersion, lists, textOf, textsOf } from '../archives/forms.ts';
import { call } from '../db/call.ts';

interface Kept extends ArchiveFile {
  readonly id: number;
  readonly form: string;
}

/**
 * Makes the files of one night, and returns whether there was one to make. What is read goes through `db` in short
 * statements. The transaction writes only to the tables of files, so that one which takes minutes is in nobody's way.
 * `failed` are the nights that failed since all others were made: they are tried again when no other is left.
 */
export async function archiveNight(
  db: pg.Pool,
  failed: Set<number> = new Set(),
  signal?: AbortSignal,
): Promise<boolean> {
  const client = await db.connect();
  let broken: Error | undefined;
  let day: number | undefined;
  try {
    await client.query(
      'begin isolation level read committed; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    );
    const night = await call<{ day: number; times: number } | null>(client, 'api_worker.next_night_to_archive', {
      forms,
      version: formVersion,
      passed_over: [...failed].map(String),
    });
    if (!night) {
      await client.query('rollback');
      failed.clear();
      while (!signal?.aborted && (await call<number>(db, 'api_worker.prune_archives')) > 0);
      return false;
    }
    day = night.day;
    const from = { db, door: 'api_worker', day } as const;
    const inTurn = pLimit(1); // one statement at a time
    const failing = new AbortController();
    const make = async ([form, text]: [Form, AsyncGenerator<string>]): Promise<Kept> => {
      let id: number | null = null;
      try {
        const file = await makeFile(text, async (piece, body) => {
          signal?.throwIfAborted();
          failing.signal.throwIfAborted();
          id = await inTurn(() =>
            call<number>(client, 'api_worker.add_archive_piece', { archive_id: id, piece, body }),
          );
        });
        return { id: id as unknown as number, form, ...file };
      } catch (error) {
        failing.abort(error);
        throw error;
      }
    };
    // All at once, since the server reads one list while this process writes another. None goes on once one has failed.
    const nightFile: [Form, AsyncGenerator<string>] = ['night.json', textOf(from, 'night.json')];
    const making = [nightFile, ...lists.flatMap((list) => textsOf(from, list))].map(make);
    await Promise.allSettled(making);
    failing.signal.throwIfAborted(); // with what failed first: the other format of its list only says that it stopped
    const files = await Promise.all(making);
    const kept = await call<boolean>(client, 'api_worker.keep_archives', {
      ...night,
      version: formVersion,
      files: JSON.stringify(files),
    });
    await client.query(kept ? 'commit' : 'rollback'); // published anew meanwhile: it is found again
    return true;
  } catch (error) {
    broken = error as Error;
    if (signal?.aborted) return false;
    if (day !== undefined) failed.add(day);
    throw error;
  } finally {
    client.release(broken); // the transaction ends with the connection
  }
}
