// How a page, a picture or a text becomes an answer: made from one record of the public API, kept in memory, and given;
// or what is said instead.
import { html } from 'hono/html';
import type Koa from 'koa';
import type { Args, Clock } from '../db/call.ts';
import { type Failure, type Refusal, typed } from '../db/errors.ts';
import { draw, longestPicture } from '../html/drawing.ts';
import { type Page, protect, protection, render, siteOf } from '../html/layout.ts';
import { goOn, type Sorry, sorryFor } from '../html/sorry.ts';
import { answer } from '../http/answer.ts';
import type { Follows } from '../http/freshness.ts';
import type { Built, Kept } from '../http/memory.ts';
import { open, openPicture } from '../http/open.ts';
import { nothing, problem } from '../http/problem.ts';
import type { Reading } from '../http/reading.ts';
import { type More, Representation } from '../http/representation.ts';
import type { Config } from '../process/config.ts';
import { linksOf } from '../records/links.ts';
import { addPictures } from './pictures.ts';
import type { Ribbon } from './ribbon.ts';

export const pageType = 'text/html; charset=utf-8';
export const markdown = 'text/markdown; charset=utf-8';
/** For pages that change only with the code. */
const unchanging = 'public, max-age=300, must-revalidate';

/** A page, or a Markdown text, made from one record of the public API. */
interface Shown<R> {
  /**
   * The cache key. Other parameters of the query are ignored, so that nobody can fill the memory with copies of one
   * page.
   */
  readonly address: string;
  readonly follows: Follows;
  readonly reads: `api_public.${string}`;
  readonly args?: Args;
  /** Whether the picture of the last nights is on it, too. */
  readonly ribbon?: true;
  represent(record: R, clock: Clock, ribbon?: Ribbon): Page | string | Promise<Representation>;
  /** The account whose page it is, to count its views. */
  pageOf?(record: R): string;
  readonly more?: More;
}

/** A picture, made from one record of the public API. */
interface Drawn<R> extends Pick<Shown<R>, 'address' | 'follows' | 'reads' | 'args'> {
  /** As SVG, which is drawn later. */
  drawn(record: R, site: string, clock: Clock): Promise<string>;
}

/** A text for programs, readable from any origin. */
export const plain = (type: string, text: string, { fields, ...more }: More = {}) =>
  new Representation(type, text, { ...more, fields: { ...open, ...fields } });

/** What is said of an address at which there is nothing. */
interface Absence extends Sorry {
  readonly what: string;
}
export const nobody: Absence = {
  title: 'No such identity',
  what: 'Nobody on the hill goes by that name in addresses. It may be mistyped, or the account was closed.',
  ways: [
    ['/boards/points', 'Everybody who played lately'],
    ['/', 'The hill tonight'],
  ],
};
export const noMonth: Absence = {
  title: 'No nights then',
  what: 'No night was in that month.',
  ways: [
    ['/nights', 'All nights'],
    ['/', 'The hill tonight'],
  ],
};
export const noTournament: Absence = {
  title: 'No such tournament',
  what: 'There was none of that name, and none is announced.',
  ways: [['/tournaments', 'All tournaments']],
};
export const noBoard: Absence = {
  title: 'No such board',
  what: 'There are three.',
  ways: [
    ['/boards/points', 'Points'],
    ['/boards/efficiency', 'Efficiency'],
    ['/boards/wall', 'Wall of sponsors'],
  ],
};

export type Serving = ReturnType<typeof servingFor>;

export function servingFor(config: Config, reading: Reading) {
  const links = linksOf(config);
  const site = config.baseUrl;
  const rendered = (page: Page): Promise<string> => render(page, siteOf(config));
  const { source } = reading;

  const written = async (page: Page | string | Promise<Representation>, more: More = {}): Promise<Representation> =>
    page instanceof Promise
      ? page
      : typeof page === 'string'
        ? plain(markdown, links.practice ? `> ${links.practice}\n\n${page}` : page, more)
        : new Representation(pageType, await rendered(page), {
            ...more,
            fields: { ...open, ...protection(page), ...more.fields },
          });

  const ribbons = new WeakMap<Representation, Ribbon>();
  /** Kept by itself: it changes once a night, and the first page is built every second. */
  const theRibbon = async () => {
    const { representation, current } = await reading.memory.read('the ribbon', 'boards', async () => {
      const { clock, record, current } = await source.read<Ribbon>('api_public.ribbon', {});
      const representation = new Representation('application/json', JSON.stringify(record));
      ribbons.set(representation, record);
      return { clock, current, representation };
    });
    return { ribbon: ribbons.get(representation) as Ribbon, current };
  };
  const build = async <R>({ follows, reads, args = {}, ribbon, represent, pageOf, more }: Shown<R>): Promise<Built> => {
    const [{ clock, record, current }, picture] = await Promise.all([
      source.read<R>(reads, args),
      ribbon && theRibbon(),
    ]);
    // a night shows nothing that changes later
    if (follows !== 'nights')
      await addPictures(
        record,
        async (ids) => (await source.read<Record<string, string>>('api_public.icons', { ids })).record,
      );
    return {
      clock,
      current: current && picture?.current !== false,
      representation: await written(represent(record, clock, picture?.ribbon), more),
      pageOf: pageOf?.(record),
    };
  };
  const keep = <R>(shown: Shown<R>): Promise<Kept> =>
    reading.memory.read(shown.address, shown.follows, () => build(shown));
  /**
   * A picture to share. It is drawn for a reader that does not have it, and not again until what it shows has changed.
   */
  const picture = <R>({ address, follows, reads, args = {}, drawn }: Drawn<R>): Promise<Kept> =>
    reading.memory.read(address, follows, async () => {
      const { clock, record, current } = await source.read<R>(reads, args);
      const from = await drawn(record, links.practice ? `PRACTICE at ${new URL(site).host}` : site, clock);
      const later = { from, make: () => draw(from), most: longestPicture };
      return {
        clock,
        current,
        representation: new Representation('image/png', later, { vary: null, fields: openPicture }),
      };
    });
  const sorry = async (ctx: Koa.Context, error: Refusal | Failure, apology: Sorry = sorryFor(error)) => {
    // A browser says that it accepts HTML. Everything else is a program, and gets the error as the public API gives it.
    ctx.vary('Accept');
    ctx.set(open);
    if (!/\btext\/html\b/i.test(ctx.get('Accept'))) {
      return problem(ctx, links, error);
    }
    protect(ctx);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = error.status;
    ctx.type = pageType;
    ctx.body = await rendered(sorryPage(apology));
  };
  const absent = (ctx: Koa.Context, absence: Absence) => sorry(ctx, nothing(links, absence.what), absence);
  return {
    site,
    links,
    reading,
    keep,
    picture,
    rendered,
    written,
    sorry,
    absent,
    /** A page that is there. */
    show: async <R>(ctx: Koa.Context, shown: Shown<R>) => reading.give(ctx, await keep(shown)),
    /** One that is made for whoever asks, and not kept: it answers a text of anybody's choice. Decisions 256. */
    showOnce: async <R>(ctx: Koa.Context, shown: Omit<Shown<R>, 'address'>) =>
      reading.give(ctx, {
        askedAt: performance.now(),
        follows: shown.follows,
        ...(await build({ address: '', ...shown })),
      }),
    /** What is kept, or what is said where there is nothing of that name. */
    async giveFound(ctx: Koa.Context, asked: Promise<Kept> | undefined, absence: Absence): Promise<void> {
      const found = await orNothing(asked);
      return found ? reading.give(ctx, found) : absent(ctx, absence);
    },
    /** A page that changes only with the code. */
    document: (ctx: Koa.Context, representation: Representation) => answer(ctx, representation, unchanging),
  };
}

/** The page has moved to another address. */
export class Moved extends Error {
  readonly to: string;

  constructor(to: string) {
    super('moved');
    this.to = to;
  }
}

/** The slug in an address, if it has the form of one. */
export const slugOf = ({ params }: Koa.Context & { params: { slug?: string } }): string | undefined =>
  /^[\w-]{1,100}$/.test(params.slug ?? '') ? params.slug : undefined;

/** The record; undefined if there is none of that name. */
export async function orNothing<T>(reading: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await reading;
  } catch (thrown) {
    if (typed(thrown).code === 'NOT_FOUND') return undefined;
    throw thrown;
  }
}

const sorryPage = (apology: Sorry): Page => ({
  title: apology.title,
  description: apology.title,
  body: html`<article><h1>${apology.title}</h1>\n<p>${apology.what}</p>\n${goOn(apology)}</article>`,
});
