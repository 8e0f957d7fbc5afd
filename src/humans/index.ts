// The door for humans: sign-in, account, claim, consent, device. It only puts its parts together.
import Router from '@koa/router';
import type Koa from 'koa';
import type pg from 'pg';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { accountRoutes } from './account/routes.ts';
import { stripeEvents } from './account/stripe-events.ts';
import { claimRoutes } from './claim/routes.ts';
import type { Authorization } from './consent/authorization.ts';
import { consentRoutes } from './consent/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { deviceRoutes } from './device/routes.ts';
import { explainErrors } from './errors.ts';
import { leavingRoutes } from './leaving/routes.ts';
import { humanPages } from './pages.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { siteRoutes } from './site/routes.ts';

export function humansDoor(
  config: Config,
  db: pg.Pool,
  log: Logger,
  authorization: Authorization,
  metrics: Metrics,
): Koa.Middleware {
  const pages = humanPages(config, db, log);
  const router = new Router({ sensitive: true });
  router.use(explainErrors(pages));
  router.options(/^\/(account|claim|console|device|oauth\/authorize|sign-in|sign-out|stripe)(\/|$)/, (ctx) => {
    // to no other origin, unlike the public pages
    ctx.set('Allow', 'GET, HEAD, POST, OPTIONS');
    ctx.status = 204;
  });
  router.get(/^\/(account|claim|console|device|sign-in)(\/|$)/, (ctx, next) =>
    pages.leadsHome(ctx) ? undefined : next(),
  );
  signInRoutes(router, pages, metrics);
  accountRoutes(router, pages);
  leavingRoutes(router, pages);
  siteRoutes(router, pages);
  consoleRoutes(router, pages);
  stripeEvents(router, db, log);
  claimRoutes(router, pages);
  consentRoutes(router, pages, authorization);
  deviceRoutes(router, pages);
  return router.routes() as Koa.Middleware;
}
