// Topping up: the form, the top-ups with what became of them, and the page from which one is paid for. Rules 5.2, 5.7,
// 5.8.
import type Router from '@koa/router';
import { html } from 'hono/html';
import { call } from '../../db/call.ts';
import { Refusal } from '../../db/errors.ts';
import type { Markup } from '../../html/layout.ts';
import { date, dollars, safeUrl } from '../../html/words.ts';
import { type Payments, type PendingTopUp, terms } from '../../outside/stripe.ts';
import { isPlayMoney, type TopUps, topUpsOf } from '../../process/config.ts';
import { field } from '../field.ts';
import type { Act } from '../form-acts.ts';
import type { Refused } from '../form-answer.ts';
import { formPage, signedIn, token } from '../form-page.ts';
import { isUuid } from '../is-uuid.ts';
import type { HumanPages } from '../pages.ts';
import type { AccountState, TopUp } from '../records.ts';
import { termsIn, termsToTick } from '../terms.ts';
import { briefly, inDollars, parseDollars } from './money.ts';
import { receiptsPath } from './receipts.ts';

/** The notices after a form, as in routes.ts. */
export const topUpWords = {
  checkout:
    'Stripe has sent you back. The credits are there as soon as Stripe confirms the payment, usually within seconds.',
  over: 'That top-up is not waiting for a payment any more: the list below says what became of it. To pay now, begin another one.',
} as const;

export const topUpForm = (
  account: AccountState,
  session: string,
  topUps: TopUps,
  refused: Refused | undefined,
  suggested?: number,
): Markup | '' =>
  account.barred && topUps !== 'sandbox'
    ? ''
    : html`<form class="stack" method="post" action="/account/top-up">
${isPlayMoney(topUps) ? html`<div class="notice"><p><strong>Play money.</strong> This hill is not in production: ${topUps === 'test' ? 'Stripe takes test cards only' : 'a top-up here costs nothing'}, and nobody pays anything.</p></div>` : ''}
${token(session)}
${field({
  name: 'amount',
  label: 'Top up',
  unit: '$',
  value: suggested === undefined ? '' : inDollars(suggested),
  hint: `${briefly(account.topup_minimum_cents)} to ${briefly(account.topup_maximum_cents)}, in US dollars. ${topUps === 'sandbox' ? 'Play money is for use on this hill only, and has no value elsewhere.' : terms}`,
  attributes: `inputmode="decimal" autocomplete="off" maxlength="14" placeholder="50.00"${suggested !== undefined && !refused ? ' autofocus' : ''}`,
  refused,
})}
${topUps === 'sandbox' ? '' : termsToTick(account, refused)}
<button>${topUpButtons[topUps]}</button>
</form>`;

const topUpButtons: Readonly<Record<TopUps, string>> = {
  stripe: 'Go on to the payment',
  test: 'Go on to the test payment',
  sandbox: 'Add play money',
  none: '',
};

export const topUpList = ({ top_ups, barred }: AccountState): Markup | '' =>
  top_ups.length === 0
    ? ''
    : html`<h3 id="top-ups">Top-ups</h3>
<ul class="items" aria-labelledby="top-ups">${top_ups.map((topUp) => item(topUp, !barred))}</ul>
<p class="hint">The oldest is spent first, after granted credits. <a href="${receiptsPath}">Receipts of all payments</a></p>`;

const item = (topUp: TopUp, payable: boolean): Markup => html`<li>
<div class="about"><p><strong>${dollars(topUp.cents)}</strong> <span class="tag">${topUp.state}</span></p>
<p class="soft when">${date(topUp.created_at)} · ${fate(topUp)}</p></div>
${topUp.state === 'pending' && payable ? html`<a class="button plain small" href="/account/top-up/${topUp.top_up_id}">Pay<span class="away"> ${dollars(topUp.cents)}</span></a>` : ''}${topUp.state === 'pending' || topUp.state === 'failed' ? '' : html`<a href="${receiptsPath}/${topUp.top_up_id}">Receipt<span class="away"> of ${dollars(topUp.cents)}, ${date(topUp.created_at)}</span></a>`}
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

export function topUpRoutes(router: Router, pages: HumanPages, payments: Payments, act: Act): void {
  const { config, db, log } = pages;
  const topUps = topUpsOf(config);

  const accept = async (form: URLSearchParams, session: string): Promise<void> => {
    const terms_id = termsIn(form);
    if (terms_id !== null) await call(db, 'api_human.accept_terms', { session, terms_id });
  };

  act('/account/top-up', async (form, session) => {
    await accept(form, session);
    const cents = parseDollars(form.get('amount')) ?? null;
    const { top_up_id } = await call<PendingTopUp>(db, 'api_human.begin_top_up', { session, cents });
    return `/account/top-up/${top_up_id}`;
  });

  /** For a top-up that was begun under other terms. */
  act('/account/terms', async (form, session) => {
    await accept(form, session);
    const top_up_id = form.get('top_up_id') ?? '';
    return isUuid(top_up_id) ? `/account/top-up/${top_up_id}` : 'over';
  });

  // A page of its own with a link: browsers hold form-action against the redirect to Stripe, as with sign-ins.
  router.get('/account/top-up/:id', async (ctx) => {
    const human = await pages.human(ctx);
    if (!human) return;
    const { session, account } = human;
    const top_up_id = ctx.params.id as string;
    let topUp: PendingTopUp | null;
    try {
      topUp = isUuid(top_up_id) ? await call(db, 'api_human.pending_top_up', { session, top_up_id }) : null;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'TERMS_CHANGED') throw error;
      return pages.show(ctx, acceptPage(top_up_id, account, session), error.status);
    }
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
    await pages.show(ctx, paymentPage(topUp, url, account, session, topUps));
  });
}

const paymentPage = (
  { cents }: PendingTopUp,
  url: string,
  { email, name }: AccountState,
  session: string,
  topUps: TopUps,
) =>
  formPage(
    'Top up',
    html`<div class="narrow"><h1>Top up ${dollars(cents)}</h1>
<p>For the account <strong><bdi>${name}</bdi></strong>. ${topUps === 'test' ? 'Stripe takes a test card: this is play money, and nobody pays anything.' : html`You pay by card at Stripe, which sends ${email ? html`a receipt to <bdi>${email}</bdi>` : 'a receipt'}. Another one, to keep or to print, is then on your account page.`}</p>
<div class="notice"><p>${terms}</p></div>
<div class="buttons"><a class="button" href="${url}" rel="noreferrer">Pay ${dollars(cents)}${topUps === 'test' ? ' with a test card' : ''}</a><a class="button plain" href="/account#fuel">Not now</a></div></div>`,
    { at: '/account', aside: signedIn(email, session) },
  );

const acceptPage = (top_up_id: string, account: AccountState, session: string) =>
  formPage(
    'Before you pay',
    html`<div class="narrow"><h1>Before you pay</h1>
<form class="card stack" method="post" action="/account/terms">${token(session)}<input type="hidden" name="top_up_id" value="${top_up_id}">
${termsToTick(account, undefined)}
<div class="buttons"><button>Accept, and go on</button><a class="button plain" href="/account#fuel">Not now</a></div></form></div>`,
    { at: '/account', aside: signedIn(account.email, session) },
  );
