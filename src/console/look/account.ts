// Finding an account, its page, what a night cost it, and why a place came out as it did.
import { html } from 'hono/html';
import { dollars, plural, safeUrl } from '../../html/words.ts';
import { questionPath } from '../graphql/graphiql-page.ts';
import {
  account,
  accountColumn,
  accountLink,
  card,
  figure,
  moneyColumn,
  table,
  textColumn,
  timeColumn,
  when,
} from './cells.ts';
import type { LookPage } from './frame.ts';
import { auditColumns } from './lists.ts';
import { type Ask, named, rowsOrNone } from './read.ts';
import { findForm, webhookColumns } from './tonight.ts';

/** The accounts that a text can mean, or the one that it must. */
export async function findPage(ask: Ask, wanted: string): Promise<LookPage | { readonly slug: string }> {
  const found = await ask(
    `select a.*, f.matched from api_staff.find_accounts($1) with ordinality f join hill.accounts a on a.id = f.account_id
      order by f.ordinality`,
    [wanted],
  );
  const [first] = found;
  if (found.length === 1 || (first && first.matched !== 'name')) return { slug: String(first?.slug) };
  return {
    title: 'Find an account',
    body: html`<h1>Find an account</h1>
${findForm(wanted)}
<section class="card"><h2>${found.length === 100 ? 'The first 100' : plural(found.length, 'account')}</h2>
${table(
  'Accounts found',
  [
    accountColumn,
    textColumn('Slug', 'slug'),
    textColumn('Found by its', 'matched'),
    timeColumn('Since', 'created_at'),
    {
      name: '',
      cell: (row) =>
        row.suspended_at
          ? html`<span class="bad">suspended</span>`
          : row.barred_at
            ? html`<span class="bad">barred</span>`
            : '',
    },
  ],
  found,
  wanted.includes('@')
    ? 'No sign-in has this address. Only a whole address is found.'
    : 'None. Each word has to begin a word of the name or the slug.',
)}</section>`,
  };
}

const missing = (what: string): LookPage => ({
  title: 'Not found',
  status: 404,
  body: html`<h1>${what}</h1>${findForm()}`,
});

const asks = [
  ['where-the-credits-went', 'Where its credits went'],
  ['did-the-webhook-arrive', 'Whether its events arrived'],
  ['who-plays-for-it', 'Who plays for it'],
  ['who-suspended-it', 'Who suspended it'],
  ['grant-credits', 'Grant credits'],
  ['sign-out-human', 'Sign its human out'],
  ['hide-profile', 'Hide its profile'],
] as const;

export async function accountPage(ask: Ask, slug: string): Promise<LookPage> {
  const [a] = await ask(
    `select a.*, w.granted_cents, w.paid_cents, m.daily_cap_cents, m.max_stake_cents, c.closed_at
       from hill.accounts a left join hill.wallets w on w.account_id = a.id left join hill.mandates m on m.account_id = a.id
       left join hill.closings c on c.account_id = a.id
      where a.slug = $1 or a.id = (select f.account_id from hill.former_slugs f where f.slug = $1)`,
    [slug],
  );
  if (!a) return missing('There is no such account');
  const id = String(a.id);
  const history = await ask('select * from api_staff.account_history($1) limit 30', [id]);
  const lots = await ask(
    'select l.lot_id, l.cents, l.remaining_cents, l.granted_at, l.expires_at from engine.account_lots($1) l where l.remaining_cents > 0 order by l.lot_id',
    [id],
  );
  const agents = await ask('select g.* from hill.agents g where g.account_id = $1 order by g.created_at limit 100', [
    id,
  ]);
  const seats = await ask(
    'select s.day, s.slot, s.via, s.days_held, s.points from hill.seats s where s.account_id = $1 order by s.day desc, s.slot limit 12',
    [id],
  );
  const webhooks = await ask('select * from api_staff.webhooks(account => $1) limit 20', [id]);
  const audit = await ask('select * from api_staff.search_audit(account => $1) limit 50', [id]);
  const events = await ask(
    'select e.at, e.event, e.details, g.name as agent from hill.security_events e left join hill.agents g on g.id = e.agent_id where e.account_id = $1 order by e.id desc limit 30',
    [id],
  );
  const site = safeUrl(a.url as string | null);
  const state = a.closed_at ? 'closed' : a.suspended_at ? 'suspended' : a.barred_at ? 'barred' : 'open';
  return {
    title: String(a.name),
    body: html`<h1><bdi>${String(a.name)}</bdi></h1>
<dl class="figures">
${figure('State', state, state === 'open' ? 'good' : 'bad')}
${figure('Granted credits', dollars(Number(a.granted_cents ?? 0)))}
${figure('Paid credits', dollars(Number(a.paid_cents ?? 0)))}
${figure('Daily cap', dollars(Number(a.daily_cap_cents ?? 0)))}
${figure('Largest stake', dollars(Number(a.max_stake_cents ?? 0)))}
</dl>
<div class="two"><div>
<section class="card"><h2>Account</h2><dl class="facts">
<dt>Slug</dt><dd>${String(a.slug)}</dd>
<dt>Id</dt><dd><code>${id}</code></dd>
<dt>Since</dt><dd>${when(a.created_at)}</dd>
${site ? html`<dt>Site</dt><dd>${site}${a.verified ? ', verified' : ''}</dd>` : ''}
${a.suspended_at ? html`<dt>Suspended</dt><dd>${when(a.suspended_at)}</dd>` : ''}
${a.barred_at ? html`<dt>Barred</dt><dd>${when(a.barred_at)}</dd>` : ''}
${a.closed_at ? html`<dt>Closed</dt><dd>${when(a.closed_at)}</dd>` : ''}
${a.founder ? html`<dt>Founder</dt><dd>yes</dd>` : ''}
${a.house ? html`<dt>House</dt><dd>yes</dd>` : ''}
</dl></section>
<section class="card"><h2>Ask and act</h2>
<ul class="ways">${[...asks, a.suspended_at ? (['restore-account', 'Lift its suspension'] as const) : (['suspend-account', 'Suspend it'] as const)].map(([name, words]) => html`<li><a href="${questionPath(name, { account: String(a.slug), accountId: id })}">${words}</a></li>`)}</ul>
<p class="soft">Each opens a tab with this account filled in. An action takes a reason, and runs when you say so there.</p>
</section>
${card(
  'Agents',
  [
    textColumn('Agent', 'name'),
    textColumn('Model', 'model'),
    timeColumn('Since', 'created_at'),
    {
      name: 'Cut',
      cell: (row) =>
        row.cut_at
          ? when(row.cut_at)
          : html`<a href="${questionPath('cut-agent', { agentId: String(row.id) })}">cut it off</a>`,
    },
  ],
  agents,
  'None yet.',
)}
${card(
  'Seats',
  [
    textColumn('Night', 'day'),
    {
      name: 'Place',
      cell: (row) => html`<a href="/night/${String(row.day)}/${String(row.slot)}">${String(row.slot)}</a>`,
    },
    textColumn('By', 'via'),
    { name: 'Bells held', cell: (row) => String(row.days_held ?? ''), number: true },
    { name: 'Points', cell: (row) => String(Number(row.points)), number: true },
  ],
  seats,
  'It never had a place.',
)}
</div><div>
${card(
  'Granted credits',
  [
    textColumn('Lot', 'lot_id'),
    moneyColumn('Left', 'remaining_cents'),
    moneyColumn('Of', 'cents'),
    timeColumn('Expires', 'expires_at'),
  ],
  lots,
  'None is left.',
)}
${card('Security', [timeColumn('When', 'at'), textColumn('What', 'event'), textColumn('Agent', 'agent')], events, 'Nothing.')}
${card('Webhooks', webhookColumns, webhooks, 'None.')}
</div></div>
${card('What staff did', auditColumns(false), audit, 'Nothing.')}
<section class="card"><h2>Money ${history.length === 30 ? html`<span class="soft">the latest 30</span>` : ''}</h2>
${table(
  'Money',
  [
    textColumn('Day', 'day'),
    timeColumn('When', 'at'),
    {
      name: 'What',
      cell: (row) =>
        row.kind === 'night'
          ? html`<a href="/account/${String(a.slug)}/night/${String(row.day)}">night</a>`
          : String(row.kind),
    },
    textColumn('Why', 'reason'),
    moneyColumn('Granted', 'granted_cents'),
    moneyColumn('Paid', 'paid_cents'),
    {
      name: 'Credits after',
      cell: (row) => dollars(Number(row.granted_after_cents) + Number(row.paid_after_cents)),
      number: true,
    },
  ],
  history,
  'Nothing came in yet.',
)}</section>`,
  };
}

export async function chargePage(ask: Ask, slug: string, day: number): Promise<LookPage> {
  const [a] = await ask('select a.name, a.slug from hill.accounts a where a.slug = $1', [slug]);
  if (!a) return missing('There is no such account');
  const charges = await rowsOrNone(ask('select * from api_staff.explain_charge($1, $2)', [slug, day]));
  if (!charges) return missing('That day has not been resolved');
  return {
    title: `Night ${day} of ${a.name}`,
    body: html`<h1>What night ${day} cost ${account(a)}</h1>
<section class="card"><h2>${dollars(charges.reduce((sum, row) => sum + Number(row.cents), 0))} <a href="${questionPath('why-it-was-charged', { account: String(a.slug), day: String(day) })}">ask more</a></h2>
${table(
  'Charges',
  [
    textColumn('For', 'what'),
    {
      name: 'Outcome',
      cell: (row) =>
        html`<a class="tag ${String(row.outcome)}" href="/night/${day}/${String(row.slot)}?account=${String(a.slug)}">${String(row.outcome)}</a>`,
    },
    moneyColumn('Amount', 'cents'),
    {
      name: 'Paid from',
      cell: (row) =>
        row.lot_id
          ? html`granted credits, lot ${String(row.lot_id)}, expires ${when(row.lot_expires_at)}`
          : 'paid credits',
    },
    { name: 'Before', cell: (row) => dollars(Number(row.credits_before_cents)), number: true },
    { name: 'After', cell: (row) => dollars(Number(row.credits_after_cents)), number: true },
  ],
  charges,
  'It had no live move that night, so nothing was taken.',
)}</section>`,
  };
}

export async function placePage(ask: Ask, day: number, slot: number, who: string | null): Promise<LookPage> {
  const decisions = await rowsOrNone(
    ask(
      `select d.*, r.name as rival_name, r.slug as rival_slug
         from (${named('api_staff.explain_night(day => $1, slot => $2, account => $3)')}) d
         left join hill.accounts r on r.id = d.rival_id order by d.ordinality`,
      [day, slot, who],
    ),
  );
  if (!decisions) return missing('There is no such night, place or account');
  const [result] = await ask('select p.* from hill.place_results p where p.day = $1 and p.slot = $2', [day, slot]);
  return {
    title: `Place ${slot} on night ${day}`,
    body: html`<h1>Place ${slot} on night ${day} <span class="tag ${String(result?.outcome)}">${String(result?.outcome)}</span></h1>
<p class="lead">${Number(result?.peace_count)} PEACE, ${Number(result?.war_count)} WAR${Number(result?.burned_cents) > 0 ? `, ${dollars(Number(result?.burned_cents))} burned` : ''}.${who ? html` <a href="/night/${day}/${slot}">Everybody there</a>.` : ''}</p>
<section class="card"><h2>Why <a href="${questionPath('what-happened-on-a-place', { day: String(day), slot: String(slot) })}">ask more</a></h2>
${table(
  'Decisions',
  [
    accountColumn,
    {
      name: 'Played',
      cell: (row) =>
        html`<span class="tag ${String(row.move ?? 'PASS')}">${String(row.move ?? 'nothing')}</span>${row.move === 'WAR' ? ` ${dollars(Number(row.stake_cents))}` : ''}`,
    },
    {
      name: 'Came to',
      cell: (row) => `${row.fate}${row.slot !== null && Number(row.slot) !== slot ? ` on ${row.slot}` : ''}`,
    },
    textColumn('Why', 'why'),
    { name: 'Against', cell: (row) => accountLink(row.rival_slug, row.rival_name) },
    textColumn('Rule', 'sentence'),
    {
      name: 'Deposited',
      cell: (row) => (row.deposited_at ? (row.deposited_at as Date).toISOString().slice(11, 19) : ''),
    },
  ],
  decisions,
  'Nobody held it or moved there.',
)}</section>`,
  };
}
