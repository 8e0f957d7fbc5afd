// Money by day, the inbox of reports, the queue and its failures, the audit log.
import { html } from 'hono/html';
import { plural } from '../../html/words.ts';
import { questionPath } from '../graphql/graphiql-page.ts';
import { account, accountColumn, card, money, moneyColumn, table, textColumn, timeColumn, when } from './cells.ts';
import type { LookPage } from './frame.ts';
import { moneyPlot } from './money-plot.ts';
import { type Ask, named, rowsOrNone } from './read.ts';
import { webhookColumns } from './tonight.ts';

/** engine.waiting_payments, and what to do: docs/runbook.md, payment-waits. */
const waitingWords: Readonly<Record<string, string>> = {
  not_credited: 'Paid, not credited: return it at Stripe',
  refused: 'Refused: look at Stripe',
  dispute: 'Disputed: answer it at Stripe',
  unknown: 'Pending for hours: look at Stripe',
};

export async function moneyPage(ask: Ask): Promise<LookPage> {
  const days = await ask('select m.* from api_staff.tonight() t, api_staff.money(greatest(1, t.day - 89), t.day) m');
  const most = await ask(`${named('api_staff.most_credits()')} limit 10`);
  const expiring = await ask(`${named('api_staff.expiring_lots(7)')} limit 10`);
  const disputes = await ask(`${named('api_staff.disputed_payments()')} limit 20`);
  const waiting = await ask(`${named('api_staff.waiting_payments()')} limit 50`);
  const refused = await ask('select * from api_staff.refused_payments() limit 20');
  return {
    title: 'Money',
    at: '/money',
    body: html`<h1>Money</h1>
${card(
  'Payments that wait for a person',
  [
    { name: 'Why', cell: (row) => html`<span class="bad">${waitingWords[String(row.why)] ?? String(row.why)}</span>` },
    textColumn('Stripe says', 'about'),
    textColumn('Payment', 'payment'),
    accountColumn,
    timeColumn('Since', 'since'),
    textColumn('Id', 'id'),
  ],
  waiting,
  'None does.',
)}
<section class="card"><h2>${plural(days.length, 'day')} <a href="${questionPath('money-this-week')}">ask for other days</a></h2>
${await moneyPlot(days)}</section>
<div class="two">${card(
      'Most credits',
      [
        accountColumn,
        moneyColumn('Granted', 'granted_cents'),
        moneyColumn('Paid', 'paid_cents'),
        moneyColumn('Credits', 'credits_cents'),
      ],
      most,
      'No account has any.',
    )}
${card(
  'Expires within a week',
  [
    accountColumn,
    moneyColumn('Left', 'remaining_cents'),
    moneyColumn('Of', 'cents'),
    timeColumn('Expires', 'expires_at'),
  ],
  expiring,
  'Nothing does.',
)}</div>
<div class="two">${card(
      'Disputes and refunds',
      [
        accountColumn,
        textColumn('Kind', 'kind'),
        textColumn('Status', 'status'),
        moneyColumn('Amount', 'cents'),
        moneyColumn('Written off', 'written_off_cents'),
        timeColumn('When', 'at'),
      ],
      disputes,
      'None.',
    )}
<section class="card"><h2>Told by Stripe, not credited</h2>
${table(
  'Not credited',
  [
    textColumn('Event', 'type'),
    textColumn('Payment', 'payment'),
    textColumn('Outcome', 'outcome'),
    timeColumn('When', 'taken_at'),
  ],
  refused,
  'None.',
)}</section></div>
<section class="card"><h2>By day ${days.length > 30 ? html`<span class="soft">the latest 30</span>` : ''}</h2>
${table(
  'Money by day',
  [
    textColumn('Day', 'day'),
    ...(
      [
        ['Paid in', 'paid_in_cents'],
        ['Granted', 'granted_cents'],
        ['Taken back', 'taken_back_cents'],
        ['Rent', 'rent_cents'],
        ['Lone stakes', 'stakes_cents'],
        ['Burned', 'burned_cents'],
        ['From granted', 'from_granted_cents'],
        ['From paid', 'from_paid_cents'],
        ['Expired', 'expired_cents'],
        ['Lapsed', 'lapsed_cents'],
      ] as const
    ).map(([name, key]) => ({ name, cell: money(key), number: true })),
  ],
  days.slice(0, 30),
  'No day yet.',
)}</section>`,
  };
}

export async function reportsPage(ask: Ask): Promise<LookPage> {
  const open = await ask(named('api_staff.open_reports()'));
  const answered = await ask(
    `select r.*, a.name, a.slug from hill.reports r left join hill.accounts a on a.id = r.account_id
      where r.answer is not null order by r.at desc limit 20`,
  );
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
        (
          r,
        ) => html`<li><p class="said">${String(r.what)}</p>${r.why ? html`<p class="said soft">For: ${String(r.why)}</p>` : ''}
<p class="soft">${r.tool ? html`About <code>${String(r.tool)}</code>, by ` : 'By '}${String(r.reporter)}${r.slug ? html` of ${account(r)}` : ', not claimed'}, ${when(r.at)}. <a href="${questionPath('answer-report', { reportId: String(r.id) })}">Answer it</a></p></li>`,
      )}</ul>`
}</section>
${card(
  'Answered',
  [
    textColumn('Report', 'what'),
    textColumn('Answer', 'answer'),
    textColumn('By', 'answered_by'),
    timeColumn('When', 'answered_at'),
    accountColumn,
  ],
  answered,
  'None yet.',
)}`,
  };
}

export async function jobsPage(ask: Ask): Promise<LookPage> {
  const jobs = await ask('select * from api_staff.jobs() limit 200');
  const webhooks = await ask(named('api_staff.webhooks(failing => true)'));
  const [health] = await ask('select * from api_staff.bell_health()');
  return {
    title: 'Jobs',
    at: '/jobs',
    body: html`<h1>Jobs and failures</h1>
<p class="lead">The worker was heard of ${health?.silent_seconds === null ? 'never' : `${Math.round(Number(health?.silent_seconds))} s ago`}. Bells are not jobs: they ring by a clock of their own.</p>
<section class="card"><h2>Queue <a href="${questionPath('what-failed-in-the-queue')}">ask more</a></h2>
${table(
  'Queue',
  [
    textColumn('Task', 'task'),
    {
      name: 'State',
      cell: (row) =>
        html`<span class="${row.state === 'failed' || row.state === 'retrying' ? 'bad' : ''}">${String(row.state)}</span>`,
    },
    { name: 'Attempts', cell: (row) => `${row.attempts} of ${row.max_attempts}`, number: true },
    timeColumn('Runs at', 'run_at'),
    textColumn('Failure', 'last_error'),
  ],
  jobs,
  'The queue is empty.',
)}</section>
<section class="card"><h2>Webhooks that fail <a href="${questionPath('which-webhooks-fail')}">ask more</a></h2>
${table('Webhooks that fail', [accountColumn, ...webhookColumns], webhooks, 'None fails.')}</section>`,
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
  const field = (name: string, label: string, hint: string, type = 'text') =>
    html`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" value="${value(name)}" placeholder="${hint}" maxlength="100"></div>`;
  return {
    title: 'Audit',
    at: '/audit',
    status: wrong.length > 0 ? 400 : entries ? 200 : 404,
    body: html`<h1>Audit log</h1>
<p class="lead">What staff did. Every action has its reason. <a href="${questionPath('add-staff')}">Add staff</a></p>
<form class="fields" action="/audit" role="search">
${field('staff', 'By', 'name')}${field('action', 'What', 'suspend_account')}${field('account', 'Account', 'slug or id')}${field('from', 'From', 'yyyy-mm-dd', 'date')}${field('until', 'To', 'yyyy-mm-dd', 'date')}
<button>Search</button>
</form>
${wrong.length > 0 ? html`<p class="notice" role="alert">Give dates as yyyy-mm-dd: ${wrong.join(' and ')} is left out.</p>` : ''}
${
  entries
    ? html`<section class="card"><h2>${entries.length === 200 ? 'The latest 200' : plural(entries.length, 'entry', 'entries')}</h2>
${table('Audit log', auditColumns(true), entries, 'Nothing fits.')}</section>`
    : html`<p class="notice" role="alert">There is no such account.</p>`
}`,
  };
}

export const auditColumns = (withAccount: boolean) => [
  timeColumn('When', 'at'),
  textColumn('By', 'staff_name'),
  { name: 'What', cell: (row: Record<string, unknown>) => html`<code>${String(row.action)}</code>` },
  ...(withAccount ? [accountColumn] : []),
  textColumn('Why', 'reason'),
  { name: 'Changed', cell: (row: Record<string, unknown>) => html`<code>${words(row.details)}</code>` },
];

/** {"cents": 500, "lot_id": 3} reads as: cents 500, lot_id 3. */
const words = (details: unknown) =>
  Object.entries((details ?? {}) as Record<string, unknown>)
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')
    .slice(0, 300);
