// Cards: what each asks, and the table that it shows.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { questionPath } from '../ways.ts';
import { type Column, table } from './cells.ts';
import type { Ask, Row, Value } from './read.ts';

export interface Card {
  readonly title: string;
  /** Over the table instead of the title. */
  readonly heading?: (rows: readonly Row[]) => Markup | string;
  readonly query: string;
  readonly columns: readonly Column[];
  /** In words, instead of a table without rows. */
  readonly none: string;
}

export const card = (
  title: string,
  columns: readonly Column[],
  rows: readonly Row[],
  none: string,
  heading: Markup | string = title,
): Markup =>
  html`<section class="card"><h2>${heading}</h2>
${table(title, columns, rows, none)}</section>`;

/** Cards one below the other. Their queries are given the same values, and are asked one after the other. */
export async function cards(ask: Ask, shown: readonly Card[], values?: readonly Value[]): Promise<Markup> {
  const drawn: Markup[] = [];
  for (const { title, heading, query, columns, none } of shown) {
    const rows = await ask(query, values);
    drawn.push(card(title, columns, rows, none, heading?.(rows)));
  }
  return html`${drawn}`;
}

/** For a heading: leads to a question that tells more. */
export const askMore = (question: string, about?: Readonly<Record<string, string>>): Markup =>
  html`<a href="${questionPath(question, about)}">ask more</a>`;
