// A text that programs read as Markdown, as a page: the links policy, the changelog, what stays compatible.
import { html } from 'hono/html';
import type { Markup, Page } from '../html/layout.ts';

/**
 * The Markdown of our own texts: headings, lists, paragraphs, code, bold and links, of which one block ends where a
 * line is empty. `address` is the page's.
 */
export const prosePage = (
  markdown: string,
  { title, address, description }: Pick<Page, 'title' | 'description'> & { address: string },
): Page => ({
  title,
  address,
  description,
  alternates: [{ type: 'text/markdown', href: `${address}.md`, title }],
  body: html`<article>
${markdown
  .trim()
  .split(/\n{2,}/)
  .map(block)}
<p class="soft">Also as <a href="${address}.md">Markdown</a>.</p>
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

/** Code is left as it is; what stands between two pairs of asterisks is bold, and may hold no link. */
const inline = (text: string): (Markup | string)[] =>
  [...text.matchAll(/`([^`]*)`|\*\*([^*]*)\*\*|\[([^\]]*)\]\(([^)\s]*)\)|[^`*[]+|[`*[]/g)].map(
    ([piece, code, bold, words, href]) =>
      code !== undefined
        ? html`<code>${code}</code>`
        : bold !== undefined
          ? html`<strong>${inline(bold)}</strong>`
          : words !== undefined
            ? html`<a href="${href}">${words}</a>`
            : piece,
  );
