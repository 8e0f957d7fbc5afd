// mcp/door/answers.ts · answers of the endpoint that are not a tool's: challenges, limits, and requests that are not JSON-RPC. RFC 6750, 9728; protocol 9.2.
import { type Failure, type Refusal, rateLimited } from '../../db/errors.ts';
import { retryAfter } from '../../db/retry-after.ts';

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
  const { id, method } = (typeof message === 'object' && message !== null ? message : {}) as { id?: unknown; method?: unknown };
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
export function refused(error: Refusal | Failure, id: Id, more: { headers?: Record<string, string>; data?: object } = {}): Answer {
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

// Never hill:read alone: a client that asks for the scope of the challenge could then never play. Protocol 9.2.
const scope = 'scope="hill:read hill:play"';

/** WWW-Authenticate. Without an error it only says how to begin. */
export const challenge = (
  resourceMetadata: string,
  error?: 'invalid_token' | 'insufficient_scope',
  description?: string,
): Record<string, string> => ({
  'WWW-Authenticate': `Bearer ${[
    ...(error ? [`error="${error}"`, `error_description="${description}"`] : []),
    `resource_metadata="${resourceMetadata}"`,
    scope,
  ].join(', ')}`,
});
