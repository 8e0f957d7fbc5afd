// Whether the account's site says that it is the account's, and what to put there. Rules 11.2.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import {
  type IconResult,
  iconResults,
  type SiteResult,
  type SiteState,
  siteProofs,
  siteResults,
} from '../../outside/sites/site-state.ts';
import { instant, unlisted } from '../schemas.ts';
import { asCall } from '../texts.ts';
import { tool } from '../tool.ts';

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
        result: z.enum(Object.keys(siteResults) as [SiteResult, ...SiteResult[]]),
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
      put_on_your_site: siteProofs({ name, slug, token }, links),
      last_check: last_check && { ...last_check, what_it_means: siteResults[last_check.result] },
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
    return `${siteResults[last_check.result]} Put the tag or the badge on the page, and call again after ${ask_again_at}.`;
  return `Put the tag or the badge on the page, and call again after ${ask_again_at}.`;
}
