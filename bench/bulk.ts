// Files of nights from the public door against JSON of the same night, in turn: a small night, and a large one. And how
// long the worker makes them.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makePool } from '../src/db/pool.ts';
import { freePort } from '../src/embedded/index.ts';
import { makeLog } from '../src/process/log.ts';
import { archiveNight } from '../src/worker/archives.ts';
import { load, perSecond } from './reads.ts';
import { type Figure, median, ms } from './report.ts';
import { file, type Server, secret } from './server.ts';

export async function benchBulk(server: Server, accounts: number, seconds: number, rounds: number): Promise<Figure[]> {
  const database = 'bench_bulk';
  await server.create(database, server.hill);
  const ring =
    'select api_worker.set_clock(engine.bell_at(engine.last_night() + 1), 0); select api_worker.ring_next_bell(); select trusted.settle_piece(null, null); select api_worker.index_nights(); select engine.build_boards()';
  await server.run(database, ring);
  for (const more of [20, accounts]) {
    await server.run(database, file('population.sql'), { 'population.accounts': String(more) });
    await server.run(database, ring);
  }
  await server.run(database, 'vacuum (analyze)');
  const log = makeLog({ logLevel: 'error', logFormat: 'json' });
  const worker = makePool({ url: server.worker(database), name: 'bench', log });
  const began = performance.now();
  while (await archiveNight(worker));
  const made = performance.now() - began;
  await worker.end();

  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-bench-bulk-'));
  const port = String(await freePort());
  const web = spawn(process.execPath, ['--import', './src/process/check-node.mjs', 'src/main.ts', 'web'], {
    cwd: path.join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      ...{
        PORT: port,
        BASE_URL: `http://localhost:${port}`,
        WEB_DATABASE_URL: server.web(database),
        HILL_SIGNING_SECRET: secret,
      },
      ...{ HILL_CLOCK: 'simulated', HILL_LIMIT_READS: '999999999/999999', HILL_LOG: 'json', HILL_DATA_DIR: dir },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const chunk of web.stdout.iterator({ destroyOnReturn: false }))
      if (String(chunk).includes('Hill is open')) break;
    web.stdout.resume();
    const figures: Figure[] = [];
    const compare = async (
      what: string,
      day: number,
      form: string,
      limit: number,
      target: number,
      connections: number,
    ) => {
      const [csv, json] = [`/api/day/${day}${form}`, `/api/day/${day}?limit=${limit}`].map(
        (path) => `http://127.0.0.1:${port}${path}`,
      ) as [string, string];
      const gzip = { headers: { 'Accept-Encoding': 'gzip' } };
      const sizes = await Promise.all(
        [csv, json].map(async (url) => {
          const answer = await fetch(url, gzip);
          if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
          return (await answer.arrayBuffer()).byteLength;
        }),
      );
      const runs: { bulk: number[]; json: number[] } = { bulk: [], json: [] };
      let cpu = 0;
      for (let round = 0; round < rounds; round++) {
        const before = ticks(web.pid as number);
        const from = performance.now();
        const mine = await load(dir, csv, seconds, connections, 'Accept-Encoding: gzip');
        cpu = ((ticks(web.pid as number) - before) * 10) / (mine.perSecond * ((performance.now() - from) / 1_000));
        runs.bulk.push(mine.perSecond);
        runs.json.push((await load(dir, json, seconds, connections, 'Accept-Encoding: gzip')).perSecond);
      }
      figures.push({
        what: `${what}, ${inKb(sizes[0] as number)} (${ms(cpu)} of CPU each)`,
        measured: perSecond(median(runs.bulk)),
        against: `JSON of ${inKb(sizes[1] as number)} ${perSecond(median(runs.json))}`,
        ratio: median(runs.bulk) / median(runs.json),
        bound: 'least',
        target,
      });
    };
    await compare('moves of a small night as CSV', 2, '?format=csv', 20, 0.9, 64);
    await compare('its night file', 2, '/night.json', 20, 0.9, 64);
    // JSON of as many moves as one answer has
    await compare(`moves of a night of ${(accounts * 2).toLocaleString('en')} as CSV`, 3, '?format=csv', 1_000, 0.1, 4);
    figures.push({
      what: `files of these nights, made by the worker`,
      measured: ms(made),
      against: '60 s for each 1,000,000 moves',
      ratio: (made * 1_000) / (60 * accounts * 2),
      bound: 'most',
      target: 1,
    });
    return figures;
  } finally {
    web.kill();
    await new Promise((resolve) =>
      web.exitCode === null && web.signalCode === null ? web.once('close', resolve) : resolve(null),
    );
    fs.rmSync(dir, { recursive: true, force: true });
    await server.drop(database);
  }
}

const inKb = (bytes: number) => `${(bytes / 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} KB`;

/** CPU that a process has used, in hundredths of a second; 0 where there is no /proc. */
function ticks(pid: number): number {
  const stat = `/proc/${pid}/stat`;
  if (!fs.existsSync(stat)) return 0;
  const fields = fs.readFileSync(stat, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
