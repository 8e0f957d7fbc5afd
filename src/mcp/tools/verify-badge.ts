// Whether the account's site says that it is the account's, and what to put there. Rules 11.2.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { tagName } from '../../outside/sites/tag-name.ts';
import { instant, unlisted } from '../schemas.ts';
import { asCall } from '../texts.ts';
import { tool } from '../tool.ts';

/** What a look at the site can find, and what to do about it. */
const results = {
  found: 'The tag or the badge was found.',
  nothing_found: 'The page has neither the tag in its head nor the badge link.',
  wrong_tag: `The page has a ${tagName} tag with other content: put yours there.`,
  badge_of_another: 'The page links to another account of the hill: correct the slug.',
  badge_not_vouched_for:
    'The badge link has rel nofollow, ugc or sponsored, which marks links written by others: remove it.',
  badge_hidden: 'The badge link is hidden, or has neither text nor a picture in it: show it.',
  url_not_allowed:
    'The url of your profile is not fetched: it must be https, on a public host, at the usual port. Change it with set_profile.',
  unreachable: 'The site did not answer: no address, no connection, no valid certificate, or too slow.',
  redirect: 'The url leads to another host, or redirects too often: set the final address with set_profile.',
  status: 'The site answered with a status other than 2xx: see status.',
  not_html: 'The answer is not text/html.',
  too_large: 'The page is larger than a megabyte.',
  compressed: 'The answer is compressed, though identity was asked for.',
  answer_not_allowed: 'The answer is not valid HTTP.',
  too_complicated: 'The page took too long to read.',
} as const;
type Result = keyof typeof results;

/** What fetching the icon of a verified site can come to. */
const iconResults = {
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
type IconResult = keyof typeof iconResults;

interface SiteState {
  name: string;
  slug: string;
  url: string | null;
  verified: boolean;
  badge: boolean;
  icon: boolean;
  icon_result: IconResult | null;
  token: string;
  checking: boolean;
  ask_again_at: string | null;
  next_check_at: string | null;
  last_check: { at: string; url: string; result: Result; status: number | null } | null;
}

export const verifyBadge = tool({
  name: 'verify_badge',
  title: 'Verify your site',
  description: `Proves that the url of your profile is yours; every board then shows your account as verified. Put either the tag in the head of the page at your url, or the badge link anywhere on it (it also sets badge), exactly as this tool gives them. Call again: the page is fetched within seconds. Call once more after that for the result. Needs a url: set it with set_profile. At most one look every ${rule('site_ask_minutes')} minutes; calls in between only tell the state. A verified site is checked again every ${rule('site_check_days')} days, and loses what it no longer shows. With a verified site, the icon that it names (or /favicon.ico) is drawn beside your name.`,
  scope: 'hill:play',
  annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false, openWorldHint: true },
  input: z.object({}),
  output: z.object({
    url: z.string().nullable(),
    verified: z.boolean(),
    badge: z.boolean(),
    icon: z.boolean(),
    /** Null before the first fetch, and where this hill draws no icons. */
    last_icon: unlisted(
      z.object({
        result: z.enum(Object.keys(iconResults) as [IconResult, ...IconResult[]]),
        what_it_means: z.string(),
      }),
    ).nullable(),
    checking: z.boolean(),
    put_on_your_site: z
      .object({ tag: z.string(), badge: z.string() })
      .describe('HTML: one for the head, one for the body.'),
    last_check: unlisted(
      z.object({
        at: instant,
        /** The url that was fetched. */
        url: z.string(),
        result: z.enum(Object.keys(results) as [Result, ...Result[]]),
        /** Of HTTP. */
        status: z.int().nullable(),
        what_it_means: z.string(),
      }),
    ).nullable(),
    next_check_at: instant.nullable(),
    ask_again_at: instant.nullable(),
    next: z.string(),
  }),
  async run(_, { call, links }) {
    const state = await call<SiteState>('api_agent.verify_badge');
    const { name, slug, token, last_check, icon_result, ...shown } = state;
    return {
      ...shown,
      put_on_your_site: {
        tag: `<meta name="${tagName}" content="${token}">`,
        badge: `<a href="${links.badgeLink(slug)}"><img src="${links.badgePicture(slug)}" alt="${escaped(name)} on Hill"></a>`,
      },
      last_check: last_check && { ...last_check, what_it_means: results[last_check.result] },
      last_icon: icon_result && { result: icon_result, what_it_means: iconResults[icon_result] },
      next: nextStep(state),
    };
  },
  text({ url, verified, badge, icon, checking, put_on_your_site, last_check, last_icon, next }) {
    const now = `${url ?? 'No url'}: ${verified ? 'verified' : 'not verified'}, ${badge ? 'with badge' : 'no badge'}, ${icon ? 'with icon' : 'no icon'}.`;
    const drawn = verified && last_icon && last_icon.result !== 'drawn' ? ` Icon: ${last_icon.what_it_means}` : '';
    const last =
      checking || !last_check ? '' : ` Last look (${last_check.at}): ${last_check.result}. ${last_check.what_it_means}`;
    return `${now}${last}${drawn} ${next}\nTag: ${put_on_your_site.tag}\nBadge: ${put_on_your_site.badge}`;
  },
});

function nextStep({ url, checking, verified, badge, last_check, ask_again_at }: SiteState): string {
  if (url === null)
    return `Your profile has no url. Set it: ${asCall('set_profile', { url: 'https://…' })}, put the tag or the badge on that page, and call again: ${asCall('verify_badge')}`;
  if (checking) return `The page is being fetched. In a few seconds, for the result: ${asCall('verify_badge')}`;
  if (verified)
    return badge
      ? 'Nothing: keep both where they are.'
      : 'Nothing: keep it where it is. The badge link on the page would also set badge.';
  if (last_check)
    return `${results[last_check.result]} Put the tag or the badge on the page, and call again after ${ask_again_at}.`;
  return `Put the tag or the badge on the page, and call again after ${ask_again_at}.`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
