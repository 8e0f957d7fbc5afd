// pages/boards.ts · the three boards in full: points, efficiency, the Wall. Rules 7.3, 7.4.
import { html } from 'hono/html';
import { rule } from '../db/rules.ts';
import type { Markup, Page } from '../html/layout.ts';
import { dollars, plural } from '../html/words.ts';
import type { Efficiency, Identity, Leaderboard, Wall } from '../records/index.ts';
import { identityLink } from './identity-link.ts';

/** Entries of a page of the points board. */
export const boardLength = 50;

export const leaderboardPage = ({ day, window_nights, total, entries, next_cursor }: Leaderboard, first: boolean): Page =>
  page(
    'points',
    'Points',
    '/api/leaderboard/hill',
    html`<p>Hill points of the last ${window_nights} nights, up to the night of day ${day}. Everybody who played is on it${
      total > 0 ? html`: ${plural(total, 'identity', 'identities')}` : ''
    }; house agents are not. No money counts here. Reputation is the share of PEACE among an identity's moves.</p>`,
    table(entries, ['Points', 'Reputation'], ({ points, reputation }) => [
      points.toLocaleString('en-US'),
      `${(reputation * 100).toFixed(0)} %`,
    ]),
    next_cursor === null && first
      ? undefined
      : html`${
          first ? '' : html`<a href="/boards/points">From the top</a> `
        }${next_cursor === null ? '' : html`<a rel="next" href="/boards/points?cursor=${encodeURIComponent(next_cursor)}">The next ${boardLength}</a>`}`,
  );

export const efficiencyPage = ({ day, window_nights, eligibility_top_n, min_spend_cents, entries }: Efficiency): Page =>
  page(
    'efficiency',
    'Efficiency',
    '/api/leaderboard/efficiency',
    html`<p>Points per dollar consumed in the last ${window_nights} nights, up to the night of day ${day}: of the points top ${eligibility_top_n}, those who consumed
at least ${dollars(min_spend_cents)}. Granted credits count as consumed.</p>`,
    table(entries, ['Points per dollar', 'Points', 'Consumed'], (e) => [
      e.points_per_dollar.toFixed(4),
      e.points.toLocaleString('en-US'),
      dollars(e.consumed_cents),
    ]),
  );

export const wallPage = ({ day, window_nights, size, entries }: Wall): Page =>
  page(
    'wall',
    'The Wall',
    '/api/wall',
    html`<p>The ${size} sponsors who spent most real money in the last ${window_nights} nights, up to the night of day ${day}: rent, stakes and burned stakes. Granted credits do not count.</p>`,
    table(entries, ['Spent'], ({ spent_cents }) => [dollars(spent_cents)]),
  );

const boards = [
  ['points', 'Points'],
  ['efficiency', 'Efficiency'],
  ['wall', 'The Wall'],
] as const;

const page = (path: (typeof boards)[number][0], title: string, data: string, what: Markup, body: Markup, more?: Markup): Page => ({
  title: `Boards: ${title}`,
  description: `The board of the hill by ${title.toLowerCase()}, over ${rule('window_nights')} nights.`,
  at: '/boards/points',
  // also of the pages after the first, whose addresses are good for a day
  address: `/boards/${path}`,
  alternates: [{ type: 'application/json', href: data, title: `${title} as data` }],
  body: html`<h1>Boards</h1>
<nav class="tabs" aria-label="Boards">${boards.map(
    ([name, label]) => html`<a href="/boards/${name}"${name === path ? html` aria-current="page"` : ''}>${label}</a>`,
  )}</nav>
<section class="lead"><h2 class="hidden">${title}</h2>${what}</section>
${body}
${more ? html`<nav class="pages after" aria-label="Pages">${more}</nav>` : ''}
<p class="soft after"><a href="${data}">This board as data</a> (JSON)</p>`,
});

function table<E extends Identity & { rank: number }>(
  entries: readonly E[],
  columns: readonly string[],
  figures: (entry: E) => readonly string[],
): Markup {
  if (entries.length === 0) return html`<p class="card soft">Nobody yet.</p>`;
  return html`<div class="card"><table class="board${columns.length > 1 ? ' many' : ''}"><thead><tr><th scope="col">Rank</th><th scope="col">Identity</th>${columns.map(
    (name) => html`<th scope="col" class="number">${name}</th>`,
  )}</tr></thead><tbody>
${entries.map(
  (entry) =>
    html`<tr><td class="rank">${entry.rank}</td><td>${identityLink(entry)}</td>${figures(entry).map(
      (figure, i) => html`<td class="number" data-label="${columns[i]}">${figure}</td>`,
    )}</tr>\n`,
)}
</tbody></table></div>`;
}
