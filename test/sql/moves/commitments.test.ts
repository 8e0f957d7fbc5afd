// What the log has of deposits: a commitment for each change of what is sealed, which its account can open, and nobody
// else. Rules 20.15, 20.16.
import { beforeAll, expect, test } from 'vitest';
import { type Account, anAccount, type Receipt, refusal, useHill } from '../../support/hill/index.ts';
import { commitmentTo, endingOf, entryOf } from '../../support/log/commitment.ts';
import { randomFrom, seed } from '../../support/random.ts';

const hill = useHill();

type Sealed = Receipt & { salt: string; ends: string; commitment: string };

let ann: Account;
beforeAll(async () => {
  ann = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });
});

const waiting = async (): Promise<string[]> =>
  (
    await hill.rows<{ entry: string }>(
      "select convert_from(entry, 'UTF8') as entry from hill.log_waiting order by at, entry",
    )
  ).map(({ entry }) => entry);

test('each change is an entry with its instant, opened by what its account was given, and names the one that it ends', async () => {
  const steps = [
    { slot: 3, move: 'PEACE' },
    { slot: 3, move: 'WAR', stake_cents: 900, message: 'Ça ira 🏔' },
    { slot: 4, move: 'PEACE', message: 'a\\b' },
    { slot: 3, move: 'PASS' },
  ];
  const receipts: Sealed[] = [];
  for (const step of steps) {
    await hill.clock.tick();
    const receipt = await hill.asAgent(ann).play(step);
    expect(await hill.asAgent(ann).play(step), 'the same again').toEqual(receipt);
    receipts.push(receipt as Sealed);
  }
  await hill.clock.tick();
  expect(await hill.asHuman(ann).withdrawMove(4)).toMatchObject({ withdrawn: true });
  expect(await hill.asHuman(ann).withdrawMove(4)).toMatchObject({ withdrawn: false });

  for (const receipt of receipts) {
    expect(receipt.salt).toMatch(/^[0-9a-f]{32}$/);
    expect(receipt.commitment).toBe(commitmentTo({ ...receipt, account_id: ann.id }));
  }
  const [first, second, third, fourth] = receipts as [Sealed, Sealed, Sealed, Sealed];
  expect(second.ends).toBe(endingOf(first));
  expect(fourth.ends).toBe(endingOf(second));
  expect(new Set(receipts.flatMap(({ salt, ends }) => [salt, ends])).size).toBe(8);

  // the human's, which made no row of its own
  const [withdrawn] = await hill.rows<{ deposited_at: string; salt: string; commitment: string }>(
    `select engine.iso(ended_at) as deposited_at, encode(end_salt, 'hex') as salt, encode(end_commitment, 'hex') as commitment
       from hill.sealed_moves where account_id = $1 and slot = 4`,
    [ann.id],
  );
  if (!withdrawn) throw new Error('nothing was withdrawn');
  expect(withdrawn.commitment).toBe(
    commitmentTo({ day: 1, account_id: ann.id, slot: 4, move: 'PASS', ...withdrawn, ends: endingOf(third) }),
  );

  expect(await waiting()).toEqual([...receipts, withdrawn].map(({ commitment }) => entryOf(1, commitment)));
  expect(
    await hill.rows('select from hill.log_waiting w join hill.sealed_moves m using (at) where m.account_id = $1', [
      ann.id,
    ]),
  ).toHaveLength(receipts.length);
});

test('what is refused, and what is taken back with its transaction, is no entry', async () => {
  const before = await waiting();
  await refusal(hill.asAgent(ann).play({ slot: 5, move: 'WAR', stake_cents: 1 }));
  await refusal(hill.asAgent(ann).play({ slot: 5, move: 'WAR', stake_cents: 4999, day: 2 }));
  await hill.asRoot(async (client) => {
    await client.query('begin');
    await client.query("select api_agent.play($1, 5, 'PEACE')", [ann.token]);
    await client.query('rollback');
  });
  expect(await hill.asAgent(ann).play({ slot: 6, move: 'PASS' })).not.toHaveProperty('commitment');

  expect(await waiting()).toEqual(before);
});

test('deposits from before the log are not in it: neither repeated nor withdrawn; what replaces them ends nothing there', async () => {
  const cyd = await anAccount(hill, { credits: 5000 });
  await hill.asAgent(cyd).play({ slot: 6, move: 'PEACE' });
  const bob = await anAccount(hill, { credits: 5000 });
  await hill.asAgent(bob).play({ slot: 6, move: 'PEACE' });
  await hill.rows('update hill.sealed_moves set salt = null, ends = null, commitment = null where slot = 6');
  const before = await waiting();

  expect(await hill.asAgent(cyd).play({ slot: 6, move: 'PEACE' })).not.toHaveProperty('commitment');
  await hill.asHuman(bob).withdrawMove(6);
  expect(await waiting()).toEqual(before);
  await hill.clock.tick();
  const replacing = (await hill.asAgent(cyd).play({ slot: 6, move: 'PEACE', message: 'Now it is' })) as Sealed;
  expect(replacing.commitment).toBe(commitmentTo({ ...replacing, account_id: cyd.id }));
  expect(await waiting()).toEqual([...before, entryOf(1, replacing.commitment)]);
});

test('the house deposits as everybody does', async () => {
  await hill.clock.toDay(2);
  await hill.clock.toLastMinute();
  await hill.asWorker().playHouse();
  const deposits = await hill.rows<{ entry: string }>(
    `select convert_from(engine.deposit_entry(2, engine.commitment(
              day, account_id, slot, move::text, stake_cents, message_hash, engine.iso(at), ends, salt)), 'UTF8') as entry
       from hill.sealed_moves`,
  );
  expect(deposits.length).toBeGreaterThan(0);
  expect((await waiting()).filter((entry) => entry.startsWith('deposit 2 ')).sort()).toEqual(
    deposits.map(({ entry }) => entry).sort(),
  );
});

test('a past day repeats its receipt with what opens it', async () => {
  await hill.clock.toDay(3);
  const receipt = await hill.asAgent(ann).play({ slot: 7, move: 'PEACE', message: 'Still there?' });
  await hill.clock.ringBell();
  const { detail } = await refusal(hill.asAgent(ann).play({ slot: 7, move: 'PEACE', message: 'Still there?', day: 3 }));
  const { salt, ends, message_salt, commitment } = receipt;
  expect(detail?.receipt).toMatchObject({ salt, ends, message_salt, commitment });
});

test('another language commits to any deposit alike, whatever time zone and date style the session has', async () => {
  const random = randomFrom(seed);
  const hex = (length: number) =>
    Array.from({ length }, () => random.below(256).toString(16).padStart(2, '0')).join('');
  const letters = ['a', 'é', 'é', '\\', '\\x00', '🏔', '👩‍🚀', 'ش', '漢', ' ', "'", '"', '\u{10ffff}'];
  const deposits = Array.from({ length: 300 }, () => ({
    day: random.pick([1, 7, 20_000, 2_147_483_647]),
    account_id: hex(16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    slot: 1 + random.below(10),
    move: random.pick(['PEACE', 'WAR', 'PASS']),
    stake_cents: random.pick(['0', '800', '9223372036854775807']),
    message: random.chance(0.5)
      ? Array.from({ length: 1 + random.below(140) }, () => random.pick(letters)).join('')
      : null,
    message_salt: hex(16),
    deposited_at: `${random.pick(['2026-03-29', '2027-12-31', '2100-02-28'])}T${random.pick(['00', '02', '23'])}:59:59.${String(random.below(1e6)).padStart(6, '0')}Z`,
    ends: hex(32),
    salt: hex(16),
  }));
  const commit = async (session: string) =>
    hill.asRoot(async (client) => {
      await client.query(session);
      const { rows } = await client.query<{ commitment: string }>(
        `select encode(engine.commitment(
                  d.day, d.account_id, d.slot, d.move, d.stake_cents, engine.message_hash(decode(d.message_salt, 'hex'), d.message),
                  d.deposited_at, decode(d.ends, 'hex'), decode(d.salt, 'hex')), 'hex') as commitment
           from rows from (jsonb_to_recordset($1) as (day integer, account_id uuid, slot integer, move text, stake_cents bigint,
                  message text, message_salt text, deposited_at text, ends text, salt text)) with ordinality d order by ordinality`,
        [JSON.stringify(deposits)],
      );
      return rows.map(({ commitment }) => commitment);
    });
  const ours = deposits.map(commitmentTo);

  expect(
    await commit("set timezone = 'Asia/Kathmandu'; set datestyle = 'German'; set lc_time = 'C'"),
    `HILL_SEED=${seed}`,
  ).toEqual(ours);
  expect(await commit("reset timezone; reset datestyle; set bytea_output = 'escape'")).toEqual(ours);
});

test('what a deposit leaves for the log is worked out in its statement, without a call of a function', async () => {
  for (const one of [
    'engine.deposit_entry(day, commitment)',
    "engine.commitment(day, account_id, slot, move::text, 0, null, '', ends, salt)",
  ]) {
    const plan = await hill.rows<{ 'QUERY PLAN': string }>(
      `explain (verbose, costs off) select ${one} from hill.moves`,
    );
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).not.toMatch(/engine\.(deposit_entry|commitment)/);
  }
});
