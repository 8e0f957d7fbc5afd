// What staff do for humans who cannot sign in: on the account's page and under Actions. Rules 18.8.
import { html } from 'hono/html';
import { titleOf } from '../../html/account-words.ts';
import { actionPath } from '../ways.ts';
import { type Column, text, time, when } from './cells.ts';

/** What staff began for humans who cannot sign in, and what is to be done with it. */
export const accountOrderColumns: readonly Column[] = [
  { name: 'What', cell: ({ what }) => (what === 'move_sign_in' ? 'another sign-in' : 'closing') },
  text('Begun by', 'begun_by'),
  time('When', 'begun_at'),
  {
    name: 'New sign-in',
    cell: ({ what, code, provider, proven_at }) =>
      what !== 'move_sign_in'
        ? ''
        : proven_at
          ? html`${titleOf(String(provider))}, ${when(proven_at)}`
          : code
            ? html`code for its human: <code>${code}</code>`
            : 'none yet',
  },
  text('Approved by', 'approved_by'),
  { name: 'Done after', cell: ({ bell_at }) => (bell_at ? when(bell_at) : '') },
  {
    name: 'State',
    cell: ({ id, state, ended_at, ended_by }) =>
      ended_at
        ? html`${state}${ended_by ? ` by ${ended_by}` : ''} ${when(ended_at)}`
        : html`${state === 'begun' ? html`<a href="${actionPath('approve-account-order', { account_order_id: id })}">approve</a> · ` : ''}<a href="${actionPath('stop-account-order', { account_order_id: id })}">stop</a>`,
  },
];

/** `where` says which. */
export const accountOrders = (where: string): string =>
  `select o.id, o.what, o.state, o.begun_by, o.begun_at, o.provider, o.proven_at, o.approved_by, o.ended_at, o.ended_by,
          api_staff.sign_in_code(o.id) as code, engine.bell_at(o.day) as bell_at, a.name, a.slug
     from hill.account_orders o join hill.accounts a on a.id = o.account_id
    where ${where} order by o.id desc limit 20`;
