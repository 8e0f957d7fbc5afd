// A receipt for each payment, to keep or to print, and the list of them. Rules 5.11.
import type Router from '@koa/router';
import { html } from 'hono/html';
import { call } from '../../db/call.ts';
import { contactLink, type Markup, type Page } from '../../html/layout.ts';
import { clockTime, date, dollars } from '../../html/words.ts';
import { isPlayMoney, topUpsOf } from '../../process/config.ts';
import { formPage, signedIn } from '../form-page.ts';
import { formStyle } from '../form-style.ts';
import { isUuid } from '../is-uuid.ts';
import type { Human, HumanPages } from '../pages.ts';

export const receiptsPath = '/account/receipts';

/** Printed, it is the receipt alone. */
const receiptStyle = `${formStyle}
.receipt dd { overflow-wrap: anywhere; }
@media print { header, footer nav, .screen { display: none; } }
`;

/** engine.show_receipt. Amounts in cents. */
interface Receipt {
  readonly top_up_id: string;
  readonly account_id: string;
  readonly cents: number;
  readonly paid_at: string;
  readonly checkout: string | null;
  readonly payment: string;
  /** What had been accepted by then; null where there were no terms. */
  readonly terms: {
    readonly operator: string;
    readonly version: string;
    readonly sha256: string;
    readonly accepted_at: string;
  } | null;
  readonly claims: readonly {
    readonly claim_id: string;
    readonly kind: 'dispute' | 'refund';
    readonly cents: number;
    readonly status: string;
    readonly live: boolean;
    readonly at: string;
    readonly taken_cents: number | null;
  }[];
}

/** engine.list_receipts. */
interface Receipts {
  readonly payments: readonly {
    readonly top_up_id: string;
    readonly cents: number;
    readonly paid_at: string;
    /** Whether something of it is disputed or was refunded. */
    readonly claimed: boolean;
  }[];
  readonly earlier: number | null;
}

export function receiptRoutes(router: Router, pages: HumanPages): void {
  const { config, db } = pages;

  router.get(receiptsPath, async (ctx) => {
    const human = await pages.human(ctx);
    if (!human) return;
    const { before } = ctx.query;
    const receipts = await call<Receipts>(db, 'api_human.receipts', {
      session: human.session,
      before: typeof before === 'string' && /^\d{1,15}$/.test(before) ? Number(before) : null,
    });
    await pages.show(ctx, listPage(receipts, human));
  });

  router.get(`${receiptsPath}/:id`, async (ctx) => {
    const human = await pages.human(ctx);
    if (!human) return;
    const top_up_id = ctx.params.id as string;
    const receipt = isUuid(top_up_id)
      ? await call<Receipt | null>(db, 'api_human.receipt', { session: human.session, top_up_id })
      : null;
    if (receipt) await pages.show(ctx, receiptPage(receipt, human, pages));
    else
      await pages.apologize(ctx, 404, {
        title: 'No such receipt',
        what: 'Your account has made no such payment.',
        ways: [
          [receiptsPath, 'Your receipts'],
          ['/account', 'Your account'],
        ],
      });
  });

  const receiptPage = (receipt: Receipt, human: Human, { config: { operator } }: HumanPages): Page => {
    const { top_up_id, account_id, cents, paid_at, checkout, payment, terms, claims } = receipt;
    const { email, name } = human.account;
    const playMoney = isPlayMoney(topUpsOf(config));
    const title = playMoney ? 'Receipt of play money' : 'Receipt';
    const of = terms?.operator ?? operator?.name;
    return formPage(
      title,
      html`<article class="narrow receipt"><h1>${title}</h1>
${playMoney ? html`<div class="notice"><p><strong>Nobody paid anything.</strong> A test card of Stripe was used, on a hill that is not in production.</p></div>` : ''}
<dl class="facts">
<dt>Amount</dt><dd><strong>${dollars(cents)}</strong> (US dollars)</dd>
<dt>For</dt><dd>Prepaid credits on Hill, ${config.baseUrl}, without cash value</dd>
<dt>${playMoney ? 'Credited' : 'Paid'} on</dt><dd>${date(paid_at)}, ${clockTime(paid_at)}</dd>
${of ? html`<dt>${playMoney ? 'Operator' : 'Paid to'}</dt><dd><bdi>${of}</bdi>${operator ? html`, ${contactLink(operator.contact)}` : ''}</dd>` : ''}
<dt>${playMoney ? 'Account' : 'Paid by'}</dt><dd><bdi>${name}</bdi>${email ? html`, <bdi>${email}</bdi>` : ''}<br>account <code>${account_id}</code></dd>
<dt>By</dt><dd>${playMoney ? 'a test card' : 'card'}, through Stripe<br>payment <code>${payment}</code>${checkout ? html`<br>checkout <code>${checkout}</code>` : ''}</dd>
${terms ? html`<dt>Terms</dt><dd>version ${terms.version} of <bdi>${terms.operator}</bdi>, accepted <span class="whole">${date(terms.accepted_at)}</span><br>SHA-256 <code>${terms.sha256}</code></dd>` : ''}
<dt>Receipt</dt><dd><code>${top_up_id}</code></dd>
</dl>
${claims.length > 0 ? html`<h2>Refunds and disputes</h2><ul class="items">${claims.map(claim)}</ul>` : ''}
<p class="hint screen">To keep it, print this page, or save it as a file. It is also in <a href="/account/leave">the download of your data</a>.</p>
<p class="screen"><a href="${receiptsPath}">All receipts</a> · <a href="/account">Your account</a></p></article>`,
      { at: '/account', aside: signedIn(email, human.session), style: receiptStyle },
    );
  };
}

const claim = ({ claim_id, kind, cents, status, live, at, taken_cents }: Receipt['claims'][number]): Markup => html`<li>
<div class="about"><p><strong>${dollars(cents)}</strong> ${kind === 'refund' ? (live ? 'refunded' : 'not refunded after all') : live ? 'disputed' : 'no longer disputed'} <span class="tag">${status}</span></p>
<p class="soft when">${date(at)} · <code>${claim_id}</code>${taken_cents === null ? '' : ` · ${dollars(taken_cents)} of credits taken back`}</p></div></li>`;

const listPage = ({ payments, earlier }: Receipts, { account, session }: Human): Page =>
  formPage(
    'Your receipts',
    html`<div class="narrow"><h1>Your receipts</h1>
${
  payments.length === 0
    ? html`<p class="card soft">Nothing was paid${earlier === null ? '' : ' before'}.</p>`
    : html`<ul class="items card">${payments.map(
        ({ top_up_id, cents, paid_at, claimed }) => html`<li>
<div class="about"><p><strong>${dollars(cents)}</strong>${claimed ? html` <span class="tag">refunded or disputed</span>` : ''}</p><p class="soft when">${date(paid_at)}</p></div>
<a href="${receiptsPath}/${top_up_id}">Receipt<span class="away"> of ${dollars(cents)}, ${date(paid_at)}</span></a></li>`,
      )}</ul>`
}
${earlier === null ? '' : html`<nav class="pages" aria-label="Pages of receipts"><a href="${receiptsPath}?before=${earlier}" rel="next">Earlier payments</a></nav>`}
<p><a href="/account">Back to your account</a></p></div>`,
    { at: '/account', aside: signedIn(account.email, session) },
  );
