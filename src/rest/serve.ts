// What every address of the public API has in common: its methods.
import type Router from '@koa/router';
import type Koa from 'koa';
import { Failure } from '../db/errors.ts';
import { answerMethods, methods } from '../http/open.ts';

/** Answers GET and HEAD at an address, and OPTIONS; other methods are refused. */
export type Serve = (path: string | RegExp, get: Koa.Middleware) => void;

export const serveOn =
  (router: Router): Serve =>
  (path, get) => {
    router.get(path, get); // and HEAD with it
    router.options(path, answerMethods);
    router.all(path, (ctx) => {
      ctx.set('Allow', methods);
      throw new Failure('METHOD_NOT_ALLOWED');
    });
  };
