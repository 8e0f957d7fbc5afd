// The log as C2SP tlog-tiles serves one: checkpoints, tiles and bundles; proofs of deposits and announcements; the
// sources of engines by their hash; and what the worker asks at this address. Rules 20.9, 20.12, 20.20, 20.37.
import type Koa from 'koa';
import { Refusal, refusal } from '../db/errors.ts';
import type { Follows } from '../http/freshness.ts';
import { open } from '../http/open.ts';
import type { Reading } from '../http/reading.ts';
import { Representation } from '../http/representation.ts';
import { parseTilePath } from '../log/tiles.ts';

const aNumber = /^[1-9][0-9]{0,8}$/;
const aHash = /^[0-9a-f]{64}$/;
const nothingThere = () =>
  refusal(
    'NOT_FOUND',
    'There is nothing of a log at that address.',
    'Paths are those of C2SP tlog-tiles; /log says which logs there are.',
  );

/** What an address of the log asks the database for, and how that is sent. */
interface Asked<R> {
  readonly follows: Follows;
  readonly reads: `api_public.${string}`;
  readonly args: Parameters<Reading['source']['read']>[1];
  represent(record: R): Representation;
}

const plainText = (text: string) => new Representation('text/plain; charset=utf-8', text, { fields: open });

/**
 * The number of a log among those of this host. Of the first one, where none is named: a path is of one log for ever,
 * so that what is kept of it is never another's, and a client of C2SP tlog-tiles finds all of a log under one prefix.
 */
function numberOf({ params }: Koa.Context): number {
  const { number = '1' } = params as { number?: string };
  if (!aNumber.test(number)) throw nothingThere();
  return Number(number);
}

/** Of the last log, whichever that is. */
const lastPath = '/log/last/checkpoint';

const checkpoint = (ctx: Koa.Context): Asked<{ note: string }> => ({
  follows: 'log',
  reads: 'api_public.log_checkpoint',
  args: ctx.path === lastPath ? {} : { number: numberOf(ctx) },
  represent: ({ note }) => plainText(note),
});

function tile(ctx: Koa.Context): Asked<{ base64: string }> {
  const number = numberOf(ctx);
  const parsed = parseTilePath(ctx.path.slice(ctx.path.indexOf('tile/')));
  if (!parsed || (typeof parsed.level === 'number' && parsed.level > 7)) throw nothingThere();
  const { level, tile, width } = parsed;
  // hashes do not compress
  const more = { fields: open, ...(level === 'entries' ? {} : { vary: null }) };
  return {
    follows: 'archives',
    reads: 'api_public.log_tile',
    args: { number, level: level === 'entries' ? -1 : level, tile, width },
    represent: ({ base64 }) => new Representation('application/octet-stream', Buffer.from(base64, 'base64'), more),
  };
}

const proof =
  (kind: 'deposit' | 'announcement') =>
  ({ params }: Koa.Context): Asked<{ proof: string }> => {
    const { day, commitment } = params as { day: string; commitment: string };
    if (!aNumber.test(day) || !aHash.test(commitment)) throw nothingThere();
    return {
      follows: 'log',
      reads: 'api_public.log_proof',
      args: { day: Number(day), commitment, kind },
      represent: ({ proof }) => plainText(proof),
    };
  };

/** It is there from the bell on; a witness that was late adds its name. */
function closing({ params }: Koa.Context): Asked<{ note: string }> {
  const { day } = params as { day: string };
  if (!aNumber.test(day)) throw nothingThere();
  return {
    follows: 'log',
    reads: 'api_public.log_closing',
    args: { day: Number(day) },
    represent: ({ note }) => plainText(note),
  };
}

function engineSource({ path }: Koa.Context): Asked<{ base64: string }> {
  const sha256 = path.slice('/source/'.length);
  const fields = { ...open, 'Content-Disposition': `attachment; filename="hill-engine-${sha256.slice(0, 12)}.tar"` };
  return {
    follows: 'archives',
    reads: 'api_public.source',
    args: { sha256 },
    represent: ({ base64 }) =>
      new Representation('application/x-tar', Buffer.from(base64, 'base64'), { fields, digest: true }),
  };
}

export function logRoutes({ source, memory, give }: Reading): (readonly [path: string | RegExp, Koa.Middleware])[] {
  const serve =
    <R>(ask: (ctx: Koa.Context) => Asked<R>): Koa.Middleware =>
    async (ctx) => {
      const { follows, reads, args, represent } = ask(ctx);
      const kept = await memory.read(ctx.path, follows, async () => {
        const { clock, current, record } = await source.read<R>(reads, args);
        return { clock, current, representation: represent(record) };
      });
      await give(ctx, kept);
    };
  const serveCheckpoint: Koa.Middleware = (ctx, next) =>
    serve(checkpoint)(ctx, next).catch(async (error: unknown) => {
      // for the worker, which must not take the 404 of a proxy for this one
      if (
        error instanceof Refusal &&
        error.code === 'NOT_FOUND' &&
        !(await source.read<boolean>('api_public.log_is_published', {})).record
      )
        ctx.set('Hill-Log', 'none');
      throw error;
    });
  /** From the database as it is now: no memory is asked, and nothing on the way may keep it. */
  const serveAnswer: Koa.Middleware = async (ctx) => {
    const { question = '' } = ctx.params as { question?: string };
    ctx.set('Cache-Control', 'no-store');
    if (!aHash.test(question)) throw nothingThere();
    const { record } = await source.read<{ answer: string }>('api_public.log_address', { question }).catch((error) => {
      if (error instanceof Refusal && error.code === 'NOT_FOUND') ctx.set('Hill-Address', 'another');
      throw error;
    });
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = `${record.answer}\n`;
  };
  return [
    ['/log/address/:question', serveAnswer],
    [lastPath, serveCheckpoint],
    ['/log/checkpoint', serveCheckpoint],
    ['/log/:number/checkpoint', serveCheckpoint],
    ['/log/tile/*tile', serve(tile)],
    ['/log/:number/tile/*tile', serve(tile)],
    ['/log/deposit/:day/:commitment', serve(proof('deposit'))],
    ['/log/announcement/:day/:commitment', serve(proof('announcement'))],
    ['/log/closing/:day', serve(closing)],
    // beside the files of /source, which are those that this process has loaded
    [/^\/source\/([0-9a-f]{64})$/, serve(engineSource)],
  ];
}
