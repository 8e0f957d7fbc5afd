// Who requests are counted for: an IPv4 address, or an IPv6 network of 64 bits, which one household or machine has all
// of.
import net from 'node:net';
import ipaddr from 'ipaddr.js';

export function countedAddress(ip: string): string {
  // The form in which Node names IPv4 clients of a server that listens on every address: too frequent to be parsed each
  // time.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(ip)?.[1];
  if (mapped) return mapped;
  if (!net.isIPv6(ip)) return ip;
  const address = ipaddr.IPv6.parse(ip);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
