// oauth/redirect-uris.ts · which redirect URIs a client may use, and when two are the same. RFC 8252; protocol 4.3.

const onThisComputer = '(?:127\\.0\\.0\\.1|\\[::1\\]|localhost)';
const web = /^https:\/\/[^/]/;
// Compared as written: a URL parser also turns 127.1 and 2130706433 into loopback addresses, and no client needs those.
const loopback = new RegExp(`^http://${onThisComputer}(?::\\d{1,5})?(?=[/?]|$)`);
/** Schemes that a browser runs, opens or rewrites by itself. */
const never = /^(?:https?|javascript|data|vbscript|file|filesystem|blob|about|view-source|intent|wss?|ftp|mailto|jar):/i;

export function mayRedirectTo(uri: string): boolean {
  if (uri.length > 2_000 || !/^[a-z][\w.+-]*:[\x21-\x7e]+$/i.test(uri) || /[#\\]/.test(uri) || !URL.canParse(uri)) return false;
  const { username, password } = new URL(uri);
  if (username || password) return false;
  return web.test(uri) || loopback.test(uri) || !never.test(uri);
}

/** Exactly the same text, except for the port of a loopback address: a program takes whichever port is free. */
export const sameRedirect = (registered: string, asked: string): boolean =>
  mayRedirectTo(asked) && (registered === asked || withoutPort(registered) === withoutPort(asked));

const withoutPort = (uri: string): string => uri.replace(loopback, (start) => start.replace(/:\d+$/, ''));
