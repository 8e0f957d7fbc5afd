// The three boards in full: points, efficiency, the Wall. Rules 7.3, 7.4.
import { html } from 'hono/html';
import type { Clock } from '../db/call.ts';
import { rule } from '../db/rules.ts';
import { dateOf } from '../html/days.ts';
import type { Markup, Page } from '../html/layout.ts';
import type { Sorry } from '../html/sorry.ts';
import { dollars, plural } from '../html/words.ts';
import type { Efficiency, Identity, Leaderboard, Wall } from '../records/index.ts';
import { identityLink } from './identity-link.ts';
import { type Part as Asked, pagesOf, partOf } from './paging.ts';
import { coloursOf, type Ribbon, ribbonFigure, ribbonStyle, swatch } from './ribbon.ts';

/** Entries of a page of the points board. */
export const boardLength = 50;

/** See api_public.board_told. */
export interface BoardShown<B> {
  readonly board: B;
  /** By account, each night with points. */
  readonly nights: Readonly<Record<string, readonly (readonly [day: number, points: number])[]>>;
  /** By account, the rank of the night before; null where it is not known, and for the Wall. Decisions 305. */
  readonly before: Readonly<Record<string, number>> | null;
}

type Entry = Identity & { readonly rank: number };
interface Column<E> {
  readonly name: string;
  readonly of: (entry: E) => string;
  /** Drawn as a bar beside the number, as long as the largest of the page is wide. */
  readonly bar?: (entry: E) => number;
}

export function leaderboardPage(shown: BoardShown<Leaderboard>, asked: Asked, clock: Clock, ribbon?: Ribbon): Page {
  const { day, window_nights, total, entries, next_cursor } = shown.board;
  const first = asked.cursor === undefined;
  const who =
    asked.day === undefined
      ? 'Everybody who played is on it'
      : 'Everybody who had points is on it, by the names of today';
  return page({
    path: 'points',
    title: 'Points',
    data: '/api/leaderboard/hill',
    asked,
    day,
    clock,
    what: html`<p>Hill points of ${nightsOf(window_nights, day, asked, clock)}. ${who}${
      total > 0 ? html`: ${plural(total, 'identity', 'identities')}` : ''
    }; house agents are not. No money counts here. Reputation is the share of PEACE among an identity's moves.</p>`,
    body: table(shown, day, window_nights, entries, ribbon, [
      { name: 'Points', of: ({ points }) => points.toLocaleString('en-US'), bar: ({ points }) => points },
      { name: 'Reputation', of: ({ reputation }) => `${(reputation * 100).toFixed(0)} %` },
    ]),
    ribbon: first ? ribbon : undefined,
    more: pagesOf(
      addressOf('points'),
      { first, next: next_cursor },
      { first: 'From the top', next: `The next ${boardLength}` },
      asked.day,
    ),
  });
}

export function efficiencyPage(shown: BoardShown<Efficiency>, asked: Asked, clock: Clock, ribbon?: Ribbon): Page {
  const { day, window_nights, eligibility_top_n, min_spend_cents, entries } = shown.board;
  return page({
    path: 'efficiency',
    title: 'Efficiency',
    data: '/api/leaderboard/efficiency',
    asked,
    day,
    clock,
    what: html`<p>Points per dollar consumed in ${nightsOf(window_nights, day, asked, clock)}: of the points top ${eligibility_top_n}, those who consumed
at least ${dollars(min_spend_cents)}. Granted credits count as consumed.</p>`,
    body: table(shown, day, window_nights, entries, ribbon, [
      { name: 'Points per dollar', of: (e) => e.points_per_dollar.toFixed(4), bar: (e) => e.points_per_dollar },
      { name: 'Points', of: (e) => e.points.toLocaleString('en-US') },
      { name: 'Consumed', of: (e) => dollars(e.consumed_cents) },
    ]),
    ribbon,
  });
}

export function wallPage(shown: BoardShown<Wall>, clock: Clock, ribbon?: Ribbon): Page {
  const { day, window_nights, size, entries } = shown.board;
  return page({
    path: 'wall',
    title: 'The Wall',
    data: '/api/wall',
    asked: {},
    day,
    clock,
    what: html`<p>The ${size} sponsors who spent most of paid credits in ${nightsOf(window_nights, day, {}, clock)}: rent, stakes and burned stakes. Granted credits do not count.</p>`,
    body: table(shown, day, window_nights, entries, ribbon, [
      { name: 'Spent', of: ({ spent_cents }) => dollars(spent_cents), bar: ({ spent_cents }) => spent_cents },
    ]),
    ribbon,
  });
}

const nightsOf = (nights: number, day: number, asked: Asked, clock: Clock): Markup =>
  day === 0
    ? html`the last ${nights} nights`
    : html`${asked.day === undefined ? 'the last' : 'the'} ${nights} nights${asked.day === undefined ? ',' : ''} up to <a href="/day/${day}">the night of day ${day}</a>, ${dateOf(day, clock)}`;

const boards = [
  ['points', 'Points'],
  ['efficiency', 'Efficiency'],
  ['wall', 'The Wall'],
] as const;
type Name = (typeof boards)[number][0];

/** Of the Wall there is none of a day that is over. Decisions 255. */
export const addressOf = (board: Name, asked: Asked = {}): string =>
  partOf(`/boards/${board}`, board === 'wall' ? {} : asked);

interface Parts {
  readonly path: Name;
  readonly title: string;
  readonly data: string;
  readonly asked: Asked;
  readonly day: number;
  readonly clock: Clock;
  readonly what: Markup;
  readonly body: Markup;
  readonly ribbon: Ribbon | undefined;
  readonly more?: Markup | '';
}

function page({ path, title, data, asked, day, clock, what, body, ribbon, more = '' }: Parts): Page {
  const past = asked.day !== undefined;
  const as = (form: string) => `${data}${form}${past ? `?day=${day}` : ''}`;
  return {
    title: `Boards: ${title}${past ? ` after day ${day}` : ''}`,
    description: `The board of the hill by ${title.toLowerCase()}, over ${rule('window_nights')} nights${past ? `, as it was after the night of day ${day}, ${dateOf(day, clock)}` : ''}.`,
    at: '/boards/points',
    // also of the pages after the first, whose addresses are good for a day
    address: addressOf(path, { day: asked.day }),
    alternates: [
      { type: 'application/json', href: as(''), title: `${title} as data` },
      { type: 'text/csv', href: as('.csv'), title: `${title} as a table` },
    ],
    style: ribbonStyle + boardStyle,
    body: html`<h1>Boards${past ? html` <span class="soft">after day ${day}</span>` : ''}</h1>
<nav class="tabs" aria-label="Boards">${boards.map(
      ([name, label]) =>
        html`<a href="${addressOf(name, { day: asked.day })}"${name === path ? html` aria-current="page"` : ''}>${label}</a>`,
    )}</nav>
<section class="lead"><h2 class="hidden">${title}</h2>${what}</section>
${path === 'wall' ? '' : otherDays(path, day, past, clock)}
${body}
${more}
<p class="soft after">This board as data: <a href="${as('')}">JSON</a>, <a href="${as('.csv')}">CSV</a>${day > 0 ? html` · the moves of its last night: <a href="/api/day/${day}/moves.csv">CSV</a>` : ''}</p>
${ribbon && ribbon.holders.length > 0 ? html`<h2>Who held what</h2>${ribbonFigure(ribbon, clock)}` : ''}`,
  };
}

/** To the same board after the nights around. */
function otherDays(board: Name, day: number, past: boolean, { last_night }: Clock): Markup | '' {
  if (day < 2 && !past) return '';
  return html`<nav class="pages" aria-label="The same board after other nights">${
    day > 1
      ? html`<a rel="prev" href="${addressOf(board, { day: day - 1 })}"><span aria-hidden="true">← </span>After day ${day - 1}</a> `
      : ''
  }${past && day < last_night ? html`<a rel="next" href="${addressOf(board, { day: day + 1 })}">After day ${day + 1}<span aria-hidden="true"> →</span></a> ` : ''}${
    past ? html`<a href="${addressOf(board)}">After the last night</a>` : ''
  }</nav>`;
}

const boardWays = [
  ['/boards/points', 'Points after the last night'],
  ['/nights', 'All nights'],
] as const;

/** Why there is no board of a day; `days` are those of nights that are over. */
export const noBoardOf = (day: number, days: { readonly last: number } | null): Sorry => ({
  title: `No board of day ${day}`,
  what:
    days === null
      ? 'No bell has rung yet, so nobody has points.'
      : day > days.last
        ? `Day ${day} has not been decided: its board can be shown once its bell has rung. The last one is that of day ${days.last}.`
        : 'That was before the first night, so nobody had points.',
  ways: boardWays,
});

export const noPastWall: Sorry & { what: string } = {
  title: 'No Wall of another day',
  what: 'The Wall is shown after the last night alone. Who spent how much of paid credits on which night is not public, so an earlier one cannot be worked out.',
  ways: [['/boards/wall', 'The Wall after the last night'], ...boardWays],
};

function table<E extends Entry>(
  { nights, before }: Pick<BoardShown<unknown>, 'nights' | 'before'>,
  day: number,
  length: number,
  entries: readonly E[],
  ribbon: Ribbon | undefined,
  columns: readonly Column<E>[],
): Markup {
  if (entries.length === 0) return html`<p class="card soft">Nobody is on it.</p>`;
  const colours = ribbon ? coloursOf(ribbon) : new Map<string, string>();
  const most = Math.max(
    1,
    ...entries.flatMap(({ accountId }) => (nights[accountId] ?? []).map(([, points]) => points)),
  );
  const bars = columns.map(({ bar }) => (bar ? Math.max(...entries.map(bar)) : 0));
  return html`<div class="card"><table class="board many drawn"><thead><tr><th scope="col">Rank</th>${before ? html`<th scope="col"><span class="hidden">Since the night before</span></th>` : ''}<th scope="col">Identity</th><th scope="col">Points, night by night</th>${columns.map(
    ({ name, bar }) => html`<th scope="col" class="number${bar ? ' barred' : ''}">${name}</th>`,
  )}</tr></thead><tbody>
${entries.map(
  (entry) =>
    html`<tr><td class="rank">${entry.rank}</td>${before ? html`<td class="moved">${moved(entry.rank, before[entry.accountId])}</td>` : ''}<td class="name">${swatch(colours.get(entry.accountId))}${identityLink(entry)}</td><td class="sparks">${sparks(nights[entry.accountId] ?? [], day - length + 1, length, most)}</td>${columns.map(
      ({ name, of, bar }, i) =>
        html`<td class="number${bar ? ' barred' : ''}" data-label="${name}">${bar ? barOf(bar(entry), bars[i] ?? 0) : ''}${of(entry)}</td>`,
    )}</tr>\n`,
)}
</tbody></table></div>`;
}

/** How a rank has changed since the night before. */
function moved(rank: number, before: number | undefined): Markup {
  if (before === undefined) return html`<span class="tag VACANT">new</span>`;
  const by = before - rank;
  if (by === 0) return html`<span class="soft" aria-hidden="true">·</span><span class="hidden">as before</span>`;
  return by > 0
    ? html`<span class="up"><span aria-hidden="true">▲\u2009</span><span class="hidden">up </span>${by}</span>`
    : html`<span class="down"><span aria-hidden="true">▼\u2009</span><span class="hidden">down </span>${-by}</span>`;
}

const sparkHeight = 22;

/** Points night by night, as a row of bars, the last night at the right. */
function sparks(nights: readonly (readonly [number, number])[], from: number, length: number, most: number): Markup {
  const d = nights.map(([day, points]) => {
    const height = Number(((points / most) * sparkHeight).toFixed(1));
    return `M${(day - from) * 4} ${sparkHeight}v${-height}h3v${height}z`;
  });
  return html`<svg class="spark" viewBox="0 0 ${length * 4} ${sparkHeight}" width="${length * 4}" height="${sparkHeight}" aria-hidden="true"><path d="${d.join('')}"/></svg><span class="hidden">on ${plural(nights.length, 'night')}</span>`;
}

const barOf = (value: number, most: number): Markup =>
  html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${most > 0 ? Number(((value / most) * 100).toFixed(1)) : 0}" height="1"/></svg>`;

const boardStyle = `
.drawn td { vertical-align: middle; }
.board.drawn td.moved { font-size: .85rem; white-space: nowrap; width: 3.2rem; }
.drawn .up { color: var(--peace); } .drawn .down { color: var(--war); }
.drawn td.name { width: 24%; }
.drawn .spark { display: block; }
.spark path { fill: var(--peak); }
.spark { border-bottom: 1px solid var(--line); }
.drawn td.barred { width: 36%; padding-left: 1.5rem; }
.bar { float: left; width: calc(100% - 5.5rem); height: .7rem; margin-top: .4rem; background: color-mix(in oklab, var(--line) 45%, transparent); border-radius: .15rem; }
.bar rect { fill: var(--peak); }
/* Between a phone and a wide screen names need the room that bars take. */
@media (min-width: 40.01rem) and (max-width: 60rem) {
  .drawn .bar { display: none; }
  .drawn td.name { width: 45%; }
  .drawn td.barred { width: auto; }
}
@media (max-width: 40rem) {
  .board.drawn td.moved { position: absolute; right: 0; width: auto; }
  .board.drawn td.name { width: auto; padding-right: 3rem; }
  .drawn td.sparks { padding: .2rem 0; }
  .board.drawn td.barred { width: auto; padding-left: 0; }
  .board.drawn .bar { display: none; }
}
`;
