// Parses a URL that an outsider named, strictly.
import net from 'node:net';
import { isPublic } from './address.ts';
import { FetchRefused } from './refusal.ts';

export interface Target {
  readonly url: URL;
  /** The host without brackets: what is resolved, sent as SNI and looked for in the certificate. */
  readonly name: string;
  readonly port: number;
  readonly secure: boolean;
  /** A loopback address or localhost, where that is allowed. */
  readonly loopback: boolean;
}

const longest = 2048;

/** Resolves nothing. Throws a FetchRefused. */
export function targetOf(text: string, allowLoopback: boolean): Target {
  const url = plainUrl(text);
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'https:';
  const loopback = allowLoopback && isLoopback(name);
  if (!loopback) {
    if (!secure) throw new FetchRefused('url_scheme');
    if (url.port !== '') throw new FetchRefused('url_port');
    if (net.isIP(name) ? !isPublic(name) : !isPublicName(name)) throw new FetchRefused('url_host');
  }
  return { url, name, port: Number(url.port || (secure ? 443 : 80)), secure, loopback };
}

/**
 * What URL parsers repair (tabs, backslashes, full-width digits, 0x7f.1, %31, a port 0443) is where two parsers
 * disagree. So whatever needs repair is refused: the host must be written as it will be used, in upper or lower case.
 */
function plainUrl(text: string): URL {
  if (text.length > longest || !/^[\x21-\x5b\x5d-\x7e]+$/.test(text) || !URL.canParse(text))
    throw new FetchRefused('url_malformed');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new FetchRefused('url_scheme');
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1]?.toLowerCase();
  if (authority === undefined) throw new FetchRefused('url_malformed');
  if (authority.includes('@')) throw new FetchRefused('url_credentials');
  const usualPort = url.protocol === 'https:' ? 443 : 80;
  if (authority !== url.host && authority !== `${url.host}:${usualPort}`) throw new FetchRefused('url_malformed');
  return url;
}

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '::1' || (net.isIPv4(name) && name.startsWith('127.'));

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const dotted = new RegExp(`^(?:${label}\\.)+${label}$`);

// Names that are never on the Internet (RFC 6761, 6762, 7686, 8375, 9476, and ICANN's .internal) are not even resolved:
// any answer would be a local one. Many resolvers look for a name without a dot in the local network.
const isPublicName = (name: string): boolean =>
  name.length <= 253 &&
  dotted.test(name) &&
  !/(^|\.)(localhost|local|internal|onion|alt|invalid|home\.arpa)$/.test(name);
