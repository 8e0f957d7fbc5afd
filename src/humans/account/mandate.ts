// What no agent can widen: the caps, the weekly cap, and a pause. Rules 3.8.
import { html } from 'hono/html';
import type pg from 'pg';
import { call } from '../../db/call.ts';
import { rule } from '../../db/rules.ts';
import type { Markup } from '../../html/layout.ts';
import { date, plural } from '../../html/words.ts';
import { field } from '../field.ts';
import type { Act } from '../form-acts.ts';
import type { Refused } from '../form-answer.ts';
import { token } from '../form-page.ts';
import { againPath } from '../recent.ts';
import type { AccountState } from '../records.ts';
import { briefly, inDollars, parseDollars } from './money.ts';

export const mandateSection = (
  account: AccountState,
  session: string,
  refused: Refused | undefined,
): Markup => html`<section class="card" aria-labelledby="mandate">
<h2 id="mandate">Mandate</h2>
<p>What all your agents together may spend. They can read it and not change it.</p>
${caps(account, session, refusedIn('mandate', refused))}
${weekly(account, session, refusedIn('weekly', refused))}
${pause(account, session, refusedIn('pause', refused))}
</section>`;

const refusedIn = (form: string, refused: Refused | undefined) => (refused?.form === form ? refused : undefined);

const caps = (
  { daily_cap_cents, max_stake_cents, fresh, fresh_minutes }: AccountState,
  session: string,
  refused: Refused | undefined,
): Markup => html`<form class="stack" method="post" action="/account/mandate">${token(session)}
<input type="hidden" name="shown_daily_cap" value="${inDollars(daily_cap_cents)}"><input type="hidden" name="shown_max_stake" value="${inDollars(max_stake_cents)}">
<div class="pair">
${field({ name: 'daily_cap', label: 'Daily cap', unit: '$', value: inDollars(daily_cap_cents), hint: 'The most that the moves of one day may cost, all together.', attributes, refused })}
${field({ name: 'max_stake', label: 'Largest WAR stake', unit: '$', value: inDollars(max_stake_cents), hint: `The most that one WAR may stake. A WAR stakes at least ${briefly(rule('war_minimum_cents'))}.`, attributes, refused })}
</div>
${
  max_stake_cents > daily_cap_cents
    ? html`<p class="hint">The daily cap is the lower of the two, so it decides: no WAR can stake more than <strong>${briefly(daily_cap_cents)}</strong>. Raise the daily cap if your agents should stake up to ${briefly(max_stake_cents)}.</p>`
    : ''
}
<button>Save the mandate</button>
<p class="hint">It holds for deposits from now on; moves that were accepted stand. 0 stops new spending.${fresh ? '' : html` To raise any of these, <a rel="nofollow" href="${againPath('/account')}">sign in again</a>: it takes a sign-in of the last ${plural(fresh_minutes, 'minute')}.`}</p>
</form>`;

const weekly = (
  { weekly_cap_cents: cap, weekly_left_cents: left = 0 }: AccountState,
  session: string,
  refused: Refused | undefined,
): Markup => html`<form class="stack" method="post" action="/account/weekly">${token(session)}
${field({ name: 'weekly_cap', label: 'Weekly cap', unit: '$', value: cap === undefined ? '' : inDollars(cap), optional: true, hint: `The most that the moves of ${plural(rule('weekly_cap_nights'), 'night')} may cost, tonight among them. Empty: none.${cap === undefined ? '' : ` Left for today: ${briefly(left)}.`}`, attributes, refused })}
<button class="plain">Save the weekly cap</button>
</form>`;

const pause = (
  { paused_until: until, next_bell_at }: AccountState,
  session: string,
  refused: Refused | undefined,
): Markup =>
  until !== undefined
    ? html`<form class="stack" method="post" action="/account/pause" id="pause">${token(session)}
<p><strong>Paused until ${date(until)}, 00:00 UTC.</strong> Your agents can read, and deposit or announce nothing.</p>
<button>End the pause</button></form>`
    : html`<form class="stack" method="post" action="/account/pause" id="pause">${token(session)}
${field({ name: 'until', label: 'Pause until', value: daysAfter(next_bell_at, rule('weekly_cap_nights') - 1), hint: 'Until that day, 00:00 UTC, your agents can deposit and announce nothing. Seats that nobody plays for are lost; moves that were accepted stand. You can end the pause at any time.', attributes: `type="date" min="${date(next_bell_at)}" max="${daysAfter(next_bell_at, rule('longest_pause_days') - 1)}"`, refused })}
<button class="plain">Pause</button></form>`;

const daysAfter = (iso: string, days: number): string =>
  date(new Date(Date.parse(iso) + days * 86_400_000).toISOString());

/** The cents of a field of the caps; null where the human left what the page showed, which may be old by now. */
const changed = (form: URLSearchParams, name: string): number | null =>
  form.get(name) === form.get(`shown_${name}`) ? null : (parseDollars(form.get(name)) ?? notAnAmount);

/** Which the database refuses. */
const notAnAmount = -1;

const attributes = 'inputmode="decimal" autocomplete="off" maxlength="14"';

interface Caps {
  readonly daily_cap_cents: number;
  readonly max_stake_cents: number;
}

/** What saving the caps has changed. */
function savedText({ before, ...after }: Caps & { readonly before: Caps }): string {
  const changes = (
    [
      ['The daily cap', before.daily_cap_cents, after.daily_cap_cents],
      ['The largest stake', before.max_stake_cents, after.max_stake_cents],
    ] as const
  )
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => `${name} is ${briefly(is)} from now on; it was ${briefly(was)}.`);
  return changes.length > 0 ? changes.join(' ') : 'Nothing was changed.';
}

/** The caps, the weekly cap and the pause. */
export function mandateActs(act: Act, db: pg.Pool): void {
  act('/account/mandate', async (form, session) => {
    const saved = await call<Caps & { readonly before: Caps }>(db, 'api_human.set_mandate', {
      session,
      daily_cap_cents: changed(form, 'daily_cap'),
      max_stake_cents: changed(form, 'max_stake'),
    });
    return { done: savedText(saved) };
  });

  act('/account/weekly', async (form, session) => {
    const typed = form.get('weekly_cap') ?? '';
    const cents = typed.trim() === '' ? null : (parseDollars(typed) ?? notAnAmount);
    await call(db, 'api_human.set_weekly_cap', { session, cents });
    return 'weekly';
  });

  act('/account/pause', async (form, session) => {
    const until = form.get('until');
    await call(db, 'api_human.pause', { session, until: until === null ? null : dateOf(until) });
    return until === null ? 'resumed' : 'paused';
  });
}

/** A date that there is; of anything else, one that the database refuses. */
function dateOf(text: string): string {
  const instant = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN);
  return !Number.isNaN(instant.valueOf()) && instant.toISOString().startsWith(text) ? text : '-infinity';
}
