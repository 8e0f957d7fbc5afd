// The public log: numbering a million entries, and five thousand on top of them as closing a day does, against the same
// rows moved without a tree; tiles and checkpoints as mirrors read them; proofs; how it is seen that a log goes on from
// what was pinned; and what the log costs a deposit, against the same hill without it.
import { hash, randomInt } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { read } from '../src/db/call.ts';
import { makePool } from '../src/db/pool.ts';
import { verifierKey } from '../src/log/note.ts';
import { signCheckpoint } from '../src/log/signing.ts';
import { tilePath } from '../src/log/tiles.ts';
import { makeLog } from '../src/process/log.ts';
import { prover } from '../src/process/proofs.ts';
import { verifyHill } from '../src/verify/index.ts';
import { askAt, reading } from '../src/verify/reading.ts';
import { receiptsIn } from '../src/verify/receipts.ts';
import { publishLog } from '../src/worker/log.ts';
import { type LogSettings, signersOf } from '../src/worker/log-head.ts';
import { against, fourDeposits, issueTokens, run } from './mcp.ts';
import { depositors } from './play.ts';
import { load, perSecond } from './reads.ts';
import { type Figure, median, ms } from './report.ts';
import { file, launchDay, measureAlone, type Server, secret } from './server.ts';
import { serving } from './serving.ts';
import { wrk } from './wrk.ts';

const count = (n: number) => n.toLocaleString('en');
const commitment = (n: number) => hash('sha256', String(n));
const pool = (url: string) =>
  makePool({ url, name: 'bench log', log: makeLog({ logLevel: 'error', logFormat: 'json' }) });
const settings: LogSettings = {
  ...{
    origin: 'hill.example/log',
    secret,
    prove: prover(() => secret),
    file: null,
    memory: { signed: null },
    adopt: true,
  },
  ask: async () => null,
  tell: () => {},
};

export async function benchLog(
  server: Server,
  entries: number,
  late: number,
  deposits: { readonly accounts: number; readonly calls: number },
  seconds: number,
  rounds: number,
): Promise<Figure[]> {
  return [
    ...(await numbering(server, entries, late, seconds, rounds)),
    ...(await costs(server, deposits, seconds, rounds)),
  ];
}

/** Deposits of day 1 that wait, from the number after `from`, as if made at an instant. */
const wait = (from: number, to: number, at: string) => `
  insert into hill.log_waiting (at, entry)
  select ${at}, engine.deposit_entry(1, sha256(convert_to(n::text, 'UTF8'))) from generate_series(${from + 1}, ${to}) n;
  select api_worker.set_clock(date_bin('15 minutes', engine.now(), 'epoch') + interval '15 minutes', 0);`;

/** Rows of the same bytes, in the same order, with a key for their numbers: what any numbering has to write. */
const floor = (from: number, to: number) => `
  create table if not exists waiting (at timestamptz not null, entry bytea not null);
  create table if not exists entries (n bigint primary key, entry bytea not null);
  insert into waiting
  select now(), convert_to('deposit 1 ' || encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), 'UTF8') from generate_series(${from + 1}, ${to}) n`;
const moveFloor = `
  with taken as (delete from waiting returning entry)
  insert into entries
  select m.n + row_number() over (order by t.entry), t.entry from taken t cross join (select coalesce(max(n), 0) as n from entries) m`;

async function numbering(
  server: Server,
  entries: number,
  late: number,
  seconds: number,
  rounds: number,
): Promise<Figure[]> {
  await server.create('bench_log_waiting', server.hill);
  // tomorrow is day 1: no clock is set back, whatever the hour is
  await server.run('bench_log_waiting', 'update hill.settings set day_one = day_one + 1');
  await server.run('bench_log_waiting', `select api_worker.set_clock(engine.bell_at(1) - interval '1 hour', 0)`);
  await server.run('bench_log_waiting', `select trusted.begin_log('hill.example/log')`);
  await server.run('bench_log_waiting', wait(0, entries, 'engine.now()'));
  await server.create('bench_log_floor');
  await server.run('bench_log_floor', floor(0, entries));
  for (const database of ['bench_log_waiting', 'bench_log_floor']) await server.run(database, 'vacuum (analyze)');

  const took = { all: [] as number[], allFloor: [] as number[], late: [] as number[], lateFloor: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await server.drop('bench_log');
    await server.create('bench_log', 'bench_log_waiting');
    took.all.push(
      (
        await measureAlone(
          server.worker('bench_log'),
          Array(Math.ceil(entries / 100_000)).fill('select api_worker.number_log()'),
        )
      ).ms,
    );
    await server.create('bench_run', 'bench_log_floor');
    took.allFloor.push((await measureAlone(server.url('bench_run'), [moveFloor])).ms);

    await server.run('bench_log', `vacuum (analyze);`);
    await server.run('bench_log', wait(entries, entries + late, 'engine.now()'));
    await server.run('bench_run', 'vacuum (analyze)');
    await server.run('bench_run', floor(entries, entries + late));
    const worker = pool(server.worker('bench_log'));
    const began = performance.now();
    await publishLog(worker, settings);
    took.late.push(performance.now() - began);
    await worker.end();
    took.lateFloor.push((await measureAlone(server.url('bench_run'), [moveFloor])).ms);
    await server.drop('bench_run');
  }
  for (const database of ['bench_log_waiting', 'bench_log_floor']) await server.drop(database);
  const size = entries + late;
  try {
    return [
      {
        what: `numbering ${count(entries)} entries of the log`,
        measured: ms(median(took.all)),
        against: `moving the rows ${ms(median(took.allFloor))}`,
        ratio: median(took.all) / median(took.allFloor),
        bound: 'most',
        target: 2.5,
      },
      {
        what: `numbering and signing ${count(late)} more`,
        measured: ms(median(took.late)),
        against: `1 s (moving the rows ${ms(median(took.lateFloor))})`,
        ratio: median(took.late) / 1_000,
        bound: 'most',
        target: 0.5,
      },
      await proofs(server, size, rounds),
      ...(await pinned(server, size, rounds)),
      ...(await tiles(server, size, seconds, rounds)),
    ];
  } finally {
    await server.drop('bench_log');
  }
}

async function proofs(server: Server, size: number, rounds: number): Promise<Figure> {
  const web = pool(server.web('bench_log'));
  try {
    const took: number[] = [];
    for (let n = 0; n < 100 * rounds; n++) {
      const began = performance.now();
      await read(web, 'api_public.log_proof', { day: 1, commitment: commitment(randomInt(1, size + 1)) });
      took.push(performance.now() - began);
    }
    return {
      what: `a proof of one of ${count(size)} entries`,
      measured: ms(median(took)),
      against: '1 ms',
      ratio: median(took),
      bound: 'most',
      target: 10,
    };
  } finally {
    await web.end();
  }
}

/** As "npm run verify -- <hill> --log" does: who has seen the log at any size checks that it begins with that. */
async function pinned(server: Server, size: number, rounds: number): Promise<Figure[]> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-bench-pinned-'));
  const processes = serving(dir);
  const { origin } = settings;
  const signers = signersOf(settings, origin);
  const took: number[] = [];
  let most = 0;
  try {
    const at = await processes.hill(server.web('bench_log'));
    for (let n = 0; n < 5 * rounds; n++) {
      const old = randomInt(1, size);
      const [row] = await server.rows<{ root: string }>(
        'bench_log',
        `select encode(engine.log_root(1, ${old}), 'base64') as root`,
      );
      const root = Buffer.from(row?.root ?? '', 'base64');
      const checkpoints = [signCheckpoint({ origin, size: old, root }, signers, 0)];
      let requests = 0;
      const ask = askAt(at);
      const began = performance.now();
      await verifyHill({
        hill: reading(at, (address) => {
          requests += 1;
          return ask(address);
        }),
        ...{ days: [], held: receiptsIn([]), logOnly: true, note: () => {} },
        seen: { [origin]: { key: verifierKey(signers[0]), checkpoints } },
        withEngine: () => Promise.reject(new Error('No night is resolved.')),
        say: (holds, sentence) => {
          if (!holds) throw new Error(sentence);
        },
      });
      took.push(performance.now() - began);
      most = Math.max(most, requests);
    }
  } finally {
    await processes.stop();
    fs.rmSync(dir, { recursive: true, force: true });
  }
  const what = `that a log of ${count(size)} entries goes on from what was pinned`;
  const figure = (measured: string, against: string, ratio: number): Figure => ({
    ...{ what, measured, against, ratio, bound: 'most', target: 1 },
  });
  return [figure(`${most} requests at most`, '40', most / 40), figure(ms(median(took)), '3 s', median(took) / 3_000)];
}

async function tiles(server: Server, size: number, seconds: number, rounds: number): Promise<Figure[]> {
  if (!wrk()) {
    console.error('wrk is not installed, so tiles are not measured: apt-get install wrk nginx-light');
    return [];
  }
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-bench-log-'));
  fs.chmodSync(dir, 0o755);
  const processes = serving(dir);
  try {
    const origin = await processes.hill(server.web('bench_log'));
    const full = `/log/${tilePath({ level: 0, tile: 0, width: 256 })}`;
    fs.writeFileSync(path.join(dir, 'tile'), Buffer.from(await (await fetch(`${origin}${full}`)).arrayBuffer()));
    const peer = (await processes.nginx('tile')) ?? {
      name: 'bare Node',
      url: await processes.peer('bytes', path.join(dir, 'tile')),
    };
    const name = 'name' in peer ? peer.name : 'nginx';
    const runs = { tile: [] as number[], checkpoint: [] as number[], peer: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      runs.tile.push((await load(dir, `${origin}${full}`, seconds, 64)).perSecond);
      runs.peer.push((await load(dir, peer.url, seconds, 64)).perSecond);
      runs.checkpoint.push((await load(dir, `${origin}/log/checkpoint`, seconds, 64)).perSecond);
    }
    // as a mirror does that has nothing yet; more than fits into the memory of a web process
    const paths = Array.from({ length: Math.floor(size / 256) }, (_, tile) => [
      `/log/${tilePath({ level: 0, tile, width: 256 })}`,
      `/log/${tilePath({ level: 'entries', tile, width: 256 })}`,
    ]).flat();
    const each = await fetchAll(origin, paths);
    const one = await fetchAll(
      origin,
      paths.map((_, n) => paths[n % 2] as string),
    );
    const figure = (what: string, mine: number, against: string, theirs: number, target: number): Figure => ({
      ...{ what, measured: perSecond(mine), against: `${against} ${perSecond(theirs)}` },
      ...{ ratio: mine / theirs, bound: 'least', target },
    });
    return [
      figure('a full tile of the log, 8 KB', median(runs.tile), name, median(runs.peer), 0.33),
      figure('a checkpoint of the log', median(runs.checkpoint), `${name}, the tile`, median(runs.peer), 0.33),
      figure(`${count(paths.length)} tiles and bundles, each once`, each, 'the first two, as often', one, 0.25),
    ];
  } finally {
    await processes.stop();
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

/** By 16 connections, each once. Answers per second. */
async function fetchAll(origin: string, paths: readonly string[]): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  let next = 0;
  const began = performance.now();
  const reader = async () => {
    for (let at = paths[next++]; at; at = paths[next++])
      await new Promise<void>((resolve, reject) => {
        http
          .get(`${origin}${at}`, { agent }, (answer) => {
            if (answer.statusCode !== 200) reject(new Error(`${at}: ${answer.statusCode}`));
            answer.on('end', resolve).resume();
          })
          .on('error', reject);
      });
  };
  await Promise.all(Array.from({ length: 16 }, reader));
  agent.destroy();
  return (paths.length * 1_000) / (performance.now() - began);
}

/**
 * Deposits with the log and without: a copy of the hill in which engine.play_together draws no salts and hashes
 * nothing, and engine.write_deposits leaves nothing that waits for a number. Without a commitment, the play interface
 * signs no receipt either.
 */
async function costs(
  server: Server,
  { accounts, calls }: { readonly accounts: number; readonly calls: number },
  seconds: number,
  rounds: number,
): Promise<Figure[]> {
  const names = { log: 'bench_with_log', none: 'bench_without_log' };
  await server.create('bench_deposits', server.hill);
  await server.run('bench_deposits', launchDay(1));
  await server.run('bench_deposits', file('population.sql'), {
    ...{ 'population.accounts': String(accounts), 'population.moves': 'off', 'population.tokens': 'on' },
  });
  await server.run('bench_deposits', 'vacuum (analyze)');
  const copy = async () => {
    for (const name of Object.values(names)) await server.create(name, 'bench_deposits');
    await forgetLog(server, names.none);
  };
  const drop = async () => {
    for (const name of Object.values(names)) await server.drop(name);
  };

  const figures: Figure[] = [];
  await copy();
  const [mine, other] = [
    depositors(server.web(names.log), accounts, seconds),
    depositors(server.web(names.none), accounts, seconds),
  ];
  for (const callers of [1, 64]) {
    const told: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      told[0].push((await mine.ask({ how: 'lanes', callers })).perSecond);
      told[1].push((await other.ask({ how: 'lanes', callers })).perSecond);
    }
    figures.push(
      slower(
        `play with the log, ${callers} ${callers === 1 ? 'caller' : 'callers'}`,
        median(told[0]),
        median(told[1]),
        0.95,
      ),
    );
  }
  await Promise.all([mine.stop(), other.stop()]);
  await drop();

  if (!wrk())
    console.error('wrk is not installed, so calls of the play interface are not measured: apt-get install wrk');
  else {
    await copy();
    const servers = [await run('hill', server.web(names.log)), await run('hill', server.web(names.none))] as const;
    try {
      const tokens = await Promise.all(
        Object.values(names).map((name, n) => {
          const resource = new URL((servers[n] as (typeof servers)[0]).url).origin.replace('127.0.0.1', 'localhost');
          return issueTokens(server.url(name), server.web(name), resource, Math.min(accounts, calls));
        }),
      );
      const share = Math.floor(Math.min(accounts, calls) / (rounds + 1));
      const [withLog, without] = await against(
        ...servers,
        (which, round) =>
          fourDeposits((tokens[which === 'mine' ? 0 : 1] as string[]).slice(round * share, (round + 1) * share)),
        ...([seconds, rounds, seconds === 0 ? 0 : 1, 64] as const),
      );
      figures.push(slower('MCP play with the log, 64 connections', withLog, without, 0.9));
    } finally {
      for (const { child } of servers) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill();
        await ended;
      }
    }
    await drop();
  }
  await server.drop('bench_deposits');
  return figures;
}

const slower = (what: string, mine: number, without: number, target: number): Figure => ({
  ...{ what, measured: perSecond(mine), against: `without the log ${perSecond(without)}` },
  ...{ ratio: mine / without, bound: 'least', target },
});

/** From the functions as they stand; it throws where one is no longer written so. */
async function forgetLog(server: Server, database: string): Promise<void> {
  for (const [name, part, without] of [
    ['play_together', /v_seal := engine\.seal\([^;]*;/, 'v_seal := null;'],
    [
      'write_deposits',
      /waiting as \(\s*insert into hill\.log_waiting [^;]*? from accepted d\s*\),\s*(?=reserved as)/,
      '',
    ],
  ] as const) {
    const [{ source } = { source: '' }] = await server.rows<{ source: string }>(
      database,
      `select pg_get_functiondef('engine.${name}'::regproc) as source`,
    );
    if (!part.test(source)) throw new Error(`engine.${name} is not written like ${part}.`);
    await server.run(database, source.replace(part, without));
  }
}
