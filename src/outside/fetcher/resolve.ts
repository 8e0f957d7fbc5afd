// Resolves a name once. One address that is not public makes it refuse all.
import { Resolver } from 'node:dns/promises';
import net from 'node:net';
import { isPublic } from './address.ts';
import { FetchRefused } from './refusal.ts';
import type { Target } from './target.ts';

/** Addresses to connect to, in order: at least one. Throws a FetchRefused. */
export async function addressesOf(
  target: Target,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  if (net.isIP(target.name)) return [target.name];
  if (target.loopback) return ['127.0.0.1', '::1'];

  const addresses = await ask(target.name, servers, signal);
  if (addresses.length === 0) throw new FetchRefused('host_not_found');
  // A private address among public ones is a mistake or a probe; in both cases there is no reason to go on.
  if (!addresses.every(isPublic)) throw new FetchRefused('address_not_public');
  return addresses;
}

/**
 * Asks DNS itself, not the system's getaddrinfo: the hosts file, search domains and local name services play no part.
 * The resolver serves this one query, so it has no cache, and cancelling it disturbs no other.
 */
async function ask(name: string, servers: readonly string[] | undefined, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    signal.throwIfAborted();
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    if (v4.status === 'rejected' && v6.status === 'rejected') throw new FetchRefused('host_not_found', v4.reason);
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
