// A superuser changes what nobody may, past every guard: the worker's checks name it, with the account and the night,
// the console shows it, and the scripts for DBAs end otherwise than with 0.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../../src/db/call.ts';
import { checkout } from '../../../src/process/config.ts';
import { archiveNight } from '../../../src/worker/archives.ts';
import { useConsole } from '../../support/doors/console.ts';
import { aLivelyNight, type Cast } from '../../support/hill/a-lively-night.ts';
import { type Account, useHill } from '../../support/hill/index.ts';
import { hasPsql, psql } from '../../support/hill/psql.ts';
import { aTournament, enter } from '../../support/hill/tournaments.ts';
import { signLog } from '../../support/log/sign.ts';
import { useDbaLogins } from './logins.ts';

const hill = useHill();
const urls = useDbaLogins(hill);
const staff = useConsole(hill);

let cast: Cast;
let cookie: string;

/** Three nights, the first a lively one; a tournament from the second on; a payment; and what staff do. */
beforeAll(async () => {
  await signLog(hill);
  cast = await aLivelyNight(hill);
  await hill.clock.at('10:00');
  await aTournament(hill, { opens_day: 2, sign_ups_close_day: 2, starts_day: 3, ends_day: 5 });
  for (const account of [cast.ann, cast.dan]) await enter(hill, account, 'spring-cup');
  await hill.root.query(
    `insert into hill.top_ups (account_id, cents, created_at, started_at, payment, transfer_id)
     select t.credit_account_id, t.cents, t.at, t.at, 'pi_1', t.id
       from hill.transfers t where t.credit_account_id = $1 and t.kind = 'topup'`,
    [cast.fay.id],
  );
  const play = async (account: Account, slot: number, move: string, stake_cents?: number) => {
    await hill.asAgent(account).play({ slot, move, stake_cents });
    await hill.clock.tick();
  };
  await play(cast.bob, 4, 'PEACE');
  await hill.clock.ringBell();
  await hill.clock.at('10:00');
  await hill.asAgent(cast.ann).announce({ slot: 5, intention: 'PEACE' });
  await play(cast.ann, 5, 'PEACE');
  await play(cast.dan, 6, 'WAR', 900);
  await hill.clock.ringBell();
  const reason = 'a test of the checks';
  const by = hill.asStaff();
  await by.call('api_staff.suspend_account', { account_id: cast.eve.id, suspended: true, reason });
  await by.call('api_staff.hide_profile', { account_id: cast.gus.id, hidden: true, reason });
  await by.call('api_staff.hide_message', { day: 1, account_id: cast.dan.id, slot: 2, hidden: true, reason });
  while (await archiveNight(hill.as('worker')));
  await hill.clock.at('00:20');
  await signLog(hill);
  cookie = await staff.signIn('Sam');
});

interface Check extends Record<string, unknown> {
  part: string;
  name: string;
  wrong: string;
  example: string | null;
}

/** All that workers check, as they do; and what the console is then told is wrong. */
async function wrong(): Promise<Check[]> {
  const worker = hill.as('worker');
  const { hourly, nightly } = await call<Record<'hourly' | 'nightly', string[]>>(worker, 'api_worker.book_parts');
  for (const part of [...hourly, ...nightly]) await call(worker, 'api_worker.check_books', { part });
  const checks = await hill.asStaff().query<Check>('select * from api_staff.bell_checks()');
  return checks.filter((check) => Number(check.wrong) > 0);
}

const pastTriggers = (statements: string) =>
  hill.asRoot(async (client) => {
    await client.query('begin; set local session_replication_role = replica');
    await client.query(statements);
    await client.query('commit');
  });

const shown = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
const slug = (name: string) => `(select id from hill.accounts where slug = '${name}')`;
const of = (name: string) => `account_id = ${slug(name)}`;
const who = (name: string) => `${name} \\(account [0-9a-f-]{36}\\)`;

/** What is changed, in which table of hill, and what of it a check says. */
const corruptions: readonly [what: string, table: string, statement: string, named: string, script?: string][] = [
  [
    "a wallet's balance",
    'wallets',
    `update hill.wallets set paid_cents = paid_cents + 7 where ${of('ann')}`,
    `^${who('ann')} has 0 granted and \\d+ paid, its entries 0 and \\d+$`,
  ],
  [
    "an entry's amount",
    'transfers',
    `update hill.transfers set cents = cents + 100 where kind = 'topup' and credit_account_id = ${slug('bob')}`,
    `^${who('bob')} has 0 granted and \\d+ paid, its entries`,
  ],
  [
    'an entry that is gone',
    'transfers',
    `delete from hill.transfers where kind = 'topup' and credit_account_id = ${slug('cid')}`,
    `^${who('cid')} has 0 granted and \\d+ paid, its entries`,
  ],
  [
    'a lot',
    'lots',
    'update hill.lots set cents = cents + 1',
    `^lot \\d+ of hidden-\\w+ \\(account [0-9a-f-]+\\): 1001 cents, granted 1000$`,
  ],
  [
    'a settlement that is gone',
    'settlements',
    `delete from hill.settlements where day = 1 and ${of('ann')}`,
    `^${who('ann')} on day 1 has no settlement, its moves cost 300 cents`,
    'ledger.sql',
  ],
  [
    'an outcome of the last night',
    'place_results',
    "update hill.place_results set outcome = 'PEACE' where day = 3 and slot = 6",
    '^day 3, places, place 6, PEACE',
  ],
  [
    'an outcome of a night long ago',
    'place_results',
    "update hill.place_results set outcome = 'PEACE' where day = 1 and slot = 3",
    '^day 1: another result is logged',
    'nights.sql',
  ],
  [
    'a seat',
    'seats',
    `update hill.seats set account_id = ${slug('bob')} where day = 3 and slot = 5`,
    `^${who('bob')} on place 5, day 3`,
  ],
  [
    'a verdict',
    'announcements',
    `update hill.announcements set verdict = 'kept' where day = 1 and ${of('dan')}`,
    `^${who('dan')} on place 2, day 1: kept, not betrayed$`,
  ],
  [
    'the seal of an announcement',
    'announcements',
    `update hill.announcements set commitment = sha256('') where day = 1 and ${of('dan')}`,
    `^${who('dan')} on place 2, day 1: the announcement of \\S+ is not what was sealed$`,
  ],
  ['a night that is gone', 'nights', 'delete from hill.nights where day = 2', '^night 2 is missing$', 'nights.sql'],
  [
    'a place that is gone from a night',
    'place_results',
    'delete from hill.place_results where day = 2 and slot = 7',
    '^place 7 is missing on day 2$',
  ],
  [
    'a result of a night that never rang',
    'place_results',
    'insert into hill.place_results select (jsonb_populate_record(r, \'{"day": 9}\')).* from hill.place_results r where r.day = 2 and r.slot = 7',
    '^place 7 of day 9: VACANT$',
  ],
  [
    'a rank',
    'leaderboard',
    `update hill.leaderboard set points = points + 5 where day = 3 and ${of('ann')}`,
    `^after day 3, rank \\d+: ${who('ann')} with`,
  ],
  [
    'a standing of a tournament',
    'tournament_standings',
    `update hill.tournament_standings set points = points + 1 where day = 3 and ${of('ann')}`,
    `^spring-cup after day 3: ${who('ann')} is on rank`,
  ],
  [
    'the instant of a deposit',
    'moves',
    `update hill.moves set at = at + interval '1 second' where day = 1 and ${of('dan')}`,
    `^${who('dan')} on place 2, day 1: the deposit of \\S+ is not what was sealed$`,
    'log.sql',
  ],
  [
    'words that staff hide',
    'hidden_words',
    "update hill.hidden_words set words = 'Yours'",
    `^${who('dan')} on place 2, day 1: the deposit of \\S+ is not what was sealed$`,
  ],
  [
    'an entry of the log',
    'log_entries',
    "update hill.log_entries set entry = convert_to('night 2 ' || repeat('0', 64) || ' ' || repeat('1', 64), 'UTF8') where entry like 'night 2 %'",
    '^day 2: the night is not in the log$',
  ],
  [
    'an entry of the log that is gone, the others numbered anew',
    'log_entries',
    'with gone as (delete from hill.log_entries where index = 3 returning index) update hill.log_entries e set index = e.index - 1 + 1000 from gone g where e.index > g.index',
    `^(log hill.example/log: an entry is missing|\\S+ \\(account [0-9a-f-]{36}\\) on place \\d, day 1: the deposit is not in the log)`,
  ],
  [
    'a name',
    'accounts',
    "update hill.accounts set name = 'Mallory' where slug = 'bob'",
    `^${who('bob')} is called 'Mallory'$`,
  ],
  [
    'a suspension that nobody logged',
    'accounts',
    "update hill.accounts set suspended_at = now() where slug = 'fay'",
    `^${who('fay')} is suspended, and the audit log says otherwise: it has no such entry$`,
  ],
  [
    'a suspension that is gone',
    'accounts',
    "update hill.accounts set suspended_at = null where slug = 'eve'",
    `^${who('eve')} is not suspended, and the audit log says otherwise in entry \\d+$`,
  ],
  ['a bar', 'accounts', "update hill.accounts set barred_at = now() where slug = 'cid'", `^${who('cid')} is barred`],
  [
    'a hidden name that is shown',
    'hidden_profiles',
    'delete from hill.hidden_profiles',
    'is not hidden, and the audit log says otherwise in entry \\d+$',
  ],
  [
    'an entry of the audit log',
    'audit_log',
    "update hill.audit_log set reason = 'another reason' where action = 'suspend_account'",
    `^entry \\d+ about ${who('eve')} was changed`,
    'log.sql',
  ],
  [
    'an entry of the audit log that is gone',
    'audit_log',
    "delete from hill.audit_log where action = 'hide_message'",
    '^entry \\d+ is gone$',
  ],
  [
    'an entry put into the audit log',
    'audit_log',
    `insert into hill.audit_log (at, staff_name, action, account_id, details, reason) select at, 'Sam', 'suspend_account', ${slug('fay')}, '{"suspended": true}', 'never' from hill.audit_log where action = 'suspend_account'`,
    `^entry \\d+ about ${who('fay')} is not in the chain: Hill did not write it$`,
  ],
  [
    'a payment',
    'top_ups',
    'update hill.top_ups set cents = cents + 1',
    `^top-up \\S+ of ${who('fay')}: 5001 cents, credited 5000$`,
  ],
  [
    'a cap that is wider',
    'mandates',
    `update hill.mandates set daily_cap_cents = 100000 where ${of('ann')}`,
    `^${who('ann')} may spend 100000 cents a day with stakes of \\d+, and any a week; its human set \\d+, `,
  ],
];

test('as it was played, nothing is wrong, and each check has a line in the runbook', async () => {
  expect(await wrong()).toEqual([]);
  const names = await hill.asStaff().query<{ name: string }>('select name from api_staff.bell_checks()');
  const [, lines = ''] = fs.readFileSync(path.join(checkout, 'docs', 'runbook.md'), 'utf8').split('| What must hold |');
  const told = [...(lines.split('\n\n')[0] ?? '').matchAll(/^\| `(.+?)` \|/gm)].map(([, name]) => name);
  expect(told.sort()).toEqual(names.map(({ name }) => name).sort());
});

test.each(corruptions)('%s is named, on the console too', async (_, table, statement, named, script) => {
  await pastTriggers(`create table public.kept as table hill.${table}; ${statement}`);
  try {
    const found = (await wrong()).map(({ example }) => example ?? '');
    expect(found).toContainEqual(expect.stringMatching(new RegExp(named)));
    const page = await (await staff.fetch('/', { headers: { Cookie: cookie } })).text();
    expect(page).toContain(`do not hold</strong>`);
    expect(found.filter((example) => !page.includes(shown(example)))).toEqual([]);
    if (script && hasPsql) {
      const { code, stderr } = await psql(urls.dba, `sql/verify/${script}`);
      expect([code, stderr]).toEqual([3, expect.stringMatching(/ERROR: {2}/)]);
    }
  } finally {
    await pastTriggers(
      `delete from hill.${table};
       insert into hill.${table} overriding system value select * from public.kept;
       drop table public.kept`,
    );
  }
});

describe('the chain of the audit log', () => {
  test('follows the order of commits, whoever was first', async () => {
    const [first, second] = [await hill.root.connect(), await hill.root.connect()];
    const log =
      "insert into hill.audit_log (at, staff_name, action, reason) values (now(), 'Sam', 'a_test', $1) returning id";
    try {
      await first.query('begin');
      await second.query('begin');
      const early = (await first.query(log, ['the first to begin'])).rows[0].id;
      const late = (await second.query(log, ['the last to begin'])).rows[0].id;
      await second.query('commit'); // waits for nobody
      await first.query('commit');
      expect(await hill.rows('select entry_id from hill.audit_chain order by position desc limit 2')).toEqual([
        { entry_id: early },
        { entry_id: late },
      ]);
    } finally {
      first.release();
      second.release();
    }
    expect(await wrong()).toEqual([]);
  });

  test('takes what a transaction of one snapshot wrote with the entry after it', async () => {
    const log = "insert into hill.audit_log (at, staff_name, action, reason) values (now(), 'Sam', 'a_test', 'why')";
    const left = async () =>
      (
        await hill.rows<{ left: string }>(
          'select count(*) as left from hill.audit_log l where not exists (select from hill.audit_chain c where c.entry_id = l.id)',
        )
      )[0]?.left;
    await hill.asRoot((client) => client.query(`begin isolation level repeatable read; ${log}; commit`));
    expect(Number(await left())).toBe(1);
    expect(await wrong()).toEqual([]);
    await hill.root.query(log);
    expect(Number(await left())).toBe(0);
    expect(await wrong()).toEqual([]);
  });

  test.skipIf(!hasPsql)('written anew as a whole, it has another head than the one that was printed', async () => {
    const { stdout } = await psql(urls.dba, 'sql/verify/log.sql');
    const [, entries, head] = /has (\d+) entries in its chain\. Its head: ([0-9a-f]{64})/.exec(stdout) ?? [];
    expect(await psql(urls.dba, 'sql/verify/log.sql', { entries: `${entries}`, head: `${head}` })).toMatchObject({
      code: 0,
    });
    await pastTriggers(
      `update hill.audit_log set reason = 'another reason' where action = 'suspend_account';
       delete from hill.audit_chain;
       select engine.chain_entries(null)`,
    );
    expect(await psql(urls.dba, 'sql/verify/log.sql')).toMatchObject({ code: 0 });
    expect(await psql(urls.dba, 'sql/verify/log.sql', { entries: `${entries}`, head: `${head}` })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the log and its chain were written anew'),
    });
  });
});
