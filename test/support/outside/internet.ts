// An Internet of our own: real DNS, real TLS, real HTTP, and really public addresses, carried to local servers.
//
// A closed network has no public address. Instead of telling the guard that some private address is public, which would
// be testing another guard, the tests leave every check as it is and stand in for what comes after the checks: the
// routing. `reach` is asked where packets for an endpoint go. An address that was given to a site goes to that site;
// any other goes where it says, at the port of the canary, so that the canary hears whatever gets past the guard, and
// `reached` lists every endpoint that was ever dialled.
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { onTestFinished } from 'vitest';
import { type FetcherSettings, type GuardedFetch, guardedFetcher } from '../../../src/outside/fetcher/index.ts';
import { aCanary, type Canary } from './canary.ts';
import { aCertificate, anAuthority, type Certificate } from './certificates.ts';
import { aDnsServer, type DnsServer } from './dns-server.ts';

export interface Site {
  readonly name: string;
  readonly address: string;
  /** Where it really listens. */
  readonly port: number;
}

export interface Internet {
  readonly dns: DnsServer;
  readonly canary: Canary;
  readonly settings: FetcherSettings;
  readonly fetch: GuardedFetch;
  /** address:port, in the order of dialling. */
  readonly reached: string[];
  /** A web site: its name under .example, a public address of its own, a good certificate. */
  site(label: string, handler: http.RequestListener): Promise<Site>;
  /** The same, but the answer is written byte by byte. */
  rawSite(label: string, talk: (socket: net.Socket) => void, certificate?: Certificate): Promise<Site>;
  /** The same without TLS: whatever it says is said in clear. */
  plainSite(label: string, talk: (socket: net.Socket) => void): Promise<Site>;
  /** Gives one more address to a site. */
  carry(address: string, site: Site): void;
  close(): Promise<void>;
}

/** Public, and in nobody's special range; nothing is ever sent to them. */
export const publicIpv4 = '93.184.215.200';
export const publicIpv6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';

export async function anInternet(): Promise<Internet> {
  const [dns, canary, authority] = await Promise.all([aDnsServer(), aCanary(), anAuthority()]);
  const certified = (label: string) =>
    aCertificate([`${label}.example`], { authority, addresses: [publicIpv4, publicIpv6] });
  const routes = new Map<string, number>();
  const reached: string[] = [];
  const servers: net.Server[] = [];
  const sockets = new Set<net.Socket>();
  let sites = 0;

  const settings: FetcherSettings = {
    userAgent: 'Hill-test/1',
    dnsServers: [dns.server],
    ca: authority.cert,
    reach: ({ address, port }) => {
      reached.push(`${address}:${port}`);
      const site = routes.get(address);
      return site === undefined ? { address, port: canary.port } : { address: '127.0.0.1', port: site };
    },
  };

  async function stand(label: string, server: net.Server): Promise<Site> {
    servers.push(server);
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    });
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    sites += 1;
    const site = { name: `${label}.example`, address: `93.184.${216 + (sites >> 8)}.${sites & 255}`, port };
    routes.set(site.address, port);
    dns.tell(site.name, [site.address]);
    return site;
  }
  const quiet = (talk: (socket: net.Socket) => void) => (socket: net.Socket) => talk(socket.on('error', () => {}));

  return {
    dns,
    canary,
    settings,
    fetch: guardedFetcher(settings),
    reached,
    site: async (label, handler) => stand(label, https.createServer(await certified(label), handler)),
    rawSite: async (label, talk, own) => stand(label, tls.createServer(own ?? (await certified(label)), quiet(talk))),
    plainSite: (label, talk) => stand(label, net.createServer(quiet(talk))),
    carry: (address, { port }) => void routes.set(address, port),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all([
        ...servers.map((server) => new Promise((resolve) => server.close(resolve))),
        dns.close(),
        canary.close(),
      ]);
    },
  };
}

/** A plain HTTP server on loopback, for what development allows; closed when the test is over. */
export async function aLoopbackServer(handler: http.RequestListener): Promise<number> {
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as net.AddressInfo).port;
}
