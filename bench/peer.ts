// What cached reads are measured against, in processes of their own: `bytes FILE` serves a file's bytes from a bare
// Node server;
// `query URL LIMIT` asks the database anew for each read, without anything around it.
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { read } from '../src/db/call.ts';
import { makePool } from '../src/db/pool.ts';
import { makeLog } from '../src/process/log.ts';
import { linksOf } from '../src/records/links.ts';

const [what, where = '', limit = '100'] = process.argv.slice(2);
const type = 'application/json; charset=utf-8';
let handler: http.RequestListener;
if (what === 'bytes') {
  const body = fs.readFileSync(where);
  const etag = '"the-same-bytes"';
  handler = (req, res) => {
    if (req.headers['if-none-match'] === etag) res.writeHead(304, { ETag: etag }).end();
    else res.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length, ETag: etag }).end(body);
  };
} else {
  const pool = makePool({ url: where, name: 'bench query', log: makeLog({ logLevel: 'error', logFormat: 'json' }) });
  const links = linksOf({ baseUrl: 'http://localhost:8080', authUrl: 'http://localhost:8080' });
  handler = async (_req, res) => {
    const { record } = await read<object>(pool, 'api_public.leaderboard', { max: Number(limit) });
    const body = JSON.stringify({ ...record, ...links.blocks([links.place('hill')]) });
    res.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
  };
}
const server = http
  .createServer(handler)
  .listen(0, '127.0.0.1', () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`));
process.on('SIGTERM', () => process.exit(0));
