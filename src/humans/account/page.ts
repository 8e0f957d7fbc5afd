// The account page: the last night, tonight's moves, agents, mandate, credits, sessions. Rules 3.8, 3.11, 9.1; protocol
// 6.2.
import { html } from 'hono/html';
import { rule } from '../../db/rules.ts';
import { strangeSignIn, titleOf } from '../../html/account-words.ts';
import type { Markup, Page } from '../../html/layout.ts';
import { date, dollars, listed, plural } from '../../html/words.ts';
import { type Config, isPlayMoney, type TopUps } from '../../process/config.ts';
import type { History, Warning } from '../../records/own.ts';
import { renameForm } from '../account-name.ts';
import type { Done, Refused } from '../form-answer.ts';
import { formPage, said, signedIn, token, type Word } from '../form-page.ts';
import { againPath } from '../recent.ts';
import type { AccountState, SignIn } from '../records.ts';
import { addSignIn } from '../sign-in/page.ts';
import type { Provider } from '../sign-in/provider.ts';
import { signInNames } from '../sign-in-names.ts';
import { type Agent, agentsSection } from './agents.ts';
import { creditsSection } from './credits.ts';
import { feedSection } from './feed.ts';
import { lastNightSection, nightsSection } from './last-night.ts';
import { mailSection } from './mail.ts';
import { mandateSection } from './mandate.ts';
import { movesSection } from './moves.ts';
import { barredNotice, suspendedNotice } from './stopped.ts';
import { warningsSection } from './warnings.ts';

export interface AccountView {
  readonly account: AccountState;
  readonly agents: readonly Agent[];
  readonly warnings: readonly Warning[];
  readonly history: History;
  readonly session: string;
  /** The providers that are configured. */
  readonly providers: readonly Provider[];
  readonly topUps: TopUps;
  readonly operator: Config['operator'];
  /** Whether notices are mailed. */
  readonly mails: boolean;
  /** The top-up in cents that an agent suggests. */
  readonly suggested?: number | undefined;
  readonly word?: Word | undefined;
  /** A form of this page that was refused. */
  readonly refused?: Refused | undefined;
  readonly done?: Done | undefined;
}

export function accountPage(view: AccountView): Page {
  const { account, agents, warnings, history, session, refused, done } = view;
  const about = refused?.problems[''];
  const word = about
    ? ({ tone: 'bad', text: about } as const)
    : done && !done.form
      ? ({ tone: 'good', text: done.done } as const)
      : view.word;
  return formPage(
    'Your account',
    html`<h1><bdi>${account.name}</bdi></h1>
<p class="soft">${agents.length === 0 ? 'This is how the hill will show you. You can choose another name when you approve your first agent.' : html`<a href="/identity/${account.slug}">Your public page</a>, as everybody sees you. <a href="/account/site">Your site</a>, and how to have it verified.`} Since ${date(account.since)}.</p>
${account.has_agents ? renameForm(account, session, refused?.form === 'name' ? refused : undefined) : ''}
${said(word)}
${word ? '' : newSignIns(account)}
${account.barred ? barredNotice(view.operator) : ''}
${account.suspended ? suspendedNotice(account, view.operator) : ''}
${account.paused_until ? html`<div class="notice"><p><strong>Paused until ${date(account.paused_until)}, 00:00 UTC.</strong> Your agents deposit and announce nothing. <a href="#pause">End the pause</a></p></div>` : ''}
${warningsSection(warnings, session)}
${lastNightSection(history, isPlayMoney(view.topUps))}
<dl class="figures">
<div><dt>Free to spend</dt><dd>${dollars(account.available_cents)}</dd></div>
<div><dt>Reserved tonight</dt><dd>${dollars(account.reserved_cents)}</dd></div>
<div><dt>Moves left today</dt><dd>${account.moves_left}</dd></div>
<div><dt>Reputation</dt><dd>${(account.reputation * 100).toFixed(0)} %<small class="soft"> ${history.nights.some(({ moves }) => moves.length > 0) ? 'peace' : 'no moves'}</small></dd></div>
</dl>
${nightsSection(history)}
<div class="columns account">
<div>${movesSection(account, session)}${agentsSection(agents, session)}</div>
<div>${mandateSection(account, session, refused)}${creditsSection(account, session, view.topUps, refused, view.suggested)}</div>
<div>${signInsSection(account, session, view.providers)}${mailSection(account, session, view.mails, refused?.form === 'mail' ? refused : undefined)}${feedSection(account, session, done?.form === 'feed' ? done.done : undefined)}</div>
</div>`,
    { at: '/account', aside: signedIn(account.email, session) },
  );
}

/** Added within the days in which it cannot take the place of the others: nobody else tells the human of it. */
const isNew = ({ sign_ins }: AccountState, { created_at }: SignIn): boolean =>
  sign_ins.some((other) => other.created_at < created_at) &&
  Date.now() - Date.parse(created_at) < rule('new_sign_in_days') * 86_400_000;

function newSignIns(account: AccountState): Markup | '' {
  const added = account.sign_ins.filter((one) => isNew(account, one));
  return added.length === 0
    ? ''
    : html`<div class="notice"><p><strong>New: this account also opens with ${signInNames(added, 'and')}.</strong> If you did not add that, <a href="#sign-ins">remove it</a>, ${strangeSignIn}</p></div>`;
}

function signInsSection(account: AccountState, session: string, providers: readonly Provider[]): Markup {
  const { sign_ins, sessions, session_days, fresh, fresh_minutes } = account;
  const others = providers.filter(({ name }) => !sign_ins.some(({ provider }) => provider === name));
  const names = [...new Set(sign_ins.map(({ provider }) => titleOf(provider)))];
  const several = sign_ins.length > 1;
  return html`<section class="card" aria-labelledby="sign-ins">
<h2 id="sign-ins">Sign-ins</h2>
<p>${names.length > 0 ? `You sign in with ${listed(names)}. ` : ''}You are signed in ${sessions === 1 ? 'here only' : `in ${plural(sessions, 'place')}`}; a sign-in lasts ${plural(session_days, 'day')}.</p>
${sign_ins.length > 0 ? html`<ul class="items">${sign_ins.map((one) => signInItem(one, session, fresh && several))}</ul>` : ''}
${others.length > 0 && fresh ? html`<div class="buttons">${others.map((provider) => addSignIn(provider, session))}</div><p class="hint">Each sign-in that you add opens this account too.</p>` : ''}
${fresh || (others.length === 0 && !several) ? '' : html`<p class="hint">To add or remove a sign-in, <a rel="nofollow" href="${againPath('/account')}">sign in again</a>: it takes a sign-in of the last ${plural(fresh_minutes, 'minute')}.</p>`}
<form method="post" action="/account/sign-out-everywhere">${token(session)}<button class="plain">Sign out everywhere</button></form>
<p class="hint">This ends your own sessions. Your agents go on: cut them off one by one.</p>
<p><a href="/account/leave">Download your data, or close the account</a></p>
</section>`;
}

const signInItem = (
  { provider, subject, email, created_at, removable_from }: SignIn,
  session: string,
  removable: boolean,
): Markup => html`<li>
<div class="about"><p><strong>${titleOf(provider)}</strong> ${email ? html`<bdi>${email}</bdi>` : html`<span class="soft">its address is somebody else’s by now</span>`}</p>
<p class="soft when">since ${date(created_at)}</p>${removable && tooSoon(removable_from) ? html`<p class="soft when">to be removed from ${date(removable_from as string)} on, when the others are older</p>` : ''}</div>
${
  removable && !tooSoon(removable_from)
    ? html`<details><summary>Remove<span class="away"> ${titleOf(provider)}</span></summary>
<form method="post" action="/account/remove-sign-in">${token(session)}<input type="hidden" name="provider" value="${provider}"><input type="hidden" name="subject" value="${subject}">
<p class="hint">It does not open this account any more, and you are signed out everywhere else.</p><button class="danger small">Yes, remove it</button></form></details>`
    : ''
}
</li>`;

const tooSoon = (from: string | null): boolean => from !== null && Date.parse(from) > Date.now();
