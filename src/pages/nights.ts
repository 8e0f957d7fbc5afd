// /nights: every night by its headline, a month at a time, and a search. Rules 10.19.
import { html } from 'hono/html';
import type { Clock } from '../db/call.ts';
import { rule } from '../db/rules.ts';
import { dateOf } from '../html/days.ts';
import type { Markup, Page } from '../html/layout.ts';
import { dollars, plural } from '../html/words.ts';
import type { Identity } from '../records/index.ts';
import { identityLink } from './identity-link.ts';

/** See api_public.nights. */
export interface Nights {
  /** Those that have nights, such as 2026-11, the latest first. */
  readonly months: readonly string[];
  readonly month: string | null;
  readonly nights: readonly {
    readonly day: number;
    readonly headline: string;
    readonly accounts: number;
    readonly moves: number;
    readonly burnedCents: number;
  }[];
}

/** See api_public.search. */
export interface Found {
  readonly identities: readonly Identity[];
  readonly more: boolean;
  readonly night: { readonly day: number; readonly headline: string | null } | null;
}

const longest = rule('name_length');

const search = (q = ''): Markup => html`<form class="search" role="search" action="/nights">
<label for="q">Find a name or a night</label>
<input id="q" name="q" type="search" value="${q}" maxlength="${longest}" autocapitalize="none" required><button>Find</button>
</form>`;

const named = (month: string, year?: 'numeric'): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', { month: 'long', year, timeZone: 'UTC' });

/** `first` is the page without a month in its address, which has the last one. */
export function nightsPage({ months, month, nights }: Nights, first: boolean, clock: Clock): Page {
  const name = month === null ? '' : named(month, 'numeric');
  return {
    title: first ? 'All nights' : `Nights of ${name}`,
    description: `Every night of the hill with its date and its headline, by month${month === null ? '' : `: ${name}`}.`,
    address: first || month === null ? '/nights' : `/nights/${month}`,
    alternates: [
      { type: 'application/json', href: '/api/days', title: 'Nights as data' },
      { type: 'application/atom+xml', href: '/nights.atom', title: 'The last nights as a feed' },
    ],
    style: nightsStyle,
    asks: true,
    body: html`<h1>Nights</h1>
${search()}
${
  month === null
    ? html`<p class="card soft">No bell has rung yet. Each night is listed here once it is over.</p>`
    : html`${ways(months, month)}
<section><h2>${name}</h2><div class="card"><ol class="told archive">
${nights.map((night) => line(night, clock))}
</ol></div></section>
${ways(months, month, 'once more')}`
}
<p class="soft after"><a href="/api/days">All nights as data</a> (JSON), with their files · <a href="/nights.atom">Feed</a> (Atom)</p>`,
  };
}

export function foundPage({ identities, more, night }: Found, q: string, clock: Clock): Page {
  const found = identities.length + (night?.headline ? 1 : 0);
  return {
    title: `Search: ${q}`,
    description: 'Names and nights of the hill, by a text.',
    style: nightsStyle,
    asks: true,
    body: html`<h1>Search</h1>
${search(q)}
${night === null ? '' : html`<section><h2>Night</h2> <p class="card">${aNight(night, clock)}</p></section>`}
${
  identities.length === 0
    ? ''
    : html`<section><h2>Names</h2> <div class="card"><ul class="told">${identities.map(
        (identity) =>
          html`<li>${identityLink({ ...identity, namesake: undefined })} <span class="soft">@${identity.slug}</span>${identity.house ? html` <span class="tag house">house</span>` : ''}</li>\n`,
      )}</ul></div>${more ? html`<p class="soft after">There are more. Another word of the name finds fewer.</p>` : ''}</section>`
}
${
  found > 0
    ? ''
    : html`<p class="card">${night === null ? html`Nobody is called “<bdi>${q}</bdi>”, and it is no number and no date of a night.` : html`Nobody is called “<bdi>${q}</bdi>” either.`}
You can look for a name, or the beginning of its words (2 to ${longest} characters); for a night by its number, such as <code>12</code>; and for a date, such as <code>${dateOf(Math.max(1, clock.last_night), clock)}</code>.</p>`
}
<nav class="pages" aria-label="Go on"><a href="/nights">All nights</a> <a href="/boards/points">Everybody who played lately</a></nav>`,
  };
}

function aNight({ day, headline }: NonNullable<Found['night']>, clock: Clock): Markup {
  if (headline !== null)
    return html`<span class="when">${dateOf(day, clock)}</span> Day ${day}: <a href="/day/${day}">${headline}</a>`;
  const last =
    clock.last_night === 0
      ? 'No bell has rung yet.'
      : html`The last night was <a href="/day/${clock.last_night}">that of day ${clock.last_night}</a>, ${dateOf(clock.last_night, clock)}.`;
  return html`${day < 1 ? 'That was before the first day of the hill.' : `The night of day ${day} is not over.`} ${last}`;
}

const line = ({ day, headline, accounts, moves, burnedCents }: Nights['nights'][number], clock: Clock): Markup =>
  html`<li><span class="when">${dateOf(day, clock)}</span> <a href="/day/${day}">${headline}</a>
<span class="soft">Day ${day}: ${moves === 0 ? 'no moves' : `${plural(moves, 'move')} of ${plural(accounts, 'account')}`}${
    burnedCents > 0 ? `, ${dollars(burnedCents)} burned` : ''
  }${moves > 0 ? html` · <a class="data" href="/api/day/${day}/moves.csv" aria-label="Moves of day ${day} as CSV">CSV</a>` : ''}</span></li>\n`;

/** To the months around, and, where the page begins, to those of that year and to the other years. */
function ways(months: readonly string[], month: string, again?: 'once more'): Markup | '' {
  if (months.length < 2) return '';
  const at = months.indexOf(month);
  const step = (to: string | undefined, rel: string, text: (name: string) => Markup) =>
    to === undefined ? '' : html`<a rel="${rel}" href="/nights/${to}">${text(named(to, 'numeric'))}</a> `;
  const around = html`${step(months[at + 1], 'prev', (name) => html`<span aria-hidden="true">← </span>${name}`)}${step(months[at - 1], 'next', (name) => html`${name}<span aria-hidden="true"> →</span>`)}`;
  if (again) return html`<nav class="pages" aria-label="Months, again">${around}</nav>`;
  const years = [...Map.groupBy(months, (one) => one.slice(0, 4))].toReversed();
  const year = month.slice(0, 4);
  return html`<nav class="pages" aria-label="Months">${around}</nav>
<nav class="months" aria-label="All months">${years.map(([one, those]) =>
    one === year
      ? html`<strong>${one}</strong> ${those.toReversed().map((m) => html`<a href="/nights/${m}"${m === month ? html` aria-current="page"` : ''}>${named(m)}</a> `)}`
      : html`<a href="/nights/${those[0]}">${one}</a> `,
  )}</nav>`;
}

const nightsStyle = `
.search { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .35rem .6rem; max-width: 30rem; margin: 0 0 1.5rem; }
.search label { grid-column: 1 / -1; font-weight: 600; }
.search input, .search button { font: inherit; min-height: 2.75rem; padding: .4rem .8rem; border: 1px solid var(--soft); border-radius: .4rem; background: var(--card); color: inherit; }
.search button { border-color: var(--link); color: var(--link); font-weight: 600; cursor: pointer; }
.search :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.archive li { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0 1rem; align-items: baseline; }
.archive a:not(.data) { font-weight: 600; text-decoration-color: var(--line); }
.archive li > .soft { grid-column: 2; font-size: .88rem; }
.months { display: flex; align-items: baseline; flex-wrap: wrap; gap: .2rem .9rem; margin: 0 0 1.25rem; }
.months a { padding-block: .15rem; }
.months a[aria-current] { color: inherit; font-weight: 650; text-decoration: none; }
@media (max-width: 40rem) { .archive li { grid-template-columns: minmax(0, 1fr); } .archive li > .soft { grid-column: 1; } }
`;
