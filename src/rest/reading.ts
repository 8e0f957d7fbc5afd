// rest/reading.ts · what the public reading is served from: the database or its replica, a memory in front of it, a limit in front of that.
import type http from 'node:http';
import type Koa from 'koa';
import type { Config } from '../config.ts';
import type { Counters } from '../counters.ts';
import { Failure } from '../db/errors.ts';
import { type ReadingSource, readingSource } from '../db/reading.ts';
import { AddressLimit, addressOf } from '../http/address-limit.ts';
import { cacheControlOf, Memory } from '../http/memory.ts';
import type { Representation } from '../http/representation.ts';
import type { Logger } from '../log.ts';

export interface Reading {
  readonly source: ReadingSource;
  readonly memory: Memory;
  readonly counters: Counters;
  /** Counts a request and says so; throws rate_limited. */
  admit(ctx: Koa.Context): void;
  /** Answers with a body, or 304 to whoever has it. */
  show(ctx: Koa.Context, representation: Representation, cacheControl: string): Promise<void>;
  /** In front of everything: answers a request that a prepared body answers as it is; false if it is for the router. */
  front(req: http.IncomingMessage, res: http.ServerResponse): boolean;
}

/** Fields of every answer of the reading. */
export const open = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Retry-After, Allow, RateLimit, RateLimit-Policy',
  'X-Content-Type-Options': 'nosniff',
} as const;
const openFields = Object.entries(open).flat();

export function openReading(config: Config, url: string, counters: Counters, log: Logger): Reading {
  const memory = new Memory();
  const limit = new AddressLimit('reading', config.limits.reads);

  return {
    source: readingSource({ url, replicaUrl: config.replicaUrl, audience: memory, log }),
    memory,
    counters,
    admit(ctx) {
      const { rateLimit, retryAfterSeconds } = limit.take(addressOf(ctx.req, config.proxies));
      ctx.set({ 'RateLimit-Policy': limit.policy, RateLimit: rateLimit });
      if (retryAfterSeconds > 0) throw new Failure('rate_limited', undefined, { retry_after_seconds: retryAfterSeconds });
    },
    async show(ctx, representation, cacheControl) {
      const coding = representation.coding(ctx.req.headers['accept-encoding']);
      // What may not be kept has no validator: some caches (nginx) take a 304 for leave to keep the old answer for as long again as it once was good for.
      const kept = cacheControl !== 'no-cache';
      const known = kept ? representation.known(ctx.get('If-None-Match'), coding) : undefined;
      const body = known ? undefined : await representation.encode(coding);
      const fields = fieldsOf(representation, cacheControl, kept ? (known ?? representation.etag(coding)) : undefined);
      for (let i = 0; i < fields.length; i += 2) ctx.set(fields[i] as string, fields[i + 1] as string);
      if (!body) {
        ctx.status = 304;
        return;
      }
      ctx.status = 200;
      ctx.type = representation.type;
      if (coding !== 'identity') ctx.set('Content-Encoding', coding);
      ctx.body = body;
    },
    front(req, res) {
      if (req.method !== 'GET' && req.method !== 'HEAD') return false;
      const kept = memory.get(req.url as string);
      // what may be asked for in other formats is for the router, unless it is asked for plainly
      if (!kept || (kept.representation.vary !== plain && !anything.test(req.headers.accept ?? '*/*'))) return false;
      const { representation } = kept;
      const coding = representation.coding(req.headers['accept-encoding']);
      const asked = req.headers['if-none-match'];
      const known = asked === undefined ? undefined : representation.known(asked, coding);
      const body = representation.coded(coding);
      if (!known && !body) return false;
      const { rateLimit, retryAfterSeconds } = limit.take(addressOf(req, config.proxies));
      if (retryAfterSeconds > 0) return false;
      if (req.method === 'GET') counters.read(kept.shows);
      const fields = fieldsOf(representation, cacheControlOf(kept), known ?? representation.etag(coding));
      fields.push('RateLimit-Policy', limit.policy, 'RateLimit', rateLimit);
      if (known) {
        res.writeHead(304, fields).end();
        return true;
      }
      fields.push('Content-Type', representation.type, 'Content-Length', String((body as Buffer).length));
      if (coding !== 'identity') fields.push('Content-Encoding', coding);
      res.writeHead(200, fields).end(req.method === 'HEAD' ? undefined : body);
      return true;
    },
  };
}

const plain = 'Accept-Encoding';
const anything = /^(\*\/\*|application\/json)$/;

/** Fields of 200 and 304 alike, one after the other. */
const fieldsOf = ({ vary }: Representation, cacheControl: string, etag: string | undefined): string[] => [
  ...openFields,
  'Cache-Control',
  cacheControl,
  ...(etag === undefined ? [] : ['ETag', etag]),
  'Vary',
  vary,
];
