// The only way in which Hill connects to an address that an outsider named.
import { type Dialling, dial, type Endpoint } from './dial.ts';
import { type Answer, exchange, type Request } from './exchange.ts';
import { Gate } from './gate.ts';
import { FetchRefused } from './refusal.ts';
import { addressesOf } from './resolve.ts';
import { type Target, targetOf } from './target.ts';

export type { Answer } from './exchange.ts';
export { FetchRefused, type PublicReason, type Reason } from './refusal.ts';

export interface FetcherSettings {
  /** The User-Agent: a name, and where to complain. */
  readonly userAgent: string;
  /**
   * Development only: URLs whose host is written as localhost, 127.… or [::1] pass, with http too, at any port. No name
   * that DNS resolves becomes loopback by it.
   */
  readonly allowLoopback?: boolean;
  /** A practice hill: no address passes, and no name is looked up. */
  readonly nowhere?: boolean;
  /** DNS servers, as address:port; the system's if left out. */
  readonly dnsServers?: readonly string[];
  /** Certificates to trust instead of Node's. */
  readonly ca?: string;
  readonly atOnce?: number;
  /** For each name and each address. */
  readonly atOncePerHost?: number;
  /**
   * For tests only, and a test holds that. It stands for the routing of the Internet, which a closed network lacks:
   * after the last check it says where the packets for an endpoint go. So a test can give a public address to a server
   * of its own and leave every check in force.
   */
  readonly reach?: (to: Endpoint) => Endpoint;
}

export interface Asked {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly maxBytes?: number;
  /** For the whole fetch, redirects included. */
  readonly timeoutMs?: number;
  /** For GET and HEAD; each redirect is checked like the first address. None by default. */
  readonly maxRedirects?: number;
  /** Media types such as application/json: sent as Accept, and enforced on answers with a status of 200 to 299. */
  readonly accept?: readonly string[];
}

/** Returns the answer, whatever its status. Throws only a FetchRefused. */
export type GuardedFetch = (url: string, asked?: Asked) => Promise<Answer>;

/** Make one per process: it counts the fetches that run at once. */
export function guardedFetcher(settings: FetcherSettings): GuardedFetch {
  const gate = new Gate();
  const perHost = settings.atOncePerHost ?? 4;

  async function visit(target: Target, request: Request, signal: AbortSignal): Promise<Answer> {
    const leave = [gate.enter(`name ${target.name}`, perHost)];
    try {
      const dialling: Dialling = {
        enter: (address) => void leave.push(gate.enter(`address ${address}`, perHost)),
        reach: settings.reach ?? ((to) => to),
        ca: settings.ca,
        signal,
      };
      const socket = await dial(target, await addressesOf(target, settings.dnsServers, signal), dialling);
      return await exchange(socket, target, request, signal);
    } finally {
      for (const go of leave) go();
    }
  }

  async function follow(url: string, asked: Asked, signal: AbortSignal): Promise<Answer> {
    let target = targetOf(url, settings.allowLoopback ?? false);
    let request = requestOf(settings.userAgent, asked);
    for (let redirects = 0; ; redirects++) {
      const answer = await visit(target, request, signal);
      if (!isRedirect(answer)) return checked(answer, asked);
      if (redirects >= (asked.maxRedirects ?? 0) || request.method === 'POST') throw new FetchRefused('redirect');
      const next = redirected(target, answer.headers.location);
      // The caller's header fields were meant for the first origin.
      if (next.url.origin !== target.url.origin) request = requestOf(settings.userAgent, { ...asked, headers: {} });
      target = next;
    }
  }

  return async (url, asked = {}) => {
    if (settings.nowhere) throw new FetchRefused('nowhere');
    const leave = gate.enter('everything', settings.atOnce ?? 32);
    const signal = AbortSignal.timeout(asked.timeoutMs ?? 10_000);
    try {
      return await follow(url, asked, signal);
    } catch (error) {
      if (error instanceof FetchRefused) throw error;
      if (signal.aborted) throw new FetchRefused('timeout');
      throw error;
    } finally {
      leave();
    }
  };
}

/**
 * Makes the checks that a fetch makes before it connects: the form of the URL, and what its name resolves to. Throws
 * only a FetchRefused.
 */
export function addressCheck({
  allowLoopback = false,
  nowhere = false,
  dnsServers,
}: FetcherSettings): (url: string, timeoutMs: number) => Promise<void> {
  return async (url, timeoutMs) => {
    if (nowhere) throw new FetchRefused('nowhere');
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      await addressesOf(targetOf(url, allowLoopback), dnsServers, signal);
    } catch (error) {
      if (error instanceof FetchRefused) throw error;
      if (signal.aborted) throw new FetchRefused('timeout');
      throw error;
    }
  };
}

// No cookie, no referrer, no origin: only what is set here and by the caller.
const requestOf = (
  userAgent: string,
  { method = 'GET', headers = {}, body, maxBytes = 65_536, accept }: Asked,
): Request => ({
  method,
  headers: {
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    'user-agent': userAgent,
    accept: accept?.join(', ') ?? '*/*',
    'accept-encoding': 'identity',
  },
  body,
  maxBytes,
});

const isRedirect = ({ status }: Answer): boolean => [301, 302, 303, 307, 308].includes(status);

/** A loopback address may redirect to another one; an outside address never to loopback. */
function redirected(from: Target, location: string | undefined): Target {
  if (location === undefined || !/^[\x21-\x5b\x5d-\x7e]+$/.test(location) || !URL.canParse(location, from.url))
    throw new FetchRefused('url_malformed');
  return targetOf(new URL(location, from.url).href, from.loopback);
}

function checked(answer: Answer, { accept }: Asked): Answer {
  const type = answer.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const good = answer.status >= 200 && answer.status < 300;
  if (accept && good && !accept.includes(type ?? '')) throw new FetchRefused('content_type');
  return answer;
}
