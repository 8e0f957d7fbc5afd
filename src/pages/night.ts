// pages/night.ts · one night, place by place: what happened, and why. Rules 4.4.
import { html } from 'hono/html';
import type { Markup, Page } from '../html/layout.ts';
import { clockTime, date, dollars, plural } from '../html/words.ts';
import type { Announcement, Day } from '../records/index.ts';
import { identityLink } from './identity-link.ts';
import { namesOf, tellPlace } from './night-told.ts';

interface Decision {
  readonly slot: number | null;
  readonly seq: number | null;
  readonly accountId: string;
  readonly name: string;
  readonly fate: 'kept' | 'seated' | 'evicted' | 'burned' | 'queued' | 'left' | 'served' | 'skipped' | 'waits';
  /** In the engine's words, naming the rival. */
  readonly why: string;
}

export interface NightTold {
  readonly night: Day;
  /** Null for a night with too many moves to list. */
  readonly told: readonly Decision[] | null;
  readonly seats: readonly { slot: number; accountId: string; via: string; daysHeld: number; points: number }[];
  readonly money: { readonly rent_cents: number; readonly stakes_cents: number; readonly accounts: number };
  readonly last_night: number;
}

/** A place with more moves than this is folded. */
const movesFolded = 12;
const movesShown = 8;
const queueShown = 20;
const announcementsShown = 40;

export function nightPage({ night, told, seats, money, last_night }: NightTold): Page {
  const { day, headline } = night;
  return {
    title: `Day ${day}: ${headline}`,
    description: `${headline}. ${moved(night, money)} Each place with its moves and what decided, the queue and the verdicts.`,
    address: `/day/${day}`,
    shared: { title: `The night of day ${day}`, alt: `The ten places after the night of day ${day}. ${headline}.` },
    alternates: [
      { type: 'application/json', href: `/api/day/${day}`, title: `Day ${day} as data` },
      { type: 'application/x-ndjson', href: `/api/day/${day}?format=ndjson`, title: `The moves of day ${day}, a line each` },
      { type: 'text/csv', href: `/api/day/${day}?format=csv`, title: `The moves of day ${day} as a table` },
    ],
    ...(day === last_night ? { at: '/day' } : {}),
    body: html`<hgroup><p class="soft">The night of day ${day}</p><h1>${headline}</h1></hgroup>
<nav class="pages" aria-label="Nights">${day > 1 ? html`<a rel="prev" href="/day/${day - 1}"><span aria-hidden="true">← </span>Day ${day - 1}</a> ` : ''}${
      day < last_night ? html`<a rel="next" href="/day/${day + 1}">Day ${day + 1}<span aria-hidden="true"> →</span></a> ` : ''
    }${day < last_night - 1 ? html`<a href="/day">The last night</a>` : ''}</nav>
<p>Resolved on ${date(night.resolvedAt)} at ${clockTime(night.resolvedAt)}, from the moves alone. ${moved(night, money)}</p>
<dl class="figures">
<div><dt>Rent paid</dt><dd>${dollars(money.rent_cents)}</dd></div>
<div><dt>Stakes of lone warriors</dt><dd>${dollars(money.stakes_cents)}</dd></div>
<div><dt>Burned</dt><dd>${dollars(night.burnedCents)}</dd></div>
<div><dt>In the queue</dt><dd>${night.queue_total.toLocaleString('en-US')}</dd></div>
</dl>
<section><h2>Place by place</h2>
<nav class="strip" aria-label="Places">${night.results.map(
      ({ slot, outcome }) => html`<a href="#place-${slot}">${slot} <span class="tag ${outcome}">${outcome}</span></a> `,
    )}</nav>
<ol class="night">
${night.results.map((result) => place(result, night, told, seats))}
</ol>
${told === null ? html`<p class="soft">So many moved that each move is in <a href="/api/day/${day}">the data</a> rather than here.</p>` : ''}
</section>
<div class="columns">
${queue(night, told)}
${announced(night)}
</div>
<section><h2>Check it yourself</h2>
<p>The night follows from its moves by <a href="/source/night/resolve_places.sql">one function</a>, and anyone can call it:
<a href="/api/day/${day}/night.json">the night file</a> is the input of <code>npm run -s resolve</code>; its output is what this page shows.
All of it as <a href="/api/day/${day}">JSON</a>, <a href="/api/day/${day}?format=ndjson">NDJSON</a> or <a href="/api/day/${day}?format=csv">CSV</a>.</p></section>`,
  };
}

const moved = ({ moves_total }: Day, { accounts }: NightTold['money']): string =>
  moves_total === 0 ? 'Nobody moved.' : `${plural(accounts, 'account')} had ${plural(moves_total, 'live move')}.`;

function place(result: Day['results'][number], night: Day, told: NightTold['told'], seats: NightTold['seats']): Markup {
  const { slot, outcome } = result;
  const decisions = (told ?? []).filter((decision) => decision.slot === slot && decision.fate !== 'served' && decision.fate !== 'skipped');
  const left = decisions.filter(({ fate }) => fate === 'left');
  const here = seats.filter((seat) => seat.slot === slot);
  const sits = ({ occupant }: Day['moves'][number]) => here.some(({ accountId }) => accountId === occupant.accountId);
  const moves = night.moves.filter((move) => move.slot === slot).sort((a, b) => Number(sits(b)) - Number(sits(a))); // seated moves first
  const rows = told === null ? [] : moves.map((move) => row(move, decisions, here));
  const open = rows.length > movesFolded ? movesShown : rows.length;
  return html`<li id="place-${slot}" class="card${outcome === 'VACANT' ? ' quiet' : ''}"><h3>Place ${slot} <span class="tag ${outcome}">${outcome}</span></h3>
<p>${tellPlace(result)}${left.length > 0 ? html` ${namesOf(left)} held it and played nothing there: ${left.length === 1 ? 'it has' : 'they have'} left.` : ''}</p>
${rows.length > 0 ? table(rows.slice(0, open)) : ''}${
  open < rows.length
    ? html`<details><summary>and ${plural(rows.length - open, 'more move')} on place ${slot}</summary>${table(rows.slice(open))}</details>`
    : ''
}</li>\n`;
}

const table = (
  rows: readonly Markup[],
): Markup => html`<div class="wide"><table><thead><tr><th scope="col">Who</th><th scope="col">Played</th><th scope="col">At</th><th scope="col">What became of it, and why</th></tr></thead><tbody>
${rows}
</tbody></table></div>`;

function row(move: Day['moves'][number], decisions: readonly Decision[], here: NightTold['seats']): Markup {
  const decision = decisions.find(({ seq, accountId }) => seq === move.seq && accountId === move.occupant.accountId);
  const seat = here.find(({ accountId }) => accountId === move.occupant.accountId);
  return html`<tr><td>${identityLink(move.occupant)}</td>
<td data-label="Played"><span class="tag ${move.move}">${move.move}</span> ${dollars(move.cost_cents)}</td>
<td data-label="At"><span class="when">${move.at.slice(11, 19)}</span></td>
<td data-label="Why">${decision ? became(decision) : ''}${seat && decision && /kept|seated/.test(decision.fate) ? html` <span class="soft">${plural(seat.points, 'point')}</span>` : ''}${
    move.message ? html`<br>“<bdi>${move.message}</bdi>”` : ''
  }</td></tr>\n`;
}

const fates: Readonly<Partial<Record<Decision['fate'], string>>> = {
  kept: 'Keeps its seat',
  seated: 'Takes a seat',
  burned: 'Burned',
  queued: 'Joins the queue',
};

const became = ({ fate, why }: Decision): Markup =>
  html`<bdi>${fates[fate] ? `${fates[fate]}: ${why}` : why.charAt(0).toUpperCase() + why.slice(1)}</bdi>.`;

function queue({ queue: entries, queue_total, results }: Day, told: NightTold['told']): Markup {
  if (queue_total === 0)
    return html`<section><h2>The queue</h2><p class="card soft">Nobody was in it${results.some(({ peaceCount }) => peaceCount > 0) ? ': every PEACE found a seat' : ''}.</p></section>`;
  const ends = new Map((told ?? []).filter(({ fate }) => fate === 'served' || fate === 'waits').map((d) => [`${d.accountId}.${d.seq}`, d]));
  const shown = entries.slice(0, queueShown).map((entry) => ({ ...entry, decision: ends.get(`${entry.occupant.accountId}.${entry.seq}`) }));
  const waiting = shown.filter(({ servedSlot }) => servedSlot === null);
  // on most nights it is the same for all of them, and is said once
  const [why, ...others] = new Set(waiting.map(({ decision }) => decision?.why));
  const once = why !== undefined && others.length === 0 && waiting.length > 1 ? waiting[0]?.decision : undefined;
  return html`<section><h2>The queue</h2><div class="card">
${once ? html`<p>${waiting.length === shown.length ? 'Nobody here was served' : 'The others were not served'}: <bdi>${once.why}</bdi>.</p>` : ''}
<ol class="told">
${shown.map(({ place, occupant, fromSlot, servedSlot, decision }) => {
  return html`<li value="${place}"><strong>${place}.</strong> ${identityLink(occupant)} <span class="soft">from place ${fromSlot}</span>${
    servedSlot === null ? (once ? '' : ': not served.') : html`: seated on place ${servedSlot}.`
  }${decision && !(once && servedSlot === null) ? html` <span class="soft">${became(decision)}</span>` : ''}</li>\n`;
})}
</ol>${queue_total > queueShown ? html`<p class="soft after">and ${(queue_total - queueShown).toLocaleString('en-US')} more</p>` : ''}</div></section>`;
}

function announced({ announcements, announcements_total }: Day): Markup {
  return html`<section><h2>Announced, and judged</h2><div class="card">${
    announcements_total === 0
      ? html`<p class="soft">Nobody had announced anything.</p>`
      : html`<ul class="told">
${announcements.slice(0, announcementsShown).map(line)}
</ul>${announcements_total > announcementsShown ? html`<p class="soft after">and ${(announcements_total - announcementsShown).toLocaleString('en-US')} more</p>` : ''}`
  }</div></section>`;
}

const line = ({ occupant, slot, intention, message, verdict }: Announcement): Markup =>
  html`<li>${identityLink(occupant)} announced <span class="tag ${intention}">${intention}</span> on place ${slot}${
    message ? html`: “<bdi>${message}</bdi>”` : ''
  } <span class="tag ${verdict ?? ''}">${verdict ?? ''}</span></li>\n`;
