// /check, and what it loads.
import type Router from '@koa/router';
import { answer } from '../../http/answer.ts';
import { Representation } from '../../http/representation.ts';
import { checkPage } from '../check.ts';
import { makeParts, type Part, type Parts } from '../check-parts.ts';
import type { Serving } from '../serving.ts';

const parts = ['worker', 'pglite', 'initdb', 'data'] as const;
/** A file whose name has its hash. */
const forGood = 'public, max-age=31536000, immutable';
/** A worker has the policy of its own script, not that of the page. Only here is WebAssembly compiled. */
const ofWorker = {
  'Content-Security-Policy': "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'",
  'X-Content-Type-Options': 'nosniff',
};

interface Made {
  readonly page: Representation;
  readonly files: ReadonlyMap<string, Representation>;
}

export function checkRoutes(router: Router, { site, written, document }: Serving): void {
  let made: Promise<Made> | undefined;
  const make = async (): Promise<Made> => {
    const all = await makeParts();
    const files = new Map(parts.map((part) => [all[part].name, represented(all[part])]));
    return { page: await written(checkPage(site, all, dataOf(all))), files };
  };
  const once = () => {
    made ??= make();
    made.catch(() => {
      made = undefined;
    });
    return made;
  };
  router.get('/check', async (ctx) => document(ctx, (await once()).page));
  router.get('/check/:file', async (ctx, next) => {
    const file = (await once()).files.get(ctx.params.file as string);
    return file === undefined ? next() : answer(ctx, file, forGood);
  });
}

const represented = ({ type, bytes }: Part): Representation =>
  new Representation(type, bytes, { fields: type.startsWith('text/javascript') ? ofWorker : {} });

const dataOf = (all: Parts) => ({
  ...Object.fromEntries(parts.map((part) => [part, `/check/${all[part].name}`])),
  bytes: all.pglite.bytes.length + all.initdb.bytes.length + all.data.bytes.length,
});
