// Where the forms are that belong to no page of an account: tournaments and their codes, places, staff.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import type { LookPage } from '../frame.ts';
import { accountOrderColumns, accountOrders } from '../look/account-orders.ts';
import { type Card, cards } from '../look/cards.ts';
import { accountColumn, type Column, money, text, time, when } from '../look/cells.ts';
import type { Ask } from '../look/read.ts';
import { actionPath, formPath } from '../ways.ts';
import { actions } from './actions.ts';
import { formLinks } from './permitted.ts';

const link = (name: string, to: object, words: string): Markup => html`<a href="${actionPath(name, to)}">${words}</a>`;

/** Of tournament codes, with the name of their tournament. */
export const codeColumns: readonly Column[] = [
  text('Code', 'code'),
  text('Of', 'tournament'),
  money('Grants', 'cents'),
  { name: 'Used', cell: ({ used, uses }) => `${used} of ${uses}`, number: true },
  time('Expires', 'expires_at'),
  {
    name: 'Do',
    cell: ({ code, revoked_at }) =>
      revoked_at === null
        ? link('revoke-tournament-code', { code }, 'revoke')
        : html`revoked ${when(revoked_at)} · ${link('restore-tournament-code', { code }, 'restore')}`,
  },
];

const shown: readonly Card[] = [
  {
    title: 'Tournaments',
    heading: () => html`Tournaments ${link('create-tournament', {}, 'make one')}`,
    query: `select t.*, engine.tournament_phase(t, n.day, n.last_night) as phase
              from hill.tournaments t cross join api_staff.tonight() n order by t.starts_day desc limit 50`,
    columns: [
      text('Name', 'name'),
      text('Phase', 'phase'),
      { name: 'Nights', cell: ({ starts_day, ends_day }) => `${starts_day} to ${ends_day}` },
      text('Entrants', 'entries'),
      {
        name: 'Do',
        cell: ({ slug, phase, cancelled_on }) => {
          const early = ['announced', 'open', 'closed', 'cancelled'].includes(String(phase));
          const other =
            cancelled_on === null
              ? link('cancel-tournament', { slug }, 'cancel')
              : link('uncancel-tournament', { slug }, 'let it take place');
          return html`${link('edit-tournament', { slug }, 'change')} · ${link('create-tournament-code', { slug }, 'make a code')} · ${link('create-tournament-codes', { slug }, 'make many')}${early ? html` · ${other}` : ''}`;
        },
      },
    ],
    none: 'None yet.',
  },
  {
    title: 'Codes',
    heading: (rows) =>
      html`Codes ${rows.length === 10 ? html`<span class="soft">the latest 10; the first page finds any, and <a href="/money">orders</a> have theirs</span>` : ''}`,
    query: `select c.*, t.name as tournament from hill.tournament_codes c join hill.tournaments t on t.id = c.tournament_id
             order by c.created_at desc, c.code limit 10`,
    columns: codeColumns,
    none: 'None yet.',
  },
  {
    title: 'For humans who cannot sign in',
    query: accountOrders('o.ended_at is null'),
    columns: [accountColumn, ...accountOrderColumns],
    none: 'Nothing is under way.',
  },
  {
    title: 'Places that are not open yet',
    query:
      'select p.slot, p.opens_day from hill.places p cross join api_staff.tonight() n where p.opens_day > n.day order by p.slot',
    columns: [
      text('Place', 'slot'),
      text('Opens on day', 'opens_day'),
      { name: 'Do', cell: ({ slot }) => link('open-place', { slot }, 'say when') },
    ],
    none: 'All are open.',
  },
  {
    title: 'Staff',
    heading: () => html`Staff ${link('set-staff', {}, 'add somebody')}`,
    query: `select m.name as member, m.role, m.since, m.account_id, a.name, a.slug
              from hill.staff_members m join hill.accounts a on a.id = m.account_id order by m.name`,
    columns: [
      text('Name', 'member'),
      text('Role', 'role'),
      accountColumn,
      time('Since', 'since'),
      {
        name: 'Do',
        cell: ({ account_id }) =>
          html`${link('set-staff', { account_id }, 'change')} · ${link('remove-staff', { account_id }, 'remove')}`,
      },
    ],
    none: 'Nobody but who has the key.',
  },
];

export async function actionsPage(ask: Ask): Promise<LookPage> {
  return {
    title: 'Actions',
    at: formPath,
    body: html`<h1>Actions</h1>
<p class="lead">Each form says what will happen before anything does, and each entry of the <a href="/audit">audit log</a> leads to what takes it back. What is about an account stands on its page.</p>
${await cards(ask, shown)}
<section class="card"><h2>All forms of your role</h2>
${await formLinks(ask, Object.keys(actions))}</section>`,
  };
}
