// oauth/redirect-uris.ts · where a client may have humans sent back to, and what counts as the same place. RFC 8252; protocol, "Redirects".

const onThisComputer = '(?:127\\.0\\.0\\.1|\\[::1\\]|localhost)';
const web = /^https:\/\/[^/]/;
// As it is written: what a URL parser makes of 127.1 or 2130706433 is loopback too, and no client needs it.
const loopback = new RegExp(`^http://${onThisComputer}(?::\\d{1,5})?(?=[/?]|$)`);
/** Schemes that a browser runs, opens or turns into something else by itself. */
const never = /^(?:https?|javascript|data|vbscript|file|filesystem|blob|about|view-source|intent|wss?|ftp|mailto|jar):/i;

export function mayRedirectTo(uri: string): boolean {
  if (uri.length > 2_000 || !/^[a-z][\w.+-]*:[\x21-\x7e]+$/i.test(uri) || /[#\\]/.test(uri) || !URL.canParse(uri)) return false;
  const { username, password } = new URL(uri);
  if (username || password) return false;
  return web.test(uri) || loopback.test(uri) || !never.test(uri);
}

/** Exactly the same text, save the port of an address on the human's own computer: a program there takes whichever is free. */
export const sameRedirect = (registered: string, asked: string): boolean =>
  mayRedirectTo(asked) && (registered === asked || withoutPort(registered) === withoutPort(asked));

const withoutPort = (uri: string): string => uri.replace(loopback, (start) => start.replace(/:\d+$/, ''));
