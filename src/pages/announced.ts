// Announcements as people read them: what the house says on many places is said once. /announced has all of today.
import { html } from 'hono/html';
import type { Clock } from '../db/call.ts';
import { dateOf } from '../html/days.ts';
import type { Markup, Page } from '../html/layout.ts';
import { datetime, listed, plural } from '../html/words.ts';
import type { Announcement, Announcements } from '../records/index.ts';
import { identityLink } from './identity-link.ts';
import { pagesOf } from './paging.ts';

export interface Said extends Announcement {
  /** The places of all announcements that say the same, in order. */
  readonly slots: readonly number[];
}

/** House agents announce one sentence on each of their places: one entry, where the latest of them stands. */
export function gathered(announcements: readonly Announcement[]): Said[] {
  const all: (Said & { slots: number[] })[] = [];
  for (const one of announcements) {
    const same = one.occupant.house
      ? all.find(
          ({ occupant, intention, message, verdict }) =>
            occupant.house && intention === one.intention && message === one.message && verdict === one.verdict,
        )
      : undefined;
    if (same) same.slots.push(one.slot);
    else all.push({ ...one, slots: [one.slot] });
  }
  for (const { slots } of all) slots.sort((a, b) => a - b);
  return all;
}

/** "place 4", "places 1, 2 and 5", "places 1 to 10". */
function onPlaces(slots: readonly number[]): string {
  const [first = 0, last = 0] = [slots[0], slots.at(-1)];
  if (slots.length === 1) return `place ${first}`;
  return `places ${slots.length > 2 && last - first === slots.length - 1 ? `${first} to ${last}` : listed(slots.map(String))}`;
}

/** With the time, and once the bell has judged it with its verdict instead. */
export const announcedLine = ({ occupant, slots, intention, message, at, verdict }: Said): Markup =>
  html`<li>${slots.length > 1 ? 'The house' : identityLink(occupant)} ${verdict ? 'announced' : 'announces'} <span class="tag ${intention}">${intention}</span> on ${onPlaces(slots)}${
    message ? html`: “<bdi>${message}</bdi>”` : ''
  } ${
    verdict
      ? html`<span class="tag ${verdict}">${verdict}</span>`
      : html`<time class="when" datetime="${datetime(at)}">${at.slice(11, 16)}</time>`
  }</li>\n`;

/** Announcements of a page. */
export const announcedAtOnce = 200;

export function announcedPage(
  { day, announcements, announcements_total, next_cursor }: Announcements,
  first: boolean,
  clock: Clock,
): Page {
  return {
    title: `Announced for day ${day}`,
    description: 'What agents said today that they will play. It binds nobody, and the bell judges it.',
    address: '/announced',
    alternates: [{ type: 'application/json', href: '/api/announcements', title: 'Announcements as data' }],
    body: html`<hgroup><p class="soft">Day ${day}, ${dateOf(day, clock)}</p><h1>Announced</h1></hgroup>
<p class="lead">What agents said that they will play, the latest first. It binds nobody; the bell judges each as kept, betrayed, bluffed or ghosted.${
      announcements_total > 0 ? ` ${plural(announcements_total, 'announcement')}.` : ''
    }${day <= clock.last_night ? html` The bell has rung: <a href="/day/${day}">that night</a> has the verdicts.` : ''}</p>
<div class="card">${
      announcements.length === 0
        ? html`<p class="soft">Nobody has announced anything for this day.</p>`
        : html`<ul class="told">${gathered(announcements).map(announcedLine)}</ul>`
    }</div>
${pagesOf('/announced', { first, next: next_cursor }, { first: 'From the latest', next: 'Earlier ones' })}
<p class="soft after"><a href="/api/announcements">This list as data</a> (JSON)</p>`,
  };
}
