// Staff see nothing of tonight's moves: all lists, and the answers to all that staff can do, are the same whether
// somebody deposited or not. Rules 9.2.
import { beforeAll, describe, expect, test } from 'vitest';
import { useConsole } from '../support/doors/console.ts';
import { everything, queriesOf, schemaOf } from '../support/doors/everything.ts';
import { type Account, anAccount, anotherAgent, refusal, useHill } from '../support/hill/index.ts';
import { aMember } from '../support/hill/staff.ts';

const hill = useHill();
const staff = useConsole(hill);

let ann: Account;
let bob: Account;
let cookie: string;

beforeAll(async () => {
  ann = await anAccount(hill, {
    name: 'Ann',
    credits: 20000,
    granted: [500, 700],
    daily_cap_cents: 20000,
    max_stake_cents: 20000,
  });
  bob = await anAccount(hill, { name: 'Bob', credits: 20000, daily_cap_cents: 20000, max_stake_cents: 20000 });
  for (const day of [1, 2]) {
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: `Ann on day ${day}` });
    await hill.asAgent(bob).play({ slot: day, move: 'WAR', stake_cents: 900 });
    await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE' });
    await hill.clock.ringBell();
  }
  // one that the next bell takes back, whatever of it is spent tonight
  await hill.asStaff().call('api_staff.grant_credits', { account_id: bob.id, cents: 900, key: 'k', reason: 'a test' });
  const [lot] = await hill.rows<{ id: string }>('select max(id) as id from hill.lots');
  await hill.asStaff().call('api_staff.revoke_grant', { lot_id: lot?.id, reason: 'a test' });
  // what staff do for a human who cannot sign in shows on the same pages
  await (await aMember(hill, 'support')).call('api_staff.close_account_for', {
    ...{ account_id: bob.id, key: 'k', reason: 'a test' },
  });
  cookie = await staff.signIn();
});

/**
 * The rows of every table that the staff's role may read, as far as it may, with what PostgreSQL keeps of a row beside
 * its columns.
 */
async function everyRow(): Promise<Record<string, unknown>> {
  const door = hill.asStaff();
  const tables = await door.query<{ name: string; columns: string }>(
    `select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where n.nspname in ('hill', 'oauth') and c.relkind in ('r', 'p', 'v', 'm') and not a.attisdropped and has_column_privilege(c.oid, a.attnum, 'select')
      group by 1 order by 1`,
  );
  const rows: Record<string, unknown> = {};
  for (const { name, columns } of tables) rows[name] = await door.query(`select ${columns} from ${name}`);
  return rows;
}

/** What staff can find out by being refused, and by how PostgreSQL plans. */
async function everyRefusal(): Promise<unknown> {
  const ask = (mutation: string) => staff.graphql(cookie, `mutation { ${mutation} }`);
  return Promise.all([
    ask('openPlace(input: {slot: 3, day: 9, reason: "curious"}) { place { slot } }'),
    ask(`grantCredits(input: {accountId: "${bob.id}", cents: 0, key: "k", reason: "curious"}) { creditOrder { id } }`),
    ask(`suspendAccount(input: {accountId: "${bob.id}", suspended: true, reason: "no"}) { account { id } }`),
    ...['hill.sealed_moves', 'hill.reservations', 'hill.sealed_counts', 'oauth.access_tokens'].map((table) =>
      hill
        .asStaff()
        .query(`explain select * from ${table}`)
        .then(
          () => 'planned',
          ({ code }) => code,
        ),
    ),
  ]);
}

/** The functions that need to be told about what. */
const asked = {
  findAccounts: ', text: "bob"',
  findWords: ', text: "on"',
  explainNight: ', slot: 1',
  explainCharge: ', account: "ann", day: 2',
  accountHistory: ', account: "bob"',
  signInCode: ', accountOrderId: "1"',
};

const look = async (orders: 'one order' | 'each order' = 'one order') => ({
  graphql: {
    ...(await everything(staff, cookie, queriesOf(await schemaOf(staff, cookie), orders, asked))),
    filtered: await staff.data(
      cookie,
      `{ moves(filter: { message: { includesInsensitive: "o" }, stakeCents: { lessThan: "100000" } }) { nodes { day slot } totalCount }
         announcements(filter: { day: { greaterThan: 0 } }) { totalCount }
         agents(filter: { createdAt: { greaterThan: "2020-01-01T00:00:00Z" } }) { totalCount } }`,
    ),
    bell: await staff.data(cookie, '{ bellHealth { bell books failure lastNight } }'),
  },
  rows: await everyRow(),
  pages: await Promise.all(
    [
      '/account/bob',
      '/account/bob/night/2',
      '/night/2/1',
      '/money',
      '/audit',
      '/audit/1',
      '/words?text=on',
      '/do',
      await aForm(),
    ].map(async (path) => (await staff.fetch(path, { headers: { Cookie: cookie } })).text()),
  ),
});

/** Of an action about tonight's credits. */
const aForm = async () => {
  const [lot] = await hill.rows<{ id: string }>('select max(id) as id from hill.lots where account_id = $1', [bob.id]);
  return `/do/revoke-grant?lot_id=${lot?.id}`;
};

describe('before the bell', () => {
  test('staff see the same before and after anything that another account deposits', async () => {
    const other = await anotherAgent(hill, bob);
    const refusals = await everyRefusal();
    expect(refusals).toMatchObject([
      { errors: [{ extensions: { code: 'NOT_ALLOWED' } }] },
      { errors: [{ extensions: { code: 'INVALID_AMOUNT' } }] },
      { errors: [{ extensions: { code: 'REASON_REQUIRED' } }] },
      ...['42501', '42501', '42501', '42501'],
    ]);
    const inEachOrder = await look('each order');
    const before = await look();
    // There is something to see.
    expect(Object.keys(before.rows).length).toBeGreaterThan(15);
    expect(Object.keys(inEachOrder.graphql).length).toBeGreaterThan(100);
    expect(JSON.stringify(before.graphql)).toContain('Ann on day 2');
    expect(before.pages.join('')).toContain('Ann on day 2');

    const deposits: [string, () => Promise<unknown>][] = [
      ['PEACE with a message', () => hill.asAgent(bob).play({ slot: 7, move: 'PEACE', message: 'sealed' })],
      ['WAR in its stead', () => hill.asAgent(bob).play({ slot: 7, move: 'WAR', stake_cents: 1234 })],
      [
        'another agent of the account, on the place that it holds',
        () => hill.asAgent(other).play({ slot: 2, move: 'PEACE' }),
      ],
      ['PASS', () => hill.asAgent(bob).play({ slot: 7, move: 'PASS' })],
      ['a withdrawal by its human', () => hill.asHuman(bob).withdrawMove(2)],
      [
        'a move of the other account',
        () => hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 800, message: 'sealed' }),
      ],
      ['a refused deposit', () => refusal(hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 1 }))],
      ['the count of the quarter hour', () => hill.asWorker().refreshSealedCount()],
    ];
    for (const [what, deposit] of deposits) {
      await deposit();
      expect(await look(), what).toEqual(before);
    }
    expect(await look('each order')).toEqual(inEachOrder);
    expect(await everyRefusal()).toEqual(refusals);
  });

  test('what they can do tells them nothing either: its answers and traces are those of an account that has deposited nothing', async () => {
    const both = [
      await anAccount(hill, { name: 'Quiet', credits: 20000 }),
      await anAccount(hill, { name: 'Busy', credits: 20000 }),
    ] as const;
    await hill.asAgent(both[1]).play({ slot: 9, move: 'PEACE' });
    const answers = both.map(({ id }) =>
      staff.data(
        cookie,
        `mutation ($id: UUID!, $key: String!) {
           founder: markFounder(input: {accountId: $id, founder: true, reason: "a test"}) { account { founder wallet { grantedCents paidCents } } }
           grant: grantCredits(input: {accountId: $id, cents: 500, key: $key, reason: "a test"}) { creditOrder { lot { cents remainingCents account { wallet { grantedCents paidCents } } } } }
           suspend: suspendAccount(input: {accountId: $id, suspended: true, reason: "a test"}) { account { suspendedAt moves { totalCount } settlements { totalCount } } }
         }`,
        { id, key: id },
      ),
    );
    expect(await answers[1]).toEqual(await answers[0]);
  });
});

describe('after the bell', () => {
  test('they see it, so the comparison would have seen it before', async () => {
    const before = await look();
    await hill.asAgent(ann).play({ slot: 5, move: 'PEACE', message: 'open by now' });
    expect(await look()).toEqual(before);
    await hill.clock.ringBell();
    const after = await look();
    expect(after).not.toEqual(before);
    expect(JSON.stringify(after.graphql)).toContain('open by now');
    expect(JSON.stringify(after.rows)).toContain('open by now');
  });

  test('an announcement is seen at once', async () => {
    const before = await look();
    await hill.asAgent(bob).announce({ slot: 5, intention: 'WAR' });
    const after = await look();
    expect(after.graphql).not.toEqual(before.graphql);
    expect(after.rows).not.toEqual(before.rows);
  });
});

test('what is looked at is all there is: every list that GraphQL shows', async () => {
  const queries = queriesOf(await schemaOf(staff, cookie), 'one order');
  const lists = new Set(queries.flatMap((query) => /^\{ (\w+)\(/.exec(query)?.[1] ?? []));
  expect([...lists].sort()).toEqual(
    [
      'accountOrders',
      'accounts',
      'agents',
      'announcements',
      'archives',
      'auditEntries',
      'boards',
      'claimTransfers',
      'closings',
      'codeAttempts',
      'creditOrders',
      'formerModels',
      'formerProfiles',
      'formerSlugs',
      'hiddenProfiles',
      'hiddenWords',
      'identityCounters',
      'leaderboardEntries',
      'ledgerAccounts',
      'lotRevocations',
      'lots',
      'mandates',
      'moves',
    ]
      .concat([
        'nights',
        'paymentClaims',
        'paymentEvents',
        'placeResults',
        'places',
        'reports',
        'retellings',
        'seats',
        'securityEvents',
        'settings',
        'settlements',
        'staffLimits',
        'staffMembers',
        'terms',
        'termsAccepteds',
        'topUps',
        'tournamentCodes',
        'tournamentEntries',
        'tournamentRedemptions',
        'tournaments',
        'transfers',
        'wallets',
      ])
      // what functions answer, out of the same tables and of deliveries and jobs
      .concat([
        'accountHistory',
        'bellChecks',
        'disputedPayments',
        'expiringLots',
        'explainCharge',
        'explainNight',
        'findAccounts',
        'findWords',
        'jobs',
        'money',
        'mostCredits',
        'openReports',
        'refusedPayments',
        'searchAudit',
        'stoppedAccounts',
        'waitingOrders',
        'waitingPayments',
        'webhookDeliveries',
        'webhooks',
      ])
      .sort(),
  );
});
