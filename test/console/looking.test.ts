// Looking: the usual questions have their answers, functions tell what happened and no more, and the pages show the
// same without a script. Rules 18.2.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { questions, variablesFor } from '../../src/console/questions.ts';
import { sessionOf, useConsole } from '../support/doors/console.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { type Account, anAccount, refusal, useHill } from '../support/hill/index.ts';
import { signIn } from '../support/hill/sign-in.ts';

const hill = useHill();
const staff = useConsole(hill);

let cast: Cast;
let mia: Account;
let cookie: string;
const address = 'mia.personal@mail.example';
const hook = 'https://hooks.example/path-that-is-a-secret';

/** Night 1 is the lively one. On night 2 Zoe takes Ann's place by WAR, and Dan leaves his. */
beforeAll(async () => {
  cast = await aLivelyNight(hill);
  const { account_id, session } = await signIn(hill.as('web'), { subject: 'mia', email: address });
  mia = { ...(await anAccount(hill, { name: 'Zoe of the Hill', credits: 5000 })) };
  await hill.root.query("update hill.accounts set name = 'Mia <b>Quiet</b>' where id = $1", [account_id]);
  void session;
  await hill.asAgent(mia).play({ slot: 1, move: 'WAR', stake_cents: 900 });
  await hill.asAgent(cast.ann).play({ slot: 1, move: 'PEACE' });
  await hill.clock.ringBell();
  await hill.asAgent(cast.gus).play({ slot: 9, move: 'PEACE', message: 'a sealed word' });

  const bob = hill.asAgent(cast.bob);
  await hill
    .as('web')
    .query(
      "select api_agent.report_missing_capability(token => $1, what => 'A <i>clock</i>', why => null, tool => 'status')",
      [cast.bob.token],
    );
  void bob;
  await hill.root.query(
    `with s as (
       insert into hill.subscriptions (id, account_id, agent_id, url, events, sealed_secret, created_at, failing_since)
       values ($1, $2, $3, $4, '{bell_rung}', 'x', now(), now() - interval '2 days') returning id, account_id)
     insert into hill.deliveries (subscription_id, account_id, body, due_at, attempts, tried_at, outcome, status)
     select s.id, s.account_id, '{"type": "bell_rung", "data": {"a": "body that nobody shows"}}', now(), 3, now(), 'status', 500 from s`,
    [randomUUID(), cast.cid.id, cast.cid.agentId, hook],
  );
  await hill.root.query(
    `select graphile_worker.add_job('deliver', '{"payload": "that nobody shows"}', job_key => 'a');
     update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'SQLSTATE 08006'`,
  );
  await hill.root.query(
    `with t as (insert into hill.top_ups (account_id, cents, created_at, started_at, payment, transfer_id)
                select credit_account_id, cents, at, at, 'pi_1', id from hill.transfers where credit_account_id = $1 and kind = 'topup' limit 1),
          e as (insert into hill.payment_events values ('evt_1', 'checkout.session.completed', now(), now(), 'refused: another currency', 'pi_9'))
     insert into hill.payment_claims (id, kind, payment, cents, status, live, at, sent_at, settled, event)
     values ('dp_1', 'dispute', 'pi_1', 500, 'needs_response', true, now(), now(), false, 'evt_2')`,
    [cast.fay.id],
  );
  cookie = await staff.signIn('Sam');
  await staff.data(
    cookie,
    'mutation ($id: UUID!) { suspendAccount(input: {accountId: $id, suspended: true, reason: "played by two people"}) { account { id } } }',
    {
      id: cast.eve.id,
    },
  );
});

const ask = <T = Record<string, { nodes: Record<string, unknown>[] }>>(
  query: string,
  variables?: Record<string, unknown>,
) => staff.data<T>(cookie, query, variables);
const page = async (path: string, options: RequestInit = {}) => {
  const response = await staff.fetch(path, { ...options, headers: { Cookie: cookie } });
  return { status: response.status, headers: response.headers, body: await response.text() };
};

describe('the usual questions', () => {
  /** What each answer has in it, on this hill. */
  const answers: Record<string, readonly string[]> = {
    'why-they-lost-the-place': ['evicted by the WAR of Zoe of the Hill'],
    'what-happened-on-a-place': ['"outcome":"WAR"', 'evicted', 'zoe-of-the-hill'],
    'whose-address-is-it': ['Mia', 'e-mail address'],
    'which-account-is-meant': ['Zoe of the Hill', '"matched":"name"'],
    'why-it-was-charged': ['Rent of a PEACE on place 1', '"money":"paid"'],
    'where-the-credits-went': ['"kind":"night"', '"kind":"topup"'],
    'is-the-bell-healthy': ['"bell":"ok"', '"moveCount":2'],
    'what-failed-in-the-queue': ['"state":"failed"', 'SQLSTATE 08006'],
    'which-webhooks-fail': ['"host":"hooks.example"', '"lastStatus":500'],
    'did-the-webhook-arrive': ['"state":"waiting"', '"event":"bell_rung"'],
    'money-this-week': ['"burnedCents":"1800"', '"rentCents":"300"'],
    'who-suspended-it': ['"staffName":"Sam"', 'played by two people'],
    'who-is-stopped': ['eve', 'played by two people'],
    'what-did-a-colleague-do': ['suspend_account', '"staffName":"Sam"'],
    'who-holds-most-credits': ['"creditsCents"'],
    'what-expires-this-week': ['expiringLots'],
    'which-reports-are-open': ['A <i>clock</i>'],
    'which-payments-are-disputed': ['needs_response', 'refused: another currency', '"why":"not_credited"'],
    'who-plays-for-it': ['"agents"'],
    'how-was-the-night': ['"movesCounted"', '"outcome":"WAR"'],
  };
  /** Where the example of the hill is not the account that the answer is about. */
  const about: Record<string, Record<string, unknown>> = {
    'whose-address-is-it': { address },
    'which-account-is-meant': { text: 'hill zo' },
    'did-the-webhook-arrive': { account: 'cid' },
    'who-suspended-it': { account: 'eve' },
  };

  test('are twenty', () => {
    expect(questions.map(({ name }) => name).sort()).toEqual(Object.keys(answers).sort());
    expect(questions).toHaveLength(20);
  });

  test.each(questions.map((question) => [question.name, question] as const))('%s', async (name, question) => {
    const [example] = await hill.asStaff().query<never>('select * from api_staff.example()');
    expect(example).toEqual({ account: 'ann', day: 2, slot: 1, staff_name: expect.any(String), text: 'Ann' });
    const variables = {
      ...variablesFor(question, { ...(example as unknown as object), staff_name: 'Sam' } as never, '2026-03-03'),
      ...about[name],
    };
    const answer = JSON.stringify(await ask(question.query, variables));
    for (const part of answers[name] ?? []) expect(answer).toContain(part);
    for (const secret of ['nobody shows', 'path-that-is-a-secret', 'a sealed word'])
      expect(answer).not.toContain(secret);
  });
});

describe('finding an account', () => {
  const find = async (text: string) =>
    (
      await ask<{ findAccounts: { nodes: { matched: string; account: { slug: string } }[] } }>(
        'query ($text: String!) { findAccounts(text: $text) { nodes { matched account { slug } } } }',
        { text },
      )
    ).findAccounts.nodes.map(({ matched, account: { slug } }) => `${slug}: ${matched}`);

  test('goes by the beginnings of words, in any order, and says why', async () => {
    expect(await find('ZOE')).toEqual(['zoe-of-the-hill: name']);
    expect(await find('hill  zo')).toEqual(['zoe-of-the-hill: name']);
    expect(await find('zoe-of-the-hill')).toEqual(['zoe-of-the-hill: slug']);
    expect(await find(mia.id)).toEqual(['zoe-of-the-hill: id']);
    expect(await find("' | !zoe:* & of")).toEqual(['zoe-of-the-hill: name']);
    for (const nobody of ['oe', 'zoe ann', '%', '()', '%zoe_x']) expect(await find(nobody)).toEqual([]);
  });

  test('goes by a whole address, which is not shown, and leaves who looked, and whom they found, in the audit log', async () => {
    const trace = () =>
      hill.rows(
        "select staff_name, account_id, details, reason from hill.audit_log where action = 'find_address' order by id",
      );
    const before = (await trace()).length;
    const [found] = await find(` ${address.toUpperCase()} `);
    expect(found).toMatch(/: e-mail address$/);
    for (const part of ['mia.personal@', '@mail.example', 'mia.personal']) expect(await find(part)).toEqual([]);
    const left = (await trace()).slice(before);
    expect(left).toEqual([
      {
        staff_name: 'Sam',
        account_id: expect.any(String),
        details: { found: true },
        reason: 'looked an e-mail address up',
      },
      { staff_name: 'Sam', account_id: null, details: { found: false }, reason: 'looked an e-mail address up' },
      { staff_name: 'Sam', account_id: null, details: { found: false }, reason: 'looked an e-mail address up' },
    ]);
    expect(JSON.stringify(left)).not.toContain('mail.example');
  });

  test('takes 1 to 320 characters, and a session', async () => {
    for (const text of ['', '  ', 'x'.repeat(321)])
      expect(
        (await staff.graphql(cookie, 'query ($text: String!) { findAccounts(text: $text) { totalCount } }', { text }))
          .errors?.[0],
      ).toMatchObject({ extensions: { code: 'INVALID_ARGUMENT' } });
    const client = await hill.as('console').connect();
    await client.query('set role hill_staff');
    for (const call of [
      "find_accounts('ann')",
      'explain_night(1, 1)',
      "explain_charge('ann', 1)",
      "account_history('ann')",
      'money(1, 2)',
      'jobs()',
      'webhooks()',
      'webhook_deliveries()',
      'expiring_lots()',
      'tonight()',
      'bell_checks()',
      'search_audit()',
      'audit_head()',
    ])
      expect((await refusal(client.query(`select api_staff.${call}`))).code, call).toBe('INVALID_TOKEN');
    for (const none of [
      'stopped_accounts',
      'most_credits',
      'open_reports',
      'disputed_payments',
      'refused_payments',
      'waiting_payments',
    ])
      expect((await client.query(`select from api_staff.${none}()`)).rowCount, none).toBe(0);
    client.release(true);
  });

  test('reads an index, however many accounts there are', async () => {
    const plan = await hill.asOwnerOf('hill_api_staff', async (client) => {
      await client.query('set local enable_seqscan to off');
      return (await client.query("explain select * from engine.find_accounts('zoe')")).rows
        .map((row) => row['QUERY PLAN'])
        .join('\n');
    });
    expect(plan).toContain('accounts_words_idx');
    expect(plan).not.toContain('Seq Scan on accounts');
  });
});

describe('explaining', () => {
  test('a place says for each who was there what became of it, by which rule and against whom', async () => {
    const { explainNight } = await ask(
      '{ explainNight(day: 1, slot: 1) { nodes { account { slug } fate why decidedBy rival { slug } heldBefore costCents } } }',
    );
    expect(explainNight?.nodes).toEqual([
      expect.objectContaining({
        account: { slug: 'ann' },
        fate: 'seated',
        decidedBy: 'deposit_time',
        rival: { slug: 'cid' },
      }),
      expect.objectContaining({ account: { slug: 'bob' }, fate: 'seated' }),
      expect.objectContaining({
        account: { slug: 'cid' },
        fate: 'queued',
        rival: { slug: 'bob' },
        why: expect.stringContaining('behind Bob: later'),
      }),
      expect.objectContaining({ account: { slug: 'cid' }, fate: 'served' }),
    ]);
  });

  test('and is what the agents are told of themselves', async () => {
    const { explainNight } = await ask('{ explainNight(day: 1, slot: 1, account: "cid") { nodes { fate why } } }');
    const debrief = JSON.stringify(
      await hill
        .as('web')
        .query('select api_agent.debrief(token => $1, day => 1, slot => 1) as d', [cast.cid.token])
        .then(({ rows }) => rows[0]),
    );
    // staff read names, agents the slugs that no name can pass for
    for (const { why } of explainNight?.nodes ?? [])
      expect(debrief).toContain(String(why).replace(/Bob|Eve/, (name) => `@${name.toLowerCase()}`));
    expect(explainNight?.nodes.map(({ fate }) => fate)).toEqual(['queued', 'served']);
  });

  test('a charge says which credits paid it, and what was there before and after', async () => {
    const { explainCharge } = await ask(
      '{ explainCharge(account: "gus", day: 1) { nodes { what cents money lotId outcome creditsBeforeCents creditsAfterCents } } }',
    );
    expect(explainCharge?.nodes).toEqual([
      {
        what: 'Stake of a WAR on place 3, burned',
        cents: '1000',
        money: 'granted',
        lotId: expect.any(String),
        outcome: 'BURN',
        creditsBeforeCents: '6000',
        creditsAfterCents: '5000',
      },
    ]);
  });

  test('the history of an account ends at its wallet', async () => {
    for (const slug of ['ann', 'bob', 'gus', 'fay']) {
      const { accountHistory, accountBySlug } = await ask<Record<string, never>>(
        'query ($slug: String!) { accountHistory(account: $slug) { nodes { grantedBeforeCents paidBeforeCents grantedCents paidCents grantedAfterCents paidAfterCents } } accountBySlug(slug: $slug) { wallet { grantedCents paidCents } } }',
        { slug },
      );
      const nodes = (accountHistory as unknown as { nodes: Record<string, string>[] }).nodes;
      const { wallet } = accountBySlug as unknown as { wallet: Record<string, string> };
      expect([nodes[0]?.grantedAfterCents, nodes[0]?.paidAfterCents]).toEqual([wallet.grantedCents, wallet.paidCents]);
      for (const [i, node] of nodes.entries()) {
        expect(Number(node.paidBeforeCents) + Number(node.paidCents)).toBe(Number(node.paidAfterCents));
        expect(node.paidBeforeCents).toBe(nodes[i + 1]?.paidAfterCents ?? '0');
      }
    }
  });

  test('money by day is what the nights took and the transfers moved, and no day is lost by halving', async () => {
    const { money } = await ask(
      '{ money(firstDay: 1, lastDay: 3) { nodes { day paidInCents grantedCents rentCents stakesCents burnedCents } } }',
    );
    const moved = await hill.rows<{ day: number; kind: string; cents: string }>(
      'select day, kind, sum(cents)::text as cents from hill.transfers group by 1, 2',
    );
    const of = (day: number, kind: string) => moved.find((one) => one.day === day && one.kind === kind)?.cents ?? '0';
    expect(money?.nodes).toEqual(
      [3, 2, 1].map((day) =>
        expect.objectContaining({ day, paidInCents: of(day, 'topup'), grantedCents: of(day, 'grant') }),
      ),
    );
    for (const day of [1, 2, 3]) {
      const [{ wrong }] = (await hill.rows<{ wrong: boolean }>(
        'select exists (select from hill.transfers t where t.day >= $1 and t.id < engine.first_transfer($1)) as wrong',
        [day],
      )) as [{ wrong: boolean }];
      expect(wrong).toBe(false);
    }
  });

  test('refuses what is not there', async () => {
    for (const [query, code] of [
      ['explainNight(slot: 11)', 'INVALID_ARGUMENT'],
      ['explainNight(slot: 1, day: 3)', 'DAY_NOT_RESOLVED'],
      ['explainNight(slot: 1, account: "nobody")', 'NOT_FOUND'],
      ['explainCharge(account: "nobody", day: 1)', 'NOT_FOUND'],
      ['money(firstDay: 1, lastDay: 400)', 'INVALID_ARGUMENT'],
      ['expiringLots(days: 91)', 'INVALID_ARGUMENT'],
    ] as const)
      expect((await staff.graphql(cookie, `{ ${query} { totalCount } }`)).errors?.[0], query).toMatchObject({
        extensions: { code },
      });
  });
});

describe('the queue', () => {
  test('is shown without what jobs carry, and its tables to nobody', async () => {
    const door = hill.asStaff();
    expect(await door.query('select (api_staff.jobs()).last_error')).toEqual([{ last_error: 'SQLSTATE 08006' }]);
    expect((await refusal(door.query('select id from graphile_worker._private_jobs'))).code).toBe('42501');
    expect((await refusal(door.query('select graphile_worker.show_jobs()'))).code).toBe('42501');
    expect(await staff.data(cookie, '{ jobs { totalCount } staffName }')).toEqual({
      jobs: { totalCount: 1 },
      staffName: 'Sam',
    });
  });
});

test('the audit log is searched by an index, by staff and by date, however long it is', async () => {
  await hill.asRoot(async (root) => {
    await root.query('begin');
    await root.query(
      `insert into hill.audit_log (at, staff_name, action, reason)
       select timestamptz '2020-01-01 00:00Z' + n * interval '15 minutes', 'Staff ' || n % 20, 'grant_credits', 'a test' from generate_series(1, 100000) n`,
    );
    await root.query('analyze hill.audit_log');
    const read = async () => {
      const { rows } = await root.query<{ whole: string; backwards: string; searched: string }>(
        `select pg_stat_get_xact_numscans('hill.audit_log'::regclass) as whole, pg_stat_get_xact_numscans('hill.audit_log_pkey'::regclass) as backwards,
                pg_stat_get_xact_tuples_returned('hill.audit_log_staff_at_idx'::regclass) as searched`,
      );
      return Object.values(rows[0] as object).map(Number);
    };
    for (const [search, found] of [
      ["staff_name => ' staff 7 ', first_date => '2021-01-04', last_date => '2021-01-10'", 34],
      ["first_date => '2021-01-04', last_date => '2021-01-10'", 672],
    ] as const) {
      const [whole = 0, backwards, searched = 0] = await read();
      await root.query(`set local role hill_staff; set local hill.staff_session = '${sessionOf(cookie)}'`);
      const { rowCount } = await root.query(`select from api_staff.search_audit(${search})`);
      await root.query('reset role');
      expect(rowCount, search).toBe(found);
      const [wholeThen, backwardsThen, searchedThen = 0] = await read();
      expect([wholeThen, backwardsThen], search).toEqual([whole, backwards]);
      expect(searchedThen - searched, search).toBeLessThan(found + 200);
    }
    await root.query('rollback');
  });
});

describe('the pages', () => {
  const paths = [
    '/',
    '/money',
    '/reports',
    '/jobs',
    '/audit',
    '/account/ann',
    '/account/eve',
    '/account/cid',
    '/account/ann/night/2',
    '/night/2/1',
    '/night/1/1?account=cid',
    '/do',
    '/words?text=wo',
    '/audit/1',
    '/do/create-tournament',
  ];

  test.each(paths)('%s shows what it is for, with a policy that runs nothing', async (path) => {
    const { status, headers, body } = await page(path);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self'/,
    );
    expect(body).not.toMatch(
      /<script|<b>Quiet|<i>clock|nobody shows|path-that-is-a-secret|a sealed word|mail\.example/,
    );
    const shows: Record<string, string> = {
      '/': 'Tonight, day 3',
      '/money': 'class="plot desk"',
      '/reports': 'A &lt;i&gt;clock&lt;/i&gt;',
      '/jobs': 'SQLSTATE 08006',
      '/audit': 'played by two people',
      '/account/eve': 'suspended',
      '/account/cid': 'hooks.example',
      '/account/ann/night/2': 'Rent of a PEACE on place 1',
      '/night/2/1': 'evicted by the WAR of Zoe of the Hill',
    };
    expect(body).toContain(shows[path] ?? '<h1>');
  });

  test('/money says which payments wait for a person, and what to do', async () => {
    const { body } = await page('/money');
    expect(body).toContain('Paid, not credited: return it at Stripe');
    expect(body).toContain('Disputed: answer it at Stripe');
  });

  test('are for staff alone', async () => {
    for (const path of [...paths.slice(1), '/graphiql']) expect((await staff.fetch(path)).status, path).toBe(401);
    expect((await staff.fetch('/find', { method: 'POST', body: new URLSearchParams({ text: 'ann' }) })).status).toBe(
      401,
    );
    const elsewhere = await staff.fetch('/find', {
      method: 'POST',
      headers: { Cookie: cookie, Origin: 'https://elsewhere.example' },
      body: new URLSearchParams({ text: 'ann' }),
    });
    expect(elsewhere.status).toBe(403);
  });

  test('lead from a search to the account that it can only mean', async () => {
    const find = (text: string) => page('/find', { method: 'POST', body: new URLSearchParams({ text }) });
    const found = await find(address);
    expect([found.status, found.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/account\/[a-z-]+$/)]);
    expect((await find('nobody at all')).body).toContain('Each word has to begin a word');
    expect((await find('nobody@mail.example')).body).toContain('Only a whole address is found');
    expect((await find('NOBODYS-CODE')).body).toContain('No code is like that, and nobody has typed it');
    expect((await find('nobody@mail.example')).body).not.toContain('No code is like that');
    expect((await page('/do/create-tournament-codes')).body).toMatch(
      /No tournament is open, or to come\. <a href="\/do\/create-tournament">/,
    );
  });

  test('say what is not there, and which dates they did not take', async () => {
    for (const path of [
      '/account/nobody',
      '/account/ann/night/3',
      '/account/ann/night/x',
      '/night/1/11',
      '/night/0/1',
      '/night/1/1?account=nobody',
    ])
      expect((await page(path)).status, path).toBe(404);
    expect((await page('/audit?from=yesterday&until=2026-02-31')).status).toBe(400);
    expect((await page('/audit?from=0000-01-01')).status).toBe(400);
    expect((await page('/audit?staff=sam&account=eve&action=suspend_account&from=2020-01-01')).body).toContain(
      '1 entry',
    );
    expect((await page('/audit?until=2020-01-01')).body).toContain('Nothing fits.');
  });

  test('show the public count of tonight, whatever is deposited', async () => {
    const before = (await page('/')).body;
    await hill.asAgent(cast.bob).play({ slot: 8, move: 'PEACE' });
    expect((await page('/')).body).toBe(before);
  });

  test('stand beside GraphiQL, which has the questions in its tabs with values that exist', async () => {
    const { status, headers, body } = await page('/graphiql?question=who-is-stopped');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("script-src 'self' 'nonce-");
    for (const { operation, name } of questions) expect(body).toContain(`"id":"hill-${name}","title":"${operation}"`);
    expect(body).toContain('"asked":{"id":"hill-who-is-stopped"');
    expect(body).toContain('\\\\"account\\\\": \\\\"ann\\\\"'.replaceAll('\\\\', '\\'));
    expect((await page('/graphiql?question=nonsense')).body).toContain('"asked":null');
  });

  test('lead to a tab about the account, and to forms that know whom they are about', async () => {
    const { body } = await page('/account/bob');
    const [, href = ''] = /href="(\/graphiql\?question=who-plays-for-it[^"]+)"/.exec(body) ?? [];
    const tab = async (path: string) => {
      const asked = JSON.parse(/"asked":(\{.*?\})\}\)<\/script>/.exec((await page(path)).body)?.[1] ?? 'null') as {
        variables: string;
      };
      return JSON.parse(asked.variables) as Record<string, unknown>;
    };
    expect(await tab(href.replaceAll('&amp;', '&'))).toMatchObject({ account: 'bob' });
    expect(await tab('/graphiql?question=what-happened-on-a-place&day=1&slot=7')).toEqual({ day: 1, slot: 7 });
    expect(body).toContain(`href="/do/suspend-account?account_id=${cast.bob.id}"`);
  });
});

test('who stopped an account is told by what stops it now, not by what was lifted', async () => {
  await hill.root.query('select engine.set_bar($1, engine.now())', [cast.fay.id]);
  for (const suspended of [true, false])
    await hill
      .asStaff()
      .call('api_staff.suspend_account', { account_id: cast.fay.id, suspended, reason: 'by mistake' });

  const { stoppedAccounts } = await ask('{ stoppedAccounts { nodes { account { slug } staffName reason } } }');
  expect(stoppedAccounts?.nodes).toContainEqual({
    account: { slug: 'fay' },
    staffName: 'Stripe',
    reason: 'A top-up is disputed or refunded',
  });
});
