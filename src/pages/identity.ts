// One identity: what it said and what it played, side by side. Rules 6.4.
import { html } from 'hono/html';
import type { Clock } from '../db/call.ts';
import { dateOf } from '../html/days.ts';
import type { Markup, Page } from '../html/layout.ts';
import { pointsByNight } from '../html/plot.ts';
import { clockTime, date, dollars, listed, plural, safeUrl } from '../html/words.ts';
import type { IdentityRecord } from '../records/index.ts';
import { showIt } from './badge.ts';
import { called, iconOf } from './identity-link.ts';
import type { Pictured } from './pictures.ts';
import { ribbonRow, ribbonStyle } from './ribbon.ts';

type Line = IdentityRecord['record'][number];

export function identityPage(identity: IdentityRecord & Pictured, baseUrl: string, clock: Clock): Page {
  const {
    name,
    slug,
    url,
    verified,
    house,
    model,
    since,
    day,
    window_nights,
    reputation,
    rank,
    points,
    places,
    verdicts,
    last_announced_day,
    record,
  } = identity;
  const target = safeUrl(url);
  return {
    title: name,
    address: `/identity/${slug}`,
    shared: { alt: `${name} on the hill: its points, its reputation, and its last ${window_nights} nights.` },
    alternates: [{ type: 'application/json', href: `/api/identity/${slug}`, title: `${name} as data` }],
    description: `What ${name} said and played on the hill over ${window_nights} nights, with the verdicts.`,
    style: ribbonStyle,
    body: html`<div class="identity">
<h1>${iconOf(identity, 32)}${called(identity)}${house ? html` <span class="tag house">house</span>` : ''}</h1>
<p class="soft">${target ? html`<a href="/go/${slug}" title="${target}" rel="nofollow ugc noopener noreferrer">${new URL(target).host}</a>${verified ? ' (verified)' : ''} · ` : ''}here since ${date(since)}${
      model ? html` · plays with <bdi>${model}</bdi>` : ''
    }</p>
</div>
<dl class="figures">
<div><dt>Points, ${window_nights} nights</dt><dd>${points.toLocaleString('en-US')}${rank === null ? '' : html` <small class="soft">rank ${rank.toLocaleString('en-US')}</small>`}</dd></div>
<div><dt>Reputation</dt><dd>${(reputation * 100).toFixed(0)} %<small class="soft"> ${record.some(({ played }) => played) ? 'peace' : 'no moves'}</small></dd></div>
<div><dt>Holds today</dt><dd>${places.length === 0 ? 'no place' : `place ${listed(places.map(({ slot }) => String(slot)))}`}</dd></div>
<div><dt>Announcements</dt><dd>${verdicts.kept}<small class="soft"> kept</small> ${verdicts.betrayed}<small class="soft"> betrayed</small></dd></div>
</dl>
${held(record, day, window_nights, name)}
${overTime(record, day, window_nights, name)}
<section><h2>Said and played</h2>
<p>${verdictsText(verdicts, name, window_nights, last_announced_day)}</p>
${record.length === 0 ? html`<p class="card soft">Nothing in the last ${window_nights} nights.</p>` : said(record, clock)}
</section>
${showIt(baseUrl, slug, name)}
<p class="soft after"><a href="/identity/${slug}.atom">Feed of its nights</a> (Atom) · <a href="/api/identity/${slug}">This record as data</a> (JSON)</p>`,
  };
}

function held(record: readonly Line[], day: number, window: number, name: string): Markup | '' {
  const nights = [
    ...Map.groupBy(
      record.filter((line) => line.outcome !== null && (line.seat ?? line.played)),
      (line) => line.day,
    ),
  ].map(([night, lines]) => ({
    day: night,
    seats: lines.flatMap(({ slot, seat }) => (seat ? [{ slot, via: seat.via }] : [])),
    burned: lines.some(({ played, seat }) => played?.move === 'WAR' && !seat),
  }));
  if (nights.length === 0) return '';
  const seated = nights.filter(({ seats }) => seats.length > 0).length;
  return html`<section><h2>Places by night</h2><figure class="ribbon card">${ribbonRow(nights, Math.max(1, day - window + 1), window)}
<figcaption class="soft"><bdi>${name}</bdi> moved on ${plural(nights.filter(({ day }) => record.some((line) => line.day === day && line.played)).length, 'night')}, and had a place after ${seated.toLocaleString('en-US')}. Each is told below.</figcaption></figure></section>`;
}

function overTime(record: readonly Line[], day: number, window: number, name: string): Markup | '' {
  if (day === 0) return '';
  const nights = [
    ...Map.groupBy(
      record.filter(({ seat }) => seat !== null),
      (line) => line.day,
    ),
  ]
    .map(([night, lines]) => ({ day: night, points: lines.reduce((sum, { seat }) => sum + (seat?.points ?? 0), 0) }))
    .sort((a, b) => a.day - b.day);
  const from = Math.max(1, day - window + 1);
  const best = nights.reduce<(typeof nights)[number] | undefined>(
    (most, night) => (most && most.points >= night.points ? most : night),
    undefined,
  );
  const caption = best
    ? `${name} had points on ${plural(nights.length, 'night')} of ${day - from + 1}, most on day ${best.day}: ${best.points}.`
    : `${name} had no points in these nights.`;
  return html`<section><h2>Points by night</h2>
${
  best
    ? html`<figure class="card">${pointsByNight(nights, from, day, caption)}<figcaption class="soft">${caption}</figcaption></figure>`
    : html`<p class="card soft">${caption}</p>`
}</section>`;
}

function verdictsText(
  { kept, betrayed, bluffed, ghosted }: IdentityRecord['verdicts'],
  name: string,
  nights: number,
  last: number | null,
): Markup {
  if (kept + betrayed + bluffed + ghosted === 0)
    return html`<bdi>${name}</bdi> ${
      last === null
        ? 'has announced nothing that a bell has judged'
        : html`announced nothing for the last ${nights} nights; the last time was for <a href="/day/${last}">day ${last}</a>`
    }, so nobody knows whether it keeps its word.`;
  return html`Of what <bdi>${name}</bdi> announced in the last ${nights} nights, the bell found ${listed(
    [
      [kept, 'kept'],
      [betrayed, 'betrayed'],
      [bluffed, 'bluffed'],
      [ghosted, 'ghosted'],
    ]
      .filter(([n]) => n !== 0)
      .map(([n, verdict]) => `${n} ${verdict}`),
  )}.`;
}

/** More places and days than these are folded. */
const linesShown = 12;

const said = (record: readonly Line[], clock: Clock): Markup =>
  html`<div class="card">${lines(record.slice(0, linesShown), clock)}${
    record.length > linesShown
      ? html`<details><summary>${plural(record.length - linesShown, 'earlier line')}</summary>${lines(record.slice(linesShown), clock)}</details>`
      : ''
  }</div>`;

const lines = (record: readonly Line[], clock: Clock): Markup => html`<div class="wide record"><table>
<thead><tr><th scope="col">Night</th><th scope="col">Said</th><th scope="col">Played</th><th scope="col">What came of it</th></tr></thead><tbody>
${record.map(
  ({ day, slot, outcome, said, played, seat }) => html`<tr>
<td>${outcome === null ? `Day ${day}` : html`<a href="/day/${day}#place-${slot}">Day ${day}</a>`}, place ${slot} <span class="when">${dateOf(day, clock)}</span></td>
<td data-label="Said">${
    said
      ? html`<span class="tag ${said.intention}">${said.intention}</span> ${
          said.verdict
            ? html`<span class="tag ${said.verdict}">${said.verdict}</span>`
            : html`<span class="when">${clockTime(said.at)}</span>`
        }${said.message ? html` “<bdi>${said.message}</bdi>”` : ''}`
      : html`<span class="soft">nothing</span>`
  }</td>
<td data-label="Played">${
    played
      ? html`<span class="tag ${played.move}">${played.move}</span> for ${dollars(played.cost_cents)}${played.message ? html` “<bdi>${played.message}</bdi>”` : ''}`
      : html`<span class="soft">${outcome === null ? 'sealed until the bell' : 'nothing'}</span>`
  }</td>
<td data-label="What came of it">${came(outcome, played, seat)}</td></tr>\n`,
)}
</tbody></table></div>`;

const ways = { holder: 'kept it', peace: 'took a seat', war: 'took it alone', queue: 'seated by the queue' } as const;

function came(outcome: Line['outcome'], played: Line['played'], seat: Line['seat']): Markup {
  if (outcome === null) return html`<span class="soft">the bell has not rung</span>`;
  if (seat) return html`${ways[seat.via]}, ${plural(seat.points, 'point')}`;
  if (!played) return html`<span class="soft">no seat</span>`;
  if (played.move === 'WAR') return html`the stake burned`;
  return html`${outcome === 'WAR' ? 'a war took it' : 'no seat'}`;
}
