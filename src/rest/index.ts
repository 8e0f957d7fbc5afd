// The public API: plain HTTP, open to every origin, no account and no token. Rules 10.2.
import Router from '@koa/router';
import type Koa from 'koa';
import type { List } from '../archives/forms.ts';
import { Failure, typed } from '../db/errors.ts';
import { answerMethods, open } from '../http/open.ts';
import { nothing, problem } from '../http/problem.ts';
import type { Reading } from '../http/reading.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { type Links, linksOf } from '../records/links.ts';
import { readArguments } from './arguments.ts';
import { type Files, nightFiles } from './bulk.ts';
import { serveDocuments } from './documents.ts';
import { type Events, eventsPath } from './events.ts';
import { sendMoves } from './lines.ts';
import { logRoutes } from './log.ts';
import { serveRecords } from './records.ts';
import { lineForms } from './resources/forms.ts';
import { archive, identityMoves, nightFile, nightList } from './resources/index.ts';
import { type Serve, serveOn } from './serve.ts';

export function restDoor(
  config: Config,
  reading: Reading,
  events: Events,
  log: Logger,
  metrics: Metrics,
): Koa.Middleware {
  const links = linksOf(config);
  const router = new Router({ sensitive: true, strict: true });
  router.use(answersProblems(reading, links, log, metrics));
  const serve = serveOn(router);
  const files = nightFiles(reading, log);
  serveRecords(serve, reading, links, files);
  serveFiles(serve, reading, files, log);
  for (const [path, get] of logRoutes(reading)) serve(path, get);
  serve(eventsPath, (ctx) => events.serve(ctx));
  serveDocuments(serve, config);

  const elsewhere = /^\/api(\/.*)?$/;
  // a script of another origin can read it only after a successful preflight
  router.options(elsewhere, answerMethods);
  router.all(elsewhere, () => {
    throw nothing(links);
  });
  return router.routes() as Koa.Middleware;
}

/** Counts each read, and answers what is thrown. */
function answersProblems(reading: Reading, links: Links, log: Logger, metrics: Metrics): Koa.Middleware {
  const refused = metrics.counter('hill_reading_refusals_total', 'Reads of /api that were refused or failed, by code.');
  return async (ctx, next) => {
    ctx.set(open);
    try {
      if (ctx.method !== 'OPTIONS') reading.admit(ctx); // a preflight is no read
      await next();
    } catch (thrown) {
      const error = typed(thrown);
      if (error instanceof Failure && error.status >= 500)
        log.error({ code: error.code, kind: error.kind }, 'a reading failed');
      refused.add({ code: error.code });
      problem(ctx, links, error);
    }
  };
}

/** Nights and moves as files. */
function serveFiles(serve: Serve, { source, memory }: Reading, files: Files, log: Logger): void {
  for (const form of lineForms)
    serve(nightList.path(form), (ctx) => {
      const { n, list } = readArguments(nightList.args, ctx.query, ctx.params) as { n: number; list: List };
      return memory.unlessRefused(`/api/day/${n}`, () =>
        files.night(ctx, `/api/day/${n}/${list}.${form}`, n, `${list}.${form}`, 'Accept-Encoding'),
      );
    });
  serve(identityMoves.path, (ctx) => {
    const { slug } = readArguments(identityMoves.args, ctx.query, ctx.params);
    return memory.unlessRefused(`/api/identity/${slug}`, async () =>
      sendMoves(ctx, await source.pool(), log, slug as string),
    );
  });
  serve(nightFile.path, (ctx) => {
    const { n } = readArguments(nightFile.args, ctx.query, ctx.params) as { n: number };
    return memory.unlessRefused(`/api/day/${n}`, () =>
      files.night(ctx, `/api/day/${n}/night.json`, n, 'night.json', 'Accept-Encoding'),
    );
  });
  serve(archive.path, (ctx) => files.byHash(ctx, readArguments(archive.args, ctx.query, ctx.params).sha256 as string));
}
