// The pages for people: rendered on the server, readable without scripts, loading nothing from elsewhere. It only puts
// its parts together.
import Router from '@koa/router';
import type Koa from 'koa';
import { Failure, typed } from '../db/errors.ts';
import type { Counters } from '../http/counters.ts';
import { answerMethods, methods, open } from '../http/open.ts';
import { nothing } from '../http/problem.ts';
import type { Reading } from '../http/reading.ts';
import { setRetryAfter } from '../http/retry-after.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { checkRoutes } from './routes/check.ts';
import { documentRoutes } from './routes/documents.ts';
import { feedRoutes } from './routes/feeds.ts';
import { goRoutes } from './routes/go.ts';
import { pictureRoutes } from './routes/pictures.ts';
import { recordRoutes } from './routes/records.ts';
import { sourceRoutes } from './routes/source.ts';
import { Moved, servingFor } from './serving.ts';

export function pagesDoor(config: Config, reading: Reading, counters: Counters, log: Logger): Koa.Middleware {
  const serving = servingFor(config, reading);
  const { links, sorry } = serving;
  const router = new Router({ sensitive: true });
  pictureRoutes(router, serving);
  feedRoutes(router, serving);
  recordRoutes(router, serving);
  documentRoutes(router, config, serving);
  sourceRoutes(router, serving);
  checkRoutes(router, serving);
  goRoutes(router, counters, serving);

  const answering: Koa.Middleware = async (ctx, next) => {
    try {
      reading.admitPage(ctx);
      await next();
    } catch (thrown) {
      if (thrown instanceof Moved) return ctx.redirect(thrown.to);
      const error = typed(thrown);
      if (error instanceof Failure && error.status >= 500)
        log.error({ code: error.code, kind: error.kind }, 'a page failed');
      setRetryAfter(ctx, error);
      await sorry(ctx, error);
    }
  };

  const routes = router.routes() as Koa.Middleware;
  return (ctx) =>
    answering(ctx, () =>
      routes(ctx, async () => {
        if (ctx.method === 'OPTIONS') {
          ctx.set(open);
          return answerMethods(ctx);
        }
        // no door has this address
        if (['GET', 'HEAD'].includes(ctx.method) || !router.match(ctx.path, 'GET').route)
          return sorry(ctx, nothing(links));
        ctx.set('Allow', methods);
        throw new Failure('METHOD_NOT_ALLOWED');
      }),
    );
}
