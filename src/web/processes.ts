// The web as several processes that share PORT (HILL_WEB_PROCESSES): starts them, replaces one that ends, and tells
// each what the others have counted. Decisions 325-327.
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Budget } from '../db/budget.ts';
import type { Config } from '../process/config.ts';
import type { Stoppable } from '../process/listen.ts';
import type { Logger } from '../process/log.ts';
import { secretSettings } from '../process/settings.ts';
import type { FromSibling, ToSibling, Watched } from '../process/siblings.ts';
import { StartError } from '../process/start-error.ts';
import type { Watch } from '../watch/index.ts';

interface Place {
  readonly name: string;
  worker?: Worker;
  serves: boolean;
  /** Who waits to hear how it is, by the number of the question. */
  readonly asked: Map<number, (watched: Watched) => void>;
}

interface Run {
  /** Rejects if it ends before. */
  readonly open: Promise<void>;
  /** Why it ended. */
  readonly ended: Promise<string>;
}

/** A pause doubles from one end of a process to the next, until one has served for `calmMs`. */
const pauses = { firstMs: 500, longestMs: 30_000, calmMs: 60_000 };
/** A process that does not say how it is in this time is left out. */
const patienceMs = 1_000;
const healthMs = 5_000;
/**
 * The secrets that a web process has a use for. It gets none of the others: its login is all of the database that it
 * has.
 */
const forWeb =
  /^(WEB_DATABASE_URL|DATABASE_REPLICA_URL|HILL_(OLD_)?SIGNING_SECRET|(GOOGLE|GITHUB)_CLIENT_SECRET|STRIPE_SECRET_KEY)$/;

/**
 * Resolves when all of them serve, or none because the start was stopped. `made` is a login that the settings do not
 * name.
 */
export async function startWebs(
  { webProcesses }: Pick<Config, 'webProcesses'>,
  { calls, reading }: Budget['web'],
  log: Logger,
  watch: Watch,
  stopped: AbortSignal,
  made?: string,
): Promise<Stoppable> {
  const places = Array.from(
    { length: webProcesses },
    (_, i): Place => ({ name: `web ${i + 1}`, serves: false, asked: new Map() }),
  );
  const env = settingsOfEach(calls + reading + 1, made);
  // This process takes connections and gives each of the others its turn.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const begin = (place: Place) => beginAmong(places, place, env);

  const stopping = new AbortController();
  const runs = places.map((place) => [place, begin(place)] as const);
  const stopAll = async (ends: Promise<unknown>[]) => {
    stopping.abort();
    for (const place of places) send(place, { kind: 'stop' });
    await Promise.all(ends);
  };
  try {
    await Promise.all(runs.map(([, { open }]) => open));
  } catch (error) {
    await stopAll(runs.map(([, { ended }]) => ended));
    if (stopped.aborted) return { stop: async () => {} };
    throw error;
  }
  const kept = runs.map(([place, run]) => keep(place, run, { begin, log, stopping: stopping.signal }));
  watchAll(places, watch);
  return { stop: () => stopAll(kept) };
}

function settingsOfEach(connections: number, made: string | undefined): Record<string, string> {
  const env: Record<string, string> = { HILL_DATABASE_CONNECTIONS: String(connections) };
  for (const name of secretSettings.filter((one) => !forWeb.test(one))) env[name] = env[`${name}_FILE`] = '';
  if (made) env.WEB_DATABASE_URL = made;
  return env;
}

function send({ worker }: Place, message: ToSibling): void {
  if (worker?.isConnected()) worker.send(message, () => {}); // one that has just ended hears nothing, which is no error
}

/** Starts the process of a place. What it counts, the others hear from this process. */
function beginAmong(places: readonly Place[], place: Place, env: Record<string, string>): Run {
  const sendToOthers = (message: ToSibling) => {
    for (const other of places) if (other !== place && other.serves) send(other, message);
  };
  cluster.setupPrimary({ args: ['web', place.name] });
  const worker = cluster.fork(env);
  place.worker = worker;
  const givenUp = handedTo(worker);
  let why: Error | undefined;
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => {
      place.serves = false;
      givenUp();
      sendToOthers({ kind: 'forget', from: worker.id });
      resolve(why?.message ?? signal ?? `exit code ${code}`);
    });
  });
  const open = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromSibling) => {
      if (message.kind === 'counted') sendToOthers({ ...message, kind: 'add', from: worker.id });
      else if (message.kind === 'watched') place.asked.get(message.ask)?.(message);
      else if (message.kind === 'failed') why = new (message.expected ? StartError : Error)(message.message);
      else {
        place.serves = true;
        sendToOthers({ kind: 'count' });
        resolve();
      }
    });
    void ended.then((how) => reject(why ?? new Error(`${place.name} ended before it served (${how}).`)));
  });
  open.catch(() => {});
  return { open, ended };
}

/** Starts another process in the place of each that ends, until all stop. */
async function keep(
  place: Place,
  run: Run,
  { begin, log, stopping }: { begin(place: Place): Run; log: Logger; stopping: AbortSignal },
): Promise<void> {
  let pauseMs = pauses.firstMs;
  for (let { open, ended } = run; ; { open, ended } = begin(place)) {
    const began = Date.now();
    void open.then(
      () =>
        run.ended !== ended && log.info({ process: place.name }, 'a web process serves in the place of one that ended'),
      () => {},
    );
    const why = await ended;
    if (stopping.aborted) return;
    if (Date.now() - began > pauses.calmMs) pauseMs = pauses.firstMs;
    log.error({ process: place.name, why }, `a web process has ended; the next one is started in ${pauseMs / 1_000} s`);
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    pauseMs = Math.min(pauseMs * 2, pauses.longestMs);
  }
}

/** What operators see of them: how many serve, and what each says of itself. */
function watchAll(places: readonly Place[], watch: Watch): void {
  const serving = () => places.filter(({ serves }) => serves).length;
  watch.metrics.gauge('hill_web_processes', 'Web processes that serve PORT together.', '1', serving);
  watch.health.watch({
    checks: ['web'],
    everyMs: healthMs,
    look: async () => ({ web: serving() > 0 ? null : 'No web process serves. Their log says why.' }),
  });
  let asks = 0;
  watch.others = async () => {
    const all = places.map(async (place) => {
      const ask = ++asks;
      const answer = new Promise<Watched>((resolve) => place.asked.set(ask, resolve));
      send(place, { kind: 'watch', ask });
      const watched = await Promise.race([answer, sleep(patienceMs, undefined, { ref: false })]);
      place.asked.delete(ask);
      return watched ? [{ name: place.name, ...watched }] : [];
    });
    return (await Promise.all(all)).flat();
  };
}

/** What node:cluster sends a process with each connection, and what it hears once the process has it. */
interface Handing {
  readonly cmd?: 'NODE_CLUSTER';
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Returns what closes the connections that a process was given and did not take before it ended. Otherwise node:cluster
 * keeps them open without an end, and their clients would wait for as long; so they hear that the connection was reset,
 * and call again.
 */
function handedTo({ process: child }: Worker): () => void {
  const handed = new Map<number, { close(): void }>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: Handing, handle?: unknown, ...more: unknown[]) => {
    if (message.act === 'newconn' && message.seq !== undefined) handed.set(message.seq, handle as { close(): void });
    return send(message, handle, ...more);
  };
  child.on('internalMessage', ({ cmd, ack }: Handing) => {
    if (cmd === 'NODE_CLUSTER' && ack !== undefined) handed.delete(ack);
  });
  return () => {
    for (const connection of handed.values()) connection.close();
    handed.clear();
  };
}
