// What a request to the console passes through.
import type http from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import type pg from 'pg';
import { postgraphile } from 'postgraphile';
import { grafserv } from 'postgraphile/grafserv/koa/v3';
import { Failure, typed } from '../db/errors.ts';
import { notifyOthers } from '../db/notify.ts';
import { failedHere } from '../http/failed-here.ts';
import type { Logger } from '../process/log.ts';
import { actingPages } from './act/index.ts';
import { askSite, comeFromSite } from './from-site.ts';
import { bounded } from './graphql/bounded.ts';
import { graphqlPath, staffPreset } from './graphql/preset.ts';
import { secureHeaders } from './headers.ts';
import { lookingPages } from './look/index.ts';
import { onlyLoopbackNames, onlySameOrigin } from './same-origin.ts';
import { onlyStaff, signIn, signOut } from './sign-in.ts';

/** `baseUrl`: the site, where staff sign in. */
export async function makeConsole(
  pool: pg.Pool,
  log: Logger,
  baseUrl: string,
): Promise<{ handler: http.RequestListener; release: () => Promise<void> }> {
  const graphql = postgraphile(staffPreset(pool, log));
  try {
    await graphql.getSchema();

    const app = new Koa();
    app.on('error', (error: Error) => {
      const known = typed(error);
      log[failedHere(error) ? 'error' : 'debug'](
        { kind: known instanceof Failure ? known.kind : known.code },
        'a request to the console failed',
      );
    });
    app.use(secureHeaders).use(onlyLoopbackNames).use(onlySameOrigin);
    const router = new Router();
    router.post('/sign-in', signIn(pool)).post('/sign-out', signOut(pool));
    router.get('/sign-in/account', askSite(baseUrl)).get('/sign-in/code', comeFromSite(pool));
    app.use(router.routes()).use(onlyStaff(pool));
    app.use(lookingPages(pool).routes()).use(actingPages(pool).routes());
    // The adaptor compares its paths with the whole URL, and would not match /?anything.
    app.use((ctx, next) => {
      ctx.url = ctx.path;
      return next();
    });
    app.use(async (ctx, next) => {
      await next();
      if (ctx.state.mutation) notifyOthers(pool);
    });
    app.use(bounded(graphqlPath));
    await graphql.createServ(grafserv).addTo(app, null, false);
    return { handler: app.callback(), release: async () => graphql.release() };
  } catch (error) {
    await graphql.release();
    throw error;
  }
}
