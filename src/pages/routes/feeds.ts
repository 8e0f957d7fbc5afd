// What readers and crawlers subscribe to: feeds, the calendar, the site map. Rules 10.17.
import type Router from '@koa/router';
import type { IdentityRecord, Tournament, Tournaments } from '../../records/index.ts';
import type { NightBrief } from '../../records/night-brief.ts';
import { calendar } from '../calendar.ts';
import { identityFeed, nightsFeed, tournamentFeed } from '../feeds.ts';
import { Moved, nobody, noTournament, type Serving } from '../serving.ts';
import { type SiteMap, siteMapIndex, siteMapPart } from '../site-map.ts';

interface Nights {
  readonly nights: readonly NightBrief[];
}

export function feedRoutes(router: Router, serving: Serving): void {
  const { site, keep, show, giveFound } = serving;
  router.get('/nights.atom', (ctx) =>
    show<Nights>(ctx, {
      address: '/nights.atom',
      follows: 'boards',
      reads: 'api_public.recent_nights',
      represent: ({ nights }, clock) => nightsFeed(serving, nights, clock),
    }),
  );
  router.get(/^\/identity\/[\w-]{1,100}\.atom$/, async (ctx) => {
    const slug = ctx.path.slice('/identity/'.length, -'.atom'.length).toLowerCase();
    const asked = keep<IdentityRecord>({
      address: `/identity/${slug}.atom`,
      follows: 'boards',
      reads: 'api_public.identity',
      args: { slug },
      represent: (record, clock) => {
        if (record.slug !== slug) throw new Moved(`/identity/${record.slug}.atom`);
        return identityFeed(serving, record, clock);
      },
    });
    await giveFound(ctx, asked, nobody);
  });
  router.get(/^\/tournaments\/[\w-]{1,100}\.atom$/, async (ctx) => {
    const tournament = ctx.path.slice('/tournaments/'.length, -'.atom'.length);
    const asked = keep<Nights & Tournament>({
      address: `/tournaments/${tournament}.atom`,
      follows: 'tournaments',
      reads: 'api_public.recent_nights',
      args: { tournament },
      represent: (record) => tournamentFeed(serving, record),
    });
    await giveFound(ctx, asked, noTournament);
  });
  router.get('/tournaments.ics', (ctx) =>
    show<Tournaments>(ctx, {
      address: '/tournaments.ics',
      follows: 'tournaments',
      reads: 'api_public.tournaments',
      represent: async (record) => calendar(serving, record),
    }),
  );
  router.get('/sitemap.xml', (ctx) =>
    show<SiteMap>(ctx, {
      address: '/sitemap.xml',
      follows: 'boards',
      reads: 'api_public.site_map',
      represent: (record) => siteMapIndex(site, record),
    }),
  );
  router.get(/^\/sitemap\/(pages|nights|identities)-[1-9]\d{0,4}\.xml$/, async (ctx) => {
    const [kind, part] = ctx.path.slice('/sitemap/'.length, -'.xml'.length).split('-') as [string, string];
    const asked = keep<SiteMap>({
      address: ctx.path,
      follows: 'boards',
      reads: 'api_public.site_map',
      args: { kind, part: Number(part) },
      represent: (record) => siteMapPart(site, record),
    });
    await giveFound(ctx, asked, { title: 'No such part', what: 'The site map begins at /sitemap.xml.' });
  });
}
