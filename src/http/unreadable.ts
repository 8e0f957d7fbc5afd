// Answers requests that are refused before any door sees them, in the form of every other refusal.
import http from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure, type FailureCode } from '../db/errors.ts';
import type { Links } from '../records/links.ts';
import { open } from './open.ts';
import { bodyOf } from './problem.ts';

const closeMs = 1_000;

const codes: Readonly<Record<string, FailureCode>> = {
  HPE_HEADER_OVERFLOW: 'REQUEST_TOO_LONG',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

export interface Refusals {
  /** Answers what Node's parser refuses, or what was not complete in time. */
  unreadable(error: NodeJS.ErrnoException, socket: Duplex): void;
  /** Answers a request with an invalid target. */
  refuse(res: http.ServerResponse): void;
}

export function refusals(links: Links): Refusals {
  const answerTo = (code: FailureCode) => {
    const failure = new Failure(code);
    const body = bodyOf(links, failure);
    const fields = {
      ...open,
      'Cache-Control': 'no-store',
      'Content-Type': 'application/problem+json',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    };
    return { status: failure.status, fields, body };
  };
  return {
    unreadable(error, socket) {
      // While an answer is under way, anything written would be taken for a part of it. Node itself looks at this
      // field.
      const { _httpMessage: answer } = socket as Duplex & { _httpMessage?: http.ServerResponse | null };
      if (!socket.writable || error.code === 'ECONNRESET' || answer?.headersSent) {
        socket.destroy();
        return;
      }
      const { status, fields, body } = answerTo(codes[error.code ?? ''] ?? 'MALFORMED_REQUEST');
      const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
      // closed at once, the connection could be reset by data still arriving before the answer is read; but nobody may
      // keep it open
      setTimeout(() => socket.destroy(), closeMs).unref();
    },
    refuse(res) {
      const { status, fields, body } = answerTo('MALFORMED_REQUEST');
      res.writeHead(status, fields).end(body);
    },
  };
}
