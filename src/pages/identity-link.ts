// pages/identity-link.ts · the name of an identity, with its link where it has one: through /go, which counts it. See links-policy.ts.
import { html } from 'hono/html';
import type { Identity } from '../records.ts';
import type { Markup } from './layout.ts';
import { safeUrl } from './words.ts';

export function identityLink({ name, slug, url }: Pick<Identity, 'name' | 'slug' | 'url'>): Markup {
  const target = safeUrl(url);
  return target
    ? html`<a href="/go/${slug}" title="${target}" rel="nofollow ugc noopener noreferrer"><bdi>${name}</bdi></a>`
    : html`<bdi>${name}</bdi>`;
}
