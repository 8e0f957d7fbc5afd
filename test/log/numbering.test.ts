// How entries get their numbers: in batches of a quarter hour, each once, in an order that does not tell when. Rules
// 20.2, 20.3.
import { expect, test } from 'vitest';
import { refusal, useHill } from '../support/hill/index.ts';
import { until } from '../support/until.ts';

const hill = useHill();

const wait = (entry: string, at = 'engine.now()') =>
  `insert into hill.log_waiting (at, entry) values (${at}, convert_to('${entry}', 'UTF8'))`;
const logged = async () =>
  (
    await hill.rows<{ entry: string }>(
      `select convert_from(entry, 'UTF8') as entry from hill.log_entries where generation = 1 order by index`,
    )
  ).map(({ entry }) => entry);
const number = async () =>
  (await hill.rows<{ batch: { size: number } | null }>('select trusted.number_log() as batch'))[0]?.batch ?? null;

test('without a log nothing is numbered, and nothing that waits is lost', async () => {
  await hill.root.query(wait('engine 00'));
  expect(await number()).toBeNull();
  expect(await hill.rows('select from hill.log_waiting')).toHaveLength(1);
});

test('a batch has what happened before its quarter hour, sorted by what it says, announcements last, and the next batch the rest', async () => {
  await hill.root.query("select trusted.begin_log('hill.example/log')");
  for (const entry of ['announcement 1 bb', 'deposit 1 cc', 'deposit 1 aa', 'announcement 1 aa'])
    await hill.root.query(wait(entry));
  expect(await number()).toBeNull(); // 10:00, and all of it happened now
  await hill.clock.at('10:15');
  await hill.root.query(wait('deposit 1 00'));

  expect(await number()).toMatchObject({ old_size: 0, size: 5 });
  expect(await number()).toBeNull();
  await hill.clock.at('10:30');
  expect(await number()).toMatchObject({ old_size: 5, size: 6 });
  expect(await logged()).toEqual([
    'deposit 1 aa',
    'deposit 1 cc',
    'engine 00',
    'announcement 1 aa',
    'announcement 1 bb',
    'deposit 1 00',
  ]);
});

test('what commits after its quarter was numbered is in the next batch', async () => {
  await hill.asRoot(async (late) => {
    await late.query(`begin; ${wait('deposit 1 ff')}`);
    await hill.root.query(wait('deposit 1 11'));
    await hill.clock.at('10:45');
    expect(await number()).toMatchObject({ size: 7 });
    await late.query('commit');
  });
  await hill.clock.at('11:00');
  expect(await number()).toMatchObject({ size: 8 });
  expect((await logged()).slice(6)).toEqual(['deposit 1 11', 'deposit 1 ff']);
});

test('a large batch is numbered in pieces, in one order: an end in the middle loses nothing, and what commits behind them is in the next batch', async () => {
  await hill.root.query(
    'create or replace function engine.log_piece() returns integer language sql immutable parallel safe return 3',
  );
  const before = (await logged()).length;
  const names = async () => (await logged()).slice(before);
  const more = async () =>
    (await hill.rows<{ seconds: number }>('select trusted.seconds_to_log() as seconds'))[0]?.seconds;
  for (const entry of ['aa', 'ba', 'bb', 'bc', 'bd', 'dd', 'ee', 'ff'])
    await hill.root.query(wait(`deposit 5 ${entry}`));
  for (const entry of ['aa', 'bb']) await hill.root.query(wait(`announcement 5 ${entry}`));
  await hill.clock.at('11:15');
  await hill.root.query(wait('deposit 5 00'));

  expect(await number()).toMatchObject({ old_size: before, whole: false });
  expect(await more()).toBe(0);
  const [head] = await hill.rows<{ size: string; root: Buffer }>(
    'select size, root from hill.log_heads order by size desc limit 1',
  );
  const keep = 'select trusted.keep_checkpoint(1, $1, $2, $3) as kept';
  // nobody signs what is a part of a quarter hour
  expect(await hill.rows(keep, [head?.size, head?.root, 'signed'])).toEqual([{ kept: null }]);
  await hill.root.query(wait('deposit 5 a0', "engine.now() - interval '1 minute'")); // late, and before what is numbered
  await hill.root.query(wait('deposit 5 dc', "engine.now() - interval '1 minute'")); // late, and behind it
  await hill.clock.at('11:30'); // the worker was away for so long
  let pieces = 1;
  for (let batch = await number(); batch !== null; batch = await number()) pieces += 1;
  expect(pieces).toBeGreaterThan(4);
  expect(await names()).toEqual([
    ...['aa', 'ba', 'bb', 'bc', 'bd', 'dc', 'dd', 'ee', 'ff'].map((entry) => `deposit 5 ${entry}`),
    ...['aa', 'bb'].map((entry) => `announcement 5 ${entry}`),
    ...['00', 'a0'].map((entry) => `deposit 5 ${entry}`),
  ]);
  expect(
    await hill.rows('select at, count(*)::int as wholes from hill.log_heads where whole and size > $1 group by at', [
      before,
    ]),
  ).toEqual([
    { at: new Date('2026-03-01T11:15:00Z'), wholes: 1 },
    { at: new Date('2026-03-01T11:30:00Z'), wholes: 1 },
  ]);
  expect(await hill.rows('select * from engine.check_log(1)')).toEqual([]);
});

test('several that number at once, among deposits, give each entry one number and leave none out', async () => {
  const before = (await logged()).length;
  const deposit = async (n: number) => {
    for (let i = 0; i < 20; i++) await hill.root.query(wait(`deposit 2 ${n}.${i}`));
  };
  const append = async () => {
    for (let i = 0; i < 10; i++) await hill.root.query("select engine.append_log('infinity')");
  };
  await Promise.all([deposit(0), append(), deposit(1), append(), deposit(2)]);
  // a transaction of any database of this server may hold the last ones back
  await until('the last ones', async () => {
    await append();
    return (await logged()).length === before + 60;
  });

  const all = await logged();
  expect(all.slice(before).sort()).toEqual(
    [0, 1, 2].flatMap((n) => Array.from({ length: 20 }, (_, i) => `deposit 2 ${n}.${i}`)).sort(),
  );
  expect(await hill.rows('select * from engine.check_log(1)')).toEqual([]);
  expect(await hill.rows('select from hill.log_waiting')).toEqual([]);
});

test('numbers, tiles and root are taken back together', async () => {
  const before = await hill.rows('select * from hill.log_heads order by size');
  await hill.asRoot(async (client) => {
    await client.query(`begin; ${wait('deposit 3 00')}; select engine.append_log('infinity'); rollback`);
  });
  expect(await hill.rows('select * from hill.log_heads order by size')).toEqual(before);
  expect(await hill.rows('select * from engine.check_log(1)')).toEqual([]);
});

test('another generation begins with what was not signed of the one before it, under an origin that no other had', async () => {
  const size = (await logged()).length;
  expect(await refusal(hill.root.query("select trusted.begin_log('hill.example/log')"))).toMatchObject({
    code: '23505',
  });
  await hill.root.query("select trusted.begin_log('hill.example/log/2')");
  await hill.root.query(wait('deposit 4 00'));
  await hill.root.query("select engine.append_log('infinity')");
  expect(await logged()).toHaveLength(size);
  expect(
    await hill.rows('select generation, max(size)::int as size from hill.log_heads group by 1 order by 1'),
  ).toEqual([
    { generation: 1, size },
    { generation: 2, size: size + 1 },
  ]);
});

test('each entry is found again, in whatever batch and log it is, as far as that is signed; and what is none is not', async () => {
  const found = async (entry: string, since = '2020-01-01') => {
    const [row] = await hill.rows<{ proof: string | null }>(
      "select trusted.show_proof(convert_to($1, 'UTF8'), $2::timestamptz) as proof",
      [entry, since],
    );
    return /^index (\d+)$/m.exec(row?.proof ?? '')?.[1];
  };
  const sign = (generation: number, size: number) =>
    hill.root.query(
      "insert into hill.log_checkpoints (generation, size, note, signed_at) values ($1, $2, 'signed', now())",
      [generation, size],
    );
  const all = await logged();
  const [{ size: before } = { size: 0 }] = await hill.rows<{ size: number }>(
    'select max(size)::int as size from hill.log_heads where generation = 1 and whole and size < $1',
    [all.length],
  );
  await sign(1, before);
  for (const [index, entry] of all.entries())
    expect(await found(entry), entry).toBe(index < before ? String(index) : undefined);
  expect(await found('deposit 4 00')).toBeUndefined();
  await sign(2, all.length + 1);
  expect(await found('deposit 4 00')).toBe(String(all.length));
  // numbered in the first, and signed in the second
  for (const entry of all.slice(before)) expect(await found(entry), entry).toMatch(/^\d+$/);
  for (const none of ['deposit 4 01', 'deposit 1 0', '', 'zzz']) expect(await found(none), none).toBeUndefined();
  // its batch was closed before that
  expect(await found('deposit 1 aa', 'infinity')).toBeUndefined();
});

test('what a later release logged, which was taken back, is no fault; what was forged is', async () => {
  const faults = async () =>
    (
      await hill.rows<{ n: number }>(
        `select wrong::integer as n from engine.check_public_log()
          where name = 'Each entry of the log is of something that the hill has'`,
      )
    )[0]?.n ?? 0;
  const before = await faults();
  for (const entry of ['weather 1 fine', 'engine ff']) await hill.root.query(wait(entry));
  await until('both are numbered', async () => {
    await hill.root.query("select engine.append_log('infinity')");
    return (await hill.rows('select from hill.log_waiting')).length === 0;
  });
  expect(await faults()).toBe(before + 1);
});
