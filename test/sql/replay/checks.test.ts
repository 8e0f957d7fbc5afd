// sql/verify/ledger.sql: a hill that ran by its own rules passes, and each check fails on what it is there to find.
import { beforeAll, describe, expect, test } from 'vitest';
import { anAccount, closeAccount, grant, type Hill, useHill } from '../../support/hill/index.ts';
import { hasPsql, psql } from '../../support/hill/psql.ts';
import { aTournament, enter } from '../../support/hill/tournaments.ts';
import { designHill } from './designed-hill.ts';
import { useDbaLogins } from './logins.ts';
import { whileTampered } from './tamper.ts';

const hill = useHill();
const urls = useDbaLogins(hill);

const allChecks = `
  select c.* from engine.check_balances() c union all select c.* from engine.check_settlements() c union all select c.* from engine.check_reputations() c
  union all select c.* from engine.check_boards() c union all select c.* from engine.check_nights() c union all select c.* from engine.check_tables() c
  union all select c.* from engine.check_tournaments() c`;

/** An example without the id that stands behind each slug: ids differ from run to run. */
const withoutIds = (example: string | null) => example?.replaceAll(/ \(account [0-9a-f-]{36}\)/g, '') ?? null;

interface Check extends Record<string, unknown> {
  name: string;
  compared: number;
  wrong: number;
  example: string | null;
}

/** The designed hill, and then long enough for lots to expire: some whole, some in part, some after they were spent. */
async function liveLong(hill: Hill): Promise<void> {
  const { ann, eve, fay, gus } = await designHill(hill);
  await hill.clock.toDay(40);
  await aTournament(hill, { opens_day: 40, sign_ups_close_day: 50, starts_day: 92, ends_day: 100 });
  for (const account of [ann, eve, gus]) await enter(hill, account, 'spring-cup');
  await grant(hill, gus, 350);
  await hill.asAgent(gus).play({ slot: 4, move: 'PEACE' });
  await hill.asAgent(ann).play({ slot: 4, move: 'WAR', stake_cents: 800 });
  await hill.clock.toDay(89);
  await grant(hill, fay, 5000);
  await hill.asAgent(fay).play({ slot: 10, move: 'PEACE' });
  const [lot] = await hill.rows<{ id: string }>('select max(id) as id from hill.lots');
  await hill.asStaff().call('api_staff.revoke_grant', { lot_id: lot?.id, reason: 'a test' });
  // closed with moves of that night, a lot that would last to day 178, and paid credits
  const hal = await anAccount(hill, { name: 'Hal', credits: 4000, granted: [500, 40] });
  await hill.asAgent(hal).play({ slot: 9, move: 'PEACE' });
  await closeAccount(hill, hal);
  await hill.clock.toDay(92);
  await hill.asAgent(ann).announce({ slot: 3, intention: 'PEACE' });
  await hill.asAgent(gus).announce({ slot: 7, intention: 'PEACE' });
  await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
  await hill.asAgent(gus).play({ slot: 7, move: 'WAR', stake_cents: 800 });
  await hill.clock.ringBell();
  await hill.clock.at('10:00');
  await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
  await hill.asAgent(eve).play({ slot: 3, move: 'PEACE' });
  await hill.clock.ringBell();
}

beforeAll(() => liveLong(hill));

const slug = (name: string) => `(select id from hill.accounts where slug = '${name}')`;

test('every check holds, and none of them has nothing to look at', async () => {
  const checks = await hill.rows<Check>(allChecks);

  expect(checks.filter(({ wrong }) => wrong > 0)).toEqual([]);
  expect(checks.filter(({ compared }) => compared === 0)).toEqual([]);
  expect(checks.length).toBeGreaterThan(30);
});

test('what was left of a lot expired', async () => {
  const expiries = await hill.rows(
    "select t.day, a.slug, t.cents from hill.transfers t join hill.accounts a on a.id = t.debit_account_id where t.kind = 'expiry' order by t.day",
  );

  expect(expiries).toEqual([
    { day: 89, slug: expect.stringMatching(/^closed-[0-9a-f]{16}$/), cents: 240 },
    { day: 91, slug: 'cyd', cents: 250 },
  ]);
});

/** What is done to the hill, the check that finds it, and an example that it gives. */
const harm: Readonly<Record<string, readonly [check: string, statement: string, example: string][]>> = {
  check_balances: [
    [
      'All balances add up to 0',
      "update hill.ledger_accounts set balance_cents = balance_cents + 7 where code = 'rent'",
      'they add up to 7 cents',
    ],
    [
      'Each account of the service is the sum of its entries',
      "update hill.ledger_accounts set balance_cents = 7 where code = 'burned'",
      'burned has 7, its entries 6700',
    ],
    [
      'Each wallet is the sum of its entries',
      `update hill.wallets set paid_cents = 7 where account_id = ${slug('cyd')}`,
      'cyd has 0 granted and 7 paid, its entries 0 and 20000',
    ],
    [
      'No wallet was ever below 0',
      `update hill.settlements set paid_cents = 99999 where day = 3 and account_id = ${slug('ann')}`,
      'ann on day 3: 0 granted and -80599 paid cents',
    ],
    [
      'Each night took granted credits first',
      `update hill.settlements set granted_cents = 0, paid_cents = 300 where day = 1 and account_id = ${slug('cyd')}`,
      'cyd on day 1: 0 granted of 300, with 1450 to spend',
    ],
    [
      "A closed account has nothing left after its bell, and nobody else's credits lapse",
      `update hill.closings set account_id = ${slug('cyd')}`,
      expect.stringMatching(/^closed-[0-9a-f]{16} on day 89: 4000 cents$/) as string,
    ],
  ],
  check_settlements: [
    [
      "Each night's settlements are what its live moves cost",
      `update hill.settlements set paid_cents = paid_cents + 5 where day = 3 and account_id = ${slug('ann')}`,
      'ann on day 3 paid 350 cents, its moves cost 345 cents',
    ],
    [
      "Each night's totals are its settlements and expiries",
      'update hill.nights set accounts = accounts + 1 where day = 3',
      expect.stringMatching(
        /^day 3: 10 accounts paid 300 granted and 9945 paid cents, .*; its settlements and expiries say 9, 300, /,
      ) as string,
    ],
    [
      'Each settlement is of a night that was published',
      'delete from hill.nights where day = 4',
      'bob on day 4: 300 cents',
    ],
    [
      'Each transfer is between accounts that there are',
      "update hill.transfers set debit_account_id = gen_random_uuid() where kind = 'expiry'",
      expect.stringMatching(/^transfer \d+ of day 89 \(expiry\), 240 cents: from [0-9a-f-]{36} to /) as string,
    ],
    [
      'Each grant has its lot, and each lot its grant',
      'update hill.lots set cents = cents + 1 where id = 1',
      'lot 1 of cyd: 451 cents, granted 450',
    ],
    [
      'What staff took back is left of its lot, and has its transfer',
      'update hill.lot_revocations set taken_cents = taken_cents - 1',
      'lot 5 of fay: 4699 cents taken back, 4700 moved',
    ],
    [
      "Each account's lots lie end to end, in the order of expiry",
      'update hill.lots set from_cents = from_cents + 1 where id = 2',
      'lot 2 of cyd: its 1000 cents begin at 451',
    ],
    [
      'Lots expired when they had to, with what was left of them',
      `delete from hill.transfers where kind = 'expiry' and debit_account_id = ${slug('cyd')}`,
      'cyd on day 91: 0 cents, not 250',
    ],
  ],
  check_reputations: [
    [
      "Each wallet's rings count the live moves of 30 nights",
      `update hill.wallets set peace_ring = 0 where account_id = ${slug('ann')}`,
      'ann: 0 PEACE and 0 WAR, not 2 and 0',
    ],
    [
      'Each night used the reputations of its 30 nights before',
      `update hill.settlements set peace_count = 9 where day = 3 and account_id = ${slug('ann')}`,
      'ann on day 3: 9 PEACE and 0 WAR, not 2 and 0',
    ],
    [
      "Each night used the accounts' seniority",
      `update hill.settlements set since = since + interval '1 second' where day = 3 and account_id = ${slug('ann')}`,
      'ann on day 3',
    ],
  ],
  check_boards: [
    [
      'The leaderboards are those of their nights',
      'update hill.leaderboard set points = points + 1 where rank = 2 and day = 93',
      'after day 93, rank 2: eve with 5 points and reputation 1, not eve with 4 points and reputation 1',
    ],
    [
      'The windows of spending are the last 30 settlements',
      'update hill.leaderboard set consumed_cents = consumed_cents + 1 where rank = 1 and day = 93',
      'ann paid 600 of 601, not 600 of 600',
    ],
    [
      'The Wall is that of the settlements',
      'update hill.leaderboard set paid_cents = 0 where rank = 1 and day = 93',
      'rank 2: eve with 300 cents, not ann with 600 cents',
    ],
    [
      'The efficiency board is that of leaderboard and settlements',
      'update hill.leaderboard set points = points * 2 where rank = 1 and day = 93',
      'rank 1: ann with 4 points a dollar, not ann with 2 points a dollar',
    ],
  ],
  check_nights: [
    ['Nights follow one another without a gap', 'delete from hill.nights where day = 2', 'night 2 is missing'],
    ['What was published is of a night that rang', 'delete from hill.nights where day = 2', 'place 1 of day 2: PEACE'],
    ['Tonight follows the last night', 'update hill.settings set last_night = 90', 'day 90'],
    ['Tonight has the opening days of the places', 'update hill.settings set opens_days[3] = 7', 'place 3'],
    [
      'Each night has ten places',
      'delete from hill.place_results where day = 3 and slot = 2',
      'place 2 is missing on day 3',
    ],
    [
      'At most two sit on a place, each once, and only where it is open',
      'update hill.place_results set open = false where day = 3 and slot = 1',
      'place 1 on day 3',
    ],
    [
      'Points are 11 less the place, divided by who sits there',
      'update hill.seats set points = 1 where day = 3 and slot = 8',
      'gus on place 8, day 3: 1 points, not 3',
    ],
    [
      'Each seat is of a live move, and of its agent',
      "update hill.seats set seq = (select m.seq from hill.moves m where m.day = 2 and m.slot = 2 and m.move = 'WAR') where day = 2 and slot = 2",
      'dee on place 2, day 2',
    ],
    [
      'Days held go on from the night before',
      'update hill.seats set days_held = 0 where day = 3 and slot = 1 and seat = 1',
      'ann on place 1, day 3: held 0 nights, not 2',
    ],
    [
      'Each move was deposited on its day, on an open place',
      "update hill.moves set at = at - interval '1 day' where day = 3 and slot = 1 and account_id = (select a.id from hill.accounts a where a.slug = 'ann')",
      expect.stringMatching(/^deposit \d+ of ann of day 3$/),
    ],
    [
      'No account had more than two live moves a night, or two on a place',
      "drop index hill.moves_000002_live; update hill.moves set ended = null, ended_at = null where day = 2 and slot = 2 and move = 'WAR'",
      'dee on day 2',
    ],
    [
      'Each announcement of a past day is judged, and none of a day to come',
      'update hill.announcements set verdict = null where day = 1 and slot = 4',
      'gus on place 4, day 1',
    ],
    [
      'Each verdict is what was announced beside what was played',
      "update hill.announcements set verdict = 'kept' where day = 1 and slot = 4",
      'gus on place 4, day 1: kept, not ghosted',
    ],
  ],
  check_tournaments: [
    [
      'The points boards of tournaments are those of their nights',
      `update hill.tournament_standings set points = points + 1 where day = 93 and account_id = ${slug('eve')}`,
      'spring-cup after day 93: eve is on rank 2 with 5 points, not on rank 2 with 4',
    ],
    [
      'The efficiency boards of tournaments are those of their nights',
      `update hill.tournament_standings set efficiency_rank = null where day = 93 and account_id = ${slug('gus')}`,
      'spring-cup after day 93: gus is on rank none with 800 cents, not on rank 2 with 800',
    ],
    [
      'The record boards of tournaments are those of their verdicts',
      `delete from hill.tournament_standings where day = 93 and account_id = ${slug('gus')}`,
      'spring-cup after day 93: gus is on rank none with 0 kept, not on rank 2 with 0',
    ],
    [
      'Tournaments count the accounts that signed up',
      'update hill.tournaments set entries = 1',
      'spring-cup counts 1, not 3',
    ],
  ],
  check_tables: [
    [
      'Each night has its partitions of moves and settlements, and no other day has',
      'alter table hill.moves detach partition hill.moves_000003',
      'moves, day 3',
    ],
    [
      'Two leaderboards are kept, of the last nights that were ranked',
      'alter table hill.leaderboard detach partition hill.leaderboard_000092',
      'day 92',
    ],
    [
      'A partition is read through its table alone',
      'grant select on hill.settlements_000003 to hill_dba',
      'settlements_000003',
    ],
    [
      'Row-level security binds everyone on every table',
      'alter table hill.wallets no force row level security',
      'hill.wallets',
    ],
    ['No trigger is switched off', 'alter table hill.seats disable trigger written_once', 'written_once on hill.seats'],
    [
      'What is sealed is of the day after the last night',
      'drop policy own_deposit on hill.sealed_moves',
      'nothing bounds own_deposit',
    ],
  ],
};

describe.each(Object.entries(harm))('%s', (check, cases) => {
  test.each(cases)('finds: %s', async (name, statement, example) => {
    const lines = await whileTampered<Check>(hill, statement, `select c.* from engine.${check}() c`);

    const wrong = lines.filter(({ wrong }) => wrong > 0);
    expect(wrong.map((line) => [line.name, withoutIds(line.example)])).toContainEqual([name, example]);
  });

  test('is shown to find each thing that it looks for', async () => {
    const names = (await hill.rows<Check>(`select c.* from engine.${check}() c`)).map(({ name }) => name);

    expect(cases.map(([name]) => name).sort()).toEqual(names.sort());
  });
});

describe.skipIf(!hasPsql)('in psql', () => {
  test('the day on which a lot expired shows it after the night', async () => {
    const { stdout } = await psql(urls.dba, 'sql/replay/account_day.sql', { account: 'cyd', day: 91 });

    expect(stdout).toMatch(/after day 90 +\| +250 \| 20000 \| +20250$/m);
    expect(stdout).toMatch(/^ 2026-05-31 00:00:00 \| lot 2 expired \| +-250 \| +0 \| +20000$/m);
  });

  test.each(['superuser', 'owner', 'dba'] as const)('every check holds for the %s', async (who) => {
    const { code, stdout, stderr } = await psql(urls[who], 'sql/verify/ledger.sql');

    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^All 6\d checks hold\.\n$/m);
  });
});
