// What PostgreSQL counts by itself tells no login when deposits come, nor do gaps in their numbers tell how many were
// withdrawn. Rules 9.2.
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sealGaps, warnOfOpenStatistics } from '../../src/db/hardened.ts';
import type { Logger } from '../../src/process/log.ts';
import { useDbaLogins } from '../sql/replay/logins.ts';
import { anAccount, refusalOf, useHill } from '../support/hill/index.ts';

const hill = useHill();
const urls = useDbaLogins(hill);

const positions = ['pg_current_wal_insert_lsn()', 'pg_current_wal_flush_lsn()', 'pg_last_wal_replay_lsn()'];

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
  'select wal_bytes from pg_stat_get_backend_wal(pg_backend_pid())',
  'select writes from pg_stat_get_backend_io(pg_backend_pid())',
  'select wal_bytes from pg_stat_wal',
  'select writes from pg_stat_io',
  'select blks_hit from pg_stat_slru',
  'select buffers_alloc from pg_stat_bgwriter',
  'select num_done from pg_stat_checkpointer',
  'select relid from pg_stat_progress_vacuum',
  'select pg_current_wal_lsn()',
  'select pg_current_wal_insert_lsn()',
  'select redo_lsn from pg_control_checkpoint()',
  'select restart_lsn from pg_replication_slots',
  `select pg_tablespace_size('pg_default')`,
  `select pg_xact_status('700')`,
  `select pg_xact_commit_timestamp('700')`,
  'select mode from pg_locks',
  `select pg_sequence_last_value('hill.deposit_seq')`,
  'select last_value from hill.deposit_seq',
];

describe.each(['web', 'worker', 'console', 'a DBA', 'owner'])('%s', (who) => {
  const pool = () => hill.pool(who === 'a DBA' ? urls.dba : who === 'owner' ? urls.owner : hill.url(who as 'web'), 1);

  test('reads no count of rows, pages or scans', async () => {
    const db = pool();
    // who owns the sequence may read it; the owner names who keeps an update waiting, and has a practice hill asked for
    // its size, which tells less than how far the WAL has come; the web asks how far a replica has come
    const own: Record<string, RegExp> = {
      owner: /deposit_seq|pg_locks|wal_insert_lsn|pg_database_size\(/,
      web: /wal_insert_lsn/,
    };
    for (const look of looks.filter((statement) => !own[who]?.test(statement)))
      expect(
        await db.query(look).then(
          ({ rows }) =>
            rows.every((row) => Object.values(row).every((value) => value === null)) ? '42501' : JSON.stringify(rows),
          (error: unknown) => refusalOf(error).code,
        ),
        look,
      ).toBe('42501');
  });
});

test('a start on a database where they are open warns of it', async () => {
  expect(await sealGaps(hill.ownerUrl)).toEqual([]);
  await hill.rows('grant execute on function pg_catalog.pg_stat_get_backend_wal(integer) to public');
  try {
    const said: string[] = [];
    await warnOfOpenStatistics(hill.ownerUrl, { warn: (text: string) => said.push(text) } as unknown as Logger);
    expect(said).toEqual([expect.stringContaining('sql/harden.sql')]);
  } finally {
    await hill.rows('revoke execute on function pg_catalog.pg_stat_get_backend_wal(integer) from public');
  }
});

test('what the web reads of the WAL it is granted by the hill where sql/harden.sql came first, and by that where it came second', async () => {
  const may = async () =>
    (
      await hill.rows(
        "select bool_and(has_function_privilege('hill_public', f, 'execute')) as may from unnest($1::text[]) f",
        [positions],
      )
    )[0];
  expect(await may()).toEqual({ may: true });
  await hill.owner.query(`revoke execute on function ${positions.join(', ')} from hill_public`);
  expect(await may()).toEqual({ may: false });
  await hill.rows(fs.readFileSync('sql/harden.sql', 'utf8'));
  expect(await may()).toEqual({ may: true });
});

test('an extension that counts statements tells them to no login, once sql/harden.sql has run', async () => {
  await hill.rows('create extension pg_stat_statements schema public');
  try {
    const open = () =>
      hill.rows(
        "select p.proname from pg_proc p where p.proname ~ '^pg_stat_statements' and p.pronamespace = 'public'::regnamespace and has_function_privilege('hill_dba', p.oid, 'execute')",
      );
    expect(await open()).not.toEqual([]);
    await hill.rows(fs.readFileSync('sql/harden.sql', 'utf8'));
    expect(await open()).toEqual([]);
  } finally {
    await hill.rows('drop extension pg_stat_statements');
  }
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
