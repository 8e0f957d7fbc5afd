// http/target.ts · the target of a request in the one form that doors know: a path. RFC 9112, 3.2.
import type http from 'node:http';

/** Brings a target of the absolute form, which every server has to take, into the usual one; false if it is none at all. */
export function toOriginForm(req: http.IncomingMessage): boolean {
  const target = req.url ?? '';
  if (target.startsWith('/') || target === '*') return true;
  if (!URL.canParse(target)) return false;
  const { protocol, host, pathname, search } = new URL(target);
  if (!/^https?:$/.test(protocol)) return false;
  req.url = pathname + search;
  req.headers.host = host; // it counts, whatever the field says
  return true;
}
