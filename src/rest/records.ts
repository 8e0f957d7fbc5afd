// The public records, as JSON and, where they are lists, as lines. Rules 10.2, 10.7.
import type Koa from 'koa';
import type { z } from 'zod';
import type { Columns } from '../archives/csv.ts';
import type { Form, List } from '../archives/forms.ts';
import { retrySeconds } from '../db/retry-after.ts';
import { rule } from '../db/rules.ts';
import { inTime } from '../http/in-time.ts';
import type { Built } from '../http/memory.ts';
import { open } from '../http/open.ts';
import type { Reading } from '../http/reading.ts';
import { Representation } from '../http/representation.ts';
import type { Links } from '../records/links.ts';
import { readArguments } from './arguments.ts';
import { type Files, formatOf } from './bulk.ts';
import { allEntries, linesOf, type Paged } from './lines.ts';
import { type Format, type LineForm, lineForms } from './resources/forms.ts';
import { operationId, type Resource, resources } from './resources/index.ts';
import type { Serve } from './serve.ts';

const json = 'application/json; charset=utf-8';

type Given = Readonly<Record<string, unknown>>;

export function serveRecords(serve: Serve, reading: Reading, links: Links, files: Files): void {
  for (const resource of resources) {
    serve(resource.path, (ctx) => answerRecord(ctx, resource, reading, links, files));
    if (!resource.lines) continue;
    for (const form of lineForms) {
      const path = `${resource.path}.${form}`;
      serve(path, async (ctx) => {
        const args = readArguments(resource.args, ctx.query, ctx.params);
        const build = () => buildLines(reading, links, resource, args, form);
        await reading.give(ctx, await reading.memory.read(addressOf(path, args), resource.follows, build));
      });
    }
  }
}

async function answerRecord(
  ctx: Koa.Context,
  resource: Resource,
  reading: Reading,
  links: Links,
  files: Files,
): Promise<void> {
  const { memory } = reading;
  const { format: named, list, ...args } = readArguments(resource.args, ctx.query, ctx.params);
  const format = resource.bulk ? formatOf(ctx, named as Format | undefined) : 'json';
  if (format !== 'json') {
    const form = `${(list as List | undefined) ?? 'moves'}.${format}` as Form;
    // what the query names is the same for every Accept
    const address = addressOf(resource.path, { n: args.n, format, list });
    return memory.unlessRefused(`/api/day/${args.n}`, () =>
      named
        ? files.night(ctx, address, args.n as number, form, 'Accept-Encoding')
        : files.night(ctx, `${address} by Accept`, args.n as number, form, 'Accept, Accept-Encoding'),
    );
  }
  const { follows, without } = resource;
  const build = () => buildRecord(reading, links, resource, args);
  const asked = resource.unkept
    ? build().then((built) => ({ askedAt: performance.now(), follows, ...built }))
    : memory.read(addressOf(resource.path, args), follows, build);
  const kept = await (without ? inTime(asked) : asked);
  if (kept) return reading.give(ctx, kept);
  ctx.set({ 'Cache-Control': 'no-store', 'Retry-After': String(retrySeconds) });
  ctx.status = 503;
  ctx.type = json;
  ctx.body = JSON.stringify({ ...resource.shape?.(without ?? {}, links), ...links.blocks([]) });
}

const read = ({ source }: Reading, resource: Resource, args: Given) =>
  source.read<object>(
    args.day !== undefined && resource.readsPast ? resource.readsPast : resource.reads,
    resource.asks(args),
  );

async function buildRecord(reading: Reading, links: Links, resource: Resource, args: Given): Promise<Built> {
  const { clock, record, current } = await read(reading, resource, args);
  const shaped = resource.shape?.(record, links) ?? record;
  const next = resource.next(links, record, clock, args).filter((link) => link !== false);
  const body = JSON.stringify(Array.isArray(shaped) ? shaped : { ...shaped, ...links.blocks(next) });
  const vary = resource.bulk ? 'Accept, Accept-Encoding' : undefined;
  return {
    clock,
    current,
    representation: new Representation(json, body, { vary, fields: open }),
    shows: resource.shows?.(record),
  };
}

async function buildLines(
  reading: Reading,
  links: Links,
  resource: Resource,
  args: Given,
  form: LineForm,
): Promise<Built> {
  const paged = 'limit' in (resource.args as z.ZodObject).shape;
  const page = (more: object) =>
    read(reading, resource, { ...args, ...(paged ? { limit: args.limit ?? rule('list_length') } : {}), ...more });
  const { clock, record, current } = await page({});
  let allCurrent = current;
  const whole =
    args.limit === undefined
      ? await allEntries(record as Paged, async (cursor) => {
          const more = await page({ cursor });
          allCurrent &&= more.current;
          return more.record as Paged;
        })
      : (record as Paged);
  const path = `${resource.path}.${form}`;
  const next = whole.next_cursor
    ? links.page(path, { ...args, cursor: whole.next_cursor } as Record<string, string>, '').href
    : null;
  const name = `hill-${operationId(resource)}-day-${(record as { day: number }).day}`;
  return {
    clock,
    current: allCurrent,
    representation: linesOf(whole, resource.lines as Columns<never>, form, name, next),
  };
}

/** The canonical address of a path with its arguments, as our own links give it: the cache key. */
function addressOf(path: string, args: Given): string {
  const given = Object.entries(args).filter(([name, value]) => value !== undefined && !path.includes(`:${name}`));
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const named = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(args[name])));
  return query === '' ? named : `${named}?${query}`;
}
