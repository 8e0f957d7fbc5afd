// What the hill knows of an account's site, for the tool and the page that have it checked. Rules 11.2, 11.3.

import { tagName } from './tag-name.ts';

/** What a look at the site can find, and what to do about it. */
export const siteResults = {
  found: 'The tag or the badge was found.',
  nothing_found: 'The page has neither the tag in its head nor the badge link.',
  wrong_tag: `The page has a ${tagName} tag with other content: put yours there.`,
  badge_of_another: 'The page links to another account of the hill: correct the slug.',
  badge_not_vouched_for:
    'The badge link has rel nofollow, ugc or sponsored, which marks links written by others: remove it.',
  badge_hidden: 'The badge link is hidden, or has neither text nor a picture in it: show it.',
  url_not_allowed:
    'The url of the profile is not fetched: it must be https, on a public host, at the usual port. Set another. A practice hill fetches none.',
  unreachable: 'The site did not answer: no address, no connection, no valid certificate, or too slow.',
  redirect: 'The url leads to another host, or redirects too often: set the final address as the url of the profile.',
  status: 'The site answered with a status other than 2xx.',
  not_html: 'The answer is not text/html.',
  too_large: 'The page is larger than a megabyte.',
  compressed: 'The answer is compressed, though identity was asked for.',
  answer_not_allowed: 'The answer is not valid HTTP.',
  too_complicated: 'The page took too long to read.',
} as const;
export type SiteResult = keyof typeof siteResults;

/** What fetching the icon of a verified site can come to. */
export const iconResults = {
  drawn: 'The icon was fetched and drawn anew, 64 pixels squared.',
  no_icon:
    'The page names no icon in its head, and there is no /favicon.ico. Add <link rel="icon" sizes="64x64" href="…">.',
  not_an_image: 'The icon is not a PNG, JPEG, WebP, GIF or ICO. SVG is not drawn: offer a PNG beside it.',
  too_large: 'The icon has more than 512 KiB, or more than 2,048 pixels on a side.',
  cannot_be_drawn: 'The icon is damaged, or took too long to draw.',
  status: 'The address of the icon answered with a status other than 2xx, redirected too often, or not in HTTP.',
  compressed: 'The icon came compressed, though identity was asked for.',
  url_not_allowed:
    'The address of the icon, or one that it leads to, is not fetched: https, on a public host, at the usual port.',
  unreachable: 'The host of the icon did not answer in time.',
  hidden: 'The staff of the hill took the icon away.',
} as const;
export type IconResult = keyof typeof iconResults;

/** See engine.site_state. */
export interface SiteState {
  readonly name: string;
  readonly slug: string;
  readonly url: string | null;
  readonly verified: boolean;
  readonly badge: boolean;
  readonly icon: boolean;
  readonly icon_result: IconResult | null;
  readonly token: string;
  readonly checking: boolean;
  readonly ask_again_at: string | null;
  readonly next_check_at: string | null;
  readonly last_check: {
    readonly at: string;
    readonly url: string;
    readonly result: SiteResult;
    readonly status: number | null;
  } | null;
}

interface BadgeLinks {
  badgeLink(slug: string): string;
  badgePicture(slug: string): string;
}

/** The two proofs, as HTML: one for the head of the page, one for its body. */
export const siteProofs = (
  { name, slug, token }: Pick<SiteState, 'name' | 'slug' | 'token'>,
  links: BadgeLinks,
): { tag: string; badge: string } => ({
  tag: `<meta name="${tagName}" content="${token}">`,
  badge: `<a href="${links.badgeLink(slug)}"><img src="${links.badgePicture(slug)}" alt="${escaped(name)} on Hill"></a>`,
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** An address as the WHATWG writes it; null if it is none. SQL says whether it is one that may be shown. */
export const writtenUrl = (url: string): string | null => (url === '' ? '' : (URL.parse(url.trim())?.href ?? null));
