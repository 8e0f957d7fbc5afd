// The source of the engine: its files, the engines of this hill, and what changed from one to another. Rules 20.9.
import type Router from '@koa/router';
import { refusal } from '../../db/errors.ts';
import type { Engines } from '../../records/index.ts';
import { changesBetween, changesPage, unified } from '../engine-changes.ts';
import { plain, type Serving } from '../serving.ts';
import { sourcePage, sources } from '../source.ts';

const noEngine = {
  title: 'No such engine',
  what: 'No engine of this hill has that hash.',
  ways: [['/source#engines', 'All engines']],
} as const;
const aHash = /^[0-9a-f]{64}$/;
const textOnly = 'text/plain; charset=utf-8';

export function sourceRoutes(router: Router, { reading, show, giveFound, written, document }: Serving): void {
  const files = new Map([...sources].map(([name, text]) => [name, plain(textOnly, text)]));
  router.get('/source', (ctx) => {
    const { from, to } = ctx.query;
    if (from === undefined && to === undefined)
      return show<Engines>(ctx, {
        address: '/source',
        follows: 'log',
        reads: 'api_public.engines',
        represent: sourcePage,
      });
    if (![from, to].every((hash) => typeof hash === 'string' && aHash.test(hash)))
      throw refusal('INVALID_ARGUMENT', 'from and to are not hashes of engines.', 'Choose two engines at /source.');
    ctx.redirect(`/source/${from}..${to}`);
  });
  router.get(/^\/source\/[0-9a-f]{64}\.\.[0-9a-f]{64}(\.diff)?$/, (ctx) => {
    const [from = '', to = ''] = ctx.path.match(/[0-9a-f]{64}/g) ?? [];
    const sourceOf = async (sha256: string) => {
      const { record, ...read } = await reading.source.read<{ base64: string }>('api_public.source', { sha256 });
      return { ...read, source: Buffer.from(record.base64, 'base64') };
    };
    const kept = reading.memory.read(ctx.path, 'archives', async () => {
      const [before, after] = await Promise.all([sourceOf(from), sourceOf(to)]);
      const changes = await changesBetween(before.source, after.source);
      return {
        clock: after.clock,
        current: before.current && after.current,
        representation: ctx.path.endsWith('.diff')
          ? plain(textOnly, unified(changes))
          : await written(changesPage(from, to, changes)),
      };
    });
    return giveFound(ctx, kept, noEngine);
  });
  router.get(/^\/source\/.+$/, (ctx, next) => {
    const file = files.get(ctx.path.slice('/source/'.length));
    return file === undefined ? next() : document(ctx, file);
  });
}
