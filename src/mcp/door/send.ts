// mcp/door/send.ts · an answer on its way out, compressed where the client reads that and nothing sealed is in it. Decisions 143.
import type http from 'node:http';
import { LRUCache } from 'lru-cache';
import { Representation } from '../../http/representation.ts';
import type { Answer } from './answers.ts';

const always = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Most of what is open is the same for every caller, but for the id of the request. */
const represented = new LRUCache<string, Representation>({
  max: 100,
  memoMethod: (body) => new Representation('application/json', body),
});

export async function send(req: http.IncomingMessage, res: http.ServerResponse, { status, headers, body, open }: Answer): Promise<void> {
  if (!open) {
    res.writeHead(status, { ...always, ...headers, ...(body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) }) });
    res.end(req.method === 'HEAD' ? undefined : body);
    return;
  }
  const representation = represented.memo(body);
  const coding = representation.coding(req.headers['accept-encoding']);
  const coded = await representation.encode(coding);
  res.writeHead(status, {
    ...{ ...always, ...headers, Vary: 'Accept-Encoding', 'Content-Length': coded.length },
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  });
  res.end(coded);
}
