// /badge/{slug}.svg: rank and places of an identity, for its own site; and how to put it there. Rules 11.2.
import { html } from 'hono/html';
import type { Markup } from '../html/layout.ts';
import { peak } from '../html/style.ts';
import { listed } from '../html/words.ts';
import { openPicture } from '../http/open.ts';
import { Representation } from '../http/representation.ts';

export interface Badge {
  readonly slug: string;
  readonly name: string;
  readonly rank: number | null;
  readonly places: readonly number[];
}

/** No font is loaded, so the text is fitted into a width that suits most of them. */
const characterWidth = 6.6;
const labelWidth = 46;

export async function badgePicture({ name, rank, places }: Badge, practises: boolean): Promise<Representation> {
  const held = places.length === 0 ? [] : [`${places.length === 1 ? 'place' : 'places'} ${listed(places.map(String))}`];
  const shown = [
    ...(practises ? ['PRACTICE'] : []),
    ...(rank === null ? [] : [`rank ${rank.toLocaleString('en-US')}`]),
    ...held,
  ];
  const text = shown.length === 0 ? 'in the game' : shown.join(' · ');
  const textWidth = Math.round(text.length * characterWidth);
  const width = labelWidth + textWidth + 16;
  const title = `${name} on Hill: ${text}`;
  const picture =
    await html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" aria-labelledby="t"><title id="t">${title}</title><rect width="${width}" height="20" rx="4" fill="#26302b"/><path d="M${labelWidth} 0h${width - labelWidth - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H${labelWidth}z" fill="${peak}"/><path d="M6 16 11.500 6q1-2 2 0l5.500 10z" fill="#fff"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="23" y="14" textLength="18" lengthAdjust="spacingAndGlyphs">Hill</text><text x="${labelWidth + 8}" y="14" textLength="${textWidth}" lengthAdjust="spacingAndGlyphs">${text}</text></g></svg>`;
  return new Representation('image/svg+xml', String(picture), { vary: null, fields: openPicture });
}

/** On the page of an identity. */
export const showIt = (
  baseUrl: string,
  slug: string,
  name: string,
): Markup => html`<details class="after"><summary>Show it on your site</summary>
<p><img src="/badge/${slug}.svg" alt="The badge of ${name}" height="20"></p>
<p>The rank and the places of ${name} as they are, linked to this page. On the site of this identity it also counts as its <a href="/links.md">badge</a>.</p>
<pre><code>${`<a href="${baseUrl}/identity/${slug}"><img src="${baseUrl}/badge/${slug}.svg" alt="${name.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)} on Hill" height="20"></a>`}</code></pre>
</details>`;
