// Tables of rows, and the cells in them.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { dollars } from '../../html/words.ts';
import type { Row } from './read.ts';

export type Cell = Markup | string | number | null;

export interface Column {
  readonly name: string;
  readonly cell: (row: Row) => Cell;
  readonly number?: boolean;
}

/** A wide table scrolls by itself, and by keyboard; on a phone its rows are small cards. */
export const table = (label: string, columns: readonly Column[], rows: readonly Row[], none: string): Markup =>
  rows.length === 0
    ? html`<p class="soft">${none}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table${columns.length > 3 ? html` class="wide"` : ''}>
<thead><tr>${columns.map(({ name, number }) => html`<th scope="col"${number ? html` class="number"` : ''}>${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map(({ name, cell, number }) => html`<td${number ? html` class="number"` : ''} data-label="${name}">${cell(row) ?? ''}</td>`)}</tr>`)}</tbody>
</table></div>`;

/** A section of a page: a table under its title. */
export const card = (title: string, columns: readonly Column[], rows: readonly Row[], none: string): Markup =>
  html`<section class="card"><h2>${title}</h2>
${table(title, columns, rows, none)}</section>`;

export const textColumn = (name: string, key: string): Column => ({ name, cell: text(key) });
export const moneyColumn = (name: string, key: string): Column => ({ name, cell: money(key), number: true });
export const timeColumn = (name: string, key: string): Column => ({ name, cell: (row) => when(row[key]) });

const text = (key: string) => (row: Row) => (row[key] === null || row[key] === undefined ? '' : String(row[key]));
/** Cents; nothing where nothing was. */
export const money = (key: string) => (row: Row) => (Number(row[key] ?? 0) === 0 ? '' : dollars(Number(row[key])));

/** An instant as people read it, with the whole of it for programs. */
export function when(value: unknown): Cell {
  if (value === null || value === undefined) return '';
  const iso = (value instanceof Date ? value : new Date(String(value))).toISOString();
  return html`<time datetime="${iso}" class="when">${iso.slice(0, 10)} ${iso.slice(11, 16)}</time>`;
}

export const accountLink = (slug: unknown, name: unknown): Markup | string =>
  slug ? html`<a href="/account/${encodeURIComponent(String(slug))}"><bdi>${String(name)}</bdi></a>` : '';
export const account = (row: Row) => accountLink(row.slug, row.name);
export const accountColumn: Column = { name: 'Account', cell: account };

export const figure = (name: string, value: Cell, state?: 'good' | 'bad') =>
  html`<div><dt>${name}</dt><dd${state ? html` class="${state}"` : ''}>${value ?? ''}</dd></div>`;
