// sql/verify/seal.sql: a night as it happened is what the log has of it, and whatever was changed since is named. Rules
// 20.35.
import { beforeAll, describe, expect, test } from 'vitest';
import { archiveNight } from '../../../src/worker/archives.ts';
import { aLivelyNight } from '../../support/hill/a-lively-night.ts';
import { anAccount, useHill } from '../../support/hill/index.ts';
import { hasPsql, psql, runPsql } from '../../support/hill/psql.ts';
import { signLog } from '../../support/log/sign.ts';
import { useDbaLogins } from './logins.ts';
import { tamper, whileTampered } from './tamper.ts';

interface Check extends Record<string, unknown> {
  name: string;
  compared: number;
  wrong: number;
  example: string | null;
}

const hill = useHill();
const urls = useDbaLogins(hill);
const script = 'sql/verify/seal.sql';

beforeAll(async () => {
  await signLog(hill); // it has begun, so the day is closed
  const hal = await anAccount(hill, { name: 'Hal', credits: 5000, daily_cap_cents: 5000 });
  const play = async (slot: number, move: string, stake_cents?: number, message?: string) => {
    await hill.clock.tick();
    await hill.asAgent(hal).play({ slot, move, stake_cents, message });
  };
  await play(5, 'PEACE', undefined, 'At first');
  await play(5, 'WAR', 900, 'Changed my mind');
  await play(6, 'PEACE');
  await hill.asHuman(hal).withdrawMove(6);
  await play(7, 'PEACE');
  await aLivelyNight(hill);
  while (await archiveNight(hill.as('worker')));
  await hill.clock.at('00:20');
  await signLog(hill);
});

const checks = 'select * from engine.check_seal(1)';
const failed = (found: readonly Check[]) =>
  Object.fromEntries(
    found
      .filter(({ wrong }) => wrong > 0)
      .map(({ name, example }) => [name, example?.replace(/ \(account [0-9a-f-]{36}\)/, '')]),
  );
const of = (name: string, slot: number) =>
  `day = 1 and slot = ${slot} and account_id = (select id from hill.accounts where slug = '${name}')`;

test('every check of a night holds, and none of them has nothing to look at', async () => {
  const found = await hill.rows<Check>(checks);
  expect(failed(found)).toEqual({});
  expect(found.filter(({ compared }) => compared === 0)).toEqual([]);
  // 9 are live, 1 was replaced, 1 was taken back: that is two entries
  expect(found.find(({ name }) => name.startsWith('The log has as many'))).toMatchObject({
    compared: 12,
    example: '12 in the log, 9 live and 3 not',
  });
});

const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

test.each<[what: string, statement: string, named: Record<string, string>]>([
  [
    'a stake',
    `update hill.moves set stake_cents = 901 where ${of('dan', 2)}`,
    { 'Each live move opens its commitment': 'dan on place 2' },
  ],
  [
    'a message',
    `update hill.moves set message = 'Good day' where ${of('ann', 1)}`,
    { 'Each live move opens its commitment': 'ann on place 1' },
  ],
  [
    'a move with its commitment made anew',
    `update hill.moves m set stake_cents = 901, commitment = engine.commitment(m.day, m.account_id, m.slot, m.move::text, 901, m.message_hash,
        engine.iso(m.at), m.ends, m.salt) where ${of('dan', 2)}`,
    {
      'Each live move was in the log by then': 'dan on place 2',
      'Each deposit that the log has of the day is one of these': hash,
    },
  ],
  [
    'two salts',
    `update hill.moves m set salt = o.salt from hill.moves o where m.day = 1 and o.day = 1 and m.slot = 3 and o.slot = 3 and m.seq <> o.seq`,
    { 'Each live move opens its commitment': 'fay on place 3' },
  ],
  [
    'a move that is gone',
    `delete from hill.moves where ${of('eve', 2)}`,
    {
      'Each deposit that the log has of the day is one of these': hash,
      'The log has as many deposits of the day as the hill': '12 in the log, 8 live and 3 not',
      'The night, resolved again, has the result that the log has': hash,
    },
  ],
  [
    'a move that nobody deposited',
    `insert into hill.moves (day, account_id, agent_id, seq, at, slot, move, stake_cents, cost_cents)
     select day, account_id, agent_id, seq + 1000000, at, 9, move, stake_cents, cost_cents from hill.moves where ${of('ann', 1)}`,
    {
      'Each live move opens its commitment': 'ann on place 9',
      'Each live move was in the log by then': 'ann on place 9',
    },
  ],
  [
    'what was replaced',
    `update hill.moves set message_hash = sha256('') where ${of('hal', 5)} and ended = 'replaced'`,
    { 'What was replaced or withdrawn opens its commitment, which was in the log by then': hash },
  ],
  [
    'what the human took back',
    `update hill.moves set ended_at = ended_at + interval '1 second' where ${of('hal', 6)}`,
    { 'What was replaced or withdrawn opens its commitment, which was in the log by then': hash },
  ],
  [
    'a published result',
    "update hill.place_results set outcome = 'PEACE' where day = 1 and slot = 2",
    { 'What is published is that result': 'place 2 PEACE 1 1 0' },
  ],
  [
    'a seat',
    'update hill.seats set points = 8 where day = 1 and slot = 2',
    { 'What is published is that result': expect.stringMatching(/^seat 2 [0-9a-f-]{36} 0 war 8\.0$/) as string },
  ],
  [
    'what was announced',
    "update hill.announcements set intention = 'WAR' where ctid = (select min(ctid) from hill.announcements where day = 1 and intention <> 'WAR')",
    {
      'Each announcement opens its commitment, which was in the log by then': expect.stringMatching(
        / on place /,
      ) as string,
    },
  ],
  [
    'words that were announced',
    "update hill.announcements set message = 'Other words' where day = 1 and message is not null",
    {
      'Each announcement opens its commitment, which was in the log by then': expect.stringMatching(
        / on place /,
      ) as string,
    },
  ],
  [
    'an announcement that is gone',
    'delete from hill.announcements where ctid = (select min(ctid) from hill.announcements where day = 1)',
    { 'Each announcement that the log has of the day is one of these, once': hash },
  ],
  [
    'an entry of the log',
    `update hill.log_entries set entry = convert_to('night 1 ' || repeat('0', 64) || ' ' || repeat('1', 64), 'UTF8') where entry like 'night 1 %'`,
    {
      'The entries of the log have the root that it had when it covered the night': 'hill.example/log with 18 entries',
      'The log names the engine, and its sources have that hash': '0'.repeat(64),
      'The night, resolved again, has the result that the log has': '1'.repeat(64),
    },
  ],
  [
    'what the log says of the closing',
    `update hill.log_entries set entry = convert_to('closed 1 hill.example/log 1 ' || repeat('0', 64), 'UTF8') where entry like 'closed 1 %'`,
    {
      'The entries of the log have the root that it had when it covered the night': 'hill.example/log with 18 entries',
      'What the log says of how the day was closed is how it was': `closed 1 hill.example/log 1 ${'0'.repeat(64)}`,
    },
  ],
  [
    'an entry less',
    'delete from hill.log_entries where index = 3',
    {
      'The entries of the log have the root that it had when it covered the night': 'hill.example/log with 18 entries',
    },
  ],
  [
    'the root',
    "update hill.log_heads set root = sha256('') where size = 18",
    {
      'The entries of the log have the root that it had when it covered the night': 'hill.example/log with 18 entries',
      'What was signed of that root names it': 'hill.example/log',
    },
  ],
  [
    'the sources of the engine',
    "update hill.engines set source = source || '\\x00'",
    { 'The log names the engine, and its sources have that hash': hash },
  ],
  [
    'the night file',
    "update hill.archives set sha256 = sha256('') where form = 'night.json'",
    { 'The night file is the one that the log has': hash },
  ],
])('%s that was changed is named', async (_, statement, named) => {
  expect(failed(await whileTampered<Check>(hill, statement, checks))).toMatchObject(named);
});

test.each(['engine.veiled_words()', 'null'])(
  'a message that was hidden or forgotten (%s) is no change',
  async (words) => {
    const found = await whileTampered<Check>(
      hill,
      `update hill.moves set message = ${words} where ${of('ann', 1)}`,
      checks,
    );
    expect(failed(found)).toEqual({});
  },
);

test('a night file that was made anew, since a name was taken from it, is not compared', async () => {
  const found = await whileTampered<Check>(
    hill,
    "with told as (insert into hill.retellings (day, times) values (1, 1)) update hill.archives set sha256 = sha256('') where form = 'night.json'",
    checks,
  );
  expect(failed(found)).toEqual({});
  expect(found.at(-1)).toMatchObject({ name: 'The night file is the one that the log has', compared: 0 });
});

describe.skipIf(!hasPsql)('in psql', () => {
  test.each(['owner', 'dba'] as const)('it is said to the %s, a sentence a check', async (who) => {
    const { code, stdout, stderr } = await psql(urls[who], script, { day: 1 });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ Each live move opens its commitment +\| +9 \| +0 \| ok$/m);
    expect(stdout).toMatch(/\nDay 1 is what the log has of it\.\n$/);
  });

  test('a day that the log does not cover yet is refused', async () => {
    await hill.clock.ringBell();
    const { code, stderr } = await psql(urls.dba, script, { day: 2 });
    expect([code, stderr]).toEqual([3, expect.stringContaining('The log has nothing of the night of day 2')]);
  });

  test.each(['owner', 'dba'] as const)('what is not live stays sealed to the %s', async (who) => {
    const { stdout } = await runPsql(urls[who], [
      '-At',
      '-c',
      'select count(*) from hill.moves where day = 1 and ended is not null',
    ]);
    expect(stdout).toBe('0\n');
  });

  test('the exit status tells of a move that was edited', async () => {
    await tamper(hill, `update hill.moves set stake_cents = 901 where ${of('dan', 2)}`);
    const { code, stdout, stderr } = await psql(urls.dba, script, { day: 1 });
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^psql:\S+: ERROR: {2}[1-3] of 18 checks failed\. See docs\/runbook\.md#what-must-hold\.\n$/,
    );
    expect(stdout).toMatch(/^ Each live move opens its commitment \| dan \(account [0-9a-f-]{36}\) on place 2$/m);
  });
});
