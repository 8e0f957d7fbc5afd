// Calls of the play interface, signed in, against the same SQL function behind a bare Node server; and the protocol
// alone, with a trivial tool, against a bare Node server that echoes JSON. Each server is a process of its own, loaded
// in turn, in one run.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { makePool } from '../src/db/pool.ts';
import { freePort } from '../src/embedded/index.ts';
import { KeyRing } from '../src/oauth/keys.ts';
import { lifetimesOf } from '../src/oauth/lifetimes.ts';
import { signer } from '../src/oauth/tokens.ts';
import { makeLog } from '../src/process/log.ts';
import { sealer } from '../src/process/secret.ts';
import { type Figure, median } from './report.ts';
import { file, launchDay, type Server, secret } from './server.ts';
import { type Call, callsPerSecond } from './wrk.ts';

const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
const connections = 16;
/** In the last minute before a bell. */
const crowd = 64;

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
}

export async function run(kind: string, databaseUrl = ''): Promise<Running> {
  const port = await freePort();
  const child = fork(path.join(import.meta.dirname, 'mcp-process.ts'), [kind, String(port), databaseUrl], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, HILL_SIGNING_SECRET: secret },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`The server "${kind}" did not start.`);
    }),
  ]);
  return { url: `http://127.0.0.1:${port}/mcp`, child };
}

export const message = (name: string, args: object, more: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, ...more } });

/**
 * Both servers in turn, each with calls of its own; the first round warms them up, for as many times as long. Without
 * one, if that is 0.
 */
export async function against(
  mine: Running,
  peer: Running,
  calls: (which: 'mine' | 'peer', round: number) => readonly Call[],
  seconds: number,
  rounds: number,
  warmUp: number,
  clients = connections,
): Promise<[number, number]> {
  const found: [number[], number[]] = [[], []];
  for (let round = warmUp > 0 ? 0 : 1; round <= rounds; round++) {
    const [a, b] = [
      await callsPerSecond(mine.url, calls('mine', round), clients, round === 0 ? seconds * warmUp : seconds),
      await callsPerSecond(peer.url, calls('peer', round), clients, round === 0 ? seconds * warmUp : seconds),
    ];
    if (round > 0) {
      found[0].push(a);
      found[1].push(b);
    }
  }
  return [median(found[0]), median(found[1])];
}

export async function benchMcp(
  server: Server,
  accounts: number,
  seconds: number,
  rounds: number,
  warm: boolean,
): Promise<Figure[]> {
  await server.create('bench_mcp', server.hill);
  await server.run('bench_mcp', launchDay(1));
  await server.run('bench_mcp', file('population.sql'), {
    'population.accounts': String(accounts),
    'population.moves': 'off',
  });
  await server.run('bench_mcp', 'select engine.keep_prospects(engine.last_night() + 1)');
  const databaseUrl = server.web('bench_mcp');
  const running: Running[] = [];
  const start = async (...args: Parameters<typeof run>) => {
    const started = await run(...args);
    running.push(started);
    return started;
  };
  try {
    const [tool, echo] = [await start('tool'), await start('echo')];
    const hill = await start('hill', databaseUrl);
    const bare = await start('function', databaseUrl);
    const tokens = await issueTokens(
      server.url('bench_mcp'),
      databaseUrl,
      new URL(hill.url).origin.replace('127.0.0.1', 'localhost'),
      accounts,
    );
    await server.run('bench_mcp', 'vacuum (analyze)');

    const figures: Figure[] = [];
    const add = (what: string, [mine, peer]: [number, number], against: string, target: number) =>
      figures.push({
        what,
        measured: perSecond(mine),
        against: `${against} ${perSecond(peer)}`,
        ratio: mine / peer,
        bound: 'least',
        target,
      });

    const echoed = { text: 'Nothing is so simple that it cannot be measured.' };
    for (const [revision, more, headers] of revisions('echo'))
      add(
        `MCP, a trivial tool, ${revision}`,
        await against(
          tool,
          echo,
          () => [{ headers, body: message('echo', echoed, more) }],
          seconds,
          rounds,
          warm ? 5 : 0,
        ),
        'bare JSON echo',
        0.45,
      );

    const some = tokens.slice(0, 200);
    add(
      'MCP status',
      await against(
        hill,
        bare,
        () => some.map((token) => ({ token, body: message('status', {}) })),
        seconds,
        rounds,
        warm ? 3 : 0,
      ),
      'bare server, same function',
      0.6,
    );

    const share = Math.floor(tokens.length / (2 * (rounds + 1)));
    const plays = (which: 'mine' | 'peer', round: number): Call[] => {
      const begin = (round * 2 + (which === 'mine' ? 0 : 1)) * share;
      return fourDeposits(tokens.slice(begin, begin + share));
    };
    const played = await against(hill, bare, plays, seconds, rounds, warm ? 1 : 0, crowd);
    add(`MCP play, ${crowd} connections`, played, 'bare server, same function', 0.8);
    const echoes = await callsPerSecond(echo.url, [{ body: message('echo', echoed) }], crowd, seconds);
    add(`MCP play, ${crowd} connections`, [played[0], echoes], 'bare JSON echo', 0.06);
    return figures;
  } finally {
    for (const { child } of running) {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    await server.drop('bench_mcp');
  }
}

/** Each account deposits on one place, and then thrice anew with another message: its four moves of the day. */
export function fourDeposits(tokens: readonly string[]): Call[] {
  const calls: Call[] = [];
  for (let block = 0; block < tokens.length; block += 100)
    for (let time = 1; time <= 4; time++)
      for (const [n, token] of tokens.slice(block, block + 100).entries())
        calls.push({
          token,
          body: message('play', { slot: 1 + (n % 9), move: 'PEACE', message: `The ${time}. time.` }),
        });
  return calls;
}

type Revision = [name: string, more: object, headers: Record<string, string>];

const revisions = (name: string): Revision[] => [
  ['2025-11-25', {}, { 'MCP-Protocol-Version': '2025-11-25' }],
  [
    '2026-07-28',
    {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'wrk', version: '4' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
    { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': name },
  ],
];

/** An access token for each account of the population, signed by the hill's own key. */
export async function issueTokens(url: string, webUrl: string, resource: string, accounts: number): Promise<string[]> {
  const pool = makePool({ url: webUrl, name: 'bench tokens', log: makeLog({ logLevel: 'error', logFormat: 'json' }) });
  const root = new pg.Client(url);
  await root.connect();
  try {
    const sign = signer(
      resource,
      new KeyRing(
        pool,
        sealer(() => secret),
      ),
      lifetimesOf(pool),
    );
    const now = Date.now() / 1000;
    const { rows } = await root.query<{ id: string; account_id: string }>(
      "select g.id, g.account_id from hill.agents g where g.model = 'population' order by g.id limit $1",
      [accounts],
    );
    const tokens: string[] = [];
    for (const { id, account_id } of rows)
      tokens.push(
        (
          await sign.accessToken(now, {
            sub: account_id,
            client_id: id,
            audience: resource,
            scopes: ['hill:read', 'hill:play'],
          })
        ).access_token,
      );
    await root.query(
      `insert into oauth.access_tokens (token_hash, agent_id, scopes, audience, created_at, expires_at)
       select engine.hash_token(t.token), t.agent_id, '{hill:read,hill:play}', $3, engine.now(), 'infinity'
         from unnest($1::text[], $2::uuid[]) as t (token, agent_id)`,
      [tokens, rows.map(({ id }) => id), resource],
    );
    return tokens;
  } finally {
    await root.end();
    await pool.end();
  }
}
