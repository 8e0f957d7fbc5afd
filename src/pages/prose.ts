// A text that programs read as Markdown, as a page: the links policy, the changelog, what stays compatible, the terms.
import { html } from 'hono/html';
import type { Markup, Page } from '../html/layout.ts';

/**
 * Of Markdown: headings, lists, paragraphs, code, bold and links, of which one block ends where a line is empty, where
 * a heading or a list begins, or where a heading ends. `address` is the page's; `after` stands at its end.
 */
export const prosePage = (
  markdown: string,
  { title, address, description, after }: Pick<Page, 'title' | 'description'> & { address: string; after?: Markup },
): Page => ({
  title,
  address,
  description,
  alternates: [{ type: 'text/markdown', href: `${address}.md`, title }],
  body: html`<article>
${blocksOf(markdown).map(block)}
${after ?? ''}<p class="soft">Also as <a href="${address}.md">Markdown</a>.</p>
</article>`,
});

const item = /^(?:[-*+]|(\d{1,9})[.)]) +/;
/** A line of a paragraph may begin with a number. */
const firstItem = /^(?:[-*+]|1[.)]) +/;

function blocksOf(markdown: string): string[] {
  const blocks: string[] = [];
  let open = false;
  for (const line of markdown.replaceAll('\r\n', '\n').trim().split('\n')) {
    const heading = /^#{1,6} /.test(line);
    const last = blocks.at(-1) ?? '';
    if (line.trim() === '') open = false;
    else if (open && !heading && !(firstItem.test(line) && !item.test(last)))
      blocks[blocks.length - 1] = `${last}\n${line}`;
    else {
      blocks.push(line);
      open = !heading;
    }
  }
  return blocks;
}

function block(text: string): Markup {
  const [, marks = '', heading = ''] = /^(#+) +(.*)$/.exec(text) ?? [];
  if (marks === '#') return html`<h1>${inline(heading)}</h1>\n`;
  if (marks === '##') return html`<h2>${inline(heading)}</h2>\n`;
  if (marks !== '') return html`<h3>${inline(heading)}</h3>\n`;
  const [, number] = item.exec(text) ?? [];
  if (number !== undefined) return html`<ol start="${number}">${items(text)}</ol>\n`;
  if (item.test(text)) return html`<ul>${items(text)}</ul>\n`;
  return html`<p>${inline(text)}</p>\n`;
}

const items = (text: string): Markup[] =>
  text.split(/\n(?=(?:[-*+]|\d{1,9}[.)]) )/).map((one) => html`<li>${inline(one.replace(item, ''))}</li>\n`);

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
