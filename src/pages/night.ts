// One night, place by place: what happened, and why. Rules 4.4.
import { html } from 'hono/html';
import type { Clock } from '../db/call.ts';
import { dateOf } from '../html/days.ts';
import type { Markup, Page } from '../html/layout.ts';
import { storyList } from '../html/stories.ts';
import { clockTime, date, datetime, dollars, plural } from '../html/words.ts';
import type { Announcement, Day } from '../records/index.ts';
import { announcedLine, gathered } from './announced.ts';
import { identityLink } from './identity-link.ts';
import { namesOf, outcomeText } from './outcomes.ts';

export interface NightRecord {
  readonly night: Day;
  readonly money: { readonly rent_cents: number; readonly stakes_cents: number; readonly accounts: number };
  readonly last_night: number;
}

type Decision = Day['moves'][number]['decision'];

const queueShown = 100;
const announcementsShown = 100;
const betrayalsShown = 4;

export function nightPage({ night, money, last_night }: NightRecord, clock: Clock): Page {
  const { day, headline } = night;
  const on = dateOf(day, clock);
  // of a longer night the moves are on pages of their own
  const listed = night.moves_total <= night.moves.length;
  return {
    title: `Day ${day}, ${on}: ${headline}`,
    description: `The night of day ${day}, ${on}. ${moved(night, money)} Each place with its moves and what decided, the queue and the verdicts.`,
    address: `/day/${day}`,
    shared: { title: headline, alt: `The ten places after the night of day ${day}. ${headline}.` },
    alternates: [
      { type: 'application/json', href: `/api/day/${day}`, title: `Day ${day} as data` },
      {
        type: 'application/x-ndjson',
        href: `/api/day/${day}/moves.ndjson`,
        title: `The moves of day ${day}, a line each`,
      },
      { type: 'text/csv', href: `/api/day/${day}/moves.csv`, title: `The moves of day ${day} as a table` },
    ],
    ...(day === last_night ? { at: '/day' } : {}),
    body: html`<hgroup><p class="soft">The night of day ${day}, ${on}</p><h1>${headline}</h1></hgroup>
${storyList(night.stories)}
<nav class="pages" aria-label="Nights">${day > 1 ? html`<a rel="prev" href="/day/${day - 1}"><span aria-hidden="true">← </span>Day ${day - 1}</a> ` : ''}${
      day < last_night
        ? html`<a rel="next" href="/day/${day + 1}">Day ${day + 1}<span aria-hidden="true"> →</span></a> `
        : ''
    }${day < last_night - 1 ? html`<a href="/day">The last night</a> ` : ''}<a href="/boards/points?day=${day}">The boards after it</a> <a href="/nights/${on.slice(0, 7)}">All nights</a></nav>
<p>${moved(night, money)} Resolved on ${date(night.resolvedAt)} at ${clockTime(night.resolvedAt)}.</p>
${night.unsealed === null ? '' : html`<p class="card"><strong>UNSEALED.</strong> Nothing that was deposited was signed before this night was resolved, so nobody can check what was there. The reason: ${night.unsealed}</p>`}
<dl class="figures">
<div><dt>Paid for peace</dt><dd>${dollars(money.rent_cents)}</dd></div>
<div><dt>Paid for wars that won</dt><dd>${dollars(money.stakes_cents)}</dd></div>
<div><dt>Burned in wars that met</dt><dd>${dollars(night.burnedCents)}</dd></div>
<div><dt>Found no seat on their place</dt><dd>${night.queue_total.toLocaleString('en-US')}</dd></div>
</dl>
<section><h2>Place by place</h2>
<nav class="strip" aria-label="Places">${night.results.map(
      ({ slot, outcome }) => html`<a href="#place-${slot}">${slot} <span class="tag ${outcome}">${outcome}</span></a> `,
    )}</nav>
<ol class="night">
${night.results.map((result) => place(result, listed ? night.moves : []))}
</ol>
${!listed ? html`<p class="soft">So many moved that each move is <a href="/day/${day}/all">on pages of its own</a>.</p>` : ''}
</section>
<div class="columns">
${queue(night, listed)}
${announced(night)}
</div>
<section><h2 id="check">Check it yourself</h2>
<nav class="pages" aria-label="Check"><a href="/check?night=${day}">Check this night here, in your browser</a></nav>
<p>${sealed(night)}The night follows from its moves alone, by <a href="/source/night/resolve_places.sql">one function</a>, and anyone can call it:
<a href="/api/day/${day}/night.json">the night file</a> is the input of <code>npm run -s resolve</code>; its output is what this page shows, and the hashes of both are in <a href="/log">the public log</a>.${night.closed === null ? '' : html` What was deposited is in it before <a href="/log/closing/${day}">the checkpoint</a> with which the day was closed.`}
All of it as <a href="/api/day/${day}">JSON</a>, <a href="/api/day/${day}/moves.ndjson">NDJSON</a> or <a href="/api/day/${day}/moves.csv">CSV</a>.</p></section>`,
  };
}

/** What came before the night: when the day was closed, according to whom. */
function sealed({ day, closed }: Day): Markup | '' {
  if (closed === null) return '';
  const { at, witnesses } = closed;
  const [first] = witnesses;
  const when = first
    ? html`<time datetime="${datetime(first.seenAt)}">${first.seenAt.slice(11, 19)}</time> according to ${plural(witnesses.length, 'witness', 'witnesses')}`
    : html`<time datetime="${datetime(at)}">${at.slice(11, 19)}</time> by the hill's own word (no outside clock)`;
  return html`The day was <a href="/log/closing/${day}">closed</a> at ${when}, and resolved after that. `;
}

const moved = ({ moves_total }: Day, { accounts }: NightRecord['money']): string =>
  moves_total === 0 ? 'Nobody moved.' : `${plural(accounts, 'account')} made ${plural(moves_total, 'move')}.`;

/** In short what happened there; each move and its reason when asked for, so that a night can be read on a phone. */
function place(result: Day['results'][number], listed: Day['moves']): Markup {
  const { slot, outcome, occupants, left, unseated } = result;
  const sits = ({ occupant }: Day['moves'][number]) =>
    occupants.some(({ accountId }) => accountId === occupant.accountId);
  const moves = listed.filter((move) => move.slot === slot).sort((a, b) => Number(sits(b)) - Number(sits(a))); // seated moves first
  return html`<li id="place-${slot}" class="card${outcome === 'VACANT' ? ' quiet' : ''}"><h3>Place ${slot} <span class="tag ${outcome}">${outcome}</span>${
    occupants[0]
      ? html` <span class="earned">${plural(occupants[0].points, 'point')}${occupants.length > 1 ? ' each' : ''}</span>`
      : ''
  }</h3>
<p>${outcomeText(result, identityLink)}${left.length > 0 ? html` ${namesOf(left)} left without a move.` : ''}</p>
${
  moves.length > 0
    ? html`<details><summary>${moves.length === 1 ? 'The move' : `The ${moves.length} moves`}, and why</summary>${movesTable(
        moves.map((move) =>
          moveRow(
            move,
            unseated.some(({ accountId }) => accountId === move.occupant.accountId),
          ),
        ),
      )}</details>`
    : ''
}</li>\n`;
}

export const movesTable = (
  rows: readonly Markup[],
): Markup => html`<div class="wide"><table><thead><tr><th scope="col">Who</th><th scope="col">Played</th><th scope="col">At</th><th scope="col">What became of it, and why</th></tr></thead><tbody>
${rows}
</tbody></table></div>`;

export const moveRow = (
  { occupant, move, cost_cents, at, decision, message }: Day['moves'][number],
  sat: boolean,
): Markup =>
  html`<tr><td>${identityLink(occupant)}</td>
<td data-label="Played"><span class="tag ${move}">${move}</span> ${dollars(cost_cents)}</td>
<td data-label="At"><time class="when" datetime="${datetime(at)}">${at.slice(11, 16)}</time></td>
<td data-label="Why">${became(decision, sat)}${message ? html` “<bdi>${message}</bdi>”` : ''}</td></tr>\n`;

const fates: Readonly<Partial<Record<Decision['fate'], string>>> = {
  kept: 'Keeps its seat',
  seated: 'Takes a seat',
  burned: 'Burned',
  queued: 'Joins the queue',
};

/** By whom one lost a seat or was turned away is said above the moves, once. */
const became = ({ fate, why }: Decision, sat = false): Markup =>
  fate === 'evicted'
    ? html`${sat ? 'Lost the seat' : 'Turned away'}.`
    : html`<bdi>${fates[fate] ? `${fates[fate]}: ${why}` : why.charAt(0).toUpperCase() + why.slice(1)}</bdi>.`;

function queue({ day, queue: entries, queue_total, results }: Day, listed: boolean): Markup {
  if (queue_total === 0)
    return html`<section><h2>The queue</h2><p class="card soft">Nobody was in it${results.some(({ peaceCount }) => peaceCount > 0) ? ': every PEACE found a seat' : ''}.</p></section>`;
  const served = entries.filter(({ servedSlot }) => servedSlot !== null);
  const waiting = entries.filter(({ servedSlot }) => servedSlot === null);
  const unserved = queue_total - served.length;
  // on most nights it is the same for all of them, and is said once
  const [why, ...others] = new Set(listed ? waiting.map(({ decision }) => decision.why) : []);
  const once = why !== undefined && others.length === 0 && waiting.length > 1 ? why : undefined;
  const line = (entry: Day['queue'][number]) => queueLine(entry, listed && !(once && entry.servedSlot === null));
  return html`<section><h2>The queue</h2><div class="card">
${served.length > 0 ? html`<ol class="told">${served.map(line)}</ol>` : ''}
${
  unserved > 0
    ? html`${once ? html`<p>${served.length > 0 ? 'The others found no seat' : 'Nobody found a seat'}: <bdi>${once}</bdi>.</p>` : ''}
<details><summary>${unserved.toLocaleString('en-US')} ${unserved === 1 ? 'was' : 'were'} not served</summary><ol class="told">
${waiting.slice(0, queueShown).map(line)}
</ol>${unserved > queueShown ? html`<p class="after"><a href="/day/${day}/all#queue">And ${(unserved - queueShown).toLocaleString('en-US')} more</a></p>` : ''}</details>`
    : ''
}</div></section>`;
}

export const queueLine = (
  { place, occupant, fromSlot, servedSlot, decision }: Day['queue'][number],
  why: boolean,
): Markup =>
  html`<li value="${place}"><strong>${place}.</strong> ${identityLink(occupant)} <span class="soft">from place ${fromSlot}</span>${
    servedSlot === null ? '' : html`: seated on place ${servedSlot}.`
  }${why ? html` <span class="soft">${became(decision)}</span>` : ''}</li>\n`;

const verdicts = ['kept', 'betrayed', 'bluffed', 'ghosted'] as const;

/** What the bell found, and those who did otherwise than they said; those who kept their word when asked for. */
function announced({ day, announcements, announcements_total }: Day): Markup {
  const of = (verdict: Announcement['verdict']) => announcements.filter((one) => one.verdict === verdict).length;
  const all = gathered(announcements);
  const open = all.filter(({ verdict }) => verdict === 'betrayed').slice(0, betrayalsShown);
  const rest = all.filter((one) => !open.includes(one)).slice(0, announcementsShown);
  const listed = [...open, ...rest].reduce((sum, { slots }) => sum + slots.length, 0);
  const folded = announcements_total - open.reduce((sum, { slots }) => sum + slots.length, 0);
  return html`<section><h2>Announced, and judged</h2><div class="card">${
    announcements_total === 0
      ? html`<p class="soft">Nobody had announced anything.</p>`
      : html`${
          // of a longer list only the first are known here
          announcements_total === announcements.length
            ? html`<p>${verdicts.filter((verdict) => of(verdict) > 0).map((verdict) => html`<span class="verdict">${of(verdict)} <span class="tag ${verdict}">${verdict}</span></span> `)}</p>`
            : ''
        }${open.length > 0 ? html`<ul class="told">${open.map(announcedLine)}</ul>` : ''}${
          rest.length > 0
            ? html`<details><summary>${open.length > 0 ? `${folded.toLocaleString('en-US')} more` : plural(folded, 'announcement')}</summary><ul class="told">
${rest.map(announcedLine)}
</ul>${announcements_total > listed ? html`<p class="after"><a href="/day/${day}/all#announced">And ${(announcements_total - listed).toLocaleString('en-US')} more</a></p>` : ''}</details>`
            : ''
        }`
  }</div></section>`;
}
