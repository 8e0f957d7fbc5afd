// What the human should see to, above everything else on the account page.
import { html } from 'hono/html';
import type pg from 'pg';
import { call } from '../../db/call.ts';
import type { Markup } from '../../html/layout.ts';
import { toldWarning } from '../../html/told-warnings.ts';
import type { StaffOrder, Warning } from '../../records/own.ts';
import type { Act } from '../form-acts.ts';
import { token } from '../form-page.ts';

export const warningsSection = (warnings: readonly Warning[], session: string): Markup | '' =>
  warnings.length === 0
    ? ''
    : html`<section aria-label="What to see to">${warnings.map((warning) => {
        const { lead, name, rest, href, button } = toldWarning(warning);
        const mend =
          warning.code === 'STAFF_ORDER'
            ? stopForm(warning, session, button)
            : html`<p><a class="button plain" href="${href}">${button}</a></p>`;
        return html`<div class="notice warning ${warning.grave ? 'bad' : ''}"><p><strong>${lead}</strong> ${name ? html`<bdi>${name}</bdi>` : ''}${rest}</p>${mend}</div>`;
      })}</section>`;

/** Any session will do, since it takes nothing away. Rules 18.8. */
const stopForm = ({ account_order_id }: StaffOrder, session: string, button: string): Markup =>
  html`<form id="staff-order" method="post" action="/account/stop-order">${token(session)}<input type="hidden" name="account_order_id" value="${account_order_id}"><button class="danger">${button}</button></form>`;

export function staffOrderActs(act: Act, db: pg.Pool): void {
  act('/account/stop-order', async (form, session) => {
    const account_order_id = /^\d{1,15}$/.exec(form.get('account_order_id') ?? '')?.[0] ?? null;
    return (await call<boolean>(db, 'api_human.stop_account_order', { session, account_order_id }))
      ? 'order-stopped'
      : 'order-over';
  });
}
