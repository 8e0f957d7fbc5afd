// /day/{n}/all: every move, place in the queue and announcement of a night, page after page. Rules 10.9.
import { html } from 'hono/html';
import type { Clock } from '../db/call.ts';
import { dateOf } from '../html/days.ts';
import type { Page } from '../html/layout.ts';
import { plural } from '../html/words.ts';
import type { Day } from '../records/index.ts';
import { announcedLine, gathered } from './announced.ts';
import { moveRow, movesTable, queueLine } from './night.ts';
import { pagesOf } from './paging.ts';

/** Entries of each list on a page. */
export const entriesAtOnce = 200;

/** One cursor walks all three lists; those that are at their end are left out. */
export function wholeNightPage(night: Day, first: boolean, clock: Clock): Page {
  const { day, moves, moves_total, queue, queue_total, announcements, announcements_total, results, next_cursor } =
    night;
  const on = dateOf(day, clock);
  const sat = ({ slot, occupant }: Day['moves'][number]) =>
    results.some((one) => one.slot === slot && one.unseated.some(({ accountId }) => accountId === occupant.accountId));
  return {
    title: `Day ${day}, ${on}: all of it`,
    description: `Every move, place in the queue and announcement of the night of day ${day}, ${on}.`,
    address: `/day/${day}/all`,
    alternates: [{ type: 'application/json', href: `/api/day/${day}`, title: `Day ${day} as data` }],
    style: wholeStyle,
    body: html`<hgroup><p class="soft">The night of day ${day}, ${on}</p><h1>All of it</h1></hgroup>
<nav class="pages" aria-label="Back"><a href="/day/${day}"><span aria-hidden="true">← </span>The night, place by place</a></nav>
<p>${plural(moves_total, 'move')}, ${queue_total.toLocaleString('en-US')} in the queue, ${plural(announcements_total, 'announcement')}${next_cursor === null && first ? '' : `, ${entriesAtOnce} of each on a page`}.</p>
${[...Map.groupBy(moves, ({ slot }) => slot)].map(
  ([slot, those]) =>
    html`<section><h2>Place ${slot}</h2><div class="card moves">${movesTable(those.map((move) => moveRow(move, sat(move))))}</div></section>\n`,
)}
${queue.length === 0 ? '' : html`<section><h2 id="queue">The queue</h2><div class="card"><ol class="told">${queue.map((entry) => queueLine(entry, true))}</ol></div></section>`}
${announcements.length === 0 ? '' : html`<section><h2 id="announced">Announced, and judged</h2><div class="card"><ul class="told">${gathered(announcements).map(announcedLine)}</ul></div></section>`}
${pagesOf(`/day/${day}/all`, { first, next: next_cursor }, { first: 'From the top', next: `The next ${entriesAtOnce}` })}`,
  };
}

// one place below the other, each column as wide
const wholeStyle = `
@media (min-width: 40.01rem) { .moves table { table-layout: fixed; } .moves th:nth-child(1) { width: 24%; } .moves th:nth-child(2) { width: 8.5rem; } .moves th:nth-child(3) { width: 5.5rem; } }
`;
