// rest/bulk.ts · a whole night in one answer: its lists as NDJSON and CSV, and the night file of the public engine. Rules 10.6, 10.9, 12.1.
//
// It is read piece by piece, each by a short statement, and sent as fast as the reader takes it. A night of a million accounts is never held in memory, and
// a slow reader holds no database connection. If an answer cannot be finished, its connection is closed, so that nobody takes a part for the whole.
import { PassThrough, pipeline, Readable } from 'node:stream';
import zlib from 'node:zlib';
import type Koa from 'koa';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { z } from 'zod';
import { type Clock, call, piece } from '../db/call.ts';
import { typed } from '../db/errors.ts';
import { cacheControl } from '../http/freshness.ts';
import type { Logger } from '../process/log.ts';
import type { announcement, Identity, PlaceResult, queueEntry, revealedMove } from '../records/index.ts';
import { type Columns, csvHead, csvLine } from './csv.ts';

export const formats = ['json', 'ndjson', 'csv'] as const;
export type Format = (typeof formats)[number];
export const lists = ['moves', 'announcements', 'queue', 'results'] as const;
export type List = (typeof lists)[number];

const types: Readonly<Record<Format, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
};
const charset = { json: '; charset=utf-8', ndjson: '; charset=utf-8', csv: '; charset=utf-8; header=present' } as const;

/** The format that a request asks for: by its query, or else by its Accept field. */
export function formatOf(ctx: Koa.Context, named: Format | undefined): Format {
  if (named) return named;
  const accepted = ctx.accepts(Object.values(types));
  return formats.find((format) => types[format] === accepted) ?? 'json';
}

const entriesAtOnce: Readonly<Record<List | 'night' | 'night_accounts' | 'night_moves', number>> = {
  results: 10,
  moves: 1_000,
  announcements: 1_000,
  queue: 4_000, // each piece continues after the last account of the one before
  night: 1,
  night_accounts: 2_000,
  night_moves: 2_000,
};

/** Reads the first piece before anything is sent, so that a missing night is answered with a problem like any other. */
export async function sendList(ctx: Koa.Context, db: pg.Pool, log: Logger, n: number, list: List, format: 'ndjson' | 'csv'): Promise<void> {
  const pieces = await begun(readPieces(db, n, list));
  const name = `hill-day-${n}-${list}.${format}`;
  await send(ctx, db, log, types[format] + charset[format], name, format === 'csv' ? asCsv(pieces, list) : asLines(pieces));
}

/** One night on one line: what `npm run -s resolve` reads. */
export async function sendNightFile(ctx: Koa.Context, db: pg.Pool, log: Logger, n: number): Promise<void> {
  const head = await begun(readPieces(db, n, 'night'));
  await send(ctx, db, log, types.json + charset.json, `hill-day-${n}.json`, nightFile(db, n, head));
}

async function* nightFile(db: pg.Pool, n: number, head: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const object of head) yield object.slice(0, -1); // without its closing brace
  for (const [name, list] of [
    ['accounts', 'night_accounts'],
    ['moves', 'night_moves'],
  ] as const) {
    let before = `, "${name}": [`;
    for await (const lines of readPieces(db, n, list)) {
      yield before + lines.replaceAll('\n', ', '); // inside a JSON string a line end is written \n
      before = ', ';
    }
    yield before === ', ' ? ']' : `${before}]`;
  }
  yield '}\n';
}

async function* readPieces(db: pg.Pool, n: number, list: keyof typeof entriesAtOnce): AsyncGenerator<string> {
  let after: string | null = null;
  do {
    const { lines, next }: { lines: string | null; next: string | null } = await inTurn(() =>
      piece(db, { n, list, after, max: entriesAtOnce[list] }),
    );
    if (lines !== null) yield lines;
    after = next;
  } while (after !== null);
}

/** The same pieces, the first of which is already read. */
async function begun(pieces: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const first = await pieces.next();
  return (async function* () {
    try {
      if (!first.done) yield first.value;
      yield* pieces;
    } finally {
      await pieces.return(undefined);
    }
  })();
}

async function* asLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const lines of pieces) yield `${lines}\n`;
}

async function* asCsv(pieces: AsyncIterable<string>, list: List): AsyncGenerator<string> {
  const listed = columns[list] as Columns<unknown>;
  yield csvHead(listed);
  for await (const lines of pieces)
    yield lines
      .split('\n')
      .map((line) => csvLine(listed, JSON.parse(line)))
      .join('');
}

async function send(ctx: Koa.Context, db: pg.Pool, log: Logger, type: string, name: string, pieces: AsyncIterable<string>): Promise<void> {
  const clock = await call<Clock>(db, 'api_public.clock');
  const coded = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  ctx.set({
    'Cache-Control': cacheControl('past', clock),
    'Content-Disposition': `inline; filename="${name}"`,
    'Content-Type': type,
    Vary: 'Accept, Accept-Encoding',
    ...(coded ? { 'Content-Encoding': 'gzip' } : {}),
  });
  ctx.status = 200;
  ctx.body = pipeline(
    Readable.from(pieces, { objectMode: true, highWaterMark: 1 }),
    coded ? zlib.createGzip() : new PassThrough(),
    (error) => {
      if (!error || ctx.res.destroyed) return;
      log.error({ kind: typed(error).code }, 'a night in bulk was broken off');
      ctx.res.destroy();
    },
  );
}

/** Few at a time, so that other readers are served meanwhile. */
const inTurn = pLimit(3);

const who = <T extends { occupant: Identity }>(): Columns<T> => ({
  account_id: ({ occupant }) => occupant.accountId,
  slug: ({ occupant }) => occupant.slug,
  name: ({ occupant }) => occupant.name,
  url: ({ occupant }) => occupant.url,
  house: ({ occupant }) => occupant.house,
});
type Move = z.infer<typeof revealedMove>;
type Announced = z.infer<typeof announcement>;
type Queued = z.infer<typeof queueEntry>;

const columns = {
  moves: {
    seq: ({ seq }: Move) => seq,
    at: ({ at }: Move) => at,
    slot: ({ slot }: Move) => slot,
    move: ({ move }: Move) => move,
    stake_cents: ({ stake_cents }: Move) => stake_cents,
    cost_cents: ({ cost_cents }: Move) => cost_cents,
    message: ({ message }: Move) => message,
    reputation: ({ reputation }: Move) => reputation,
    since: ({ since }: Move) => since,
    agent_id: ({ agentId }: Move) => agentId,
    model: ({ model }: Move) => model,
    ...who<Move>(),
  } satisfies Columns<Move>,
  announcements: {
    at: ({ at }: Announced) => at,
    slot: ({ slot }: Announced) => slot,
    intention: ({ intention }: Announced) => intention,
    message: ({ message }: Announced) => message,
    verdict: ({ verdict }: Announced) => verdict,
    ...who<Announced>(),
  } satisfies Columns<Announced>,
  queue: {
    place: ({ place }: Queued) => place,
    seq: ({ seq }: Queued) => seq,
    from_slot: ({ fromSlot }: Queued) => fromSlot,
    served_slot: ({ servedSlot }: Queued) => servedSlot,
    ...who<Queued>(),
  } satisfies Columns<Queued>,
  results: {
    slot: ({ slot }: PlaceResult) => slot,
    outcome: ({ outcome }: PlaceResult) => outcome,
    peace_count: ({ peaceCount }: PlaceResult) => peaceCount,
    war_count: ({ warCount }: PlaceResult) => warCount,
    burned_cents: ({ burnedCents }: PlaceResult) => burnedCents,
    occupants: ({ occupants }: PlaceResult) => occupants.map(({ slug }) => slug).join(' '),
    evicted: ({ evicted }: PlaceResult) => evicted.map(({ slug }) => slug).join(' '),
  } satisfies Columns<PlaceResult>,
};
