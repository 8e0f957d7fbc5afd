// process/listen.ts · an HTTP server that starts with a clear word and stops in an orderly way.
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { StartError } from './start-error.ts';

/** What a client asks of a human travels in an address, inside another address, and in cookies: humans/sign-in/return-to.ts says how long it may be. */
const maxHeaderSize = 32_768;

/** How long a request may take to come in: its header, and all of it. What is asked here is short; what is answered may take its time. */
const headersTimeout = 15_000;
const requestTimeout = 30_000;
/** How often that is looked at. */
const connectionsCheckingInterval = 2_000;

/** A stop waits so long for answers that are under way. */
const patienceMs = 15_000;

/** Under load it may take long until nobody is at the door, and everybody who comes meanwhile is served. */
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
  /** How long connections are kept for a next request when the server is told to stop; 0: they are closed as soon as nothing is under way. */
  readonly stopSeconds?: number;
  /** Answers what is no request; without it Node does, with a status alone. */
  readonly unreadable?: (error: NodeJS.ErrnoException, socket: Duplex) => void;
}

export async function listen(handler: http.RequestListener, { unreadable, stopSeconds = 0, ...at }: Listening): Promise<Stoppable> {
  const state = { stopping: false };
  const server = http.createServer({ maxHeaderSize, headersTimeout, requestTimeout, connectionsCheckingInterval }, (req, res) => {
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

/** Says in one line why a port cannot be listened on, before anything is done for it. It is free again when this resolves. */
export async function tryPort(at: Pick<Listening, 'setting' | 'port' | 'host'>): Promise<void> {
  const server = net.createServer();
  await open(server, at);
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

function open(server: net.Server, { setting, port, host }: Pick<Listening, 'setting' | 'port' | 'host'>): Promise<void> {
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

/** The answer that is under way on a connection will be its last one, and says so. */
function sayGoodbye(socket: net.Socket & { _httpMessage?: http.ServerResponse | null }): void {
  const answer = socket._httpMessage; // where Node itself looks
  if (answer && !answer.headersSent) answer.shouldKeepAlive = false;
}

/**
 * Waits until nobody is at the door. A connection that the kernel has made and nobody has accepted would be reset when the port is closed, with the request
 * that is in it; and one turn of the event loop accepts one of them. A turn that took long may have left somebody waiting who came meanwhile.
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
 * Takes no new connection. Whoever is connected is answered, with "Connection: close", as long as the grace lasts: a connection that seems idle may have a
 * request on its way, and closing it would be an error to whoever sent that. Then what is idle is closed, and after the patience everything.
 */
async function close(server: http.Server, graceMs: number): Promise<void> {
  const began = Date.now();
  await lull(server);
  // Node's own close of an HTTP server would close what seems idle at once.
  const closed = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()));
  await turn(); // a request that has arrived on a connection that seems idle is read first
  const sweep = () => {
    if (Date.now() - began >= patienceMs) server.closeAllConnections();
    else if (Date.now() - began >= graceMs) server.closeIdleConnections();
  };
  sweep();
  const sweeping = setInterval(sweep, 50);
  await closed;
  clearInterval(sweeping);
  server.close(); // it is; this ends what Node looks after with it
}
