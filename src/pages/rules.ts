// /rules, generated from the rules record.
import { html } from 'hono/html';
import type { Markup, Page } from '../html/layout.ts';
import { hueStyle } from './ribbon.ts';
import { type RulesForPeople, rulesText, type Section } from './rules-text.ts';
import { workedStyle } from './worked-nights.ts';

export const rulesPage = (record: RulesForPeople): Page => {
  const { rules } = record;
  const sections = rulesText(record);
  return {
    title: 'The rules',
    description: 'How a day on the hill goes, what moves cost, how the bell resolves them, and what sealed means.',
    at: '/rules',
    address: '/rules',
    alternates: [
      { type: 'application/json', href: '/api/rules', title: 'The rules as data' },
      { type: 'text/markdown', href: '/rules.md', title: 'The rules as Markdown' },
    ],
    style: hueStyle + workedStyle,
    body: html`<article>
<h1>The rules</h1>
<p class="soft">Version ${rules.version}. Also as <a href="/api/rules">data</a> and as <a href="/rules.md">Markdown</a>; and here is <a href="/source">the source of the engine</a>.</p>
<nav class="contents" aria-label="Contents"><ul>${sections.map(({ title }) => html`<li><a href="#${idOf(title)}">${title}</a></li>`)}</ul></nav>
${sections.map(section)}
</article>`,
  };
};

const idOf = (title: string): string => title.toLowerCase().replace(/[^a-z]+/g, '-');

/** Outcomes and moves are coloured where they stand alone. */
const cellOf = (text: string): Markup | string =>
  /^(PEACE|WAR|PASS|BURN|VACANT)$/.test(text) ? html`<span class="tag ${text}">${text}</span>` : text;

const section = ({ title, text = [], list = [], table, figure }: Section): Markup => html`<section>
<h2 id="${idOf(title)}">${title}</h2>
${figure ?? said(text, list, table)}
</section>\n`;

const said = (
  text: readonly string[],
  list: readonly string[],
  table: Section['table'],
): Markup => html`${text.map((paragraph) => html`<p>${paragraph}</p>\n`)}
${list.length > 0 ? html`<ul>${list.map((item) => html`<li>${item}</li>\n`)}</ul>` : ''}
${
  table
    ? html`<div class="${table.head.length > 2 ? 'wide' : ''}"><table><thead><tr>${table.head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>
${table.rows.map((row) => html`<tr>${row.map((cell, i) => html`<td data-label="${table.head[i]}">${cellOf(cell)}</td>`)}</tr>\n`)}
</tbody></table></div>`
    : ''
}`;
