// An order of credits and the codes that it became, as a page and as a file to hand out. Rules 18.6.
import { html } from 'hono/html';
import { plural } from '../../html/words.ts';
import type { LookPage } from '../frame.ts';
import { actionPath, orderPath } from '../ways.ts';
import { card } from './cards.ts';
import { account, accountColumn, cents, text, time, when } from './cells.ts';
import type { Ask, Row } from './read.ts';

const isId = (text: string) => /^\d{1,18}$/.test(text);

export async function orderPage(ask: Ask, id: string): Promise<LookPage> {
  const [order] = isId(id)
    ? await ask(
        `select o.*, t.name as tournament, a.name, a.slug from hill.credit_orders o
           left join hill.tournaments t on t.id = o.tournament_id left join hill.accounts a on a.id = o.account_id
          where o.id = $1`,
        [id],
      )
    : [];
  if (!order) return { title: 'Not found', status: 404, body: html`<h1>There is no such order</h1>` };
  const codes = await ask(
    `select c.*, r.redeemed_at, a.name, a.slug from hill.tournament_codes c
       left join hill.tournament_redemptions r on r.code = c.code and c.uses = 1
       left join hill.accounts a on a.id = r.account_id
      where c.order_id = $1 order by c.code`,
    [id],
  );
  const open = codes.filter(canBeRedeemed).length;
  const many = order.prefix !== null;
  return {
    title: `Order ${id}`,
    body: html`<h1>Order ${id}</h1>
<dl class="facts">
<dt>For</dt><dd>${order.slug ? account(order) : `entrants of ${order.tournament}`}</dd>
<dt>What</dt><dd>${many ? `${plural(Number(order.uses), 'code')} of ` : ''}${cents(order.cents)}${many ? `, ${cents(Number(order.cents) * Number(order.uses))} together` : ''}</dd>
${order.expires_at ? html`<dt>Expires</dt><dd>${when(order.expires_at)}</dd>` : ''}
${order.note ? html`<dt>Note</dt><dd class="said">${order.note}</dd>` : ''}
<dt>Ordered</dt><dd>${when(order.ordered_at)} by ${order.ordered_by}</dd>
${order.decided_by ? html`<dt>Decided</dt><dd>${when(order.decided_at)} by ${order.decided_by}</dd>` : ''}
<dt>State</dt><dd>${order.state}</dd>
</dl>
${order.state === 'waiting' ? html`<p class="notice">A second member has to approve it: <a href="/money">Money</a> lists it until then.</p>` : ''}
${many && order.state === 'made' ? html`<p><a class="button inline" href="${orderPath(id)}/codes.csv">Download ${plural(open, 'code')} as CSV</a> <a href="${actionPath(open > 0 ? 'revoke-tournament-codes' : 'restore-tournament-codes', { order_id: id })}">${open > 0 ? 'revoke those that nobody has redeemed' : 'let those be redeemed again that nobody has'}</a></p>` : ''}
${
  codes.length === 0
    ? ''
    : card(
        'Codes',
        [
          text('Code', 'code'),
          { name: 'Used', cell: ({ used, uses }) => `${used} of ${uses}`, number: true },
          { ...accountColumn, name: 'Redeemed by' },
          time('When', 'redeemed_at'),
          time('Revoked', 'revoked_at'),
        ],
        codes,
        '',
        `${open} of ${codes.length} can be redeemed`,
      )
}`,
  };
}

const canBeRedeemed = ({ used, uses, revoked_at }: Row): boolean => Number(used) < Number(uses) && revoked_at === null;

/** A line for each code that can be redeemed; null if the order is none of codes. No field of it needs quotes. */
export async function codesFile(ask: Ask, id: string): Promise<string | null> {
  if (!isId(id)) return null;
  const [order] = await ask('select from hill.credit_orders o where o.id = $1 and o.tournament_id is not null', [id]);
  if (!order) return null;
  const codes = await ask('select c.* from hill.tournament_codes c where c.order_id = $1 order by c.code', [id]);
  const lines = codes
    .filter(canBeRedeemed)
    .map(
      ({ code, cents: each, expires_at }) =>
        `${code},${(Number(each) / 100).toFixed(2)},${(expires_at as Date).toISOString()}`,
    );
  return `${['code,dollars,expires', ...lines].join('\r\n')}\r\n`;
}
