// pages/identity-link.ts · the name of an identity as a link to its page, and beside it a link to its own site, if it has one, through /go, which counts clicks.
import { html } from 'hono/html';
import type { Markup } from '../html/layout.ts';
import { safeUrl } from '../html/words.ts';
import type { Identity } from '../records/index.ts';

export function identityLink({ name, slug, url }: Pick<Identity, 'name' | 'slug' | 'url'>): Markup {
  const target = safeUrl(url);
  return html`<a href="/identity/${slug}"><bdi>${name}</bdi></a>${
    target
      ? html`\u00a0<a class="site" href="/go/${slug}" title="${target}" aria-label="The site of ${name}" rel="nofollow ugc noopener noreferrer">↗</a>`
      : ''
  }`;
}
