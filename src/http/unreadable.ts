// http/unreadable.ts · what is answered to a request that Node's parser refuses before any door sees it: told like whatever else is refused.
import http from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../db/errors.ts';
import type { Links } from '../links.ts';
import { open } from './open.ts';
import { bodyOf } from './problem.ts';

const closeMs = 1_000;

export const refuseUnreadable =
  (links: Links) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // On a connection where an answer is under way, anything written would pass for a part of it; Node itself looks here.
    const { _httpMessage: answer } = socket as Duplex & { _httpMessage?: http.ServerResponse | null };
    if (!socket.writable || error.code === 'ECONNRESET' || answer?.headersSent) {
      socket.destroy();
      return;
    }
    const failure = new Failure(error.code === 'HPE_HEADER_OVERFLOW' ? 'REQUEST_TOO_LONG' : 'MALFORMED_REQUEST');
    const body = bodyOf(links, failure);
    const fields = {
      ...open,
      'Cache-Control': 'no-store',
      'Content-Type': 'application/problem+json',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    };
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${failure.status} ${http.STATUS_CODES[failure.status]}\r\n${head.join('')}\r\n${body}`);
    // closed at once, what still comes in would reset the connection before the answer is read; but nobody may keep it open
    setTimeout(() => socket.destroy(), closeMs).unref();
  };
