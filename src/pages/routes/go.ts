// The way from an identity to the site of its account, which counts clicks. Rules 11.2.
import type Router from '@koa/router';
import { call } from '../../db/call.ts';
import { protect } from '../../html/layout.ts';
import { safeUrl } from '../../html/words.ts';
import type { Counters } from '../../http/counters.ts';
import { nobody, orNothing, type Serving, slugOf } from '../serving.ts';

interface Link {
  readonly accountId: string;
  readonly name: string;
  readonly url: string | null;
}

export function goRoutes(router: Router, counters: Counters, { reading, absent }: Serving): void {
  // Redirects to the address that the account itself has set, and nowhere else.
  router.get('/go/:slug', async (ctx) => {
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const slug = slugOf(ctx);
    const ask = async () => call<Link>(await reading.source.pool(), 'api_public.link_of', { slug });
    const found = await orNothing(slug === undefined ? undefined : reading.memory.unlessRefused(ctx.path, ask));
    if (!found) return absent(ctx, nobody);
    const { accountId, name, url } = found;
    const target = safeUrl(url);
    if (target === null)
      return absent(ctx, {
        title: 'No link',
        what: `${name} has not set an address to go to.`,
        ways: [[`/identity/${slug}`, name]],
      });
    counters.click(ctx.req, accountId);
    protect(ctx);
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(target);
  });
}
