// rest/index.ts · the public reading: plain HTTP, open to every origin, no account and no token. Specification 4.1.
import Router from '@koa/router';
import type Koa from 'koa';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { read } from '../db/call.ts';
import { Failure, refusal, typed } from '../db/errors.ts';
import { answer } from '../http/answer.ts';
import { cacheControl } from '../http/freshness.ts';
import { problem } from '../http/problem.ts';
import { linksOf } from '../links.ts';
import type { Logger } from '../log.ts';
import { openApi } from './openapi.ts';
import { type Resource, resources } from './resources.ts';

const methods = 'GET, HEAD, OPTIONS';
const json = 'application/json; charset=utf-8';

export function restDoor(config: Config, db: pg.Pool, log: Logger): Koa.Middleware {
  const links = linksOf(config);
  const router = new Router({ sensitive: true, strict: true });

  router.use(async (ctx, next) => {
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Expose-Headers', 'ETag, Retry-After, Allow');
    try {
      await next();
    } catch (thrown) {
      const error = typed(thrown);
      if (error instanceof Failure && error.status >= 500) log.error({ code: error.code, kind: error.kind }, 'a reading failed');
      problem(ctx, links, error);
    }
  });

  const serve = (path: string, get: Koa.Middleware) => {
    router.get(path, get); // and HEAD with it
    router.options(path, (ctx) => {
      ctx.set({
        Allow: methods,
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Max-Age': '86400',
      });
      ctx.status = 204;
    });
    router.all(path, (ctx) => {
      ctx.set('Allow', methods);
      throw new Failure('METHOD_NOT_ALLOWED');
    });
  };

  for (const resource of resources)
    serve(resource.path, async (ctx) => {
      const args = parse(resource, { ...ctx.query, ...ctx.params });
      const { clock, record } = await read<object>(db, resource.reads, args);
      const shaped = resource.shape?.(record, links) ?? record;
      const next = resource.next(links, record, clock, args).filter((link) => link !== false);
      answer(ctx, json, JSON.stringify({ ...shaped, ...links.blocks(next) }), cacheControl(resource.follows, clock));
    });

  const description = JSON.stringify(openApi(config.baseUrl));
  serve('/openapi.json', (ctx) => answer(ctx, json, description, 'public, max-age=300, must-revalidate'));

  router.all(/^\/api(\/.*)?$/, () => {
    throw refusal('NOT_FOUND', 'There is nothing at that address.', 'Read one of the resources that are given.', {
      resources: links.everything(),
    });
  });

  return router.routes() as Koa.Middleware;
}

function parse({ args }: Resource, given: object) {
  const parsed = args.safeParse(given);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] as { path: PropertyKey[]; message: string };
  const argument = String(path[0]);
  throw refusal('INVALID_ARGUMENT', `${argument} ${message}.`, 'Read /openapi.json for the arguments of each address.', { argument });
}
