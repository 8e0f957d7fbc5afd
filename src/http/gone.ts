// http/gone.ts · whose fault an error is that reached the end of a door.
import { typed } from '../db/errors.ts';

const codes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED']);

/**
 * Of an error that Koa reports: did something fail here, so that somebody should look? Not if the client went away in the middle, and not if the answer says
 * what is wrong with the request. (The database's connections are no concern here: what they throw was made a Failure before.)
 */
export function failedHere(error: Error & { status?: number; code?: unknown }): boolean {
  // HPE_…: Node's HTTP parser, on what a client sent or left unfinished
  if (codes.has(error.code) || String(error.code).startsWith('HPE_')) return false;
  return (error.status ?? typed(error).status) >= 500;
}
