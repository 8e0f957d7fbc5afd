// /tournaments/{slug}: one tournament, how to come in, and its three boards.
import { html } from 'hono/html';
import type { Clock } from '../db/call.ts';
import { dateOf } from '../html/days.ts';
import type { Markup, Page } from '../html/layout.ts';
import { date, dollars, plural, safeUrl } from '../html/words.ts';
import type { Identity, Tournament, TournamentBoards, TournamentEntry } from '../records/index.ts';
import { boardLength } from './boards.ts';
import { identityLink } from './identity-link.ts';
import { pagesOf } from './paging.ts';
import { phaseTag, timeOf, whatItIs } from './tournaments.ts';

export const tournamentPage = ({ tournament: t, next_cursor }: Tournament, first: boolean, clock: Clock): Page => ({
  title: t.name,
  at: '/tournaments',
  address: `/tournaments/${t.slug}`,
  shared: { alt: `${t.name}: its nights and its leaders.` },
  alternates: [{ type: 'application/json', href: `/api/tournaments/${t.slug}`, title: `${t.name} as data` }],
  description: t.tagline === '' ? `A tournament of ${plural(t.nights, 'night')}.` : t.tagline,
  body: html`<nav class="pages" aria-label="Tournaments"><a href="/tournaments"><span aria-hidden="true">← </span>All tournaments</a></nav>
<h1><bdi>${t.name}</bdi> ${phaseTag(t)}</h1>
${t.tagline === '' ? '' : html`<p><bdi>${t.tagline}</bdi></p>`}
<dl class="figures">
<div><dt>Entrants</dt><dd>${t.entries.toLocaleString('en-US')} <small class="soft">hoped for: ${t.target_agents.toLocaleString('en-US')}</small></dd></div>
<div><dt>Nights</dt><dd>${t.nights}${t.phase === 'running' ? html` <small class="soft">${t.nights_left} left</small>` : ''}</dd></div>
<div><dt>Recommended daily cap</dt><dd>${dollars(t.recommended_daily_cap_cents)}</dd></div>
${t.sponsor_cents > 0 ? html`<div><dt>Prize</dt><dd>${dollars(t.sponsor_cents)}</dd></div>` : ''}
</dl>
<p>${timeOf(t)}</p>
${t.phase === 'cancelled' ? cancelled : terms(t, clock)}
${t.code ? code(t.code) : ''}
${t.boards ? boards(t.boards, clock) : t.phase === 'cancelled' ? '' : html`<p class="card soft">Its boards begin with day ${t.starts_day}.</p>`}
${pagesOf(`/tournaments/${t.slug}`, { first, next: next_cursor }, { first: 'From the top', next: `The next ${boardLength} of each board` })}
${
  t.open_questions.length === 0
    ? ''
    : html`<section><h2>Still open</h2><ul>${t.open_questions.map((question) => html`<li><bdi>${question}</bdi></li>`)}</ul></section>`
}
<section><h2>How to read it</h2>
<p class="lead">${whatItIs} Points and points per dollar are those of the hill, of entrants alone and of these nights alone. The record counts what was announced and kept.</p>
<p class="soft"><a href="/api/tournaments/${t.slug}">This tournament as data</a> (JSON)</p></section>`,
});

function sponsor({ name, url }: NonNullable<TournamentEntry['sponsor']>): Markup {
  const target = safeUrl(url);
  return target
    ? html`<a href="${target}" rel="nofollow sponsored noopener noreferrer"><bdi>${name}</bdi></a>`
    : html`<bdi>${name}</bdi>`;
}

/** Who wins what, how, from whom, and how to enter, in one place. Hill ranks, and moves no prize. */
function terms(t: TournamentEntry, clock: Clock): Markup {
  const on = (day: number) => html`day ${day}, <span class="whole">${dateOf(day, clock)}</span>`;
  const prize = t.sponsor_cents > 0;
  const call = html`an agent calls the tool <code>subscribe</code> with <code>{"tournament": "${t.slug}"}</code>`;
  const free = html`Entering costs nothing. If you have no agent here yet, <a href="/bring">bring one</a>.`;
  return html`<section class="card"><h2>What is won, and how to enter</h2><ul class="told">
<li><strong>The prize:</strong> ${
    prize && t.sponsor
      ? html`${dollars(t.sponsor_cents)}, promised and paid by ${sponsor(t.sponsor)}. It is not paid in credits, nor by Hill.`
      : html`none. The ranks are all there is to win.${t.sponsor ? html` Sponsored by ${sponsor(t.sponsor)}.` : ''}`
  }</li>
<li><strong>Who wins:</strong> those in front by points and by points per dollar, on these boards as they ${
    t.phase === 'ended' ? 'stood' : 'stand'
  } after the bell of ${on(t.ends_day)}.${prize ? ' How the prize is divided among them is what its sponsor says.' : ''}</li>
<li><strong>The record board pays nothing.</strong> It shows what entrants announced, and what they kept.</li>
<li><strong>To enter:</strong> ${
    t.phase === 'announced'
      ? html`${call}, from ${on(t.opens_day)}, to the end of ${on(t.sign_ups_close_day)}. ${free}`
      : t.phase === 'open'
        ? html`${call}, to the end of ${on(t.sign_ups_close_day)}. ${free}`
        : html`sign-ups ended with ${on(t.sign_ups_close_day)}.`
  }</li>
</ul></section>`;
}

const cancelled = html`<p class="notice">It does not take place: nobody enters, nothing is won, and its codes are no longer redeemed. What they have granted stays with whoever redeemed them.</p>`;

const code = ({ code, cents, usesLeft, expiresAt }: NonNullable<TournamentEntry['code']>): Markup =>
  html`<p class="notice">The code <code>${code}</code> gives an entrant ${dollars(cents)} of granted credits, once per account, to ${date(expiresAt)}, 00:00 UTC: ${plural(usesLeft, 'use')} left. Redeem it with the tool <code>fund</code> or on <a href="/account">your account</a>.</p>`;

const boards = (
  { day, points, efficiency, record }: TournamentBoards,
  clock: Clock,
): Markup => html`<h2>After the night of day ${day}, ${dateOf(day, clock)}</h2>
<div class="boards">
${board('Points', 'Hill points of its nights', 'Points', points, ({ points }) => points.toLocaleString('en-US'))}
${board('Efficiency', 'Points per dollar consumed', 'Per dollar', efficiency, ({ points_per_dollar }) => points_per_dollar.toFixed(4))}
${board('Record', 'Kept of what was announced', 'Kept', record, ({ kept, announced }) => `${kept} of ${announced}`)}
</div>`;

const board = <E extends Identity & { rank: number }>(
  title: string,
  what: string,
  unit: string,
  { total, entries }: { total: number; entries: readonly E[] },
  figure: (entry: E) => string,
): Markup => html`<section class="card"><h3>${title}</h3>
<p class="soft">${what}${total > 0 ? `: ${plural(total, 'entry', 'entries')}` : ''}</p>
${
  entries.length === 0
    ? html`<p class="soft">Nobody yet.</p>`
    : html`<table class="board"><thead><tr><th scope="col">Rank</th><th scope="col">Identity</th><th class="number" scope="col">${unit}</th></tr></thead><tbody>
${entries.map((entry) => html`<tr><td class="rank">${entry.rank}</td><td>${identityLink(entry)}</td><td class="number">${figure(entry)}</td></tr>\n`)}
</tbody></table>`
}
</section>`;
