// Files of nights: by their night and form, and by their hash. Rules 10.6, 10.12.
//
// What the worker has made is sent as it is stored. A small file is kept in memory with the answers of the API; a
// larger one is sent piece by piece as fast as the reader takes it, and a slow reader holds no database connection.
// What is not made yet is made here: a small night for memory, with the same bytes and the same ETag; a larger one
// while it is sent. If an answer cannot be finished, its connection is closed, so that nobody takes a part for the
// whole.
import { PassThrough, pipeline, Readable } from 'node:stream';
import zlib from 'node:zlib';
import type Koa from 'koa';
import type pg from 'pg';
import { type ArchiveFile, coder, makeFile } from '../archives/file.ts';
import { type Form, fileName, formVersion, mediaType, textOf } from '../archives/forms.ts';
import { type Clock, call } from '../db/call.ts';
import { Failure, typed } from '../db/errors.ts';
import { cacheControl, type Follows } from '../http/freshness.ts';
import { open } from '../http/open.ts';
import type { Reading } from '../http/reading.ts';
import { codingOf, contentDigest, etagOf, isKnown, Representation } from '../http/representation.ts';
import type { Logger } from '../process/log.ts';
import { type Format, formats } from './resources/forms.ts';

const types: Readonly<Record<Format, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
};

/** The format that a request asks for: by its query, or else by its Accept field. */
export function formatOf(ctx: Koa.Context, named: Format | undefined): Format {
  if (named) return named;
  const accepted = ctx.accepts(Object.values(types));
  return formats.find((format) => types[format] === accepted) ?? 'json';
}

/** A larger file is not kept in memory, where the answers to everybody have their place. */
const mostKept = 16_000_000;
/** Moves and announcements of a night whose files are made in memory, if the worker has not: some 10 MB at most. */
const mostMade = 10_000;

interface Stored extends ArchiveFile {
  readonly id: number;
  readonly day: number;
  readonly form: Form;
  /** Whether its pieces are stored. */
  readonly stored: boolean;
}

/** Thrown through the memory: what is too large for it is sent to each reader on its own. */
class Streamed extends Error {
  readonly clock: Clock;
  readonly day: number;
  readonly form: Form;
  readonly file: Stored | null;

  constructor(clock: Clock, day: number, form: Form, file: Stored | null) {
    super('streamed');
    this.clock = clock;
    this.day = day;
    this.form = form;
    this.file = file;
  }
}

export interface Files {
  /** `address` is that of an answer that everybody gets there; `vary` is what else the request was understood by. */
  night(ctx: Koa.Context, address: string, day: number, form: Form, vary: string): Promise<void>;
  byHash(ctx: Koa.Context, sha256: string): Promise<void>;
}

export function nightFiles(reading: Reading, log: Logger): Files {
  const { source, memory } = reading;

  const give = async (
    ctx: Koa.Context,
    address: string,
    follows: Follows,
    vary: string,
    find: () => Promise<{
      clock: Clock;
      current: boolean;
      day: number;
      form: Form;
      file: Stored | null;
      entries: number;
    }>,
  ) => {
    try {
      const kept = await memory.read(address, follows, async () => {
        const { clock, current, day, form, file, entries } = await find();
        const more = { vary, fields: { ...open, ...named(day, form) } };
        if (file ? file.bytes > mostKept : entries > mostMade) throw new Streamed(clock, day, form, file);
        const db = await source.pool();
        const whole = (file?.stored && (await storedWhole(db, file))) || (await madeWhole(db, day, form));
        return {
          clock,
          current,
          representation: Representation.ofFile(mediaType(form), whole.coded, whole.file, more),
        };
      });
      await reading.give(ctx, kept);
    } catch (thrown) {
      if (!(thrown instanceof Streamed)) throw thrown;
      await stream(ctx, await source.pool(), log, thrown, cacheControl(follows, thrown.clock), vary);
    }
  };

  return {
    night: (ctx, address, day, form, vary) =>
      give(ctx, address, 'past', vary, async () => {
        const { clock, current, record } = await source.read<{ file: Stored | null; entries: number }>(
          'api_public.archive',
          {
            ...{ n: day, form, version: formVersion },
          },
        );
        return { clock, current, day, form, ...record };
      }),
    byHash: (ctx, sha256) =>
      give(ctx, ctx.path, 'archives', 'Accept-Encoding', async () => {
        const { clock, current, record } = await source.read<Stored>('api_public.archive_of', { sha256 });
        return { clock, current, day: record.day, form: record.form, file: record, entries: 0 };
      }),
  };
}

/** Sent with a file of a night wherever it is served: what to call it, and its one address. Decisions 306. */
const named = (day: number, form: Form) => ({
  'Content-Disposition': `inline; filename="${fileName(day, form)}"`,
  'Content-Location': `/api/day/${day}/${form}`,
});

/** Undefined if it was published anew meanwhile. */
async function storedWhole(db: pg.Pool, file: Stored): Promise<{ coded: Buffer; file: ArchiveFile } | undefined> {
  const pieces: Buffer[] = [];
  for await (const piece of storedPieces(db, file)) pieces.push(piece);
  const coded = Buffer.concat(pieces);
  return coded.length === file.coded_bytes ? { coded, file } : undefined;
}

async function* storedPieces(db: pg.Pool, { id, pieces }: Stored): AsyncGenerator<Buffer> {
  for (let piece = 1; piece <= pieces; piece++) {
    const body = await call<Buffer | null>(db, 'api_public.archive_piece', { id, piece });
    if (body === null) return;
    yield body;
  }
}

async function madeWhole(db: pg.Pool, day: number, form: Form): Promise<{ coded: Buffer; file: ArchiveFile }> {
  const pieces: Buffer[] = [];
  const file = await makeFile(textOf({ db, door: 'api_public', day }, form), (_, body) => void pieces.push(body));
  return { coded: Buffer.concat(pieces), file };
}

async function stream(
  ctx: Koa.Context,
  db: pg.Pool,
  log: Logger,
  what: Streamed,
  holds: string,
  vary: string,
): Promise<void> {
  const { day, form, file } = what;
  const coding = codingOf(ctx.req.headers['accept-encoding'], ['gzip', 'identity']) as 'gzip' | 'identity';
  const etag = file && etagOf(file.sha256, coding);
  ctx.set({
    ...open,
    // without a file nobody knows its hash yet
    'Cache-Control': file ? holds : 'no-cache',
    Vary: vary,
    ...(etag ? { ETag: etag } : {}),
  });
  if (file && isKnown(ctx.get('If-None-Match'), file.sha256)) {
    ctx.status = 304;
    return;
  }
  const sized = file && (coding === 'identity' || file.stored);
  ctx.status = 200;
  ctx.set({
    ...named(day, form),
    'Content-Type': mediaType(form),
    ...(coding === 'gzip' ? { 'Content-Encoding': 'gzip' } : {}),
    ...(sized ? { 'Content-Digest': contentDigest(coding === 'gzip' ? file.coded_sha256 : file.sha256) } : {}),
  });
  if (sized) ctx.length = coding === 'gzip' ? file.coded_bytes : file.bytes;
  if (ctx.method === 'HEAD') {
    ctx.res.removeHeader('Transfer-Encoding');
    return;
  }
  const pieces = file?.stored
    ? counted(storedPieces(db, file), file.pieces)
    : textOf({ db, door: 'api_public', day }, form);
  const recode = file?.stored
    ? coding === 'gzip'
      ? new PassThrough()
      : zlib.createGunzip()
    : coding === 'gzip'
      ? coder()
      : new PassThrough();
  ctx.body = pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), recode, (error) => {
    if (!error || ctx.res.destroyed) return;
    log.error({ kind: typed(error).code }, 'a night in bulk was broken off');
    ctx.res.destroy();
  });
  if (sized) ctx.length = coding === 'gzip' ? file.coded_bytes : file.bytes; // Koa forgets it with a new body
}

/** All pieces, or an error: the night was published anew meanwhile. */
async function* counted(pieces: AsyncIterable<Buffer>, expected: number): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const piece of pieces) {
    count += 1;
    yield piece;
  }
  if (count < expected) throw new Failure('UNAVAILABLE', new Error('the night was published anew'));
}
