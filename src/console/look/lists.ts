// Money by day, the inbox of reports, the queue and its failures, the audit log.
import { html } from 'hono/html';
import { plural } from '../../html/words.ts';
import { actions, type Entry, undoOf } from '../act/actions.ts';
import type { LookPage } from '../frame.ts';
import { actionPath, orderPath, questionPath } from '../ways.ts';
import { askMore, type Card, card, cards } from './cards.ts';
import {
  account,
  accountColumn,
  auditColumns,
  type Column,
  money,
  text,
  time,
  webhookColumns,
  when,
  words,
} from './cells.ts';
import { moneyPlot } from './money-plot.ts';
import { type Ask, named, type Row, rowsOrNone } from './read.ts';

/** engine.waiting_payments, and what to do: docs/runbook.md, payment-waits. */
const waitingWords: Readonly<Record<string, string>> = {
  not_credited: 'Paid, not credited: return it at Stripe',
  refused: 'Refused: look at Stripe',
  dispute: 'Disputed: answer it at Stripe',
  unknown: 'Pending for hours: look at Stripe',
};

const waiting: Card = {
  title: 'Payments that wait for a person',
  query: `${named('api_staff.waiting_payments()')} limit 50`,
  columns: [
    { name: 'Why', cell: ({ why }) => html`<span class="bad">${waitingWords[String(why)] ?? why}</span>` },
    text('Stripe says', 'about'),
    text('Payment', 'payment'),
    accountColumn,
    time('Since', 'since'),
    text('Id', 'id'),
  ],
  none: 'None does.',
};

const orders: Card = {
  title: 'Orders of credits that wait for a second member',
  query: `${named('api_staff.waiting_orders()')} limit 50`,
  columns: [
    money('Cents', 'cents'),
    text('Uses', 'uses'),
    accountColumn,
    text('By', 'ordered_by'),
    time('Since', 'ordered_at'),
    {
      name: 'Decide',
      cell: ({ id }) =>
        html`<a href="${actionPath('approve-credits', { order_id: id })}">approve</a> · <a href="${actionPath('decline-credits', { order_id: id })}">decline</a>`,
    },
  ],
  none: 'None does.',
};

const credits: readonly Card[] = [
  {
    title: 'Most credits',
    query: `${named('api_staff.most_credits()')} limit 10`,
    columns: [
      accountColumn,
      money('Granted', 'granted_cents'),
      money('Paid', 'paid_cents'),
      money('Credits', 'credits_cents'),
    ],
    none: 'No account has any.',
  },
  {
    title: 'Expires within a week',
    query: `${named('api_staff.expiring_lots(7)')} limit 10`,
    columns: [accountColumn, money('Left', 'remaining_cents'), money('Of', 'cents'), time('Expires', 'expires_at')],
    none: 'Nothing does.',
  },
];

const claims: readonly Card[] = [
  {
    title: 'Disputes and refunds',
    query: `${named('api_staff.disputed_payments()')} limit 20`,
    columns: [
      accountColumn,
      text('Kind', 'kind'),
      text('Status', 'status'),
      money('Amount', 'cents'),
      money('Written off', 'written_off_cents'),
      time('When', 'at'),
    ],
    none: 'None.',
  },
  {
    title: 'Not credited',
    heading: () => 'Told by Stripe, not credited',
    query: 'select * from api_staff.refused_payments() limit 20',
    columns: [text('Event', 'type'), text('Payment', 'payment'), text('Outcome', 'outcome'), time('When', 'taken_at')],
    none: 'None.',
  },
];

const dayColumns = [
  text('Day', 'day'),
  money('Paid in', 'paid_in_cents'),
  money('Granted', 'granted_cents'),
  money('Taken back', 'taken_back_cents'),
  money('Rent', 'rent_cents'),
  money('Lone stakes', 'stakes_cents'),
  money('Burned', 'burned_cents'),
  money('From granted', 'from_granted_cents'),
  money('From paid', 'from_paid_cents'),
  money('Expired', 'expired_cents'),
  money('Lapsed', 'lapsed_cents'),
  money('Revoked', 'revoked_cents'),
];

export async function moneyPage(ask: Ask): Promise<LookPage> {
  const days = await ask('select m.* from api_staff.tonight() t, api_staff.money(greatest(1, t.day - 89), t.day) m');
  return {
    title: 'Money',
    at: '/money',
    body: html`<h1>Money</h1>
${await cards(ask, [waiting, orders])}
<section class="card"><h2>${plural(days.length, 'day')} <a href="${questionPath('money-this-week')}">ask for other days</a></h2>
${await moneyPlot(days)}</section>
<div class="two">${await cards(ask, credits)}</div>
<div class="two">${await cards(ask, claims)}</div>
${card(
  'Money by day',
  dayColumns,
  days.slice(0, 30),
  'No day yet.',
  html`By day ${days.length > 30 ? html`<span class="soft">the latest 30</span>` : ''}`,
)}`,
  };
}

const answered: Card = {
  title: 'Answered',
  query: `select r.*, a.name, a.slug from hill.reports r left join hill.accounts a on a.id = r.account_id
           where r.answer is not null order by r.at desc limit 20`,
  columns: [
    text('Report', 'what'),
    text('Answer', 'answer'),
    text('By', 'answered_by'),
    time('When', 'answered_at'),
    accountColumn,
  ],
  none: 'None yet.',
};

export async function reportsPage(ask: Ask): Promise<LookPage> {
  const open = await ask(named('api_staff.open_reports()'));
  return {
    title: 'Reports',
    at: '/reports',
    body: html`<h1>Reports</h1>
<p class="lead">What agents miss on the hill. The agent reads your answer with <code>list_my_reports</code>.</p>
<section class="card"><h2>Open</h2>
${
  open.length === 0
    ? html`<p class="soft">None waits for an answer.</p>`
    : html`<ul class="told">${open.slice(0, 100).map(
        (r) => html`<li><p class="said">${r.what}</p>${r.why ? html`<p class="said soft">For: ${r.why}</p>` : ''}
<p class="soft">${r.tool ? html`About <code>${r.tool}</code>, by ` : 'By '}${r.reporter}${r.slug ? html` of ${account(r)}` : ', not claimed'}, ${when(r.at)}. <a href="${actionPath('answer-report', { report_id: r.id })}">Answer it</a></p></li>`,
      )}</ul>`
}</section>
${await cards(ask, [answered])}`,
  };
}

const jobs: readonly Card[] = [
  {
    title: 'Queue',
    heading: () => html`Queue ${askMore('what-failed-in-the-queue')}`,
    query: 'select * from api_staff.jobs() limit 200',
    columns: [
      text('Task', 'task'),
      {
        name: 'State',
        cell: ({ state }) =>
          html`<span class="${state === 'failed' || state === 'retrying' ? 'bad' : ''}">${state}</span>`,
      },
      { name: 'Attempts', cell: (row) => `${row.attempts} of ${row.max_attempts}`, number: true },
      time('Runs at', 'run_at'),
      text('Failure', 'last_error'),
    ],
    none: 'The queue is empty.',
  },
  {
    title: 'Webhooks that fail',
    heading: () => html`Webhooks that fail ${askMore('which-webhooks-fail')}`,
    query: named('api_staff.webhooks(failing => true)'),
    columns: [accountColumn, ...webhookColumns],
    none: 'None fails.',
  },
];

export async function jobsPage(ask: Ask): Promise<LookPage> {
  const [health] = await ask('select * from api_staff.bell_health()');
  return {
    title: 'Jobs',
    at: '/jobs',
    body: html`<h1>Jobs and failures</h1>
<p class="lead">The worker was heard of ${health?.silent_seconds === null ? 'never' : `${Math.round(Number(health?.silent_seconds))} s ago`}. Bells are not jobs: they ring by a clock of their own.</p>
${await cards(ask, jobs)}`,
  };
}

/** Also that the month has this day, and that there is such a year: 0000 is none of the database's. */
const isDate = (value: string) =>
  value.length === 10 &&
  value >= '0001' &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

export async function auditPage(ask: Ask, given: URLSearchParams): Promise<LookPage> {
  const value = (name: string) => (given.get(name) ?? '').trim().slice(0, 100);
  const wrong = ['from', 'until'].filter((name) => value(name) && !isDate(value(name)));
  const entries = await rowsOrNone(
    ask(
      `${named('api_staff.search_audit(staff_name => $1, action => $2, account => $3, first_date => $4, last_date => $5)')} limit 200`,
      ['staff', 'action', 'account', 'from', 'until'].map((name) => (wrong.includes(name) ? '' : value(name)) || null),
    ),
  );
  const [head] = await ask('select * from api_staff.audit_head()');
  const field = (name: string, label: string, hint: string, type = 'text') =>
    html`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" value="${value(name)}" placeholder="${hint}" maxlength="100"></div>`;
  return {
    title: 'Audit',
    at: '/audit',
    status: wrong.length > 0 ? 400 : entries ? 200 : 404,
    body: html`<h1>Audit log</h1>
<p class="lead">What staff did. Every action has its reason. <a href="${actionPath('set-staff')}">Add staff</a></p>
${head?.head ? html`<p class="soft">Head of its chain with ${plural(Number(head.entries), 'entry', 'entries')}: <code>${head.head}</code>. Kept elsewhere, it shows later whether an entry was changed.</p>` : ''}
<form class="fields" action="/audit" role="search">
${field('staff', 'By', 'name')}${field('action', 'What', 'suspend_account')}${field('account', 'Account', 'slug or id')}${field('from', 'From', 'yyyy-mm-dd', 'date')}${field('until', 'To', 'yyyy-mm-dd', 'date')}
<button>Search</button>
</form>
${wrong.length > 0 ? html`<p class="notice" role="alert">Give dates as yyyy-mm-dd: ${wrong.join(' and ')} is left out.</p>` : ''}
${
  entries
    ? card(
        'Audit log',
        auditColumns(accountColumn, takeBack),
        entries,
        'Nothing fits.',
        entries.length === 200 ? 'The latest 200' : plural(entries.length, 'entry', 'entries'),
      )
    : html`<p class="notice" role="alert">There is no such account.</p>`
}`,
  };
}

const takeBack: Column = {
  name: 'To take it back',
  cell: (row) => {
    const [form, about] = undoOf(row as Row & Entry) ?? [];
    return form ? html`<a href="${actionPath(form, about)}">${actions[form]?.does}</a>` : '';
  },
};

/** What one entry of the audit log says, and the form that takes it back. */
export async function entryPage(ask: Ask, id: string): Promise<LookPage> {
  const [entry] = /^\d{1,18}$/.test(id)
    ? await ask<Row & Entry>(
        `select l.*, a.name, a.slug,
                (select r.id from hill.audit_log r where r.id > l.id and r.details @> jsonb_build_object('reverses', l.id)
                  order by r.id limit 1) as taken_back
           from hill.audit_log l left join hill.accounts a on a.id = l.account_id where l.id = $1`,
        [id],
      )
    : [];
  if (!entry) return { title: 'Not found', status: 404, body: html`<h1>There is no such entry</h1>` };
  const [form, about] = undoOf(entry) ?? [];
  return {
    title: `Entry ${id}`,
    at: '/audit',
    body: html`<h1>Entry ${id} <code>${entry.action}</code></h1>
<dl class="facts">
<dt>When</dt><dd>${when(entry.at)}</dd>
<dt>By</dt><dd>${entry.staff_name}</dd>
${entry.slug ? html`<dt>Account</dt><dd>${account(entry)}</dd>` : ''}
${entry.slot === null ? '' : html`<dt>Place</dt><dd>${entry.slot}</dd>`}
<dt>Changed</dt><dd>${words(entry.details)}</dd>
<dt>Why</dt><dd class="said">${entry.reason}</dd>
${entry.details.order_id ? html`<dt>Order</dt><dd><a href="${orderPath(String(entry.details.order_id))}">what it became</a></dd>` : ''}
${entry.taken_back ? html`<dt>Taken back</dt><dd><a href="/audit/${entry.taken_back}">by entry ${entry.taken_back}</a></dd>` : ''}
</dl>
${form ? html`<p>A mistake? <a class="button inline" href="${actionPath(form, about)}">${actions[form]?.does}</a></p>` : ''}`,
  };
}
