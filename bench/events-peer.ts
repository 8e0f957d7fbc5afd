// What listeners are measured against: a bare Node server that keeps answers open and writes the same text to all.
import http from 'node:http';

const [port = '', text = ''] = process.argv.slice(2);
const bytes = Buffer.from(text);
const all = new Set<http.ServerResponse>();
http
  .createServer((_, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.write('event: position\ndata: {}\n\n');
    all.add(res);
    res.once('close', () => all.delete(res));
  })
  .listen(Number(port), '127.0.0.1', () => process.send?.('listening'));
process.on('message', () => {
  for (const res of all) res.write(bytes);
});
process.on('SIGTERM', () => process.exit(0));
