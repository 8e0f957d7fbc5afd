// What public reads and pages are served from: the database or its replica, a memory in front of it, and a rate limit
// in front of that.
import type http from 'node:http';
import type Koa from 'koa';
import { rateLimited } from '../db/errors.ts';
import { type ReadingSource, readingSource } from '../db/reading.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { AddressLimit, addressOf } from './address-limit.ts';
import { answer, fieldsOf } from './answer.ts';
import type { Counters } from './counters.ts';
import { prefersMarkdown } from './markdown.ts';
import { cacheControlOf, type Kept, Memory } from './memory.ts';
import type { Representation } from './representation.ts';

export interface Reading {
  readonly source: ReadingSource;
  readonly memory: Memory;
  /** Counts a request and sets the RateLimit fields; throws rate_limited. */
  admit(ctx: Koa.Context): void;
  /**
   * The same for a page that has to be built: pages from memory are free. Counted separately, so that no program keeps
   * people out.
   */
  admitPage(ctx: Koa.Context): void;
  /** Answers with what the memory gave, and counts the read. */
  give(ctx: Koa.Context, kept: Kept): Promise<void>;
  /** In front of everything: answers from a prepared body; false if the request has to go to the router. */
  front(req: http.IncomingMessage, res: http.ServerResponse): boolean;
}

/** `max` is how many connections may read; `listener` hears what the memory hears. */
export function openReading(
  config: Config,
  url: string,
  max: number,
  counters: Counters,
  log: Logger,
  listener: { hear(): void; drop(change: string, lastNight: number | null): void },
): Reading {
  const memory = new Memory();
  const audience = {
    hear() {
      memory.hear();
      listener.hear();
    },
    deafen: () => memory.deafen(),
    drop(change: string, lastNight: number | null) {
      memory.drop(change);
      listener.drop(change, lastNight);
    },
  };
  const limit = new AddressLimit('reading', config.limits.reads);
  const pageLimit = new AddressLimit('pages', config.limits.reads);
  const letIn = (retryAfterSeconds: number) => {
    if (retryAfterSeconds > 0) throw rateLimited(retryAfterSeconds);
  };
  const count = (req: http.IncomingMessage, { shows, pageOf }: Kept) => {
    if (pageOf !== undefined) counters.view(req, pageOf);
    if (req.method === 'GET') counters.read(shows);
  };

  return {
    source: readingSource({ url, replicaUrl: config.replicaUrl, max, audience, log }),
    memory,
    admit(ctx) {
      const { rateLimit, retryAfterSeconds } = limit.take(addressOf(ctx.req, config.proxies));
      ctx.set({ 'RateLimit-Policy': limit.policy, RateLimit: rateLimit });
      letIn(retryAfterSeconds);
    },
    admitPage(ctx) {
      letIn(pageLimit.take(addressOf(ctx.req, config.proxies)).retryAfterSeconds);
    },
    async give(ctx, kept) {
      count(ctx.req, kept);
      await answer(ctx, kept.representation, cacheControlOf(kept));
    },
    front(req, res) {
      if (req.method !== 'GET' && req.method !== 'HEAD') return false;
      const kept = memory.get(req.url as string);
      // what exists in other formats goes to the router, if the request may mean one of them
      if (
        !kept ||
        (kept.representation.vary !== plain &&
          kept.representation.vary !== null &&
          !meant(kept.representation, req.headers.accept))
      )
        return false;
      const { representation } = kept;
      const coding = representation.coding(req.headers['accept-encoding']);
      const asked = req.headers['if-none-match'];
      const known = asked === undefined ? undefined : representation.known(asked, coding);
      const body = representation.coded(coding);
      if (!known && !body) return false;
      const fields = fieldsOf(representation, cacheControlOf(kept), known ?? representation.etag(coding));
      if (limited(req.url as string)) {
        const { rateLimit, retryAfterSeconds } = limit.take(addressOf(req, config.proxies));
        if (retryAfterSeconds > 0) return false;
        fields.push('RateLimit-Policy', limit.policy, 'RateLimit', rateLimit);
      }
      count(req, kept);
      if (known) {
        res.writeHead(304, fields).end();
        return true;
      }
      fields.push('Content-Type', representation.type, 'Content-Length', String((body as Buffer).length));
      const digest = representation.digest(coding);
      if (digest !== undefined) fields.push('Content-Digest', digest);
      if (coding !== 'identity') fields.push('Content-Encoding', coding);
      res.writeHead(200, fields).end(req.method === 'HEAD' ? undefined : body);
      return true;
    },
  };
}

/** A page from memory is not counted. */
const limited = (url: string) => /^\/(api|archive|log|source)\/./.test(url);

const plain = 'Accept-Encoding';
const anything = /^(\*\/\*|application\/json)$/;
/** Whether a request surely means this one of several formats: a page is also there as Markdown, data as lists. */
const meant = ({ type }: Representation, accept = '*/*') =>
  type.startsWith('text/html') ? !prefersMarkdown(accept) : anything.test(accept);
