// All data of an account as one JSON file. Rules 19.2.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import type Koa from 'koa';
import pLimit from 'p-limit';
import type pg from 'pg';
import { readRows } from '../../db/cursor.ts';

/** Few at a time in a process. */
const inTurn = pLimit(2);

interface Row {
  readonly part: string;
  readonly single: boolean;
  /** JSON; null in the row that begins a list. */
  readonly entry: string | null;
}

/**
 * The rows are compressed as they come, and sent when the last of them is there: a reader who is slow must not hold a
 * snapshot, and with it the day, which the bell waits for.
 */
export async function sendDownload(ctx: Koa.Context, db: pg.Pool, session: string): Promise<void> {
  const rows = readRows<Row>(
    db,
    'api_human.begin_download',
    'api_human.download',
    ['part', 'single', 'entry::text'],
    session,
  );
  const body = await inTurn(async () => {
    const gzip = zlib.createGzip();
    const [whole] = await Promise.all([buffer(gzip), pipeline(Readable.from(fileOf(rows)), gzip)]);
    return whole;
  });
  const coded = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Disposition': 'attachment; filename="hill-account.json"',
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
    ...(coded ? { 'Content-Encoding': 'gzip' } : {}),
  });
  ctx.status = 200;
  ctx.body = coded ? body : Readable.from([body]).pipe(zlib.createGunzip());
}

/** One object with a field for each list, an entry on each line. */
async function* fileOf(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  let end = '{';
  let between = '';
  for await (const { part, single, entry } of rows) {
    if (entry === null) {
      yield `${end}\n${JSON.stringify(part)}: ${single ? '' : '['}`;
      end = single ? 'null,' : '],'; // until an entry comes
      between = '';
    } else {
      yield `${between}${single ? '' : '\n'}${entry}`;
      between = ',';
      if (single) end = ',';
    }
  }
  yield `${end.replace(',', '')}\n}\n`;
}
