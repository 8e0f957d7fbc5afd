// Finding an account, its page, what a night cost it, and why a place came out as it did.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { plural, safeUrl } from '../../html/words.ts';
import { codeColumns } from '../act/page.ts';
import { formLinks } from '../act/permitted.ts';
import type { LookPage } from '../frame.ts';
import { actionPath, questionPath } from '../ways.ts';
import { accountOrderColumns, accountOrders } from './account-orders.ts';
import { attemptsAtCode, attemptsAtText, triedByAccount } from './attempts-at-codes.ts';
import { askMore, type Card, card, cards } from './cards.ts';
import {
  account,
  accountColumn,
  accountLink,
  auditColumns,
  cents,
  figure,
  money,
  text,
  time,
  webhookColumns,
  when,
} from './cells.ts';
import { type Ask, named, type Row, rowsOrNone } from './read.ts';
import { foundWords, said } from './words.ts';

export const findForm = (value = ''): Markup => html`<form class="find" method="post" action="/find" role="search">
<label for="text">Find an account, a code, or <a class="soft" href="/words">words that somebody said</a></label>
<input id="text" name="text" value="${value}" maxlength="320" required autocomplete="off" spellcheck="false" placeholder="name, slug, id, agent, code, words, or whole e-mail address">
<button>Find</button>
</form>`;

/** The accounts that a text can mean, or the one that it must. */
export async function findPage(ask: Ask, wanted: string): Promise<LookPage | { readonly slug: string }> {
  const found = await ask(
    `select a.*, f.matched from api_staff.find_accounts($1) with ordinality f join hill.accounts a on a.id = f.account_id
      order by f.ordinality`,
    [wanted],
  );
  const codes = await ask(
    `select c.*, t.name as tournament from hill.tournament_codes c join hill.tournaments t on t.id = c.tournament_id
      where c.code = upper(regexp_replace($1, '\\s', '', 'g'))`,
    [wanted],
  );
  if (codes.length > 0) return codePage(ask, codes);
  const [first] = found;
  if (found.length === 1 || (first && first.matched !== 'name')) return { slug: String(first?.slug) };
  const isAddress = wanted.includes('@');
  const tried = isAddress ? [] : await ask(attemptsAtText.query, [wanted]);
  const [like] =
    isAddress || first ? [] : await ask('select n.code from api_staff.nearest_code($1) n (code)', [wanted]);
  return {
    title: 'Find',
    body: html`<h1>Find</h1>
${findForm(wanted)}
${like?.code ? html`<p class="lead">No code is called that. The one that is most like it is <strong>${like.code}</strong>.</p>` : ''}
${like?.code || tried.length > 0 || isAddress || first ? '' : html`<p class="lead">No code is like that, and nobody has typed it in the last 30 days.</p>`}
${tried.length === 0 ? '' : card(attemptsAtText.title, attemptsAtText.columns, tried, '')}
${first || isAddress ? '' : await foundWords(ask, wanted)}
${card(
  'Accounts found',
  [
    accountColumn,
    text('Slug', 'slug'),
    text('Found by its', 'matched'),
    time('Since', 'created_at'),
    {
      name: '',
      cell: (row) => (stateOf(row) === 'open' ? '' : html`<span class="bad">${stateOf(row)}</span>`),
    },
  ],
  found,
  isAddress
    ? 'No sign-in has this address. Only a whole address is found.'
    : 'None. Each word has to begin a word of the name or the slug.',
  found.length === 0 ? undefined : found.length === 100 ? 'The first 100' : plural(found.length, 'account'),
)}`,
  };
}

/** A code of a tournament, typed in any case: what is left of it, and who has redeemed it. */
async function codePage(ask: Ask, codes: readonly Row[]): Promise<LookPage> {
  const code = String(codes[0]?.code);
  const used = await ask(
    `select r.redeemed_at, a.name, a.slug from hill.tournament_redemptions r join hill.accounts a on a.id = r.account_id
      where r.code = $1 order by r.redeemed_at desc limit 200`,
    [code],
  );
  return {
    title: 'A code',
    body: html`<h1>A code</h1>
${card('Code', codeColumns, codes, '', code)}
${card('Who has redeemed it', [accountColumn, time('When', 'redeemed_at')], used, 'Nobody yet.')}
${await cards(ask, [attemptsAtCode], [code])}`,
  };
}

/** What is found is not asked whether it is closed. */
const stateOf = ({ closed_at, suspended_at, barred_at }: Row) =>
  closed_at ? 'closed' : suspended_at ? 'suspended' : barred_at ? 'barred' : 'open';

const missing = (what: string): LookPage => ({
  title: 'Not found',
  status: 404,
  body: html`<h1>${what}</h1>${findForm()}`,
});

const asked = [
  ['where-the-credits-went', 'Where its credits went'],
  ['did-the-webhook-arrive', 'Whether its events arrived'],
  ['who-plays-for-it', 'Who plays for it'],
  ['who-suspended-it', 'Who suspended it'],
] as const;

/** Forms about an account, as far as they fit its state. */
const forms = ({
  suspended_at,
  barred_at,
  founder,
  profile_hidden,
  icon,
  closed_at,
  house,
}: Row): readonly string[] => [
  'grant-credits',
  suspended_at ? 'restore-account' : 'suspend-account',
  ...(barred_at ? ['lift-bar'] : []),
  profile_hidden ? 'show-profile' : 'hide-profile',
  ...(icon ? ['hide-icon'] : []),
  'sign-out-human',
  ...(closed_at || house ? [] : ['move-sign-in', 'close-account-for']),
  founder ? 'unmark-founder' : 'mark-founder',
];

const leftCards: readonly Card[] = [
  {
    title: 'Seats',
    query: 'select s.* from hill.seats s where s.account_id = $1 order by s.day desc, s.slot limit 12',
    columns: [
      text('Night', 'day'),
      { name: 'Place', cell: ({ day, slot }) => html`<a href="/night/${day}/${slot}">${slot}</a>` },
      text('By', 'via'),
      { ...text('Bells held', 'days_held'), number: true },
      { name: 'Points', cell: ({ points }) => Number(points), number: true },
    ],
    none: 'It never had a place.',
  },
];

const rightCards: readonly Card[] = [
  {
    title: 'Granted credits',
    query: `select l.*, r.day as revoked_on from engine.account_lots($1) l
              left join hill.lot_revocations r on r.lot_id = l.lot_id and r.kept_at is null and r.taken_cents is null
             where l.remaining_cents > 0 order by l.lot_id`,
    columns: [
      text('Lot', 'lot_id'),
      money('Left', 'remaining_cents'),
      money('Of', 'cents'),
      time('Expires', 'expires_at'),
      {
        name: 'Take back',
        cell: ({ lot_id, revoked_on }) =>
          html`<a href="${actionPath(revoked_on === null ? 'revoke-grant' : 'keep-grant', { lot_id })}">${revoked_on === null ? 'revoke' : `at the bell of day ${revoked_on}: keep it`}</a>`,
      },
    ],
    none: 'None is left.',
  },
  {
    title: 'Security',
    query: `select e.at, e.event, g.name as agent from hill.security_events e left join hill.agents g on g.id = e.agent_id
             where e.account_id = $1 order by e.id desc limit 30`,
    columns: [time('When', 'at'), text('What', 'event'), text('Agent', 'agent')],
    none: 'Nothing.',
  },
  {
    title: 'Webhooks',
    query: 'select * from api_staff.webhooks(account => $1) limit 20',
    columns: webhookColumns,
    none: 'None.',
  },
];

/** What of a top-up staff can tell its human, and look up at Stripe. */
const paymentState = ({ transfer_id, failed_at, checkout }: Row): Markup =>
  transfer_id !== null
    ? html`<span class="good">credited</span>`
    : failed_at !== null
      ? html`<span class="bad">failed</span>`
      : html`<span class="bad">${checkout === null ? 'not begun at Stripe' : 'not paid yet, or on its way'}</span>`;

const lastCards: readonly Card[] = [
  {
    title: 'Agents',
    query: 'select g.* from hill.agents g where g.account_id = $1 order by g.created_at limit 100',
    columns: [
      text('Agent', 'name'),
      text('Model', 'model'),
      time('Since', 'created_at'),
      { name: 'Id', cell: ({ id }) => html`<code>${id}</code>` },
      {
        name: 'Cut',
        cell: ({ cut_at, id }) =>
          html`${cut_at ? html`${when(cut_at)} · ` : ''}<a href="${actionPath(cut_at ? 'uncut-agent' : 'cut-agent', { agent_id: id })}">${cut_at ? 'let it in again' : 'cut it off'}</a>`,
      },
    ],
    none: 'None yet.',
  },
  {
    title: 'Payments',
    query: `select t.*, c.kind || ' ' || c.status as claim
              from hill.top_ups t left join hill.payment_claims c on c.payment = t.payment
             where t.account_id = $1 order by t.created_at desc, t.id limit 30`,
    columns: [
      time('When', 'created_at'),
      money('Amount', 'cents'),
      { name: 'State', cell: paymentState },
      text('Dispute or refund', 'claim'),
      text('Payment at Stripe', 'payment'),
      text('Session at Stripe', 'checkout'),
    ],
    none: 'Its human has begun none.',
  },
  triedByAccount,
  {
    title: 'What staff did',
    query: 'select * from api_staff.search_audit(account => $1) limit 50',
    columns: auditColumns(),
    none: 'Nothing.',
  },
  {
    title: 'Money',
    heading: (rows) => html`Money ${rows.length === 30 ? html`<span class="soft">the latest 30</span>` : ''}`,
    query: `${named('api_staff.account_history($1)')} limit 30`,
    columns: [
      text('Day', 'day'),
      time('When', 'at'),
      {
        name: 'What',
        cell: ({ kind, slug, day }) =>
          kind === 'night' ? html`<a href="/account/${slug}/night/${day}">night</a>` : String(kind),
      },
      text('Why', 'reason'),
      money('Granted', 'granted_cents'),
      money('Paid', 'paid_cents'),
      {
        name: 'Credits after',
        cell: (row) => cents(Number(row.granted_after_cents) + Number(row.paid_after_cents)),
        number: true,
      },
    ],
    none: 'Nothing came in yet.',
  },
];

export async function accountPage(ask: Ask, slug: string): Promise<LookPage> {
  const [a] = await ask(
    `select a.*, w.granted_cents, w.paid_cents, m.daily_cap_cents, m.weekly_cap_cents, m.max_stake_cents,
         case when m.paused_until > coalesce((select max(n.day) from hill.nights n), 0) + 1 then m.paused_until end as paused_until, c.closed_at
         , exists (select from hill.hidden_profiles h where h.account_id = a.id) as profile_hidden
       from hill.accounts a left join lateral engine.credits_of(a.id) w on true left join hill.mandates m on m.account_id = a.id
       left join hill.closings c on c.account_id = a.id
      where a.slug = $1 or a.id = (select f.account_id from hill.former_slugs f where f.slug = $1)`,
    [slug],
  );
  if (!a) return missing('There is no such account');
  const id = String(a.id);
  const state = stateOf(a);
  const orders = await ask(accountOrders('o.account_id = $1'), [id]);
  return {
    title: String(a.name),
    body: html`<h1><bdi>${a.name}</bdi></h1>
<dl class="figures">
${figure('State', state, state === 'open' ? 'good' : 'bad')}
${figure('Granted credits', cents(a.granted_cents))}
${figure('Paid credits', cents(a.paid_cents))}
${figure('Daily cap', cents(a.daily_cap_cents))}
${a.weekly_cap_cents === null ? '' : figure('Weekly cap', cents(a.weekly_cap_cents))}
${figure('Largest stake', cents(a.max_stake_cents))}
${a.paused_until === null ? '' : figure('Paused', `until day ${a.paused_until}`)}
</dl>
${orders.length === 0 ? '' : card('For a human who cannot sign in', accountOrderColumns, orders, '')}
<div class="two"><div>
${facts(a)}
<section class="card"><h2>Do</h2>
${await formLinks(ask, forms(a), { account_id: id })}
<h3>Ask</h3>
<ul class="ways">${asked.map(([name, words]) => html`<li><a href="${questionPath(name, { account: String(a.slug), accountId: id })}">${words}</a></li>`)}</ul>
</section>
${await cards(ask, leftCards, [id])}
</div><div>
${await cards(ask, rightCards, [id])}
</div></div>
${await cards(ask, lastCards, [id])}`,
  };
}

function facts(a: Row): Markup {
  const site = safeUrl(a.url as string | null);
  return html`<section class="card"><h2>Account</h2><dl class="facts">
<dt>Slug</dt><dd>${a.slug}</dd>
<dt>Id</dt><dd><code>${a.id}</code></dd>
<dt>Since</dt><dd>${when(a.created_at)}</dd>
${site ? html`<dt>Site</dt><dd>${site}${a.verified ? ', verified' : ''}</dd>` : ''}
${a.suspended_at ? html`<dt>Suspended</dt><dd>${when(a.suspended_at)}</dd>` : ''}
${a.suspended_because ? html`<dt>Its human is told</dt><dd>${a.suspended_because}</dd>` : ''}
${a.barred_at ? html`<dt>Barred</dt><dd>${when(a.barred_at)}</dd>` : ''}
${a.closed_at ? html`<dt>Closed</dt><dd>${when(a.closed_at)}</dd>` : ''}
${a.founder ? html`<dt>Founder</dt><dd>yes</dd>` : ''}
${a.house ? html`<dt>House</dt><dd>yes</dd>` : ''}
</dl></section>`;
}

export async function chargePage(ask: Ask, slug: string, day: number): Promise<LookPage> {
  const [a] = await ask('select a.name, a.slug from hill.accounts a where a.slug = $1', [slug]);
  if (!a) return missing('There is no such account');
  const charges = await rowsOrNone(ask('select * from api_staff.explain_charge($1, $2)', [slug, day]));
  if (!charges) return missing('That day has not been resolved');
  return {
    title: `Night ${day} of ${a.name}`,
    body: html`<h1>What night ${day} cost ${account(a)}</h1>
${card(
  'Charges',
  [
    text('For', 'what'),
    {
      name: 'Outcome',
      cell: ({ outcome, slot }) =>
        html`<a class="tag ${outcome}" href="/night/${day}/${slot}?account=${a.slug}">${outcome}</a>`,
    },
    money('Amount', 'cents'),
    {
      name: 'Paid from',
      cell: ({ lot_id, lot_expires_at }) =>
        lot_id ? html`granted credits, lot ${lot_id}, expires ${when(lot_expires_at)}` : 'paid credits',
    },
    { name: 'Before', cell: (row) => cents(row.credits_before_cents), number: true },
    { name: 'After', cell: (row) => cents(row.credits_after_cents), number: true },
  ],
  charges,
  'It had no live move that night, so nothing was taken.',
  html`${cents(charges.reduce((sum, row) => sum + Number(row.cents), 0))} ${askMore('why-it-was-charged', { account: String(a.slug), day: String(day) })}`,
)}`,
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
    body: html`<h1>Place ${slot} on night ${day} <span class="tag ${result?.outcome}">${result?.outcome}</span></h1>
<p class="lead">${result?.peace_count} PEACE, ${result?.war_count} WAR${Number(result?.burned_cents) > 0 ? `, ${cents(result?.burned_cents)} burned` : ''}.${who ? html` <a href="/night/${day}/${slot}">Everybody there</a>.` : ''}</p>
${card(
  'Decisions',
  [
    accountColumn,
    {
      name: 'Played',
      cell: ({ move, stake_cents }) =>
        html`<span class="tag ${move ?? 'PASS'}">${move ?? 'nothing'}</span>${move === 'WAR' ? ` ${cents(stake_cents)}` : ''}`,
    },
    {
      name: 'Came to',
      cell: (row) => `${row.fate}${row.slot !== null && Number(row.slot) !== slot ? ` on ${row.slot}` : ''}`,
    },
    text('Why', 'why'),
    { name: 'Against', cell: (row) => accountLink(row.rival_slug, row.rival_name) },
    text('Rule', 'sentence'),
    {
      name: 'Deposited',
      cell: ({ deposited_at }) => (deposited_at ? (deposited_at as Date).toISOString().slice(11, 19) : ''),
    },
  ],
  decisions,
  'Nobody held it or moved there.',
  html`Why ${askMore('what-happened-on-a-place', { day: String(day), slot: String(slot) })}`,
)}
${await cards(ask, [said], [day, slot])}`,
  };
}
