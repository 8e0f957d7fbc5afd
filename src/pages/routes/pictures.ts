// Pictures: of pages, to share (rules 10.15), badges, and the icons of identities.
import type Router from '@koa/router';
import { call } from '../../db/call.ts';
import { open, openPicture } from '../../http/open.ts';
import { Representation } from '../../http/representation.ts';
import type { IdentityRecord, Tournament } from '../../records/index.ts';
import { type Badge, badgePicture } from '../badge.ts';
import type { Front } from '../front.ts';
import type { NightRecord } from '../night.ts';
import { iconFile } from '../pictures.ts';
import { Moved, nobody, noTournament, orNothing, type Serving, slugOf } from '../serving.ts';
import { frontPicture } from '../share/front.ts';
import { identityPicture } from '../share/identity.ts';
import { nightPicture } from '../share/night.ts';
import { tournamentPicture } from '../share/tournament.ts';
import { first } from './records.ts';

/** In front of pages whose addresses would take them for slugs. */
export function pictureRoutes(router: Router, { reading, links, keep, picture, giveFound, absent }: Serving): void {
  router.get('/share.png', async (ctx) =>
    reading.give(ctx, await picture<Front>({ ...first, follows: 'hill', address: '/share.png', drawn: frontPicture })),
  );
  router.get(/^\/day\/(\d{1,9})\.png$/, async (ctx) => {
    const n = Number.parseInt(ctx.path.slice('/day/'.length), 10);
    const address = `/day/${n}.png`;
    await reading.give(
      ctx,
      await picture<NightRecord>({
        address,
        follows: 'nights',
        reads: 'api_public.night_page',
        args: { n },
        drawn: nightPicture,
      }),
    );
  });
  router.get(/^\/identity\/[\w-]{1,100}\.png$/, async (ctx) => {
    const slug = ctx.path.slice('/identity/'.length, -'.png'.length);
    const asked = picture<IdentityRecord>({
      address: `/identity/${slug}.png`,
      follows: 'hill',
      reads: 'api_public.identity',
      args: { slug },
      drawn: (record, site) => {
        if (record.slug !== slug) throw new Moved(`/identity/${record.slug}.png`);
        return identityPicture(record, site);
      },
    });
    await giveFound(ctx, asked, nobody);
  });
  router.get(/^\/tournaments\/[\w-]{1,100}\.png$/, async (ctx) => {
    const slug = ctx.path.slice('/tournaments/'.length, -'.png'.length);
    const asked = picture<Tournament>({
      address: `/tournaments/${slug}.png`,
      follows: 'tournaments',
      reads: 'api_public.tournament',
      args: { slug },
      drawn: tournamentPicture,
    });
    await giveFound(ctx, asked, noTournament);
  });
  router.get(/^\/badge\/[\w-]{1,100}\.svg$/, async (ctx) => {
    const slug = ctx.path.slice('/badge/'.length, -'.svg'.length).toLowerCase();
    const asked = keep<Badge>({
      address: `/badge/${slug}.svg`,
      follows: 'boards',
      reads: 'api_public.badge',
      args: { slug },
      represent: (badge) => badgePicture(badge, links.practice !== null),
    });
    await giveFound(ctx, asked, nobody);
  });
  // The address has the hash of the bytes, so they never change. Whoever asks for an identity's icon by its slug is led
  // to the one that it has now.
  router.get(/^\/icon\/[0-9a-f]{64}\.png$/, async (ctx) => {
    const hash = ctx.path.slice('/icon/'.length, -'.png'.length);
    const asked = reading.memory.read(ctx.path, 'icons', async () => {
      const { clock, record, current } = await reading.source.read<{ image: string }>('api_public.icon', { hash });
      const image = Buffer.from(record.image, 'base64');
      return {
        clock,
        current,
        representation: new Representation('image/png', image, { vary: null, fields: openPicture }),
      };
    });
    await giveFound(ctx, asked, { title: 'No such icon', what: 'Nobody on the hill has that icon now.' });
  });
  router.get('/icon/:slug', async (ctx) => {
    const slug = slugOf(ctx);
    const ask = async () => call<{ hash: string }>(await reading.source.pool(), 'api_public.icon_of', { slug });
    const found = await orNothing(slug === undefined ? undefined : reading.memory.unlessRefused(ctx.path, ask));
    if (!found) return absent(ctx, { title: 'No icon', what: 'No identity of that name has an icon.' });
    ctx.set(open);
    ctx.set({ 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    ctx.redirect(iconFile(found.hash));
  });
}
