// Somebody's own server on this machine, to which events are posted: keeps what came, answers as told.
import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import { until } from '../until.ts';

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Event {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** What the next requests are answered: a status with headers, or no answer at all. The last one stays. */
  answer(...replies: (number | 'silence' | { status: number; headers: Record<string, string> })[]): void;
  /** The nth request, as soon as it is there. */
  nth(n: number): Promise<Received>;
}

/** Closed when the test is over. */
export async function aReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let replies: Parameters<Receiver['answer']> = [204];
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? 204;
    received.push({
      method: request.method,
      url: request.url,
      headers: request.headers as Record<string, string>,
      body,
    });
    if (reply === 'silence') return;
    if (typeof reply === 'number') response.writeHead(reply).end();
    else response.writeHead(reply.status, reply.headers).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/hook?key=of-mine`,
    received,
    answer: (...given) => {
      replies = given;
    },
    nth: async (n) => until(`request ${n}`, async () => received[n - 1]),
  };
}

/** What a request says, if its signature is good: by the library, as a receiver does it. */
export const verified = (secret: string, { body, headers }: Received): Event =>
  new Webhook(secret).verify(body, headers) as Event;
