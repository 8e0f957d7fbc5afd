// In front of the play interface for programs that cannot send a token: adds one, and lets everything else through as
// it is.
import http from 'node:http';
import { afterAll, beforeAll } from 'vitest';

/** Listens on loopback for as long as the tests of the file run. Call it where the door is used. */
export function useBearerProxy(door: { baseUrl: string }, token: () => string) {
  const proxy = { url: '' };
  const server = http.createServer((req, res) => {
    const target = new URL(door.baseUrl);
    const own = new URL(proxy.url).host;
    // Of its own name the other side knows nothing; a foreign Host or Origin it has to see.
    const headers: http.OutgoingHttpHeaders = { ...req.headers, authorization: `Bearer ${token()}` };
    if (req.headers.host === own) headers.host = target.host;
    if (req.headers.origin === `http://${own}`) headers.origin = target.origin;
    const up = http.request(
      { host: target.hostname, port: target.port, path: req.url, method: req.method, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(res);
      },
    );
    up.on('error', () => res.destroy());
    req.pipe(up);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`;
  });
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return proxy;
}
