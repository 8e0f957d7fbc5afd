// The last minute before a bell: 64 connections deposit through MCP without pause, across it. Whether a deposit was
// lost or came into the wrong night is asked of the database afterwards.
import { hash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { issueTokens, message, run } from './mcp.ts';
import { type Figure, ms } from './report.ts';
import { file, launchDay, type Server } from './server.ts';

const connections = 64;
/** Of a process on two cores: so many tokens are enough. */
const mostASecond = 4_000;

interface Receipt {
  readonly day: number;
  readonly slot: number;
  readonly deposited_at: string;
}

/** For so many seconds before the bell and after it. */
export async function benchCrowd(server: Server, accounts: number, before: number, after: number): Promise<Figure[]> {
  await server.create('bench_crowd', server.hill);
  await server.run('bench_crowd', launchDay(0));
  await server.run('bench_crowd', file('population.sql'), {
    'population.accounts': String(accounts),
    'population.moves': 'off',
  });
  const hill = await run('hill', server.web('bench_crowd'));
  const worker = new pg.Client(server.worker('bench_crowd'));
  const root = new pg.Client(server.url('bench_crowd'));
  await Promise.all([worker.connect(), root.connect()]);
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  try {
    const resource = new URL(hill.url).origin.replace('127.0.0.1', 'localhost');
    const tokens = await issueTokens(
      server.url('bench_crowd'),
      server.web('bench_crowd'),
      resource,
      Math.min(accounts, (before + after) * mostASecond),
    );
    await server.run('bench_crowd', 'vacuum (analyze)');

    const accepted: { token: string; receipt: Receipt; late: boolean }[] = [];
    const took: number[] = [];
    const told = new Map<string, number>();
    let next = 0;
    await worker.query(
      `select api_worker.set_clock((r ->> 'next_bell_at')::timestamptz - make_interval(secs => $1), 1)
                          from api_worker.read_clock() r`,
      [before],
    );
    const bellAt = performance.now() + before * 1_000;
    const end = bellAt + after * 1_000;
    const caller = async () => {
      for (let token = tokens[next++]; token && performance.now() < end; token = tokens[next++]) {
        const slot = 1 + (next % 9);
        for (let again = true; again && performance.now() < end; ) {
          const asked = performance.now();
          const { code, receipt } = await play(hill.url, agent, token, slot);
          const answered = performance.now();
          if (answered < bellAt) took.push(answered - asked);
          if (receipt)
            accepted.push({ token, receipt, late: asked < bellAt && Date.parse(receipt.deposited_at) >= midnight });
          else told.set(code, (told.get(code) ?? 0) + 1);
          again = code === 'BELL_RINGING';
          if (again) await sleep(200);
        }
      }
    };
    const { rows: clock } = await root.query<{ midnight: Date }>('select engine.bell_at(8) as midnight');
    const midnight = (clock[0] as { midnight: Date }).midnight.getTime();
    const bell = async () => {
      await sleep(bellAt - performance.now());
      for (;;) {
        const began = performance.now();
        const { rows } = await worker.query('select api_worker.ring_next_bell() as night');
        if (rows[0].night) return performance.now() - began;
      }
    };
    const [bellMs] = await Promise.all([bell(), ...Array.from({ length: connections }, caller)]);

    const { rows: stored } = await root.query<{ key: string }>(`
      select concat_ws(' ', encode(t.token_hash, 'hex'), m.day, m.slot, engine.iso(m.at)) as key
        from (select day, agent_id, slot, at from hill.moves union all select day, agent_id, slot, at from hill.sealed_moves) m
        join oauth.access_tokens t on t.agent_id = m.agent_id
       where engine.day_of(m.at, (select day_one from hill.settings)) = m.day`);
    const kept = new Set(stored.map(({ key }) => key));
    const lost = accepted.filter(
      ({ token, receipt: { day, slot, deposited_at } }) =>
        !kept.delete(`${hash('sha256', token)} ${day} ${slot} ${deposited_at}`),
    );
    took.sort((a, b) => a - b);
    const p99 = took[Math.floor(took.length * 0.99)] ?? Number.NaN;
    const what = `a crowd of ${accounts.toLocaleString('en')} accounts in ${before} s before a bell of ${ms(bellMs)}`;
    const others = [...told].map(([code, n]) => `${n} ${code}`).join(', ') || 'none refused';
    const count = (name: string, n: number): Figure => ({
      ...{
        what: `${what}: ${name}`,
        measured: String(n),
        against: `${accepted.length.toLocaleString('en')} accepted, ${others}`,
      },
      ...{ ratio: n, bound: 'most', target: 0 },
    });
    return [
      count('lost', lost.length),
      count('stored, and not told', kept.size),
      count('late in the wrong night', accepted.filter(({ late }) => late).length),
      {
        ...{
          what: `${what}: p99, in seconds`,
          measured: ms(p99),
          against: `${Math.round(took.length / before).toLocaleString('en')}/s`,
        },
        ...{ ratio: p99 / 1_000, bound: 'most', target: 1 },
      },
    ];
  } finally {
    agent.destroy();
    const ended = once(hill.child, 'exit');
    hill.child.kill();
    await Promise.all([ended, worker.end(), root.end()]);
    await server.drop('bench_crowd');
  }
}

/** One deposit, for the day on which it arrives. */
function play(
  url: string,
  agent: http.Agent,
  token: string,
  slot: number,
): Promise<{ code: string; receipt?: Receipt }> {
  const body = message('play', { slot, move: 'PEACE' });
  return new Promise((resolve, reject) => {
    const headers = {
      ...{
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'Content-Length': Buffer.byteLength(body),
      },
      Authorization: `Bearer ${token}`,
    };
    const request = http.request(url, { method: 'POST', agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => {
          const { result, error } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
          if (!result) resolve({ code: error?.data?.code ?? String(answer.statusCode) });
          else if (result.isError) resolve({ code: result.structuredContent.code });
          else resolve({ code: 'ok', receipt: result.structuredContent });
        });
    });
    request.on('error', reject).end(body);
  });
}
