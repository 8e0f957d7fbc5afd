// An HTTP server that says why it cannot start, and stops in an orderly way.
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { StartError } from './start-error.ts';

/**
 * An authorization request travels in an address, inside another address, and in cookies. humans/sign-in/return-to.ts
 * limits its length.
 */
const maxHeaderSize = 32_768;

/**
 * How long a client may take to send its headers, and its whole request. Requests are short; answers may take longer.
 */
const headersTimeout = 15_000;
const requestTimeout = 30_000;
/** How often both are checked. */
const connectionsCheckingInterval = 2_000;

/**
 * Balancers keep idle connections for a minute. The server keeps them longer, so that it never closes one that a
 * request is on its way to.
 */
const keepAliveTimeout = 72_000;

/** The longest that a stop waits for answers in progress. */
const patienceMs = 15_000;

/** The longest that a stop waits for a pause in new connections. Those that arrive meanwhile are served. */
const lullMs = 5_000;

export interface Stoppable {
  stop(): Promise<void>;
}

export interface Listening {
  /** The environment variable that the port came from. */
  readonly setting: string;
  readonly port: number;
  /** Null means every address. */
  readonly host: string | null;
  /**
   * How long a stopping server keeps connections for a next request. 0: it closes them as soon as nothing is in
   * progress.
   */
  readonly stopSeconds?: number;
  /** Answers what is not an HTTP request. Without it Node answers, with a bare status. */
  readonly unreadable?: (error: NodeJS.ErrnoException, socket: Duplex) => void;
}

export async function listen(
  handler: http.RequestListener,
  { unreadable, stopSeconds = 0, ...at }: Listening,
): Promise<Stoppable> {
  const state = { stopping: false };
  const timeouts = { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval };
  const server = http.createServer({ maxHeaderSize, ...timeouts }, (req, res) => {
    if (state.stopping) res.shouldKeepAlive = false;
    handler(req, res);
  });
  if (unreadable) server.on('clientError', unreadable);
  const connections = new Set<net.Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await open(server, at);
  return {
    stop: async () => {
      state.stopping = true;
      for (const socket of connections) sayGoodbye(socket);
      await close(server, stopSeconds * 1_000);
    },
  };
}

/** Throws a StartError if the port cannot be listened on. The port is free again when this resolves. */
export async function tryPort(at: Pick<Listening, 'setting' | 'port' | 'host'>): Promise<void> {
  const server = net.createServer();
  await open(server, at);
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

function open(
  server: net.Server,
  { setting, port, host }: Pick<Listening, 'setting' | 'port' | 'host'>,
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => reject(explain(error, setting, port));
    server.on('error', failed);
    server.listen({ port, ...(host ? { host } : {}) }, () => {
      resolve();
    });
  });
}

function explain(error: NodeJS.ErrnoException, setting: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new StartError(`${setting}: port ${port} is in use. Stop what uses it, or set ${setting} to another port.`);
  if (error.code === 'EACCES')
    return new StartError(`${setting}: this user may not listen on port ${port}. Set ${setting} to a port above 1023.`);
  return error;
}

/** Makes the answer in progress the last one on its connection, and say so. */
function sayGoodbye(socket: net.Socket & { _httpMessage?: http.ServerResponse | null }): void {
  const answer = socket._httpMessage; // where Node itself keeps it
  if (answer && !answer.headersSent) answer.shouldKeepAlive = false;
}

/**
 * Waits for a pause in new connections. Closing the port resets connections that the kernel has made and nobody has
 * accepted, with the requests in them. One turn of the event loop accepts one connection; during a turn that took long,
 * more may have arrived.
 */
async function lull(server: http.Server): Promise<void> {
  let came = false;
  const note = () => {
    came = true;
  };
  server.on('connection', note);
  const patience = Date.now() + lullMs;
  for (let quiet = 0; quiet < 3 && Date.now() < patience; ) {
    came = false;
    const began = performance.now();
    await turn();
    quiet = came || performance.now() - began > 2 ? 0 : quiet + 1;
  }
  server.off('connection', note);
}

/**
 * Takes no new connections. During the grace period requests are answered with "Connection: close": a connection that
 * seems idle may have a request on its way, and closing it would be an error to the client. Then idle connections are
 * closed and, when patience ends, all.
 */
async function close(server: http.Server, graceMs: number): Promise<void> {
  const began = Date.now();
  await lull(server);
  // The close of http.Server would close idle connections at once.
  const closed = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()));
  await turn(); // first, requests are read that have arrived on connections that seem idle
  const sweep = () => {
    if (Date.now() - began >= patienceMs) server.closeAllConnections();
    else if (Date.now() - began >= graceMs) server.closeIdleConnections();
  };
  sweep();
  const sweeping = setInterval(sweep, 50);
  await closed;
  clearInterval(sweeping);
  server.close(); // already closed: this ends Node's timers for it
}
