// Topping up: the form, the top-ups with what became of them, and the page from which one is paid for. Rules 5.2, 5.7,
// 5.8.
import type Router from '@koa/router';
import { html } from 'hono/html';
import { call } from '../../db/call.ts';
import type { Markup } from '../../html/layout.ts';
import { date, dollars, safeUrl } from '../../html/words.ts';
import { type Payments, type PendingTopUp, terms } from '../../outside/stripe.ts';
import type { TopUps } from '../../process/config.ts';
import { field } from '../field.ts';
import type { Done, Refused } from '../form-answer.ts';
import { formPage, signedIn, token } from '../form-page.ts';
import type { HumanPages } from '../pages.ts';
import type { AccountState, TopUp } from '../records.ts';
import { briefly, inDollars, parseDollars } from './money.ts';

export const barredNotice = html`<div class="notice bad"><p>A top-up of this account is disputed or was refunded: its agents cannot deposit anything new. Moves that were accepted stand. What is left of that top-up is taken after the next bell. If the dispute was a mistake, ask your bank to withdraw it; then write to the staff.</p></div>`;

/** The notices after a form, as in routes.ts. */
export const topUpWords = {
  checkout:
    'Stripe has sent you back. The credits are there as soon as Stripe confirms the payment, usually within seconds.',
  over: 'That top-up is not waiting for a payment any more: the list below says what became of it. To pay now, begin another one.',
} as const;

export const topUpForm = (
  { topup_minimum_cents, topup_maximum_cents, barred }: AccountState,
  session: string,
  topUps: TopUps,
  refused: Refused | undefined,
  suggested?: number,
): Markup | '' =>
  barred && topUps === 'stripe'
    ? ''
    : html`<form class="stack" method="post" action="/account/top-up">
${topUps === 'sandbox' ? html`<div class="notice"><p><strong>Sandbox.</strong> This hill is not in production: a top-up here is play money, and nobody pays anything.</p></div>` : ''}
${token(session)}
${field({
  name: 'amount',
  label: 'Top up',
  unit: '$',
  value: suggested === undefined ? '' : inDollars(suggested),
  hint: `${briefly(topup_minimum_cents)} to ${briefly(topup_maximum_cents)}, in US dollars. ${terms}`,
  attributes: `inputmode="decimal" autocomplete="off" maxlength="14" placeholder="50.00"${suggested !== undefined && !refused ? ' autofocus' : ''}`,
  refused,
})}
<button>${topUps === 'sandbox' ? 'Add play money' : 'Go on to the payment'}</button>
</form>`;

export const topUpList = ({ top_ups, barred }: AccountState): Markup | '' =>
  top_ups.length === 0
    ? ''
    : html`<h3 id="top-ups">Top-ups</h3>
<ul class="items" aria-labelledby="top-ups">${top_ups.map((topUp) => item(topUp, !barred))}</ul>
<p class="hint">The oldest is spent first, after granted credits.</p>`;

const item = (topUp: TopUp, payable: boolean): Markup => html`<li>
<div class="about"><p><strong>${dollars(topUp.cents)}</strong> <span class="tag">${topUp.state}</span></p>
<p class="soft when">${date(topUp.created_at)} · ${fate(topUp)}</p></div>
${topUp.state === 'pending' && payable ? html`<a class="button plain small" href="/account/top-up/${topUp.top_up_id}">Pay<span class="away"> ${dollars(topUp.cents)}</span></a>` : ''}
</li>`;

const fate = ({ state, remaining_cents = 0, taken_cents, written_off_cents }: TopUp): string => {
  if (state === 'pending') return 'not paid yet';
  if (state === 'failed') return 'nothing was paid';
  if (state === 'paid') return remaining_cents > 0 ? `${dollars(remaining_cents)} left` : 'all spent';
  if (taken_cents === undefined && written_off_cents === undefined)
    return `${dollars(remaining_cents)} left; what Stripe took back is taken after the next bell`;
  return [
    `${dollars(taken_cents ?? 0)} taken back`,
    ...(written_off_cents ? [`${dollars(written_off_cents)} had been spent`] : []),
    ...(remaining_cents > 0 ? [`${dollars(remaining_cents)} left`] : []),
  ].join(' · ');
};

/**
 * Adds a form: it returns the notice to show, or the page to go on to; a refusal is shown on the account page, beside
 * the field.
 */
/** What a form of the account page does, and what follows: the key of a notice, an address, or what to say. */
export type Act = (path: string, what: (form: URLSearchParams, session: string) => Promise<string | Done>) => void;

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function topUpRoutes(router: Router, pages: HumanPages, payments: Payments, act: Act): void {
  const { db, log } = pages;

  act('/account/top-up', async (form, session) => {
    const cents = parseDollars(form.get('amount')) ?? null;
    const { top_up_id } = await call<PendingTopUp>(db, 'api_human.begin_top_up', { session, cents });
    return `/account/top-up/${top_up_id}`;
  });

  // A page of its own with a link: browsers hold form-action against the redirect to Stripe, as with sign-ins.
  router.get('/account/top-up/:id', async (ctx) => {
    const human = await pages.human(ctx);
    if (!human) return;
    const { session, account } = human;
    const top_up_id = ctx.params.id as string;
    const topUp =
      isUuid.test(top_up_id) &&
      (await call<PendingTopUp | null>(db, 'api_human.pending_top_up', { session, top_up_id }));
    if (!topUp) return pages.goOn(ctx, '/account?done=over#fuel');
    let url: string | null;
    try {
      const checkout = topUp.checkout
        ? await payments.session(topUp.checkout)
        : await payments.checkout(topUp, account.email);
      if (!topUp.checkout) await call(db, 'api_human.note_checkout', { session, top_up_id, checkout: checkout.id });
      url = checkout.status === 'open' ? safeUrl(checkout.url) : null;
    } catch (error) {
      const { type, code, requestId } = error as { type?: string; code?: string; requestId?: string };
      log.error({ type, code, request: requestId }, 'Stripe did not make a checkout');
      return pages.apologize(ctx, 503, {
        title: 'The payment cannot begin',
        what: 'Stripe does not answer as it should. Nothing was paid. Try again in a minute.',
      });
    }
    if (!url) return pages.goOn(ctx, '/account?done=over#fuel');
    await pages.show(ctx, paymentPage(topUp, url, account, session));
  });
}

const paymentPage = ({ cents }: PendingTopUp, url: string, { email, name }: AccountState, session: string) =>
  formPage(
    'Top up',
    html`<div class="narrow"><h1>Top up ${dollars(cents)}</h1>
<p>For the account <strong><bdi>${name}</bdi></strong>. You pay by card at Stripe, which sends ${email ? html`the receipt to <bdi>${email}</bdi>` : 'a receipt'}.</p>
<div class="notice"><p>${terms}</p></div>
<div class="buttons"><a class="button" href="${url}" rel="noreferrer">Pay ${dollars(cents)}</a><a class="button plain" href="/account#fuel">Not now</a></div></div>`,
    { at: '/account', aside: signedIn(email, session) },
  );
