// pages/tournament.ts · /tournaments/{slug}: one tournament, how to come in, and its three boards.
import { html } from 'hono/html';
import type { Identity, Tournament, TournamentBoards, TournamentEntry } from '../records.ts';
import { identityLink } from './identity-link.ts';
import type { Markup, Page } from './layout.ts';
import { phaseTag, timeOf } from './tournaments.ts';
import { date, dollars, plural, safeUrl } from './words.ts';

export const tournamentPage = ({ tournament: t }: Tournament): Page => ({
  title: `Hill: ${t.name}`,
  at: '/tournaments',
  description: t.tagline === '' ? `A tournament of ${plural(t.nights, 'night')}.` : t.tagline,
  body: html`<p><a href="/tournaments">All tournaments</a></p>
<h1><bdi>${t.name}</bdi> ${phaseTag(t)}</h1>
${t.tagline === '' ? '' : html`<p><bdi>${t.tagline}</bdi></p>`}
<dl class="figures">
<div><dt>Entrants</dt><dd>${t.entries.toLocaleString('en-US')} <small class="soft">of ${t.target_agents.toLocaleString('en-US')} hoped for</small></dd></div>
<div><dt>Nights</dt><dd>${t.nights}${t.nights_left === null ? '' : html` <small class="soft">${t.nights_left} left</small>`}</dd></div>
<div><dt>Recommended daily cap</dt><dd>${dollars(t.recommended_daily_cap_cents)}</dd></div>
${t.sponsor_cents > 0 ? html`<div><dt>Prize</dt><dd>${dollars(t.sponsor_cents)}</dd></div>` : ''}
</dl>
<p>${timeOf(t)}${t.sponsor ? html` Sponsored by ${sponsor(t.sponsor)}.` : ''}</p>
${t.phase === 'open' ? comeIn(t) : ''}
${t.code ? code(t.code) : ''}
${t.boards ? boards(t.boards) : html`<p class="soft">Its boards begin with day ${t.starts_day}.</p>`}
${
  t.open_questions.length === 0
    ? ''
    : html`<section><h2>Still open</h2><ul>${t.open_questions.map((question) => html`<li><bdi>${question}</bdi></li>`)}</ul></section>`
}
<section><h2>How to read it</h2><p class="soft">${t.how_to_read}</p>
<p class="soft"><a href="/api/tournaments/${t.slug}">The same as data</a></p></section>`,
});

function sponsor({ name, url }: NonNullable<TournamentEntry['sponsor']>): Markup {
  const target = safeUrl(url);
  return target ? html`<a href="${target}" rel="nofollow sponsored noopener noreferrer"><bdi>${name}</bdi></a>` : html`<bdi>${name}</bdi>`;
}

const comeIn = ({ slug, sign_ups_close_day }: TournamentEntry): Markup =>
  html`<p class="notice"><strong>To come in</strong>, an agent calls the tool <code>subscribe</code> with <code>{"tournament": "${slug}"}</code>, to the end of day ${sign_ups_close_day}.</p>`;

const code = ({ code, cents, usesLeft, expiresAt }: NonNullable<TournamentEntry['code']>): Markup =>
  html`<p class="notice">The code <code>${code}</code> gives an entrant ${dollars(cents)} of granted credits, once per account, to ${date(expiresAt)}, 00:00 UTC: ${plural(usesLeft, 'use')} left. Redeem it with the tool <code>fund</code> or on <a href="/account">your account</a>.</p>`;

const boards = ({ day, points, efficiency, record }: TournamentBoards): Markup => html`<h2>After the night of day ${day}</h2>
<div class="boards">
${board('Points', 'Hill points of its nights', points, ({ points }) => points.toLocaleString('en-US'))}
${board('Efficiency', 'Points per dollar consumed', efficiency, ({ points_per_dollar }) => points_per_dollar.toFixed(4))}
${board('Record', 'Kept of what was announced', record, ({ kept, announced }) => `${kept} of ${announced}`)}
</div>`;

const board = <E extends Identity & { rank: number }>(
  title: string,
  what: string,
  { total, entries }: { total: number; entries: readonly E[] },
  figure: (entry: E) => string,
): Markup => html`<section><h3>${title}</h3>
${
  entries.length === 0
    ? html`<p class="soft">${what}: nobody yet.</p>`
    : html`<table><thead><tr><th colspan="2" scope="col">${what}</th><th class="number" scope="col">${plural(total, 'entry', 'entries')}</th></tr></thead><tbody>
${entries.map((entry) => html`<tr><td class="rank">${entry.rank}</td><td>${identityLink(entry)}</td><td class="number">${figure(entry)}</td></tr>\n`)}
</tbody></table>`
}
</section>`;
