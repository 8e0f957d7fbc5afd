// Tells public addresses of the Internet from those of this machine or its network.
import net from 'node:net';
import os from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * False for every special-purpose range of IANA's registries, for what is not an address, and for this machine's own
 * addresses.
 */
export function isPublic(text: string): boolean {
  if (net.isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  // The library says 'unicast' for everything outside its special ranges.
  if (address.range() !== 'unicast') return false;
  const public_ =
    address instanceof ipaddr.IPv6 ? address.match(globalUnicast) : !virtual.some((range) => address.match(range));
  return public_ && !ownAddresses().has(address.toString());
}

// All IPv6 that IANA has allocated so far. It leaves out what no list of exceptions names, such as ::/96, whose
// addresses contain an IPv4 address.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

// It looks public, and is the platform's own service on every machine of Azure.
const virtual = [ipaddr.IPv4.parseCIDR('168.63.129.16/32')];

// Read each time, since addresses change while a process runs.
const ownAddresses = (): Set<string> =>
  new Set(
    Object.values(os.networkInterfaces())
      .flatMap((list) => list ?? [])
      .map(({ address }) => ipaddr.parse(address).toString()),
  );
