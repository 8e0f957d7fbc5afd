// A TCP proxy on loopback in front of a database, that can go silent, as a network does that loses every packet.
import net from 'node:net';
import { onTestFinished } from 'vitest';

export interface DatabaseProxy {
  /** The same URL, by way of the proxy. */
  through(url: string): string;
  /** Nothing goes through the connections of now any more, and nobody is told; new ones work. */
  silence(): void;
  /** The same for all, new ones included: they are accepted and never answered. */
  vanish(): void;
  /** What is sent on the connections of now arrives, and no answer comes back. */
  mute(): void;
  /** Cuts every connection and refuses new ones. */
  cut(): void;
  /** Everything new works again; what was silenced stays silent. */
  restore(): Promise<void>;
  /** From now on leads to the server of another URL; cut() and restore() make all connections go there. */
  leadTo(url: string): void;
  /** How many connections were asked for so far. */
  attempts(): number;
  close(): Promise<void>;
}

/** In front of the server of a URL. Closed by hand, or at the end of the test that made it. */
export async function aProxy(url: string, byHand = false): Promise<DatabaseProxy> {
  let { hostname, port } = new URL(url);
  const sockets = new Set<net.Socket>();
  const servers = new Set<net.Socket>();
  let dark = false;
  let attempts = 0;
  const hold = (socket: net.Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  };
  const server = net.createServer((near) => {
    hold(near);
    attempts += 1;
    if (dark) return void near.pause();
    const far = net.connect(Number(port), hostname);
    hold(far);
    servers.add(far.on('close', () => servers.delete(far)));
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const at = (server.address() as net.AddressInfo).port;
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const silence = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  const proxy: DatabaseProxy = {
    through: (other) => Object.assign(new URL(other), { hostname: '127.0.0.1', port: String(at) }).href,
    silence,
    vanish() {
      dark = true;
      silence();
    },
    mute() {
      for (const far of servers) far.unpipe().pause();
    },
    cut: () => void stop(),
    leadTo(other) {
      ({ hostname, port } = new URL(other));
    },
    attempts: () => attempts,
    async restore() {
      dark = false;
      if (!server.listening) await listen(at);
    },
    close: () => (server.listening ? stop() : Promise.resolve()),
  };
  if (!byHand) onTestFinished(proxy.close);
  return proxy;
}
