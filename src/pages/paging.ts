// Lists that go on: the address of a page of one, and the way to the next. Rules 10.9.
import { html } from 'hono/html';
import type { Markup } from '../html/layout.ts';

/** Which part of a list is shown: from where, and whether as it was after the night of a day that is over. */
export interface Part {
  readonly cursor?: string | undefined;
  readonly day?: number | undefined;
}

export function partOf(path: string, { day, cursor }: Part): string {
  const query = new URLSearchParams({ ...(day !== undefined && { day: `${day}` }), ...(cursor && { cursor }) });
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Nothing where the whole list is on one page. `path`: the first page. */
export const pagesOf = (
  path: string,
  { first, next }: { readonly first: boolean; readonly next: string | null },
  words: { readonly first: string; readonly next: string },
  day?: number,
): Markup | '' =>
  next === null && first
    ? ''
    : html`<nav class="pages after" aria-label="Pages">${first ? '' : html`<a href="${partOf(path, { day })}">${words.first}</a> `}${
        next === null ? '' : html`<a rel="next" href="${partOf(path, { day, cursor: next })}">${words.next}</a>`
      }</nav>`;
