// Cached reads of the public door, against nginx (one worker) and a bare Node server that serve the same bytes, and
// against the same read with a query; and how long readers wait while a large bell rings. Measured with wrk, all in
// turn.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Figure, median, ms } from './report.ts';
import { file, type Server } from './server.ts';
import { serving } from './serving.ts';
import { few, lasting, wrk } from './wrk.ts';

interface Load {
  readonly perSecond: number;
  readonly p99: number;
}

/** `seconds` 0: a few hundred answers. `header` is one field of the requests. `refused`: every answer is a refusal. */
export async function load(
  dir: string,
  url: string,
  seconds: number,
  connections: number,
  header?: string,
  refused = false,
): Promise<Load> {
  const script = path.join(dir, 'few.lua');
  if (seconds === 0) fs.writeFileSync(script, `function response()\n  ${few}\nend\n`);
  const args = [
    '-t1',
    `-c${connections}`,
    lasting(seconds),
    '--latency',
    ...(seconds === 0 ? ['-s', script] : []),
    ...(header ? ['-H', header] : []),
    url,
  ];
  const { stdout } = await promisify(execFile)(wrk() as string, args);
  if (/Socket errors/.test(stdout) || /Non-2xx or 3xx responses/.test(stdout) !== refused)
    throw new Error(`wrk ${url}:\n${stdout}`);
  const p99 = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) as RegExpExecArray;
  return {
    perSecond: Number((/Requests\/sec:\s+([\d.]+)/.exec(stdout) as RegExpExecArray)[1]),
    p99: Number(p99[1]) * ({ us: 0.001, ms: 1, s: 1000 }[p99[2] as 'us' | 'ms' | 's'] as number),
  };
}

export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;

export async function benchReads(server: Server, accounts: number, seconds: number, rounds: number): Promise<Figure[]> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-bench-reads-'));
  fs.chmodSync(dir, 0o755);
  const processes = serving(dir);

  const database = 'bench_reads';
  await server.create(database, server.hill);
  const ring =
    'select api_worker.set_clock(engine.bell_at(engine.last_night() + 1), 0); select api_worker.ring_next_bell(); select trusted.settle_piece(null, null); select api_worker.index_nights(); select engine.build_boards()';
  await server.run(database, ring);
  await server.run(database, file('population.sql'), { 'population.accounts': '1000' });
  await server.run(database, ring);
  await server.run(database, file('population.sql'), { 'population.accounts': String(accounts) });
  await server.run(database, 'vacuum (analyze)');
  try {
    const origin = await processes.hill(server.web(database));
    // some 20 KB
    const address = `${origin}/api/leaderboard/hill`;
    const plain = { headers: { 'Accept-Encoding': 'identity' } };
    const sizeOf = async (limit: number) =>
      (await (await fetch(`${address}?limit=${limit}`, plain)).arrayBuffer()).byteLength;
    const each = ((await sizeOf(100)) - (await sizeOf(50))) / 50;
    const limit = Math.max(1, Math.round(50 + (20_000 - (await sizeOf(50))) / each));
    const hill = `${address}?limit=${limit}`;
    const answer = await fetch(hill, plain);
    const etag = `If-None-Match: ${answer.headers.get('etag')}`;
    const body = Buffer.from(await answer.arrayBuffer());
    fs.writeFileSync(path.join(dir, 'body.json'), body);

    const bare = await processes.peer('bytes', path.join(dir, 'body.json'));
    const query = await processes.peer('query', server.web(database), String(limit));
    const static_ = await processes.nginx('body.json');

    const runs = {
      hill: [],
      hill304: [],
      nginx: [],
      nginx304: [],
      bare: [],
      bare304: [],
      query: [],
      refused: [],
      found: [],
    } as Record<string, number[]>;
    const measure = async (name: string, url: string, header?: string, refused?: boolean) =>
      void runs[name]?.push((await load(dir, url, seconds, 64, header, refused)).perSecond);
    for (let round = 0; round < rounds; round++) {
      await measure('hill', hill);
      if (static_) await measure('nginx', static_.url);
      await measure('bare', bare);
      await measure('query', query);
      await measure('hill304', hill, etag);
      if (static_) await measure('nginx304', static_.url, `If-None-Match: ${static_.etag}`);
      await measure('found', `${address}?limit=1`);
      await measure('refused', `${origin}/api/identity/nobody-at-all`, undefined, true);
      await measure('bare304', bare, 'If-None-Match: "the-same-bytes"');
    }
    const m = Object.fromEntries(Object.entries(runs).map(([name, values]) => [name, median(values)])) as Record<
      string,
      number
    >;
    const figure = (what: string, mine: string, against: string, peer: string, target: number): Figure => ({
      what,
      measured: perSecond(m[mine] as number),
      against: `${against} ${perSecond(m[peer] as number)}`,
      ratio: (m[mine] as number) / (m[peer] as number),
      bound: 'least',
      target,
    });
    const read = `cached read, ${(body.length / 1000).toFixed(0)} KB`;
    const figures = [
      ...(static_
        ? [figure(read, 'hill', 'nginx', 'nginx', 0.33), figure('the same, 304', 'hill304', 'nginx', 'nginx304', 0.3)]
        : []),
      // there is no target for these: what the limits, the clock and the fields cost on top of Node
      figure(read, 'hill', 'bare Node', 'bare', 0.4),
      figure('the same, 304', 'hill304', 'bare Node', 'bare304', 0.4),
      figure(read, 'hill', 'with a query', 'query', 7),
      // a problem is written for each request, with its id, and goes through the router
      figure('a name that nobody has, 404', 'refused', 'a cached read of 2 KB', 'found', 0.2),
    ];

    // While the bell rings nothing is kept, so every reader is answered by the database that settles the night.
    const quiet = await load(dir, hill, seconds, 16);
    await server.run(database, 'select api_worker.set_clock(engine.bell_at(engine.last_night() + 1), 0)');
    const ringing = server.run(database, 'select api_worker.ring_next_bell()');
    let bell = 0;
    const rung = performance.now();
    void ringing.then(() => {
      bell = performance.now() - rung;
    });
    const waits: number[] = [];
    while (bell === 0) waits.push((await load(dir, hill, Math.min(seconds, 1), 16)).p99);
    await ringing;
    const worst = Math.max(...waits);
    figures.push({
      what: `p99 of readers while a bell of ${accounts.toLocaleString('en')} accounts rings (${ms(bell)})`,
      measured: ms(worst),
      against: `1 ms (${ms(quiet.p99)} at noon)`,
      ratio: worst,
      bound: 'most',
      target: 250,
    });
    return figures;
  } finally {
    await processes.stop();
    fs.rmSync(dir, { recursive: true, force: true });
    await server.drop(database);
  }
}
