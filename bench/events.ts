// Listeners of /api/events on one process: what each takes of its memory, and what a bell costs that all of them are
// told, against a bare Node server that writes the same bytes to as many connections.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../src/embedded/index.ts';
import { type Figure, median, ms } from './report.ts';
import { type Server, secret } from './server.ts';

/** Each from an address of its own on loopback: 256 may listen from one. */
const perAddress = 250;
/** Connections that are opened at once. */
const atOnce = 50;

const kilobytes = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
/** Processor time in ms; Linux counts in hundredths of a second. */
const cpuMs = (pid: number) => {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

interface Listeners {
  /** Resolves when all have been told an event since the last call, to the time of the last one. */
  told(): Promise<number>;
  close(): void;
}

async function listen(port: number, count: number): Promise<Listeners> {
  const sockets: net.Socket[] = [];
  let heard = new Set<number>();
  let all: (at: number) => void = () => {};
  const begin = (n: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect({
        port,
        host: '127.0.0.1',
        localAddress: `127.0.1.${1 + Math.floor(n / perAddress)}`,
      });
      sockets.push(socket);
      socket.on('error', reject).on('data', (chunk) => {
        const text = chunk.toString('latin1');
        if (text.includes('event: position')) resolve();
        else if (text.startsWith('HTTP/1.1 ') && !text.startsWith('HTTP/1.1 200')) reject(new Error(text));
        if (!text.includes('event: bell')) return;
        heard.add(n);
        if (heard.size === count) all(performance.now());
      });
      socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`);
    });
  for (let n = 0; n < count; n += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - n) }, (_, i) => begin(n + i)));
  return {
    told: () => {
      heard = new Set();
      return new Promise((resolve) => {
        all = resolve;
      });
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface Measured {
  readonly kilobytesEach: number;
  readonly wall: number;
  readonly cpu: number;
  /** Processor time of the process in a minute in which nothing is told. */
  readonly idle: number;
}

async function measure(
  child: ChildProcess,
  port: number,
  count: number,
  rounds: number,
  idleMs: number,
  tell: () => Promise<unknown>,
) {
  const pid = child.pid as number;
  const few = await listen(port, Math.min(count, 100)); // what only the first ones take
  few.close();
  await sleep(500);
  const before = kilobytes(pid);
  const listeners = await listen(port, count);
  const kilobytesEach = (kilobytes(pid) - before) / count;
  const walls: number[] = [];
  const cpus: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const told = listeners.told();
    const cpu = cpuMs(pid);
    await tell();
    const began = performance.now();
    walls.push((await told) - began);
    cpus.push(cpuMs(pid) - cpu);
    await sleep(1_100);
  }
  const quiet = cpuMs(pid);
  await sleep(idleMs);
  const idle = idleMs === 0 ? 0 : ((cpuMs(pid) - quiet) * 60_000) / idleMs;
  listeners.close();
  return { kilobytesEach, wall: Math.max(0, median(walls)), cpu: median(cpus), idle } satisfies Measured;
}

export async function benchEvents(server: Server, count: number, rounds: number, idleMs: number): Promise<Figure[]> {
  const database = 'bench_events';
  await server.create(database, server.hill);
  const ring =
    'select api_worker.set_clock(engine.bell_at(engine.last_night() + 1), 0); select api_worker.ring_next_bell()';
  await server.run(database, ring);
  const start = async (script: string, args: string[]) => {
    const child = fork(path.join(import.meta.dirname, script), args, {
      env: { ...process.env, HILL_SIGNING_SECRET: secret, HILL_LIMIT_READS: '999999999/999999' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    return child;
  };
  const children: ChildProcess[] = [];
  try {
    const port = await freePort();
    const hill = await start('mcp-process.ts', ['hill', String(port), server.web(database)]);
    children.push(hill);
    const mine = await measure(hill, port, count, rounds, idleMs, () => server.run(database, ring));
    const bytes = await bellText(port);
    const peerPort = await freePort();
    const peer = await start('events-peer.ts', [String(peerPort), bytes]);
    children.push(peer);
    const theirs = await measure(peer, peerPort, count, rounds, 0, async () => void peer.send('tell'));
    const many = count.toLocaleString('en');
    return [
      {
        what: `a bell told to ${many} listeners, processor`,
        measured: `${ms(mine.cpu)} (all told after ${ms(mine.wall)})`,
        against: `bare Node ${ms(theirs.cpu)} (${ms(theirs.wall)})`,
        ratio: mine.cpu / Math.max(theirs.cpu, 10),
        bound: 'most',
        target: 2,
      },
      {
        what: `memory of a listener, of ${many}`,
        measured: `${mine.kilobytesEach.toFixed(1)} KiB`,
        against: `bare Node ${theirs.kilobytesEach.toFixed(1)} KiB`,
        ratio: mine.kilobytesEach / theirs.kilobytesEach,
        bound: 'most',
        target: 2,
      },
      {
        what: `processor with ${many} listeners, nothing told`,
        measured: `${ms(mine.idle)} a minute`,
        against: 'a minute',
        ratio: mine.idle / 60_000,
        bound: 'most',
        target: 0.05,
      },
    ];
  } finally {
    for (const child of children) {
      child.kill();
      await once(child, 'exit');
    }
    await server.drop(database);
  }
}

/** What the last bell was told with. */
async function bellText(port: number): Promise<string> {
  const leaving = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { 'Last-Event-ID': '1.1.1.0.1.0' },
    signal: leaving.signal,
  });
  let text = '';
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    if (text.includes('event: bell')) break;
  }
  leaving.abort();
  return `event: bell${text.split('event: bell')[1]}`;
}
