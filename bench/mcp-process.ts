// One of the servers that bench/mcp.ts compares, in a process of its own: the hill, and what it is measured against.
//
//   hill      the public door, as npm start serves it
//   function  the same SQL function behind a bare Node HTTP server and pg: reads JSON, calls, answers JSON; knows no
//             protocol and no token but what SQL checks
//   tool      the protocol alone, with one tool that gives back what it was given
//   echo      a bare Node HTTP server that gives back the arguments of a call
import http from 'node:http';
import { z } from 'zod';
import { makePool } from '../src/db/pool.ts';
import { callTool } from '../src/mcp/call-tool.ts';
import { exchanges } from '../src/mcp/door/exchange.ts';
import { news } from '../src/mcp/door/news.ts';
import { offer, servers } from '../src/mcp/protocol/server.ts';
import { tool } from '../src/mcp/tool.ts';
import { fetcherSettings } from '../src/outside/fetcher/settings.ts';
import { webhooks } from '../src/outside/webhooks.ts';
import { parseConfig } from '../src/process/config.ts';
import { makeLog } from '../src/process/log.ts';
import { webhookSealer } from '../src/process/secret.ts';
import { linksOf } from '../src/records/links.ts';
import { startWeb } from '../src/web/index.ts';

const [kind, port = '', databaseUrl = ''] = process.argv.slice(2);
const config = parseConfig({
  PORT: port,
  HILL_CLOCK: 'simulated',
  HILL_SIGNING_SECRET: process.env.HILL_SIGNING_SECRET,
  HILL_LIMIT_CALLS: '100000000/60', // the limit is counted and never reached
});
const log = makeLog({ logLevel: 'info', logFormat: 'json' });
const pool = () => makePool({ url: databaseUrl, name: `bench ${kind}`, log });

interface Message {
  id: number;
  params: { name: string; arguments: Record<string, unknown> };
}

const serve = (answer: (message: Message, req: http.IncomingMessage) => Promise<string> | string) =>
  http
    .createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk) => chunks.push(chunk));
      req.on('end', async () => {
        const body = await answer(JSON.parse(Buffer.concat(chunks).toString('utf8')), req);
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
        res.end(body);
      });
    })
    .listen(Number(port), '127.0.0.1', () => process.send?.('listening'));

const result = (id: number, given: unknown) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    result: { content: [{ type: 'text', text: JSON.stringify(given) }], structuredContent: given },
  });

if (kind === 'hill') {
  await startWeb(config, pool(), log);
  process.send?.('listening');
} else if (kind === 'function') {
  const db = pool();
  serve(async ({ id, params }, { headers }) => {
    const args: Record<string, unknown> = { token: headers.authorization?.slice(7), ...params.arguments };
    const names = Object.keys(args);
    const text = `select api_agent.${params.name}(${names.map((name, i) => `${name} => $${i + 1}`).join(', ')}) as result`;
    const { rows } = await db.query({ name: `${params.name} ${names.join()}`, text, values: Object.values(args) });
    return result(id, rows[0].result);
  });
} else if (kind === 'tool') {
  const echo = tool({
    name: 'echo',
    title: 'Echo',
    description: 'Gives back what it was given.',
    scope: 'hill:read',
    annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    input: z.object({ text: z.string() }),
    output: z.object({ text: z.string() }),
    run: async (given) => given,
    text: (given) => JSON.stringify(given),
  });
  const links = linksOf(config);
  const exchange = exchanges(servers(links, offer([echo])), news().bus, () => {});
  const hooks = webhooks(fetcherSettings(config), webhookSealer(config));
  const caller = {
    links,
    webhooks: hooks,
    topUps: 'none' as const,
    tools: [echo],
    receipts: { ready: async () => undefined, sign: <T>(deposit: T) => deposit },
    call: () => Promise.reject(new Error('It reads nothing.')),
    deposit: () => Promise.reject(new Error('It deposits nothing.')),
  };
  serve(async (message, { headers }) => {
    const turn = await exchange(headers, message);
    if (turn.wants !== 'tool') throw new Error('It only calls the tool.');
    return (await turn.reply(callTool(turn.tool, turn.args, caller, turn.human).then(({ result }) => result))).body;
  });
} else {
  serve(({ id, params }) => result(id, params.arguments));
}
