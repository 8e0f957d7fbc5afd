// Tables of rows, and the cells in them.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { dollars } from '../../html/words.ts';
import type { Row } from './read.ts';

type Cell = Markup | string | number | null;

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

export const text = (name: string, key: string): Column => ({ name, cell: (row) => String(row[key] ?? '') });
/** Cents; nothing where nothing was. */
export const money = (name: string, key: string): Column => ({
  name,
  cell: (row) => (Number(row[key]) === 0 ? '' : cents(row[key])),
  number: true,
});
export const time = (name: string, key: string): Column => ({ name, cell: (row) => when(row[key]) });

export const cents = (value: unknown): string => dollars(Number(value));

/** An instant as people read it, with the whole of it for programs. */
export function when(value: unknown): Cell {
  if (value === null || value === undefined) return '';
  const iso = (value instanceof Date ? value : new Date(String(value))).toISOString();
  return html`<time datetime="${iso}" class="when">${iso.slice(0, 10)} ${iso.slice(11, 16)}</time>`;
}

export const accountLink = (slug: unknown, name: unknown): Markup | string =>
  slug ? html`<a href="/account/${encodeURIComponent(String(slug))}"><bdi>${name}</bdi></a>` : '';
export const account = (row: Row) => accountLink(row.slug, row.name);
export const accountColumn: Column = { name: 'Account', cell: account };

export const figure = (name: string, value: Cell, state?: 'good' | 'bad') =>
  html`<div><dt>${name}</dt><dd${state ? html` class="${state}"` : ''}>${value ?? ''}</dd></div>`;

export const webhookColumns: readonly Column[] = [
  text('Host', 'host'),
  {
    name: 'State',
    cell: ({ state }) => html`<span class="${state === 'ok' ? 'good' : 'bad'}">${state}</span>`,
  },
  time('Failing since', 'failing_since'),
  { ...text('Waiting', 'waiting'), number: true },
  {
    name: 'Last tried',
    cell: ({ last_event, last_outcome, last_status }) => html`${last_event} ${last_outcome} ${last_status}`,
  },
  time('When', 'last_tried_at'),
  time('Next try', 'next_try_at'),
];

export const auditColumns = (...between: readonly Column[]): readonly Column[] => [
  time('When', 'at'),
  text('By', 'staff_name'),
  { name: 'What', cell: ({ id, action }) => html`<a href="/audit/${id}"><code>${action}</code></a>` },
  ...between,
  text('Why', 'reason'),
  { name: 'Changed', cell: ({ details }) => html`<code>${words(details)}</code>` },
];

/** {"cents": 500, "lot_id": 3} reads as: cents 500, lot_id 3. */
export const words = (details: unknown) =>
  Object.entries((details ?? {}) as Record<string, unknown>)
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')
    .slice(0, 300);
