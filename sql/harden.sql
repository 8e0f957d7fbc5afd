-- harden.sql · Closes PostgreSQL's statistics, which show when deposits come, to all but superusers and pg_monitor.
--
--   psql -d hill -f sql/harden.sql
--
-- Run it once as a superuser in the hill's database; its owner may not. Hill's own PostgreSQL runs it at each start.
-- Rules 9.2; docs/operations.md.

do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid from pg_catalog.pg_proc p
     where p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
       and (
         -- rows, pages and scans of one table, index, function or database
         (p.proname ~ '^pg_stat_get_' and p.proargtypes[0] = 'oid'::pg_catalog.regtype)
         or p.proname in ('pg_relation_size', 'pg_table_size', 'pg_indexes_size', 'pg_total_relation_size',
                          'pg_database_size'))
  loop
    execute pg_catalog.format('revoke execute on function %s from public', v_function);
    execute pg_catalog.format('grant execute on function %s to pg_monitor', v_function);
  end loop;
end
$$;
