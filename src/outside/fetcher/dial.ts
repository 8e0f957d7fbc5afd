// Connects to exactly the addresses that were checked, with TLS for the name of the host.
import net from 'node:net';
import tls from 'node:tls';
import { FetchRefused } from './refusal.ts';
import type { Target } from './target.ts';

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

export interface Dialling {
  /** Called for each address before it is tried. Throws a FetchRefused. */
  readonly enter: (address: string) => void;
  /** Where packets for this endpoint are routed. */
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
      socket.setTimeout(0); // from here on only the overall timeout counts
      return target.secure ? await secured(socket, target.name, how) : socket;
    } catch (error) {
      socket.destroy();
      how.signal.throwIfAborted();
      // A bad certificate does not get better at another address.
      if (error instanceof FetchRefused) throw error;
      last = error;
    }
  }
  throw new FetchRefused('no_connection', last);
}

// An address needs no lookup, and Node's own choice among address families could bring in addresses that nobody
// checked: both are off.
function open({ address, port }: Endpoint, signal: AbortSignal): net.Socket {
  const socket = net.connect({
    host: address,
    port,
    autoSelectFamily: false,
    lookup: neverLookUp,
    timeout: patienceMs,
  });
  socket.once('timeout', () =>
    socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })),
  );
  return endedBy(signal, socket);
}

const neverLookUp: net.LookupFunction = (_name, _options, done) =>
  done(new Error('an address is not looked up'), '', 0);

async function secured(socket: net.Socket, name: string, { ca, signal }: Dialling): Promise<tls.TLSSocket> {
  const secure = tls.connect({
    socket,
    ...(net.isIP(name) ? {} : { servername: name }), // RFC 6066 allows no addresses in SNI
    ...(ca ? { ca } : {}),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true, // explicit, so that no environment variable can turn it off
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
  socket.on('error', () => {}); // whoever waits is told; later errors show at the HTTP parser
  if (signal.aborted) abort();
  return socket;
}

/** A socket that closes without an error has failed as well. */
const happened = (socket: net.Socket, event: 'connect' | 'secureConnect'): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once(event, resolve).once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
