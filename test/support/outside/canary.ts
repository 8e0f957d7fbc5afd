// A listener at one port of every address of this machine, which must never hear anything.
import { once } from 'node:events';
import net from 'node:net';
import os from 'node:os';

export interface Canary {
  readonly port: number;
  /** How many connections were made to it. */
  heard(): number;
  close(): Promise<void>;
}

export async function aCanary(): Promise<Canary> {
  let heard = 0;
  const server = net.createServer((socket) => {
    heard += 1;
    socket.on('error', () => {}).resume();
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret');
  });
  const ipv6 = Object.values(os.networkInterfaces()).some((list) => list?.some(({ family }) => family === 'IPv6'));
  server.listen(0, ipv6 ? '::' : '0.0.0.0');
  await once(server, 'listening');
  return {
    port: (server.address() as net.AddressInfo).port,
    heard: () => heard,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** This machine's addresses, loopback included, as one writes them in a URL. */
export const ownHosts = (): string[] =>
  Object.values(os.networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ scopeid }) => !scopeid) // a link-local address cannot be written in a URL with its zone
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
