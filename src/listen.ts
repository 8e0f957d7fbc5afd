// listen.ts · an HTTP server that starts with a clear word and stops in an orderly way.
import http from 'node:http';
import type { Duplex } from 'node:stream';
import { StartError } from './start-error.ts';

/** What a client asks of a human travels in an address, inside another address, and in cookies: humans/return-to.ts says how long it may be. */
const maxHeaderSize = 32_768;

export interface Stoppable {
  stop(): Promise<void>;
}

/**
 * `setting` is the environment variable that the port came from; `host` null means every address. `unreadable` answers what is no request; without it Node does,
 * with a status alone.
 */
export async function listen(
  handler: http.RequestListener,
  setting: string,
  port: number,
  host: string | null,
  unreadable?: (error: NodeJS.ErrnoException, socket: Duplex) => void,
): Promise<Stoppable> {
  const server = http.createServer({ maxHeaderSize }, handler);
  if (unreadable) server.on('clientError', unreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, setting, port)));
    server.listen({ port, ...(host ? { host } : {}) }, resolve);
  });
  return { stop: () => close(server) };
}

function explain(error: NodeJS.ErrnoException, setting: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new StartError(`${setting}: port ${port} is in use. Stop what uses it, or set ${setting} to another port.`);
  if (error.code === 'EACCES')
    return new StartError(`${setting}: this user may not listen on port ${port}. Set ${setting} to a port above 1023.`);
  return error;
}

/** Takes no new connection, lets running requests finish, and after five seconds no longer. */
async function close(server: http.Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const impatience = setTimeout(() => server.closeAllConnections(), 5_000);
  await closed;
  clearTimeout(impatience);
}
