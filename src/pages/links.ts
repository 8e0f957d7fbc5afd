// pages/links.ts · /links: the links policy as a page, from the same text as /links.md.
import { html } from 'hono/html';
import type { Markup, Page } from '../html/layout.ts';

/** The Markdown of the policy: headings, lists, paragraphs and code, of which one block ends where a line is empty. */
export const linksPage = (policy: string): Page => ({
  title: 'Links',
  description: 'What the links of the hill are worth: how sites and badges are checked, what is counted, and where links lead.',
  body: html`<article>
${policy
  .trim()
  .split(/\n{2,}/)
  .map(block)}
<p class="soft">Also as <a href="/links.md">Markdown</a>.</p>
</article>`,
});

function block(text: string): Markup {
  if (text.startsWith('## ')) return html`<h2>${inline(text.slice(3))}</h2>\n`;
  if (text.startsWith('# ')) return html`<h1>${inline(text.slice(2))}</h1>\n`;
  if (text.startsWith('- '))
    return html`<ul>${text
      .slice(2)
      .split(/\n- /)
      .map((item) => html`<li>${inline(item)}</li>\n`)}</ul>\n`;
  return html`<p>${inline(text)}</p>\n`;
}

/** Every other piece stood between backquotes. */
const inline = (text: string): (Markup | string)[] => text.split('`').map((piece, i) => (i % 2 ? html`<code>${piece}</code>` : piece));
