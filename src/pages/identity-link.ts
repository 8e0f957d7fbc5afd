// The name of an identity as a link to its page, its icon in front, and beside it a link to its own site, through /go,
// which counts clicks.
import { html } from 'hono/html';
import type { Markup } from '../html/layout.ts';
import { safeUrl } from '../html/words.ts';
import type { Identity } from '../records/index.ts';
import type { Pictured } from './pictures.ts';

/** It says nothing that the name does not say, so it has no text. */
export const iconOf = ({ picture }: Pictured, size = 20): Markup | '' =>
  picture
    ? html`<img class="icon" src="${picture}" width="${size}" height="${size}" alt="" loading="lazy" decoding="async">\u00a0`
    : '';

export function identityLink(identity: Pick<Identity, 'name' | 'slug' | 'url'> & Pictured): Markup {
  const { name, slug, url } = identity;
  const target = safeUrl(url);
  return html`${iconOf(identity)}<a href="/identity/${slug}"><bdi>${name}</bdi></a>${
    target
      ? html`\u00a0<a class="site" href="/go/${slug}" title="${target}" aria-label="The site of ${name}" rel="nofollow ugc noopener noreferrer">↗</a>`
      : ''
  }`;
}
