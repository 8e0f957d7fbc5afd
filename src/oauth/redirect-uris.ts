// Which redirect URIs a client may use, and when two are the same. RFC 8252; protocol 4.3.

const onThisComputer = '(?:127\\.0\\.0\\.1|\\[::1\\]|localhost)';
const web = /^https:\/\/[^/]/;
// Compared as written: a URL parser also turns 127.1 and 2130706433 into loopback addresses, and no client needs those.
const loopback = new RegExp(`^http://${onThisComputer}(?::\\d{1,5})?(?=[/?]|$)`);
/**
 * Private schemes are a domain name reversed (RFC 8252, 7.1), so no scheme that a browser or a system opens by itself
 * is one, save those with a dot. The others are of MCP clients that have no other address to be answered at.
 */
const ofAnApp = /^(?!web\+|ext\+|ms-|microsoft\.|x-|android-)[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:/i;
const ofAClient = /^(?:cursor|vscode|vscode-insiders):/;

export function mayRedirectTo(uri: string): boolean {
  if (uri.length > 2_000 || !/^[a-z][\w.+-]*:[\x21-\x7e]+$/i.test(uri) || /[#\\]/.test(uri) || !URL.canParse(uri))
    return false;
  const { username, password } = new URL(uri);
  if (username || password) return false;
  return web.test(uri) || loopback.test(uri) || ofAnApp.test(uri) || ofAClient.test(uri);
}

/** Whether an address leads to a program on the human's own computer. */
export const isOnThisComputer = (uri: string): boolean => loopback.test(uri);

/** Exactly the same text, except for the port of a loopback address: a program takes whichever port is free. */
export const sameRedirect = (registered: string, asked: string): boolean =>
  mayRedirectTo(asked) && (registered === asked || withoutPort(registered) === withoutPort(asked));

const withoutPort = (uri: string): string => uri.replace(loopback, (start) => start.replace(/:\d+$/, ''));
