// Tells errors of this process from those of clients, where Koa reports them.
import { typed } from '../db/errors.ts';

const codes: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
]);

/**
 * Whether something failed here that somebody should look at. Not if the client went away, and not if the answer says
 * what is wrong with the request. (Errors of database connections have become a Failure before.)
 */
export function failedHere(error: Error & { status?: number; code?: unknown }): boolean {
  // HPE_…: Node's HTTP parser on an invalid or unfinished request
  if (codes.has(error.code) || String(error.code).startsWith('HPE_')) return false;
  return (error.status ?? typed(error).status) >= 500;
}
