// What PostgreSQL counts by itself tells no login when deposits come, nor do gaps in their numbers tell how many were withdrawn. Rules 9.2.
import { describe, expect, test } from 'vitest';
import { useDbaLogins } from '../sql/replay/logins.ts';
import { anAccount, refusalOf, useHill } from '../support/hill/index.ts';

const hill = useHill();
const urls = useDbaLogins(hill);

const looks = [
  'select n_tup_ins from pg_stat_all_tables',
  'select * from pg_stat_user_tables',
  'select * from pg_statio_all_tables',
  'select * from pg_stat_all_indexes',
  'select * from pg_statio_all_sequences',
  'select * from pg_stat_xact_all_tables',
  'select tup_inserted from pg_stat_database',
  `select pg_stat_get_tuples_inserted('hill.sealed_moves'::regclass)`,
  `select pg_stat_get_live_tuples('hill.reservations'::regclass)`,
  `select pg_relation_size('hill.sealed_moves')`,
  `select pg_relation_size('hill.sealed_moves', 'vm')`,
  `select pg_table_size('hill.sealed_moves')`,
  `select pg_indexes_size('hill.sealed_moves')`,
  `select pg_total_relation_size('hill.sealed_moves')`,
  `select pg_stat_get_tuples_inserted('hill.log_waiting'::regclass)`,
  `select pg_stat_get_live_tuples('hill.log_waiting'::regclass)`,
  `select pg_stat_get_last_autovacuum_time('hill.log_waiting'::regclass)`,
  `select pg_relation_size('hill.log_waiting')`,
  `select pg_table_size('hill.log_waiting')`,
  'select pg_database_size(current_database())',
  `select pg_sequence_last_value('hill.deposit_seq')`,
  'select last_value from hill.deposit_seq',
];

describe.each(['web', 'worker', 'console', 'a DBA', 'owner'])('%s', (who) => {
  const pool = () => hill.pool(who === 'a DBA' ? urls.dba : who === 'owner' ? urls.owner : hill.url(who as 'web'), 1);

  test('reads no count of rows, pages or scans', async () => {
    const db = pool();
    // who owns the sequence may read it
    for (const look of looks.filter((statement) => who !== 'owner' || !statement.includes('deposit_seq')))
      expect(
        await db.query(look).then(
          ({ rows }) => (rows.every((row) => Object.values(row).every((value) => value === null)) ? '42501' : JSON.stringify(rows)),
          (error: unknown) => refusalOf(error).code,
        ),
        look,
      ).toBe('42501');
  });
});

test('numbers of deposits have gaps of any length, though none was withdrawn, and keep their order', async () => {
  const seqs: number[] = [];
  for (let i = 0; i < 30; i++) {
    const ann = await anAccount(hill, { credits: 3000 });
    for (const slot of [1, 2]) {
      await hill.asAgent(ann).play({ slot, move: 'PEACE' });
      const [row] = await hill.rows<{ seq: number }>('select max(seq) as seq from hill.sealed_moves');
      seqs.push(Number(row?.seq));
    }
  }
  const gaps = seqs.slice(1).map((seq, i) => seq - (seqs[i] as number));

  expect(Math.min(...gaps)).toBeGreaterThan(0);
  expect(new Set(gaps).size).toBeGreaterThan(3);
  expect(gaps.filter((gap) => gap > 1).length).toBeGreaterThan(20);
});
