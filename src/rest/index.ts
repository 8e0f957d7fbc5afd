// rest/index.ts · the public API: plain HTTP, open to every origin, no account and no token. Rules 10.2.
import Router from '@koa/router';
import type Koa from 'koa';
import type { z } from 'zod';
import type { Columns } from '../archives/csv.ts';
import type { Form, List } from '../archives/forms.ts';
import { Failure, typed } from '../db/errors.ts';
import { retrySeconds } from '../db/retry-after.ts';
import { rule } from '../db/rules.ts';
import { answer } from '../http/answer.ts';
import type { Built } from '../http/memory.ts';
import { methods, open, tellMethods } from '../http/open.ts';
import { nothing, problem } from '../http/problem.ts';
import type { Reading } from '../http/reading.ts';
import { Representation } from '../http/representation.ts';
import { soon } from '../http/soon.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { linksOf } from '../records/links.ts';
import { agentSkills } from './agent-skills.ts';
import { readArguments } from './arguments.ts';
import { type Format, formatOf, nightFiles } from './bulk.ts';
import { robots, securityTxt } from './crawlers.ts';
import { discovery } from './discovery.ts';
import { type Events, eventsPath } from './events.ts';
import { iconFiles } from './icons.ts';
import { allEntries, linesOf as boardLines, type LineForm, lineForms, type Paged, sendMoves } from './lines.ts';
import { llmsText } from './llms.ts';
import { checkpointPaths, closingPath, logFiles, proofPaths, sourcePath, tilePaths } from './log.ts';
import { openApi } from './openapi/index.ts';
import { archive, identityMoves, nightFile, nightList, operationId, type Resource, resources } from './resources/index.ts';

const json = 'application/json; charset=utf-8';
/** For documents that change only with the code. */
const unchanging = 'public, max-age=300, must-revalidate';

export function restDoor(config: Config, reading: Reading, events: Events, log: Logger, metrics: Metrics): Koa.Middleware {
  const refused = metrics.counter('hill_reading_refusals_total', 'Reads of /api that were refused or failed, by code.');
  const links = linksOf(config);
  const { source } = reading;
  const files = nightFiles(reading, log);
  const router = new Router({ sensitive: true, strict: true });

  router.use(async (ctx, next) => {
    ctx.set(open);
    try {
      if (ctx.method !== 'OPTIONS') reading.admit(ctx); // a preflight is no read
      await next();
    } catch (thrown) {
      const error = typed(thrown);
      if (error instanceof Failure && error.status >= 500) log.error({ code: error.code, kind: error.kind }, 'a reading failed');
      refused.add({ code: error.code });
      problem(ctx, links, error);
    }
  });

  const serve = (path: string | RegExp, get: Koa.Middleware) => {
    router.get(path, get); // and HEAD with it
    router.options(path, tellMethods);
    router.all(path, (ctx) => {
      ctx.set('Allow', methods);
      throw new Failure('METHOD_NOT_ALLOWED');
    });
  };

  const readFrom = (resource: Resource, args: object) =>
    source.read<object>('day' in args && resource.readsPast ? resource.readsPast : resource.reads, resource.asks(args));

  const buildLines = async (resource: Resource, args: Record<string, unknown>, form: LineForm): Promise<Built> => {
    const paged = 'limit' in (resource.args as z.ZodObject).shape;
    const page = (more: object) => readFrom(resource, { ...args, ...(paged ? { limit: args.limit ?? rule('list_length') } : {}), ...more });
    const { clock, record, current } = await page({});
    let seen = current;
    const list = record as Paged;
    const whole =
      args.limit === undefined
        ? await allEntries(list, async (cursor) => {
            const more = await page({ cursor });
            seen &&= more.current;
            return more.record as Paged;
          })
        : list;
    const path = `${resource.path}.${form}`;
    const next = whole.next_cursor ? links.page(path, { ...args, cursor: whole.next_cursor } as Record<string, string>, '').href : null;
    const name = `hill-${operationId(resource)}-day-${(record as { day: number }).day}`;
    return { clock, current: seen, representation: boardLines(whole, resource.lines as Columns<never>, form, name, next) };
  };

  const build = async (resource: Resource, args: object): Promise<Built> => {
    const { clock, record, current } = await readFrom(resource, args);
    const shaped = resource.shape?.(record, links) ?? record;
    const next = resource.next(links, record, clock, args).filter((link) => link !== false);
    const body = JSON.stringify(Array.isArray(shaped) ? shaped : { ...shaped, ...links.blocks(next) });
    const vary = resource.bulk ? 'Accept, Accept-Encoding' : undefined;
    return { clock, current, representation: new Representation(json, body, { vary, fields: open }), shows: resource.shows?.(record) };
  };

  for (const resource of resources)
    serve(resource.path, async (ctx) => {
      const { format: named, list, ...args } = readArguments(resource.args, ctx.query, ctx.params);
      const format = resource.bulk ? formatOf(ctx, named as Format | undefined) : 'json';
      if (format !== 'json') {
        const form = `${(list as List | undefined) ?? 'moves'}.${format}` as Form;
        // what the query names is the same for every Accept
        const address = addressOf(resource, { n: args.n, format, list });
        return reading.memory.unlessRefused(`/api/day/${args.n}`, () =>
          named
            ? files.night(ctx, address, args.n as number, form, 'Accept-Encoding')
            : files.night(ctx, `${address} by Accept`, args.n as number, form, 'Accept, Accept-Encoding'),
        );
      }
      const { follows } = resource;
      const asked = resource.unkept
        ? build(resource, args).then((built) => ({ askedAt: performance.now(), follows, ...built }))
        : reading.memory.read(addressOf(resource, args), follows, () => build(resource, args));
      const kept = await (resource.without ? soon(asked) : asked);
      if (kept) return reading.give(ctx, kept);
      ctx.set({ 'Cache-Control': 'no-store', 'Retry-After': String(retrySeconds) });
      ctx.status = 503;
      ctx.type = json;
      ctx.body = JSON.stringify({ ...resource.shape?.(resource.without ?? {}, links), ...links.blocks([]) });
    });

  for (const resource of resources.filter(({ lines }) => lines !== undefined))
    for (const form of lineForms) {
      const path = `${resource.path}.${form}`;
      serve(path, async (ctx) => {
        const args = readArguments(resource.args, ctx.query, ctx.params);
        await reading.give(
          ctx,
          await reading.memory.read(addressOf({ path }, args), resource.follows, () => buildLines(resource, args, form)),
        );
      });
    }

  for (const form of lineForms)
    serve(nightList.path(form), (ctx) => {
      const { n, list } = readArguments(nightList.args, ctx.query, ctx.params) as { n: number; list: List };
      return reading.memory.unlessRefused(`/api/day/${n}`, () =>
        files.night(ctx, `/api/day/${n}/${list}.${form}`, n, `${list}.${form}`, 'Accept-Encoding'),
      );
    });
  serve(identityMoves.path, (ctx) => {
    const { slug } = readArguments(identityMoves.args, ctx.query, ctx.params);
    return reading.memory.unlessRefused(`/api/identity/${slug}`, async () => sendMoves(ctx, await source.pool(), log, slug as string));
  });

  serve(nightFile.path, (ctx) => {
    const { n } = readArguments(nightFile.args, ctx.query, ctx.params) as { n: number };
    return reading.memory.unlessRefused(`/api/day/${n}`, () =>
      files.night(ctx, `/api/day/${n}/night.json`, n, 'night.json', 'Accept-Encoding'),
    );
  });
  serve(archive.path, (ctx) => files.byHash(ctx, readArguments(archive.args, ctx.query, ctx.params).sha256 as string));

  const ofLog = logFiles(reading);
  for (const path of checkpointPaths) serve(path, ofLog.checkpoint);
  for (const path of tilePaths) serve(path, ofLog.tile);
  serve(proofPaths.deposit, ofLog.proof('deposit'));
  serve(proofPaths.announcement, ofLog.proof('announcement'));
  serve(closingPath, ofLog.closing);
  serve(sourcePath, ofLog.source);

  serve(eventsPath, (ctx) => events.serve(ctx));

  let description: Representation | undefined;
  serve('/openapi.json', (ctx) => {
    description ??= new Representation(json, JSON.stringify(openApi(config.baseUrl))); // some 50 ms, which a start has not
    return answer(ctx, description, unchanging);
  });
  const llms = new Representation('text/plain; charset=utf-8', llmsText(config));
  serve('/llms.txt', (ctx) => answer(ctx, llms, unchanging));
  for (const { path, type, body } of [...discovery(config), ...agentSkills(config)]) {
    const document = new Representation(type, body);
    serve(path, (ctx) => answer(ctx, document, unchanging));
  }
  const robotsTxt = new Representation('text/plain; charset=utf-8', robots(config));
  serve('/robots.txt', (ctx) => answer(ctx, robotsTxt, unchanging));
  serve('/.well-known/security.txt', (ctx) =>
    answer(ctx, new Representation('text/plain; charset=utf-8', securityTxt(config)), unchanging),
  );
  for (const [path, picture] of iconFiles) serve(path, (ctx) => answer(ctx, picture, unchanging));

  const elsewhere = /^\/api(\/.*)?$/;
  // a script of another origin can read it only after a successful preflight
  router.options(elsewhere, tellMethods);
  router.all(elsewhere, () => {
    throw nothing(links);
  });

  return router.routes() as Koa.Middleware;
}

/** The canonical address of a resource with its arguments, as our own links give it: the cache key. */
function addressOf({ path }: Pick<Resource, 'path'>, args: object): string {
  const given = Object.entries(args).filter(([name, value]) => value !== undefined && !path.includes(`:${name}`));
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const named = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String((args as Record<string, unknown>)[name])));
  return query === '' ? named : `${named}?${query}`;
}
