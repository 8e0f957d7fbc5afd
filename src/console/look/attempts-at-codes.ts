// What was typed as a code, and what came of it. Rules 8.5, 18.2.
import { html } from 'hono/html';
import type { Card } from './cards.ts';
import { accountColumn, type Column, text, time } from './cells.ts';

/** Of the latest 20 rows of a condition; the sentence is that of the refusal. */
const query = (where: string) =>
  `select (x.tried).*, g.name as agent, a.name, a.slug, coalesce(e.title, 'Redeemed') as came_to,
          api_staff.code_attempts_nearest_code(x.tried) as nearest
     from (select t as tried from hill.code_attempts t where ${where} order by t.id desc limit 20) x
     join hill.accounts a on a.id = (x.tried).account_id
     left join hill.agents g on g.id = (x.tried).agent_id
     left join engine.errors() e on e.code = (x.tried).outcome
    order by (x.tried).id desc`;

const cameTo: readonly Column[] = [
  {
    name: 'Came to',
    cell: ({ came_to, outcome }) => html`<span class="${outcome === 'redeemed' ? 'good' : 'bad'}">${came_to}</span>`,
  },
  {
    name: 'By',
    cell: ({ agent }) => (agent as string | null) ?? 'its human',
  },
  time('When', 'at'),
];
const nearest = text('Most like it', 'nearest');
const typed: Column = { name: 'Typed', cell: ({ code }) => html`<bdi>${code}</bdi>` };

/** Asked with the id of an account. */
export const triedByAccount: Card = {
  title: 'Codes that it tried',
  query: query('t.account_id = $1'),
  columns: [typed, ...cameTo, nearest],
  none: 'None in the last 30 days.',
};

/** Asked with a code. */
export const attemptsAtCode: Card = {
  title: 'Who tried it',
  query: query('t.code = $1'),
  columns: [accountColumn, ...cameTo],
  none: 'Nobody in the last 30 days.',
};

/** Asked with how a text begins that is no code. */
export const attemptsAtText: Card = {
  title: 'Tried as a code',
  query: query("starts_with(t.code, upper(regexp_replace($1, '\\s', '', 'g')))"),
  columns: [accountColumn, typed, ...cameTo, nearest],
  none: '',
};
