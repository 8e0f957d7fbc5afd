// Boards as NDJSON and CSV, and an identity's moves as a stream. Rules 10.7, 11.4; decisions 255, 257.
import { pipeline, Readable } from 'node:stream';
import zlib from 'node:zlib';
import type Koa from 'koa';
import type pg from 'pg';
import { type Columns, csvHead, csvLine } from '../archives/csv.ts';
import { type Clock, call, movesBefore } from '../db/call.ts';
import { typed } from '../db/errors.ts';
import { cacheControl } from '../http/freshness.ts';
import { open } from '../http/open.ts';
import { Representation } from '../http/representation.ts';
import type { Logger } from '../process/log.ts';
import type { LineForm } from './resources/forms.ts';

const types = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
} as const;
export const lineTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

/** So many entries are one answer: some 6 MB. A longer board goes on where the Link field leads. */
const mostLines = 20_000;

export interface Paged {
  readonly entries: readonly object[];
  readonly next_cursor?: string | null;
}

/** All entries from where the reader asked, page after page. The cursor stays with its board. */
export async function allEntries<R extends Paged>(first: R, more: (cursor: string) => Promise<R>): Promise<Paged> {
  const entries = [...first.entries];
  let next = first.next_cursor ?? null;
  while (next !== null && entries.length < mostLines) {
    const page = await more(next);
    entries.push(...page.entries);
    next = page.next_cursor ?? null;
  }
  return { entries, next_cursor: next };
}

export const asLines = ({ entries }: Paged, columns: Columns<never>, form: LineForm): string =>
  form === 'csv'
    ? csvHead(columns) + entries.map((entry) => csvLine(columns as Columns<object>, entry)).join('')
    : entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

export function linesOf(
  board: Paged,
  columns: Columns<never>,
  form: LineForm,
  name: string,
  next: string | null,
): Representation {
  return new Representation(types[form], asLines(board, columns, form), {
    digest: true,
    fields: {
      ...open,
      'Content-Disposition': `inline; filename="${name}.${form}"`,
      ...(next === null ? {} : { Link: `<${next}>; rel="next"` }),
    },
  });
}

/**
 * The first piece is read before anything is sent, so that an unknown name is a problem like any other; each is a short
 * statement, and none is kept.
 */
export async function sendMoves(ctx: Koa.Context, db: pg.Pool, log: Logger, slug: string): Promise<void> {
  const clock = await call<Clock>(db, 'api_public.clock');
  const first = await movesBefore(db, slug, null);
  async function* pieces() {
    for (let piece = first; ; piece = await movesBefore(db, slug, piece.next)) {
      if (piece.lines !== null) yield `${piece.lines}\n`;
      if (piece.next === null) return;
    }
  }
  const coded = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  ctx.set({
    'Cache-Control': cacheControl('nights', clock),
    'Content-Disposition': `inline; filename="hill-${slug}-moves.ndjson"`,
    'Content-Type': types.ndjson,
    Vary: 'Accept-Encoding',
    ...(coded ? { 'Content-Encoding': 'gzip' } : {}),
  });
  ctx.status = 200;
  const logBroken = (error: NodeJS.ErrnoException | null) => {
    if (!error || ctx.res.destroyed) return;
    log.error({ kind: typed(error).code }, "an identity's moves were broken off");
    ctx.res.destroy();
  };
  const source = Readable.from(pieces(), { objectMode: false, highWaterMark: 1 });
  ctx.body = coded ? pipeline(source, zlib.createGzip(), logBroken) : source.on('error', logBroken);
}
