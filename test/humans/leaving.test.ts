// A human downloads all data of the account, and closes it. Rules 19; decisions 105 to 109.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sqlFolder } from '../../src/db/sql-folder.ts';
import { useOAuth } from '../support/doors/oauth.ts';
import { formOf, Visitor } from '../support/doors/visitor.ts';
import { aFullLife, type FullLife, person } from '../support/hill/a-full-life.ts';
import { type Account, anAccount, balanced, books, call, refusal, useHill } from '../support/hill/index.ts';
import { hasPsql, psql } from '../support/hill/psql.ts';
import { signIn } from '../support/hill/sign-in.ts';

const hill = useHill();
const door = useOAuth(hill);

/**
 * Every table that has rows of accounts. `download`: the list of the file that has them; or, after a dash, why none
 * has. `closing`: 'kept', and why; or 'cleared', and then the account has no row left; or what is left of the row.
 */
const judged: Readonly<Record<string, { download: string; closing: string }>> = {
  'hill.account_orders': {
    download: 'staff_orders',
    closing: 'kept: what staff did, by the account’s id, without the new login',
  },
  'hill.accounts': { download: 'account', closing: 'kept: without name, slug and url' },
  'hill.agents': { download: 'agents', closing: 'kept: without name and model, for its moves; cut' },
  'hill.announcements': { download: 'announcements', closing: 'kept: without messages' },
  'hill.audit_log': {
    download: '- the record of staff, with the names of staff',
    closing: 'kept: what staff did, by the account’s id',
  },
  'hill.caps_set': { download: 'caps', closing: 'kept: numbers' },
  'hill.closings': {
    download: '- only a closed account has one, and nobody signs in to it',
    closing: 'kept: it is the closing',
  },
  'hill.code_attempts': { download: 'codes_tried', closing: 'cleared' },
  'hill.credit_orders': {
    download: '- the record of staff: ledger has what was granted',
    closing: 'kept: what staff did, by the account’s id',
  },
  'hill.deliveries': { download: 'deliveries', closing: 'cleared' },
  'hill.former_profiles': { download: 'former_profiles', closing: 'cleared' },
  'hill.former_slugs': { download: 'former_slugs', closing: 'cleared' },
  'hill.hidden_profiles': { download: 'account', closing: 'cleared' },
  'hill.hidden_words': { download: 'hidden_words', closing: 'cleared' },
  'hill.icons': { download: 'icon', closing: 'cleared' },
  'hill.identity_counters': { download: 'counters', closing: 'kept: three numbers' },
  'hill.leaderboard': { download: 'boards', closing: 'kept: ranks' },
  'hill.lot_revocations': {
    download: '- the record of staff: ledger has what was taken',
    closing: 'kept: what staff did, by the account’s id',
  },
  'hill.lots': { download: 'lots', closing: 'kept: the ledger' },
  'hill.mails': { download: 'mails', closing: 'cleared' },
  'hill.mandates': { download: 'mandate', closing: 'kept: numbers' },
  'hill.moves': { download: 'moves', closing: 'kept: without messages' },
  'hill.name_skeletons': { download: '- what the name looks like: account has the name', closing: 'cleared' },
  'hill.reports': { download: 'reports', closing: 'kept: words for staff, without a name' },
  'hill.reservations': { download: 'balance', closing: 'kept: until the bell they stand' },
  'hill.sealed_moves': { download: 'moves_tonight', closing: 'kept: until the bell they stand' },
  'hill.seats': { download: 'seats', closing: 'kept: points' },
  'hill.security_events': { download: 'security_events', closing: 'kept: they name nobody' },
  'hill.settlements': { download: 'nights', closing: 'kept: the ledger' },
  'hill.site_checks': { download: 'site_verification', closing: 'cleared' },
  'hill.staff_members': { download: 'staff', closing: 'cleared' },
  'hill.subscriptions': { download: 'webhooks', closing: 'cleared' },
  'hill.terms_accepted': { download: 'terms_accepted', closing: 'kept: the contract under which was paid' },
  'hill.top_ups': { download: 'top_ups', closing: 'kept: the ledger' },
  'hill.tournament_entries': { download: 'tournaments', closing: 'kept: the boards of its tournaments' },
  'hill.tournament_redemptions': { download: 'codes', closing: 'kept: uses of codes' },
  'hill.tournament_standings': { download: 'tournament_standings', closing: 'kept: the boards of its tournaments' },
  'hill.transfers': { download: 'ledger', closing: 'kept: the ledger' },
  'hill.wallets': { download: 'balance', closing: 'kept: the ledger' },
  'oauth.console_codes': { download: '- it leads to the console for a minute, and then nowhere', closing: 'cleared' },
  'oauth.grants': { download: 'grants', closing: 'kept: revoked, for the security events that name the client' },
  'oauth.human_sessions': { download: 'sessions', closing: 'kept: revoked, until they would have ended' },
  'oauth.humans': { download: 'account', closing: 'cleared' },
  'oauth.mail_addresses': { download: 'mail_address', closing: 'cleared' },
  'oauth.private_feeds': { download: 'private_feed', closing: 'cleared' },
  'oauth.sign_ins': { download: 'sign_ins', closing: 'cleared' },
  'oauth.staff_sessions': { download: 'console_sessions', closing: 'kept: revoked, until they would have ended' },
};

/** Those of the tables above, as the catalogue has them: with the columns that hold an account. */
const tablesOfAccounts = () =>
  hill.rows<{ name: string; columns: string[] }>(
    `select c.oid::regclass::text as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace::regnamespace::text in ('hill', 'oauth') and c.relkind in ('r', 'p') and not c.relispartition
        and not a.attisdropped and (a.attname like '%account_id' or (c.oid = 'hill.accounts'::regclass and a.attname = 'id'))
      group by 1 order by 1`,
  );
const rowsOf = async (id: string) =>
  Object.fromEntries(
    await Promise.all(
      (await tablesOfAccounts()).map(async ({ name, columns }) => {
        const [row] = await hill.rows<{ count: number }>(
          `select count(*) from ${name} where $1 in (${columns.join(', ')})`,
          [id],
        );
        return [name, row?.count ?? 0] as const;
      }),
    ),
  );

let annabel: FullLife;
let bob: Account;
const browser = (session: string) => {
  const visitor = new Visitor(session);
  return {
    visitor,
    page: () => visitor.go(`${door.baseUrl}/account/leave`),
    send: async (form: string, fields: Record<string, string> = {}) =>
      visitor.send(await visitor.go(`${door.baseUrl}/account/leave`), form, fields),
    follow: async (answer: Response) => visitor.go(door.baseUrl + answer.headers.get('Location')),
  };
};
type File = Record<string, Record<string, unknown>[]> & {
  account: Record<string, unknown>;
  balance: Record<string, number>;
};

beforeAll(async () => {
  ({ annabel, bob } = await aFullLife(hill, door));
});

describe('every table with a column of an account', () => {
  test('is judged: what list of the download has it, and what closing does', async () => {
    expect((await tablesOfAccounts()).map(({ name }) => name)).toEqual(Object.keys(judged));
  });

  test('has a row of the account that these tests close', async () => {
    const none = Object.entries(await rowsOf(annabel.id)).filter(([, count]) => count === 0);
    // a profile that is hidden is closed in test/console/hiding.test.ts
    expect(none.map(([name]) => name)).toEqual(['hill.closings', 'hill.hidden_profiles']);
  });
});

describe('a download', () => {
  let file: File;
  let answer: Response;

  beforeAll(async () => {
    answer = await browser(annabel.session).send('/account/download');
    file = (await answer.json()) as File;
  });

  test('is one JSON file, which no cache keeps', () => {
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="hill-account.json"',
      'content-type': 'application/json; charset=utf-8',
    });
  });

  test('has every list that a table is judged to be in, and none of them is empty', async () => {
    const lists = [...new Set(Object.values(judged).map(({ download }) => download))].filter(
      (list) => !list.startsWith('-'),
    );
    expect(lists.filter((list) => !file[list] || (Array.isArray(file[list]) && file[list].length === 0))).toEqual([]);
    expect(Object.keys(file).sort()).toEqual([...lists, 'claims', 'file'].sort());
    expect(file.claims).toHaveLength(1);
  });

  test('has a ledger that adds up to the balance, and to the lots', () => {
    const sum = (list: string, field: string) =>
      (file[list] ?? []).reduce((all, entry) => all + Number(entry[field]), 0);
    expect([sum('ledger', 'granted_cents'), sum('ledger', 'paid_cents')]).toEqual([
      file.balance.granted_cents,
      file.balance.paid_cents,
    ]);
    expect(sum('lots', 'remaining_cents')).toBe(file.balance.granted_cents);
    expect(file.balance.paid_cents).toBeGreaterThan(0);
  });

  test('has replaced and withdrawn moves of the nights, and those of tonight, all of them its own', () => {
    expect(new Set(file.moves?.map(({ ended }) => ended))).toEqual(new Set([null, 'replaced', 'withdrawn', 'pass']));
    expect(file.moves_tonight).toMatchObject([
      { day: 4, slot: 3, move: 'PEACE', ended: null, message: person.said },
      { day: 4, slot: 5, move: 'WAR', stake_cents: 900, ended: 'replaced' },
      { day: 4, slot: 5, move: 'PEACE', ended: null },
    ]);
    expect(JSON.stringify(file)).not.toMatch(new RegExp(`${bob.id}|${bob.agentId}|greetings from bob`));
  });

  test('has what is known of the human, and no token, hash or secret', async () => {
    expect(file.account).toMatchObject({
      account_id: annabel.id,
      email: person.email,
      slug: person.slug,
      url: person.url,
    });
    expect(file.sign_ins).toMatchObject([{ provider: 'google', subject: person.subject, email: person.email }]);
    expect(JSON.stringify(file)).not.toMatch(/secret|hash|\\\\x[0-9a-f]/);
    for (const secret of [annabel.token, annabel.session, annabel.assertion])
      expect(JSON.stringify(file)).not.toContain(secret);
  });

  test('is for a recent sign-in, from a form of its own page', async () => {
    await hill.root.query(
      "update oauth.human_sessions set created_at = created_at - interval '10 minutes' where account_id = $1",
      [annabel.id],
    );
    try {
      const { text } = await browser(annabel.session).page();
      expect(text).toContain('href="/sign-in?again=1&amp;return_to=%2Faccount%2Fleave"');
      expect(formOf(text, '/account/download')).toBeUndefined();
      expect(formOf(text, '/account/close')).toBeUndefined();
      for (const name of ['begin_download', 'download', 'close_account'])
        expect(
          (
            await refusal(
              call(hill.as('web'), `api_human.${name}`, {
                session: annabel.session,
                ...(name === 'close_account' ? { slug: person.slug } : {}),
              }),
            )
          ).code,
        ).toBe('SIGN_IN_AGAIN');
    } finally {
      await hill.root.query(
        "update oauth.human_sessions set created_at = created_at + interval '10 minutes' where account_id = $1",
        [annabel.id],
      );
    }
    const { visitor } = browser(annabel.session);
    expect((await visitor.post(`${door.baseUrl}/account/download`, { csrf: 'x' })).status).toBe(403);
    expect((await visitor.post(`${door.baseUrl}/account/close`, { csrf: 'x', slug: person.slug })).status).toBe(403);
  });

  test('is refused after five in an hour, for as long as it says', async () => {
    for (let n = 1; n < 5; n++) expect((await browser(annabel.session).send('/account/download')).status).toBe(200);
    const sixth = await browser(annabel.session).send('/account/download');
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await sixth.text()).toMatch(/downloaded too often.* Try again in \d+ minutes\./);
    await hill.root.query("delete from oauth.rates where what = 'download'");
  });

  test('is put off while the bell is due or rings: a move is then in one list, never in two or in none', async () => {
    await hill.asRoot(async (root) => {
      await root.query('begin; lock table hill.day_lock in exclusive mode');
      const answer = await browser(annabel.session).send('/account/download');
      expect([answer.status, answer.headers.get('content-disposition')]).toEqual([303, null]);
      await root.query('rollback');
    });
  });
});

describe('a closed account', () => {
  const nights = [
    '/api/day/1',
    '/api/day/1?list=moves&format=csv',
    '/api/day/2?list=announcements&format=ndjson',
    '/api/day/1?list=results&format=csv',
  ];
  const shown = [
    ...nights,
    '/api/day/1/night.json',
    '/api/day/3',
    '/day/1',
    '/day/3',
    '/day/1/all',
    '/nights',
    '/announced',
    '/api/hill',
    '/',
    '/api/announcements',
    '/api/leaderboard/hill',
  ];
  const boards = [
    '/api/wall',
    '/api/leaderboard/efficiency',
    '/boards/points',
    '/boards/points?day=1',
    '/boards/efficiency?day=2',
    '/api/tournaments/spring-cup',
    '/tournaments/spring-cup',
    '/tournaments',
  ];
  const everywhere = [...shown, ...boards];
  const traces = new RegExp(`${person.name}|${person.slug}|annabel`, 'i');
  const read = async (address: string) => {
    const answer = await fetch(door.baseUrl + address, {
      headers: { Accept: address.startsWith('/api') ? '*/*' : 'text/html' },
    });
    return { status: answer.status, text: await answer.text() };
  };
  let slugAfter: string;
  let before: Record<string, number>;

  beforeAll(async () => {
    before = await rowsOf(annabel.id);
    const seen = await Promise.all(everywhere.map(read));
    // or nothing of what follows would prove anything
    expect(everywhere.filter((_, i) => traces.test(seen[i]?.text ?? '')).length).toBeGreaterThan(16);

    const { page, send, follow } = browser(annabel.session);
    const { text } = await page();
    expect(text).toContain(`Type <code>${person.slug}</code>`);
    expect(text).toMatch(
      /Of your credits, \$[\d.]+ \(\$[\d.]+ of play money and \$[\d.]+ granted\), tonight&#39;s moves take \$[\d.]+; the rest, \$[\d.]+, lapses at the bell of 2026-03-05/,
    );
    const wrong = await send('/account/close', { slug: 'bob' });
    expect((await follow(wrong)).text).toMatch(
      /id="slug"[^>]* value="bob"[^>]* aria-invalid="true"[\s\S]*role="alert">[^<]*nothing was closed/,
    );

    const closed = await send('/account/close', { slug: ` ${person.slug.toUpperCase()} ` });
    expect([closed.status, closed.headers.get('location')]).toEqual([303, '/account/closed']);
    expect(closed.headers.getSetCookie().join()).toContain('hill_session=; Path=/; Max-Age=0');
    slugAfter = (await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [annabel.id]))[0]
      ?.slug as string;
  });

  test('is said to be closed', async () => {
    expect((await read('/account/closed')).text).toContain('Your account is closed');
    expect(await hill.rows('select name, url, verified from hill.accounts where id = $1', [annabel.id])).toEqual([
      { name: 'Closed account', url: null, verified: false },
    ]);
  });

  test('is told so to its sessions, its agents and their tokens', async () => {
    const web = hill.as('web');
    expect((await refusal(call(web, 'api_human.account', { session: annabel.session }))).code).toBe('ACCOUNT_CLOSED');
    expect((await refusal(hill.asAgent(annabel).play({ slot: 1, move: 'PEACE' }))).code).toBe('ACCOUNT_CLOSED');
    expect(await door.accepts(annabel.token)).toBe('401 invalid_token');
    expect(await door.exchange(annabel.assertion)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    // a browser with the old cookie is asked to sign in, and may
    const { visitor } = browser(annabel.session);
    expect((await visitor.go(`${door.baseUrl}/account`)).url).toContain('/sign-in?return_to=');
    expect((await visitor.post(`${door.baseUrl}/account/mandate`, { csrf: 'x' })).status).toBe(403);
  });

  test('has lost and kept what its tables are judged to', async () => {
    const after = await rowsOf(annabel.id);
    for (const [table, { closing }] of Object.entries(judged)) {
      if (closing === 'cleared') expect([table, after[table]]).toEqual([table, 0]);
      else expect([table, after[table]]).not.toEqual([table, 0]);
    }
    expect({ ...after, 'hill.security_events': 0 }).toMatchObject(
      Object.fromEntries(
        Object.entries(before).filter(
          ([table]) => judged[table]?.closing.startsWith('kept') && !/closings|security/.test(table),
        ),
      ),
    );
  });

  test('is shown without its person in every answer and on every page, read before or not', async () => {
    for (const address of everywhere) {
      const { status, text } = await read(address);
      expect([address, status, traces.exec(text)?.[0]]).toEqual([address, 200, undefined]);
    }
    expect((await read('/api/day/1?list=moves&format=csv')).text).toContain('Closed account');
    expect((await read('/api/day/1')).text).toContain(slugAfter);
    expect((await read('/api/day/1')).text).toContain('greetings from bob');
    expect((await read(`/api/identity/${slugAfter}`)).text).toContain('Closed account');
    for (const slug of [person.slug, 'annabel-first']) expect((await read(`/api/identity/${slug}`)).status).toBe(404);
    const mine = await call<object>(hill.as('web'), 'api_agent.night', { token: bob.token, day: 1 });
    expect(JSON.stringify(mine)).not.toMatch(traces);
  });

  test('is for staff an id and a closing, without a person', async () => {
    const staff = hill.asStaff();
    expect(
      await staff.query('select a.name, c.day from hill.accounts a join hill.closings c on c.account_id = a.id'),
    ).toEqual([{ name: 'Closed account', day: 4 }]);
    expect(
      await staff.query("select event from hill.security_events where account_id = $1 and event = 'account_closed'", [
        annabel.id,
      ]),
    ).toHaveLength(1);
    expect(
      (
        await refusal(
          staff.call('api_staff.grant_credits', {
            account_id: annabel.id,
            cents: 100,
            key: 'late',
            reason: 'too late',
          }),
        )
      ).code,
    ).toBe('ACCOUNT_CLOSED');
  });

  test('leaves its slugs to nobody, and its human may come again', async () => {
    const agent = hill.as('web');
    for (const slug of [person.slug, 'annabel-first', slugAfter])
      expect(
        (
          await refusal(
            call(agent, 'api_agent.set_profile', { token: bob.token, name: null, url: null, slug, model: null }),
          )
        ).code,
      ).toMatch(/SLUG_TAKEN|INVALID_ARGUMENT/);
    const again = await signIn(hill.as('web'), { provider: 'google', subject: person.subject, email: person.email });
    expect(again.first).toBe(true);
    expect(again.account_id).not.toBe(annabel.id);
    await browser(again.session).send('/account/close', {
      slug: (await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [again.account_id]))[0]
        ?.slug as string,
    });
  });

  test('at the bell: its moves count, without their messages; what is left of its credits lapses; and the books balance', async () => {
    const [{ cost, granted, paid } = { cost: 0, granted: 0, paid: 0 }] = await hill.rows<{
      cost: number;
      granted: number;
      paid: number;
    }>(
      `select (select sum(cost_cents) from hill.sealed_moves m where m.account_id = w.account_id and ended is null)::int as cost,
              granted_cents as granted, paid_cents as paid from hill.wallets w where account_id = $1`,
      [annabel.id],
    );
    expect(cost).toBeGreaterThan(0);
    await hill.clock.ringBell();

    expect(
      await hill.rows('select granted_cents, paid_cents from hill.wallets where account_id = $1', [annabel.id]),
    ).toEqual([{ granted_cents: 0, paid_cents: 0 }]);
    const lapsed = await hill.rows<{ kind: string; cents: number }>(
      'select kind, sum(cents)::int as cents from hill.transfers where debit_account_id = $1 and day = 4 group by 1 order by 1',
      [annabel.id],
    );
    expect(lapsed.reduce((all, { cents }) => all + cents, 0)).toBe(granted + paid - cost);
    expect(lapsed.at(-1)?.kind).toBe('lapse');
    expect(
      // a hash of a few words could be tried with guesses, if its salt stayed
      await hill.rows(
        `select slot, message, message_salt, message_hash is not null as hashed, salt is not null as opens
           from hill.moves where account_id = $1 and day = 4 and ended is null order by slot`,
        [annabel.id],
      ),
    ).toEqual([
      { slot: 3, message: null, message_salt: null, hashed: true, opens: true },
      { slot: 5, message: null, message_salt: null, hashed: false, opens: true },
    ]);
    expect(await books(hill.root)).toEqual(balanced);
    for (const address of ['/api/day/4', '/day/4', '/api/hill', '/'])
      expect((await read(address)).text).not.toMatch(traces);
    expect((await read('/api/day/4')).text).toContain('Closed account');
    // and the night after it, which it is not in any more
    await hill.clock.ringBell();
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('is nowhere in the database by its person: not in any row of any table', async () => {
    const tables = await hill.rows<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
        where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('hill', 'oauth', 'graphile_worker', 'graphile_migrate', 'public')`,
    );
    expect(tables.length).toBeGreaterThan(50);
    const needles = ['annabel', person.subject, 'mail.example'].flatMap((text) => [
      text,
      Buffer.from(text).toString('hex'),
    ]);
    for (const { name } of tables)
      expect([
        name,
        await hill.rows(`select t::text as found from ${name} t where t::text ilike any ($1) limit 1`, [
          needles.map((n) => `%${n}%`),
        ]),
      ]).toEqual([name, []]);
  });

  test.skipIf(!hasPsql)('is told by the scripts of DBAs as an account like any, and all checks hold', async () => {
    const ledger = await psql(hill.ownerUrl, path.join(sqlFolder, 'verify', 'ledger.sql'));
    expect([ledger.code, ledger.stdout.match(/FAILED/)]).toEqual([0, null]);
    expect(ledger.stdout).toContain('A closed account has nothing left after its bell');
    expect((await psql(hill.ownerUrl, path.join(sqlFolder, 'verify', 'nights.sql'))).code).toBe(0);
    const day = await psql(hill.ownerUrl, path.join(sqlFolder, 'replay', 'account_day.sql'), {
      account: slugAfter,
      day: 4,
    });
    expect([day.code, traces.exec(day.stdout)?.[0]]).toEqual([0, undefined]);
    expect(day.stdout).toContain('the account was closed');
  });
});

test('an account without credits, agents or nights is closed as well, and nothing is left to lapse', async () => {
  const { account_id, session } = await signIn(hill.as('web'), { subject: 'brief', email: 'brief@example.com' });
  const { text } = await browser(session).page();
  expect(text).toContain('You have no credits that could lapse.');
  const [{ slug } = { slug: '' }] = await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [
    account_id,
  ]);
  expect((await browser(session).send('/account/close', { slug })).status).toBe(303);
  expect((await rowsOf(account_id))['oauth.humans']).toBe(0);
});

test('rules 19.2 names every list of the file', () => {
  const rules = readFileSync(path.join(sqlFolder, '..', 'docs', 'rules.md'), 'utf8');
  const lists = [
    ...readFileSync(path.join(sqlFolder, 'leaving', 'account_lists.sql'), 'utf8').matchAll(/^ {4}\('(\w+)'/gm),
  ].map(([, name]) => name);
  expect(lists.length).toBeGreaterThan(20);
  expect(lists.filter((name) => !rules.includes(`\`${name}\``))).toEqual([]);
});

void anAccount;
