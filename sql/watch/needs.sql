-- What the seal and the bell need of a PostgreSQL that somebody else has set up. docs/operations.md has what to type.

-- What shows deposits to logins that must not see them, in the session that asks: statistics (sql/harden.sql was not
-- run, or by an older version), statements (an extension that counts them is open), and settings by which statements,
-- their values or the rows that errors quote come into PostgreSQL's log. Rules 9.2.
create or replace function engine.seal_gaps()
returns text[]
language sql stable parallel safe security invoker
begin atomic
  select coalesce(array_agg(g.gap order by g.n), '{}')
    from (
      -- What the last change of sql/harden.sql took from PUBLIC stands for all.
      select 1 as n, 'statistics' as gap
       where has_function_privilege('hill_dba', 'pg_catalog.pg_lock_status()', 'execute')
          or has_function_privilege('hill_dba', 'pg_catalog.pg_stat_get_backend_wal(integer)', 'execute')
      union all
      select 2, 'statements'
       where exists (
         select from pg_catalog.pg_depend d
           join pg_catalog.pg_extension e on e.oid = d.refobjid
           join pg_catalog.pg_proc p on p.oid = d.objid
          where d.classid = 'pg_catalog.pg_proc'::regclass and d.refclassid = 'pg_catalog.pg_extension'::regclass
            and d.deptype = 'e' and e.extname ~ '^pg_stat_' and has_function_privilege('hill_dba', p.oid, 'execute'))
      union all
      select 3, s.name || '=' || s.wanted
        from (values ('log_error_verbosity', 'terse'),
                     ('log_parameter_max_length_on_error', '0'),
                     ('log_min_error_statement', 'panic'),
                     ('log_statement', 'none'),
                     ('log_min_duration_statement', '-1'),
                     ('log_min_duration_sample', '-1'),
                     ('log_transaction_sample_rate', '0'),
                     ('auto_explain.log_min_duration', '-1')) s (name, wanted)
       where coalesce(nullif(current_setting(s.name, true), ''), s.wanted) <> s.wanted) g;
end;

-- Whether a bell rings when others have taken every connection: ok, none (PostgreSQL reserves no connection), or
-- refused (a worker's login may not use those). Decisions 482.
create or replace function engine.bell_reserve()
returns text
language sql stable parallel safe security invoker
begin atomic
  select case
           when current_setting('reserved_connections')::integer = 0 then 'none'
           when exists (
             select from pg_catalog.pg_roles r
              where r.rolcanlogin and not r.rolsuper and pg_has_role(r.oid, 'hill_worker', 'usage')
                and r.oid <> (select d.datdba from pg_catalog.pg_database d where d.datname = current_database())
                and not pg_has_role(r.oid, 'pg_use_reserved_connections', 'usage')) then 'refused'
           else 'ok' end;
end;

comment on function engine.seal_gaps is
'What shows deposits to logins that must not see them: statistics, statements, or a setting of PostgreSQL with what it '
'has to be, as in log_statement=none. Empty where nothing does. Rules 9.2.';
comment on function engine.bell_reserve is
'Whether a bell rings when others have taken every connection: ok, none or refused. Decisions 482.';
