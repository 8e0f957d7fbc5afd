-- Closes PostgreSQL's statistics, which show when deposits come, to all but superusers and pg_monitor; and to everybody
-- what fills the server and is of no use here.
--
--   psql -d hill -f sql/harden.sql
--
-- Run it as a superuser in the hill's database; its owner may not. A start warns where it has to be run, or run again.
-- Hill's own PostgreSQL runs it at each start. Then npm run migrate, which hands on what the last statement grants.
-- Rules 9.2; decisions 482; docs/operations.md.

do $$
declare
  v_owner    regrole := (select d.datdba from pg_catalog.pg_database d where d.datname = current_database());
  v_function regprocedure;
  v_keeper   regrole;
begin
  for v_function, v_keeper in
    -- What was read and written, by one table, one session or all, how far the write-ahead log has come and what is
    -- locked tells of each deposit, of its kind and of the length of its message. All but who is connected.
    select p.oid, 'pg_monitor'::pg_catalog.regrole from pg_catalog.pg_proc p
     where p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
       and (
         (p.proname ~ '^pg_stat_get_' and p.proname not in ('pg_stat_get_activity', 'pg_stat_get_snapshot_timestamp'))
         or p.proname ~ '^pg_(current|last)_wal_.*lsn$'
         or p.proname ~ '^pg_control_'
         or p.proname ~ '^pg_.*wal_summar'
         or p.proname in ('pg_relation_size', 'pg_table_size', 'pg_indexes_size', 'pg_total_relation_size',
                          'pg_database_size', 'pg_tablespace_size',
                          'pg_lock_status', 'pg_get_replication_slots', 'pg_get_multixact_members',
                          'pg_last_xact_replay_timestamp', 'pg_last_committed_xact', 'pg_xact_commit_timestamp',
                          'pg_xact_commit_timestamp_origin', 'pg_xact_status', 'txid_status'))
    union all
    -- An extension that counts statements shows the counts of everybody's to everybody.
    select d.objid, 'pg_monitor' from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
     where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.deptype = 'e'
       and d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass and e.extname ~ '^pg_stat_'
    union all
    -- What any login could fill: the room for locks, with advisory ones, by which migrations alone take turns; the
    -- disk, with large objects and with records of the write-ahead log that say what the caller likes.
    select p.oid, v_owner from pg_catalog.pg_proc p
     where p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
       and (p.proname ~ '^pg_(try_)?advisory_(xact_)?lock'
            or p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_put', 'lowrite', 'lo_truncate',
                             'lo_truncate64', 'pg_logical_emit_message'))
  loop
    execute pg_catalog.format('revoke execute on function %s from public', v_function);
    execute pg_catalog.format('grant execute on function %s to %s', v_function, v_keeper);
  end loop;

  -- The owner names the sessions that keep an update waiting, and engine.in_the_way those that hold locks. Web
  -- processes ask how far a replica has come, and trusted.database_identity which cluster this is. A
  -- practice hill is asked for its size. By this grant or by
  -- that of sql/load.sql, whichever comes second.
  execute pg_catalog.format(
    'grant execute on function pg_catalog.pg_current_wal_insert_lsn(), pg_catalog.pg_current_wal_flush_lsn(), '
    'pg_catalog.pg_last_wal_replay_lsn(), pg_catalog.pg_control_system(), pg_catalog.pg_lock_status(), '
    'pg_catalog.pg_database_size(name) to %s with grant option', v_owner);
  if pg_catalog.to_regrole('hill_public') is not null then
    grant execute on function pg_catalog.pg_current_wal_insert_lsn(), pg_catalog.pg_current_wal_flush_lsn(),
      pg_catalog.pg_last_wal_replay_lsn() to hill_public;
    grant execute on function pg_catalog.pg_control_system(), pg_catalog.pg_lock_status(),
      pg_catalog.pg_database_size(name) to hill_owner;
  end if;

  -- For the owner to hand on to hill_owner: trusted.free_server ends sessions that are in the way of a bell.
  execute pg_catalog.format(
    'grant pg_signal_backend, pg_read_all_stats to %s with admin true, inherit false, set false', v_owner);
end
$$;
