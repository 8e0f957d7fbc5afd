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

export type Named = Pick<Identity, 'name' | 'slug' | 'namesake'>;

/** What an identity is called where others stand beside it: with its slug if a name looks like its own. Rules 11.1. */
export const calledIn = ({ name, slug, namesake }: Named): string => (namesake ? `${name} @${slug}` : name);

/** The same on a page. */
export const called = ({ name, slug, namesake }: Named): Markup =>
  html`<bdi>${name}</bdi>${namesake ? html` <span class="soft">@${slug}</span>` : ''}`;

export function identityLink(identity: Named & Pick<Identity, 'url'> & Pictured): Markup {
  const { name, slug, url } = identity;
  const target = safeUrl(url);
  return html`${iconOf(identity)}<a href="/identity/${slug}">${called(identity)}</a>${
    target
      ? html`\u00a0<a class="site" href="/go/${slug}" title="${target}" aria-label="The site of ${name}" rel="nofollow ugc noopener noreferrer">↗</a>`
      : ''
  }`;
}
