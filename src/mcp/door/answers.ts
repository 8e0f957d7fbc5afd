// Answers of the endpoint: those that are not a tool's, and how each is sent. Decisions 143.
import type http from 'node:http';
import { LRUCache } from 'lru-cache';
import { type Failure, type Refusal, rateLimited } from '../../db/errors.ts';
import { retryAfter } from '../../db/retry-after.ts';
import { Representation } from '../../http/representation.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; empty for a notification. */
  readonly body: string;
  /** It tells nothing that is sealed, so it may be compressed. Decisions 143. */
  readonly open?: boolean;
}

/** The id of a request; null where it has none or cannot be read. */
export type Id = string | number | null;

export const idOf = (message: unknown): Id => {
  const { id, method } = (typeof message === 'object' && message !== null ? message : {}) as {
    id?: unknown;
    method?: unknown;
  };
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null;
};

const json = { 'Content-Type': 'application/json' };

export const parseError = -32700;
export const invalidRequest = -32600;
/** From the range that JSON-RPC leaves to servers; data.code says what it is about. */
const serverError = -32000;

export const rpcError = (
  status: number,
  code: number,
  message: string,
  { id = null, data, headers = {} }: { id?: Id; data?: object; headers?: Record<string, string> } = {},
): Answer => ({
  status,
  headers: { ...json, ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data ? { data } : {}) } }),
});

/** A refusal or a failure as the whole answer, not as the result of a tool. */
export function refused(
  error: Refusal | Failure,
  id: Id,
  more: { headers?: Record<string, string>; data?: object } = {},
): Answer {
  const { code, hint, detail, message, status } = error;
  const seconds = retryAfter(error);
  // many clients show their model the message and nothing else
  return rpcError(status, serverError, `${message} ${hint}`, {
    id,
    data: { ...detail, code, hint, ...more.data },
    headers: { ...(seconds === undefined ? {} : { 'Retry-After': String(seconds) }), ...more.headers },
  });
}

/** The client has used up its calls. */
export const tooMany = (seconds: number, id: Id): Answer =>
  refused(rateLimited(seconds, `Too many calls. Call again in ${seconds} seconds.`), id);

/** No stream begins in a process that stops. */
export const stopping = (id: Id): Answer =>
  rpcError(503, serverError, 'This process is stopping. Another one takes over.', {
    id,
    data: { code: 'UNAVAILABLE', hint: 'Listen again after Retry-After seconds.', retry_after_seconds: 1 },
    headers: { 'Retry-After': '1' },
  });

const always = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Most of what is open is the same for every caller, but for the id of the request. */
const represented = new LRUCache<string, Representation>({
  max: 100,
  memoMethod: (body) => new Representation('application/json', body),
});

/** Compressed where the client reads that and nothing sealed is in it. */
export async function send(
  req: http.IncomingMessage,
  res: http.ServerResponse,
  { status, headers, body, open }: Answer,
): Promise<void> {
  if (!open) {
    res.writeHead(status, {
      ...always,
      ...headers,
      ...(body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) }),
    });
    res.end(req.method === 'HEAD' ? undefined : body);
    return;
  }
  const representation = represented.memo(body);
  const coding = representation.coding(req.headers['accept-encoding']);
  const coded = await representation.encode(coding);
  res.writeHead(status, {
    ...{ ...always, ...headers, Vary: 'Accept-Encoding', 'Content-Length': coded.length },
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  });
  res.end(coded);
}
