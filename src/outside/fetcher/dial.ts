// outside/fetcher/dial.ts · a connection to exactly the addresses that were checked, in TLS with whoever the name says.
import net from 'node:net';
import tls from 'node:tls';
import { FetchRefused } from './refusal.ts';
import type { Target } from './target.ts';

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

export interface Dialling {
  /** Asked for each address before it is tried. Throws a FetchRefused. */
  readonly enter: (address: string) => void;
  /** Where the Internet would carry a packet for this endpoint. */
  readonly reach: (to: Endpoint) => Endpoint;
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

const mostTried = 4;
const patienceMs = 3_000;

/** Tries the addresses one after the other. Throws a FetchRefused. */
export async function dial(target: Target, addresses: readonly string[], how: Dialling): Promise<net.Socket> {
  let last: unknown;
  for (const address of addresses.slice(0, mostTried)) {
    how.enter(address);
    const socket = open(how.reach({ address, port: target.port }), how.signal);
    try {
      await happened(socket, 'connect');
      socket.setTimeout(0); // from here on the time for everything is all that counts
      return target.secure ? await secured(socket, target.name, how) : socket;
    } catch (error) {
      socket.destroy();
      how.signal.throwIfAborted();
      // A certificate that is not good enough does not become better at another address.
      if (error instanceof FetchRefused) throw error;
      last = error;
    }
  }
  throw new FetchRefused('no_connection', last);
}

// An address needs no resolution, and Node's own trying of several families would bring in addresses that nobody checked: both are shut out.
function open({ address, port }: Endpoint, signal: AbortSignal): net.Socket {
  const socket = net.connect({ host: address, port, autoSelectFamily: false, lookup: neverLookUp, timeout: patienceMs });
  socket.once('timeout', () => socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })));
  return endedBy(signal, socket);
}

const neverLookUp: net.LookupFunction = (_name, _options, done) => done(new Error('an address is not looked up'), '', 0);

async function secured(socket: net.Socket, name: string, { ca, signal }: Dialling): Promise<tls.TLSSocket> {
  const secure = tls.connect({
    socket,
    ...(net.isIP(name) ? {} : { servername: name }), // RFC 6066 has no addresses in SNI
    ...(ca ? { ca } : {}),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true, // said here, so that no environment variable can say otherwise
    checkServerIdentity: (_host, certificate) => tls.checkServerIdentity(name, certificate),
  });
  try {
    await happened(endedBy(signal, secure), 'secureConnect');
    return secure;
  } catch (error) {
    secure.destroy();
    signal.throwIfAborted();
    throw new FetchRefused('tls', error);
  }
}

function endedBy<S extends net.Socket>(signal: AbortSignal, socket: S): S {
  const abort = () => socket.destroy(signal.reason);
  signal.addEventListener('abort', abort);
  socket.once('close', () => signal.removeEventListener('abort', abort));
  socket.on('error', () => {}); // whoever waits is told; what comes later shows at the HTTP parser
  if (signal.aborted) abort();
  return socket;
}

/** A socket that is closed without an error has failed, too. */
const happened = (socket: net.Socket, event: 'connect' | 'secureConnect'): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once(event, resolve).once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
