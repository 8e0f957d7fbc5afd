// The public door: everything that is served on PORT.
import type http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Router from '@koa/router';
import Koa from 'koa';
import type pg from 'pg';
import { budget } from '../db/budget.ts';
import { startCounters } from '../http/counters.ts';
import { failedHere } from '../http/failed-here.ts';
import { openReading, type Reading } from '../http/reading.ts';
import { toOriginForm } from '../http/target.ts';
import { refusals } from '../http/unreadable.ts';
import { pagesDoor } from '../pages/index.ts';
import { type Config, webPort } from '../process/config.ts';
import { listen, type Stoppable } from '../process/listen.ts';
import type { Logger } from '../process/log.ts';
import { linksOf } from '../records/links.ts';
import { readAlong } from '../rest/events.ts';
import { restDoor } from '../rest/index.ts';
import { aWatch, type Watch } from '../watch/index.ts';
import type { Doors } from './doors.ts';
import { observer } from './observe.ts';
import { watchWeb } from './watch.ts';

export interface Web extends Stoppable {
  /** Resolves when this process has heard of everything committed before: what is read here afterwards is not older. */
  caughtUp(): Promise<void>;
}

const healthMs = 2_000;
/** What is answered before all doors are open. */
const early = /^\/($|\?|api\/)/;
/**
 * Who comes in this time has waited for the port, and is answered before the other doors are loaded: that keeps this
 * process busy.
 */
const headStartMs = 40;
/** A first answer that takes longer is not waited for. */
const mostMs = 250;
const yes = () => true;
const no = () => false;

/** `readers` is how many connections public reads may have beside those of the pool. */
export async function startWeb(
  config: Config,
  pool: pg.Pool,
  log: Logger,
  readers = budget(config.connections, ['web']).web.reading,
  { metrics, health }: Watch = aWatch(),
): Promise<Web> {
  let doors: Doors | undefined;
  const counters = startCounters(pool, log);
  const { fromMemory, observe } = observer(metrics);
  const reading = openReading(config, pool.options.connectionString as string, readers, counters, log, {
    hear() {
      doors?.playInterface.hear();
      events.hear();
    },
    drop(change, lastNight) {
      doors?.playInterface.changed(change, lastNight);
      events.changed(change);
    },
  });
  const events = readAlong(config, reading.source, metrics);
  // The address that proxies report is believed, for as many proxies as the operator has.
  const app = new Koa({ proxy: config.proxies > 0, maxIpsCount: config.proxies });
  // The message of a database error can repeat what somebody sent, such as a sealed move: it stays out of the log.
  app.on('error', (error: Error & { code?: string }) =>
    log[failedHere(error) ? 'error' : 'debug']({ code: error.code, type: error.name }, 'a request failed'),
  );
  let stopping = false;
  app.use(healthRoutes(pool, reading, health, () => stopping));
  app.use((ctx, next) => (doors ? doors.oauth(ctx, next) : next()));
  app.use(restDoor(config, reading, events, log, metrics));
  app.use((ctx, next) => (doors ? doors.humans(ctx, next) : next()));
  app.use(pagesDoor(config, reading, counters, log)); // last: it answers for unknown addresses

  const onlyTls = config.open && config.baseUrl.startsWith('https:');
  const routed = app.callback();
  const { unreadable, refuse } = refusals(linksOf(config));
  let first: Promise<unknown> | undefined;
  const opened = Promise.withResolvers<void>();
  opened.promise.catch(() => {}); // there may be nobody who waits for it
  const serve = (req: http.IncomingMessage, res: http.ServerResponse) => {
    if (!toOriginForm(req)) refuse(res);
    else if (doors) doors.playInterface.serve(req, res) || routed(req, res);
    else if (early.test(req.url as string)) {
      first ??= new Promise((resolve) => res.once('close', resolve));
      routed(req, res);
    } else
      opened.promise.then(
        () => serve(req, res),
        () => res.destroy(),
      );
  };
  let server: Stoppable | undefined;
  try {
    await reading.source.ready;
    server = await listen(
      (req, res) => {
        if (onlyTls) res.setHeader('Strict-Transport-Security', 'max-age=31536000');
        const began = performance.now();
        if (toOriginForm(req) && reading.front(req, res)) fromMemory(began);
        else observe(req, res, () => serve(req, res));
      },
      { ...webPort(config), stopSeconds: config.stopSeconds, unreadable },
    );
    await sleep(headStartMs);
    await Promise.race([first, sleep(mostMs)]);
    const { openDoors } = await import('./doors.ts');
    doors = openDoors(config, pool, counters, log, metrics);
    opened.resolve();
    const { keys, playInterface } = doors;
    watchWeb({ metrics, health }, { pool, reading, keys });
    return {
      caughtUp: reading.source.caughtUp,
      stop: async () => {
        stopping = true;
        await sleep(config.drainSeconds * 1_000);
        await Promise.all([playInterface.stop(), events.stop()]); // streams have no end of their own
        await server?.stop();
        await health.stop();
        await counters.stop();
        await reading.source.stop();
      },
    };
  } catch (error) {
    opened.reject(error);
    await server?.stop();
    await events.stop();
    await counters.stop();
    await reading.source.stop();
    throw error;
  }
}

/** What balancers ask. */
function healthRoutes(pool: pg.Pool, reading: Reading, health: Watch['health'], stopping: () => boolean) {
  const router = new Router();
  router.get('/healthz', async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    // Whoever asks wants to know soon: a database that takes longer counts as away.
    const answers = await Promise.race([pool.query('select').then(yes, no), sleep(healthMs, false, { ref: false })]);
    ctx.status = answers ? 200 : 503;
    const { replica } = reading.source;
    ctx.body = { status: answers ? 'ok' : 'no database', ...(replica && { replica }) };
  });
  router.get('/livez', (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.status = stopping() ? 503 : 200;
    ctx.body = { status: stopping() ? 'stopping' : 'serving' };
  });
  router.get('/readyz', (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    const { ready, failed } = health.report();
    ctx.status = ready ? 200 : 503;
    ctx.body = ready ? { status: 'ready' } : { status: 'not ready', failed }; // METRICS_PORT says why
  });
  return router.routes();
}
