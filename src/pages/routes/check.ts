// /check, and what it loads.
import type Router from '@koa/router';
import { answer } from '../../http/answer.ts';
import { Representation } from '../../http/representation.ts';
import { checkPage } from '../check.ts';
import { bytesOf, javascript, makeParts, type Part, type Parts, partNames } from '../check-parts.ts';
import type { Serving } from '../serving.ts';

/** A file whose name has its hash. */
const forGood = 'public, max-age=31536000, immutable';
/** A worker has the policy of its own script, not that of the page. WebAssembly is compiled where an engine runs. */
const policies: Partial<Record<(typeof partNames)[number] | 'offline', string>> = {
  worker: "default-src 'none'; worker-src 'self'; connect-src 'self'",
  database: "default-src 'none'; script-src 'wasm-unsafe-eval'",
  offline: "default-src 'none'; connect-src 'self'",
};

interface Made {
  readonly page: Representation;
  readonly files: ReadonlyMap<string, Representation>;
  readonly offline: Representation;
}

export function checkRoutes(router: Router, { site, written, document }: Serving): void {
  let made: Promise<Made> | undefined;
  const make = async (): Promise<Made> => {
    const all = await makeParts();
    const files = new Map(partNames.map((part) => [all[part].name, represented(part, all[part])]));
    return { page: await written(checkPage(site, all, dataOf(all))), files, offline: offlineOf(all) };
  };
  const once = () => {
    made ??= make();
    made.catch(() => {
      made = undefined;
    });
    return made;
  };
  router.get('/check', async (ctx) => document(ctx, (await once()).page));
  router.get(offlineAddress, async (ctx) => answer(ctx, (await once()).offline, 'no-cache'));
  router.get('/check/:file', async (ctx, next) => {
    const file = (await once()).files.get(ctx.params.file as string);
    return file === undefined ? next() : answer(ctx, file, forGood);
  });
}

const protectedBy = (part: keyof typeof policies) => {
  const policy = policies[part];
  return policy ? { 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' } : {};
};
const represented = (name: (typeof partNames)[number], { type, bytes }: Part): Representation =>
  new Representation(type, bytes, { fields: protectedBy(name) });

const offlineAddress = '/check/offline.js';
/** The page alone: its address is above that of the script, and no other page's begins with it. */
const offlineOf = ({ offline }: Parts): Representation =>
  new Representation(javascript, offline, {
    fields: { ...protectedBy('offline'), 'Service-Worker-Allowed': '/check' },
  });

const dataOf = (all: Parts) => ({
  ...Object.fromEntries(partNames.map((part) => [part, `/check/${all[part].name}`])),
  offline: offlineAddress,
  bytes: bytesOf(all),
});
