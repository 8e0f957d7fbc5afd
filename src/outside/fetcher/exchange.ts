// One request and one answer on an existing connection.
import http from 'node:http';
import type net from 'node:net';
import { FetchRefused } from './refusal.ts';
import type { Target } from './target.ts';

export interface Request {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly maxBytes: number;
}

export interface Answer {
  readonly status: number;
  /** The address that answered, after redirects. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<http.IncomingHttpHeaders>;
  readonly body: Buffer;
}

const mostHeaderBytes = 16_384;
const mostInterimAnswers = 4;

/** Closes the connection in any case. Throws a FetchRefused, or the signal's reason. */
export async function exchange(
  socket: net.Socket,
  target: Target,
  request: Request,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const response = await send(socket, target, request, signal);
    checkHead(response, request);
    const body = await read(response, request.maxBytes);
    return { status: response.statusCode ?? 0, url: target.url.href, headers: response.headers, body };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchRefused) throw error;
    throw new FetchRefused(
      (error as { code?: string }).code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'bad_answer',
      error,
    );
  } finally {
    socket.destroy();
  }
}

/** Resolves with the head of the final answer. */
function send(
  socket: net.Socket,
  target: Target,
  { method, headers, body }: Request,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    // With createConnection and no agent there is no pool, and nothing reads proxy settings.
    const request = http.request({
      createConnection: () => socket,
      method,
      path: target.url.pathname + target.url.search,
      headers: { ...headers, host: target.url.host },
      setHost: false,
      maxHeaderSize: mostHeaderBytes,
      insecureHTTPParser: false,
      signal,
    });
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > mostInterimAnswers) request.destroy(new FetchRefused('headers_too_large'));
    });
    request.on('upgrade', () => reject(new FetchRefused('bad_answer')));
    let response: http.IncomingMessage | undefined;
    request.on('response', (head) => {
      response = head;
      resolve(head);
    });
    request.on('error', (error) => {
      response?.destroy(error); // so that reading the body fails with the cause
      reject(error);
    });
    request.end(body);
  });
}

// Hill accepts no coding that it would have to decode, so the bytes on the wire are the bytes counted, and nothing can
// be inflated.
function checkHead({ headers, httpVersion }: http.IncomingMessage, { maxBytes }: Request): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw new FetchRefused('bad_answer');
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) throw new FetchRefused('encoded');
  if (!/^(chunked)?$/i.test(headers['transfer-encoding'] ?? '')) throw new FetchRefused('encoded');
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new FetchRefused('body_too_large');
}

async function read(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new FetchRefused('body_too_large');
    chunks.push(chunk);
  }
  if (!response.complete) throw new FetchRefused('bad_answer');
  return Buffer.concat(chunks);
}
