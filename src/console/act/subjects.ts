// Whom or what an action is done to, in words: its name, and whose it is.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { accountLink, cents } from '../look/cells.ts';
import type { Ask, Row } from '../look/read.ts';

interface Subject {
  readonly label: string;
  /** Rows with words; with name and slug if it is of an account, and cents if it is a sum. By its id as a text. */
  readonly query?: string;
  /** Of which there are few: each with its value and its words, to choose from where a link brings none. */
  readonly choices?: string;
  /** Where there is none to choose: what there is none of, and the action that makes one. */
  readonly none?: readonly [words: string, action: string];
  /** Of what is its own name. */
  readonly form?: RegExp;
}

export const subjects: Readonly<Record<string, Subject>> = {
  account_id: { label: 'Account', query: 'select a.name, a.slug from hill.accounts a where a.id::text = $1' },
  agent_id: {
    label: 'Agent',
    query: `select g.name as words, a.name, a.slug from hill.agents g join hill.accounts a on a.id = g.account_id
             where g.id::text = $1`,
  },
  lot_id: {
    label: 'Grant',
    query: `select 'lot ' || l.id as words, l.cents, a.name, a.slug
              from hill.lots l join hill.accounts a on a.id = l.account_id where l.id::text = $1`,
  },
  order_id: {
    label: 'Order',
    query: `select t.name || case when o.prefix is null then ', code' else ', ' || o.uses || ' codes' end as words, o.cents * o.uses as cents, a.name, a.slug, o.ordered_by
              from hill.credit_orders o left join hill.accounts a on a.id = o.account_id
              left join hill.tournaments t on t.id = o.tournament_id where o.id::text = $1`,
  },
  account_order_id: {
    label: 'What was begun',
    query: `select case o.what when 'move_sign_in' then 'another sign-in' else 'closing' end as words, a.name, a.slug,
                   o.begun_by as ordered_by
              from hill.account_orders o join hill.accounts a on a.id = o.account_id where o.id::text = $1`,
  },
  report_id: {
    label: 'Report',
    query: `select r.what as words, a.name, a.slug from hill.reports r left join hill.accounts a on a.id = r.account_id
             where r.id::text = $1`,
  },
  webhook_id: { label: 'Event', form: /^[0-9a-f-]{36}$/ },
  slug: {
    label: 'Tournament',
    query: 'select t.name as words from hill.tournaments t where t.slug = $1',
    choices: `select t.slug as value, t.name as words from hill.tournaments t cross join api_staff.tonight() n
               where t.ends_day >= n.day and t.cancelled_on is null order by t.starts_day, t.slug limit 100`,
    none: ['No tournament is open, or to come.', 'create-tournament'],
  },
  code: {
    label: 'Code',
    query: `select c.code || ' of ' || t.name as words, c.cents from hill.tournament_codes c
              join hill.tournaments t on t.id = c.tournament_id where c.code = upper($1)`,
  },
  slot: { label: 'Place', form: /^\d{1,2}$/ },
  day: { label: 'Day', form: /^\d{1,7}$/ },
};

/** Null if there is none. */
export async function subjectOf(ask: Ask, argument: string, value: string): Promise<Markup | string | null> {
  const { query, form } = subjects[argument] as Subject;
  if (!query) return form?.test(value) ? value : null;
  const [row] = await ask(query, [value]);
  return row ? told(row) : null;
}

function told({ words, name, slug, cents: sum, ordered_by }: Row): Markup {
  const parts = [
    ...(words ? [html`<bdi>${words}</bdi>`] : []),
    ...(sum ? [cents(sum)] : []),
    ...(name ? [accountLink(slug, name)] : []),
    ...(ordered_by ? [html`by ${ordered_by}`] : []),
  ];
  return html`${parts.map((part, i) => html`${i === 0 ? '' : ' · '}${part}`)}`;
}
