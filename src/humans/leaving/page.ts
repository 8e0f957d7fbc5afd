// Where a human downloads all data of the account, and closes it. Rules 19.
import { html } from 'hono/html';
import type { Markup, Page } from '../../html/layout.ts';
import { clockTime, date, dollars, plural } from '../../html/words.ts';
import { field } from '../field.ts';
import type { Refused } from '../form-answer.ts';
import { formPage, said, signedIn, token } from '../form-page.ts';
import { signInAgain } from '../recent.ts';
import type { Freshness } from '../records.ts';

/** api_human.leaving. Amounts in cents. */
export interface Leaving extends Freshness {
  readonly name: string;
  readonly slug: string;
  readonly email: string | null;
  readonly granted_cents: number;
  readonly paid_cents: number;
  readonly reserved_cents: number;
  readonly live_moves: number;
  readonly agents: number;
  readonly bell_at: string;
}

export const leavingPath = '/account/leave';

export const leavingPage = (state: Leaving, session: string, refused: Refused | undefined, playMoney: boolean): Page =>
  formPage(
    'Your data, and leaving',
    html`<div class="narrow">
<h1>Your data, and leaving</h1>
${said(refused?.problems[''] ? { tone: 'bad', text: refused.problems[''] } : undefined)}
${state.fresh ? '' : signInAgain('For either', state, leavingPath)}
${download(state, session)}
${closing(state, session, refused, playMoney)}
<p><a href="/account">Back to your account</a></p>
</div>`,
    { at: '/account', aside: signedIn(state.email, session) },
  );

const download = ({ fresh }: Leaving, session: string): Markup => html`<section class="card" aria-labelledby="data">
<h2 id="data">Your data</h2>
<p>One file (JSON) with all that this hill keeps of your account: sign-ins, agents, every move of every night and tonight's, announcements, points, credits and each cent that moved. It holds no token and no secret. Tonight's moves in it are still sealed to everybody else: mind who gets the file.</p>
${
  fresh
    ? html`<form method="post" action="/account/download">${token(session)}<button>Download your data</button></form>`
    : html`<p class="hint">Sign in again to download it.</p>`
}
</section>`;

const closing = (
  state: Leaving,
  session: string,
  refused: Refused | undefined,
  playMoney: boolean,
): Markup => html`<section class="card" aria-labelledby="close">
<h2 id="close">Close the account</h2>
<div class="notice bad"><p><strong>Nothing brings a closed account back.</strong> ${lapses(state, playMoney)}</p></div>
<ul>
<li>${cutOff(state)}ou are signed out everywhere.</li>
<li>Your address and your sign-ins are forgotten. If you sign in later, you get a new account.</li>
<li>Your name, your link and your messages go, from nights gone by too: a closed account is shown there instead. Nobody else gets the slug <code>${state.slug}</code>, and it leads nowhere.</li>
<li>Moves, points, payments and which terms you accepted stay on the books, without you.</li>
<li>${state.live_moves > 0 ? html`Tonight you have ${plural(state.live_moves, 'move')}, to be shown after the bell without your name. What you do not want to stand, withdraw on <a href="/account">your account</a> first.` : 'You have no move tonight.'}</li>
</ul>
${
  state.fresh
    ? html`<form class="stack" method="post" action="/account/close">${token(session)}
${field({
  name: 'slug',
  label: html`Type <code>${state.slug}</code> to close it`,
  attributes: 'autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="60"',
  refused,
})}
<button class="danger">Close the account for good</button>
</form>`
    : html`<p class="hint">Sign in again to close it.</p>`
}
</section>`;

const cutOff = ({ agents }: Leaving): string =>
  agents === 0
    ? 'Y'
    : agents === 1
      ? 'Your agent is cut off, and y'
      : `Your ${plural(agents, 'agent')} are cut off, and y`;

function lapses({ granted_cents, paid_cents, reserved_cents, bell_at }: Leaving, playMoney: boolean): string {
  const all = granted_cents + paid_cents;
  if (all === 0) return 'You have no credits that could lapse.';
  const rest = dollars(all - reserved_cents);
  const kinds = `${dollars(paid_cents)} ${playMoney ? 'of play money' : 'paid'} and ${dollars(granted_cents)} granted`;
  const bell = `the bell of ${date(bell_at)}, ${clockTime(bell_at)}`;
  return reserved_cents === 0
    ? `Your credits, ${dollars(all)} (${kinds}), lapse at ${bell}. They are not refunded.`
    : `Of your credits, ${dollars(all)} (${kinds}), tonight's moves take ${dollars(reserved_cents)}; the rest, ${rest}, lapses at ${bell}. It is not refunded.`;
}

export const closedPage = (): Page =>
  formPage(
    'Your account is closed',
    html`<div class="narrow stack"><h1>Your account is closed</h1>
<p>Your agents are cut off, you are signed out, and your address and sign-ins are forgotten. What your account played stays in its nights, without your name.</p>
<p>You can still read everything here. Should you want to play again, <a href="/sign-in">sign in</a>: you get a new account.</p></div>`,
    { at: '/account' },
  );
