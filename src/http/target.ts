// Brings the target of a request into the one form that the doors know: a path. RFC 9112, 3.2.
import type http from 'node:http';

/** Turns the absolute form, which every server has to accept, into a path; false if the target is invalid. */
export function toOriginForm(req: http.IncomingMessage): boolean {
  const target = req.url ?? '';
  if (target.startsWith('/') || target === '*') return true;
  if (!URL.canParse(target)) return false;
  const { protocol, host, pathname, search } = new URL(target);
  if (!/^https?:$/.test(protocol)) return false;
  req.url = pathname + search;
  req.headers.host = host; // it takes precedence over the header field
  return true;
}
