// rest/log.ts · the log as C2SP tlog-tiles serves one: checkpoints, tiles and bundles; proofs of deposits and announcements; and the sources of engines by their hash.
// Rules 20.9, 20.12, 20.20.
import type Koa from 'koa';
import { Refusal, refusal } from '../db/errors.ts';
import { open } from '../http/open.ts';
import type { Reading } from '../http/reading.ts';
import { Representation } from '../http/representation.ts';
import { parseTilePath } from '../log/tiles.ts';

/** Of the last log; or of one by its number among those of this host. */
export const checkpointPaths = ['/log/checkpoint', '/log/:number/checkpoint'] as const;
/** Of the first log; or of another one. A path is of one log for ever, so that what is kept of it is never another's. */
export const tilePaths = ['/log/tile/*tile', '/log/:number/tile/*tile'] as const;
/** By the kind of entry. */
export const proofPaths = { deposit: '/log/deposit/:day/:commitment', announcement: '/log/announcement/:day/:commitment' } as const;
export const closingPath = '/log/closing/:day';
/** Beside the files of `/source`, which are those that this process has loaded. */
export const sourcePath = /^\/source\/([0-9a-f]{64})$/;

const aNumber = /^[1-9][0-9]{0,8}$/;
const aHash = /^[0-9a-f]{64}$/;
const nothingThere = () =>
  refusal('NOT_FOUND', 'There is nothing of a log at that address.', 'Paths are those of C2SP tlog-tiles; /log says which logs there are.');

export function logFiles({ source, memory, give }: Reading) {
  const numberOf = (ctx: Koa.Context): number | undefined => {
    const { number } = ctx.params as { number?: string };
    if (number !== undefined && !aNumber.test(number)) throw nothingThere();
    return number === undefined ? undefined : Number(number);
  };

  return {
    async checkpoint(ctx: Koa.Context): Promise<void> {
      const number = numberOf(ctx);
      try {
        const kept = await memory.read(ctx.path, 'log', async () => {
          const { clock, current, record } = await source.read<{ note: string }>('api_public.log_checkpoint', { number });
          return { clock, current, representation: new Representation('text/plain; charset=utf-8', record.note, { fields: open }) };
        });
        await give(ctx, kept);
      } catch (error) {
        // for the worker, which must not take the 404 of a proxy for this one
        if (error instanceof Refusal && error.code === 'NOT_FOUND') ctx.set('Hill-Log', 'none');
        throw error;
      }
    },

    async tile(ctx: Koa.Context): Promise<void> {
      const number = numberOf(ctx) ?? 1;
      const tile = parseTilePath(ctx.path.slice(ctx.path.indexOf('tile/')));
      if (!tile || (typeof tile.level === 'number' && tile.level > 7)) throw nothingThere();
      const { level, tile: n, width } = tile;
      const kept = await memory.read(ctx.path, 'archives', async () => {
        const { clock, current, record } = await source.read<{ base64: string }>('api_public.log_tile', {
          ...{ number, level: level === 'entries' ? -1 : level, tile: n, width },
        });
        const body = Buffer.from(record.base64, 'base64');
        // hashes do not compress
        const more = { fields: open, ...(level === 'entries' ? {} : { vary: null }) };
        return { clock, current, representation: new Representation('application/octet-stream', body, more) };
      });
      await give(ctx, kept);
    },

    proof(kind: keyof typeof proofPaths) {
      return async (ctx: Koa.Context): Promise<void> => {
        const { day, commitment } = ctx.params as { day: string; commitment: string };
        if (!aNumber.test(day) || !aHash.test(commitment)) throw nothingThere();
        const kept = await memory.read(ctx.path, 'log', async () => {
          const asked = { day: Number(day), commitment, kind };
          const { clock, current, record } = await source.read<{ proof: string }>('api_public.log_proof', asked);
          return { clock, current, representation: new Representation('text/plain; charset=utf-8', record.proof, { fields: open }) };
        });
        await give(ctx, kept);
      };
    },

    async closing(ctx: Koa.Context): Promise<void> {
      const { day } = ctx.params as { day: string };
      if (!aNumber.test(day)) throw nothingThere();
      // it is there from the bell on; a witness that was late adds its name
      const kept = await memory.read(ctx.path, 'log', async () => {
        const { clock, current, record } = await source.read<{ note: string }>('api_public.log_closing', { day: Number(day) });
        return { clock, current, representation: new Representation('text/plain; charset=utf-8', record.note, { fields: open }) };
      });
      await give(ctx, kept);
    },

    async source(ctx: Koa.Context): Promise<void> {
      const sha256 = ctx.path.slice('/source/'.length);
      const kept = await memory.read(ctx.path, 'archives', async () => {
        const { clock, current, record } = await source.read<{ base64: string }>('api_public.source', { sha256 });
        const body = Buffer.from(record.base64, 'base64');
        const fields = { ...open, 'Content-Disposition': `attachment; filename="hill-engine-${sha256.slice(0, 12)}.tar"` };
        return { clock, current, representation: new Representation('application/x-tar', body, { fields, digest: true }) };
      });
      await give(ctx, kept);
    },
  };
}
