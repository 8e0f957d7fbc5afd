// Whatever sql/replay/account_day.sql prints and cannot be so, its exit status tells.
import { beforeAll, describe, expect, test } from 'vitest';
import { useHill } from '../../support/hill/index.ts';
import { hasPsql, psql } from '../../support/hill/psql.ts';
import { designHill } from './designed-hill.ts';
import { useDbaLogins } from './logins.ts';
import { tamper, whileTampered } from './tamper.ts';

const hill = useHill();
const urls = useDbaLogins(hill);
const id = (slug: string) => `(select id from hill.accounts where slug = '${slug}')`;

beforeAll(() => designHill(hill));

/** What it was before is put back afterwards. */
const contradictions: [string, string, number, string, string][] = [
  [
    'charges',
    'ann',
    3,
    `update hill.moves set cost_cents = cost_cents + 1 where day = 3 and account_id = ${id('ann')}`,
    'update hill.moves set cost_cents = cost_cents - 1',
  ],
  [
    'seats',
    'ann',
    3,
    `update hill.seats set days_held = days_held + 1 where day = 3 and account_id = ${id('ann')}`,
    'update hill.seats set days_held = days_held - 1',
  ],
  [
    'seats',
    'ann',
    3,
    `update hill.seats set points = points + 1 where day = 3 and account_id = ${id('ann')}`,
    'update hill.seats set points = points - 1',
  ],
  [
    'seats',
    'fay',
    3,
    `update hill.seats set via = 'peace' where day = 3 and slot = 9 and account_id = ${id('fay')}`,
    `update hill.seats set via = 'queue' where slot = 9 and day = 3 and account_id = ${id('fay')}; --`,
  ],
  [
    'places',
    'gus',
    3,
    "update hill.place_results set outcome = 'BURN' where day = 3 and slot = 8",
    "update hill.place_results set outcome = 'WAR' where day = 3 and slot = 8; --",
  ],
  [
    'verdicts',
    'gus',
    1,
    "update hill.announcements set verdict = 'kept' where day = 1 and slot = 4",
    "update hill.announcements set verdict = 'ghosted' where day = 1 and slot = 4; --",
  ],
  [
    'settlements',
    'ann',
    3,
    `update hill.settlements set paid_cents = paid_cents + 5 where day = 3 and account_id = ${id('ann')}`,
    'update hill.settlements set paid_cents = paid_cents - 5',
  ],
  [
    'credits',
    'cyd',
    1,
    `update hill.settlements set granted_cents = granted_cents - 1, paid_cents = paid_cents + 1 where day = 1 and account_id = ${id('cyd')}`,
    'update hill.settlements set granted_cents = granted_cents + 1, paid_cents = paid_cents - 1',
  ],
  [
    'reputation',
    'ann',
    3,
    `update hill.settlements set war_count = war_count + 1 where day = 3 and account_id = ${id('ann')}`,
    'update hill.settlements set war_count = war_count - 1',
  ],
  [
    'seniority',
    'ann',
    3,
    `update hill.settlements set since = since + interval '1 second' where day = 3 and account_id = ${id('ann')}`,
    "update hill.settlements set since = since - interval '1 second'",
  ],
  [
    'sources',
    'cyd',
    1,
    `update hill.lots set cents = cents - 300 where account_id = ${id('cyd')} and from_cents = 0`,
    'update hill.lots set cents = cents + 300',
  ],
  [
    'balance',
    'ann',
    3,
    `update hill.wallets set paid_cents = paid_cents + 1 where account_id = ${id('ann')}`,
    'update hill.wallets set paid_cents = paid_cents - 1',
  ],
  [
    'balance',
    'ann',
    3,
    `update hill.transfers set cents = cents + 1 where credit_account_id = ${id('ann')}`,
    'update hill.transfers set cents = cents - 1',
  ],
];

test('nobody on an untouched hill contradicts anything', async () => {
  expect(
    await hill.rows(
      `select a.slug, n.day, d.* from hill.accounts a cross join hill.nights n
        cross join lateral engine.account_differences(a.id, n.day, engine.resolve_places(engine.stored_night(n.day))) d`,
    ),
  ).toEqual([]);
});

test.each(contradictions)('%s of %s on day %i are found', async (subject, account, day, statement) => {
  const rows = await whileTampered(
    hill,
    statement,
    `select d.subject from engine.account_differences(${id(account)}, ${day}, engine.resolve_places(engine.stored_night(${day}))) d`,
  );
  expect(rows).toContainEqual({ subject });
});

describe.skipIf(!hasPsql)('the exit status tells', () => {
  test.each(contradictions)('%s of %s on day %i', async (subject, account, day, statement, undo) => {
    await tamper(hill, statement);
    const { code, stdout, stderr } = await psql(urls.dba, 'sql/replay/account_day.sql', { account, day });
    await tamper(hill, undo + statement.slice(statement.indexOf(' where ')));

    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^psql:\S+: ERROR: {2}The account's day \d contradicts the night resolved again, or itself: \d+ times\.\n$/,
    );
    expect(stdout).toMatch(new RegExp(`^ ${subject} +\\|`, 'm'));
    expect(await psql(urls.dba, 'sql/replay/account_day.sql', { account, day })).toMatchObject({ code: 0, stderr: '' });
  });
});
