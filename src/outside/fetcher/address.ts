// outside/fetcher/address.ts · which addresses are public: those that belong to somebody on the Internet and not to this machine or its network.
import net from 'node:net';
import os from 'node:os';
import ipaddr from 'ipaddr.js';

/** False for every special-purpose range of IANA's registries, for what is not an address at all, and for this machine's own addresses. */
export function isPublic(text: string): boolean {
  if (net.isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  // 'unicast' is what the library says of everything that is in no special range.
  if (address.range() !== 'unicast') return false;
  const public_ = address instanceof ipaddr.IPv6 ? address.match(globalUnicast) : !virtual.some((range) => address.match(range));
  return public_ && !ownAddresses().has(address.toString());
}

// All that IANA has given out of IPv6 so far. This leaves out what no list of exceptions names, such as ::/96, whose addresses end in one of IPv4.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

// Looks public, and is the platform's own door on every machine of Azure.
const virtual = [ipaddr.IPv4.parseCIDR('168.63.129.16/32')];

// Read each time: addresses come and go while a process runs.
const ownAddresses = (): Set<string> =>
  new Set(
    Object.values(os.networkInterfaces())
      .flatMap((list) => list ?? [])
      .map(({ address }) => ipaddr.parse(address).toString()),
  );
