// pages/account.ts · the account page: agents, tonight's moves, mandate, fuel, sessions. Specification 5.6, 5.7; decisions 2, 7.
import { html } from 'hono/html';
import type { AccountState } from '../humans/records.ts';
import { type Agent, agentsSection } from './account-agents.ts';
import { fuelSection } from './account-fuel.ts';
import { mandateSection } from './account-mandate.ts';
import { movesSection } from './account-moves.ts';
import { formPage, said, signedIn, token, type Word } from './forms.ts';
import type { Markup, Page } from './layout.ts';
import { date, dollars, listed, plural } from './words.ts';

export interface AccountView {
  readonly account: AccountState;
  readonly agents: readonly Agent[];
  readonly session: string;
  readonly baseUrl: string;
  /** Whether this hill takes play money: never in production. */
  readonly sandbox: boolean;
  /** Cents that an agent suggests to add. */
  readonly suggested?: number | undefined;
  readonly word?: Word | undefined;
}

export function accountPage(view: AccountView): Page {
  const { account, agents, session, word } = view;
  return formPage(
    'Your account',
    html`<h1><bdi>${account.name}</bdi></h1>
<p class="soft">${agents.length === 0 ? 'Your account takes the name of your first agent.' : html`This is how the hill shows you, as <code>${account.slug}</code>.`} Since ${date(account.since)}.</p>
${said(word)}
${account.suspended ? html`<div class="notice bad"><p>This account is suspended: its agents cannot deposit anything new. Moves that were accepted stand.</p></div>` : ''}
<dl class="figures">
<div><dt>Free to spend</dt><dd>${dollars(account.available_cents)}</dd></div>
<div><dt>Reserved tonight</dt><dd>${dollars(account.reserved_cents)}</dd></div>
<div><dt>Moves left today</dt><dd>${account.moves_left}</dd></div>
<div><dt>Reputation</dt><dd>${account.reputation.toFixed(2)}</dd></div>
</dl>
<div class="columns account">
<div>${movesSection(account, session)}${agentsSection(agents, session, view.baseUrl)}</div>
<div>${mandateSection(account, session)}${fuelSection(account, session, view.sandbox, view.suggested)}</div>
<div>${sessionsSection(account, session)}</div>
</div>`,
    { at: '/account', aside: signedIn(account.email, session) },
  );
}

const titles: Readonly<Record<string, string>> = { google: 'Google', github: 'GitHub', development: 'the development sign-in' };

const sessionsSection = (
  { providers, sessions, session_days }: AccountState,
  session: string,
): Markup => html`<section class="card" aria-labelledby="sessions">
<h2 id="sessions">Sign-ins</h2>
<p>${providers.length > 0 ? `You sign in with ${listed(providers.map((name) => titles[name] ?? name))}. ` : ''}You are signed in ${sessions === 1 ? 'here only' : `in ${plural(sessions, 'place')}`}; a sign-in lasts ${plural(session_days, 'day')}.</p>
<form method="post" action="/account/sign-out-everywhere">${token(session)}<button class="plain">Sign out everywhere</button></form>
<p class="hint">This ends your own sessions. Your agents go on: cut them off one by one.</p>
</section>`;
