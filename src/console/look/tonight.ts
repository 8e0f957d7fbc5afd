// The console's first page: tonight, the last bell, money, and what waits for somebody.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { plural } from '../../html/words.ts';
import { formLinks } from '../act/permitted.ts';
import type { LookPage } from '../frame.ts';
import { questions } from '../questions.ts';
import { actionPath, formPath, questionPath } from '../ways.ts';
import { findForm } from './account.ts';
import { askMore, type Card, cards } from './cards.ts';
import { accountColumn, cents, figure, table, text, time, when } from './cells.ts';
import { moneyPlot } from './money-plot.ts';
import { type Ask, named, type Row } from './read.ts';

const stopped: Card = {
  title: 'Stopped accounts',
  heading: () => html`Stopped accounts ${askMore('who-is-stopped')}`,
  query: `${named('api_staff.stopped_accounts()')} limit 5`,
  columns: [
    accountColumn,
    { name: 'Since', cell: (row) => when(row.suspended_at ?? row.barred_at) },
    text('By', 'staff_name'),
    text('Why', 'reason'),
  ],
  none: 'None is suspended or barred.',
};

export async function tonightPage(ask: Ask): Promise<LookPage> {
  const [tonight] = await ask('select * from api_staff.tonight()');
  const [health] = await ask('select * from api_staff.bell_health()');
  const checks = await ask('select * from api_staff.bell_checks()');
  const [night] = await ask('select n.* from hill.nights n order by n.day desc limit 1');
  const reports = await ask('select * from api_staff.open_reports()');
  const [failing] = await ask(
    `select (select count(*) from api_staff.jobs() j where j.state in ('failed', 'retrying'))
            + (select count(*) from api_staff.webhooks(failing => true)) as jobs_and_webhooks`,
  );
  const failures = Number(failing?.jobs_and_webhooks);
  const [owner] = await ask("select from hill.staff_members m where m.role = 'owner' limit 1");
  const days = await ask('select * from api_staff.money(greatest(1, $1 - 29), $1)', [Number(tonight?.day)]);
  const again = checks.find(({ part }) => part === 'last_night');
  const wrong = checks.filter((check) => Number(check.wrong) > 0);
  return {
    title: 'Tonight',
    at: '/',
    body: html`<h1>Tonight, day ${Number(tonight?.day)}</h1>
${owner ? '' : html`<p class="notice">No account is an owner of the staff yet: only who has the key adds others. Sign in on the site, begin <em>Sign in with your account</em> on the console's first page to see the id of your account, and <a href="${actionPath('set-staff')}">make it an owner</a>.</p>`}
${findForm()}
<dl class="figures">
${figure('Next bell', when(tonight?.next_bell_at))}
${figure('Sealed moves', html`${Number(tonight?.moves_counted).toLocaleString('en-US')} <small class="soft">${tonight?.counted_at ? `at ${(tonight.counted_at as Date).toISOString().slice(11, 16)}` : 'not counted yet'}</small>`)}
${figure('Bell', `${health?.bell}${health?.bell === 'ok' ? '' : ` by ${Math.round(Number(health?.overdue_seconds))} s`}`, state(health?.bell === 'ok'))}
${figure('Worker', String(health?.worker), state(health?.worker === 'ok'))}
${again ? figure('Last night', Number(again.wrong) > 0 ? 'resolved again: it differs' : 'resolved again: equal', state(Number(again.wrong) === 0)) : ''}
${figure('Books', String(health?.books), state(health?.books === 'ok'))}
${figure('Public log', health?.log === 'ok' ? 'ok' : html`unsigned since ${when(health?.log_signed_at)}`, state(health?.log === 'ok'))}
${figure('Reports open', html`<a href="/reports">${reports.length}</a>`)}
${figure('Failures', html`<a href="/jobs">${failures}</a>`, state(failures === 0))}
</dl>
${health?.failure ? html`<p class="notice"><strong>The bell of night ${Number(health.failing_night)} fails with ${health.failure}</strong> since ${when(health.failing_since)}.</p>` : ''}
<div class="two"><div>
<section class="card"><h2>Last bell ${night ? askMore('how-was-the-night') : ''}</h2>
${night ? lastBell(night) : html`<p class="soft">No bell has rung yet.</p>`}
</section>
<section class="card"><h2>What must hold</h2>
${
  checks.length === 0
    ? html`<p class="soft">A worker has not looked at the books yet.</p>`
    : html`<p>${wrong.length === 0 ? html`<strong class="good">All ${checks.length} hold</strong>` : html`<strong class="bad">${wrong.length} of ${checks.length} do not hold</strong>`}.</p>
${wrong.length === 0 ? '' : checksIn(wrong)}
<details><summary>Each of them, with when it was looked at</summary>${checksIn(checks)}</details>`
}
</section>
</div><div>
<section class="card"><h2>Reports <a href="/reports">inbox</a></h2>
${reports.length === 0 ? html`<p class="soft">None waits for an answer.</p>` : html`<ul class="told">${reports.slice(0, 4).map((report) => html`<li><span class="said">${brief(String(report.what))}</span><br><span class="soft">${report.reporter}, ${when(report.at)}</span></li>`)}</ul>`}
</section>
${await cards(ask, [stopped])}
<section class="card"><h2>Do <a href="${formPath}">all actions</a></h2>
${await formLinks(ask, often)}</section>
</div></div>
<section class="card"><h2>Money of 30 days <a href="/money">by day</a></h2>
${await moneyPlot(days)}
</section>
<section class="card"><h2>The usual questions</h2>
<ol class="questions">${questions.map(({ name, words }) => html`<li><a href="${questionPath(name)}">${words}</a></li>`)}</ol>
</section>`,
  };
}

const checksIn = (checks: readonly Row[]) =>
  table(
    'Checks',
    [
      text('What must hold', 'name'),
      { name: 'Compared', cell: (row) => Number(row.compared).toLocaleString('en-US'), number: true },
      time('Looked at', 'checked_at'),
      {
        name: 'Wrong',
        cell: (row) =>
          Number(row.wrong) > 0 ? html`<strong class="bad">${Number(row.wrong)}</strong> ${row.example}` : '0',
        number: true,
      },
    ],
    checks,
    '',
  );

/** Forms that are about no account, and asked for often. */
const often = ['create-tournament-codes', 'create-tournament-code', 'create-tournament'];

const state = (good: boolean) => (good ? 'good' : 'bad');
const brief = (words: string) => (words.length > 160 ? `${words.slice(0, 159)}…` : words);

function lastBell(night: Row): Markup {
  const late = ((night.resolved_at as Date).getTime() - (night.bell_at as Date).getTime()) / 1000;
  return html`<dl class="facts">
<dt>Night</dt><dd>${Number(night.day)}, rung ${when(night.bell_at)}${late >= 1 ? `, resolved ${late < 120 ? `${Math.round(late)} s` : plural(Math.round(late / 60), 'minute')} later` : ', resolved at once'}</dd>
<dt>Moves</dt><dd>${Number(night.moves).toLocaleString('en-US')} of ${plural(Number(night.accounts), 'account')}</dd>
<dt>Rent</dt><dd>${cents(night.rent_cents)}</dd>
<dt>Lone stakes</dt><dd>${cents(night.stakes_cents)}</dd>
<dt>Burned</dt><dd>${cents(night.burned_cents)}</dd>
<dt>Paid from</dt><dd>${cents(night.granted_cents)} granted, ${cents(night.paid_cents)} paid credits</dd>
<dt>Places</dt><dd class="places">${Array.from({ length: 10 }, (_, i) => html`<a href="/night/${Number(night.day)}/${i + 1}">${i + 1}</a> `)}</dd>
</dl>`;
}
