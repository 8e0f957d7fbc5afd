-- The tables, each with its comment and its columns: type, whether it may be null, and comment. Unlike \d+ hill.*, each
-- table once and not again for every day, and no policies.
--
--   psql -f sql/verify/tables.sql                       all tables
--   psql -v like=hill.mov% -f sql/verify/tables.sql     those of a name
--
-- Read-only. For any login that may use the schemas. Needs psql 13 or newer. Exits with 3 if no table has such a name.

\set ON_ERROR_STOP on
\ir ../replay/start.sql
\pset format unaligned
\pset tuples_only on

\if :{?like}
\else
  \set like %
\endif
select format(e'%s.%s\n  %s\n%s\n',
              n.nspname,
              c.relname,
              replace(obj_description(c.oid, 'pg_class'), e'\n', e'\n  '),
              string_agg(
                format('    %s %s%s%s',
                       a.attname,
                       format_type(a.atttypid, a.atttypmod),
                       case when not a.attnotnull then ', null' end,
                       ': ' || col_description(c.oid, a.attnum)),
                e'\n' order by a.attnum) filter (where a.attnum > 0))
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
 where n.nspname in ('hill', 'oauth') and c.relkind in ('r', 'p') and not c.relispartition
   and n.nspname || '.' || c.relname like :'like'
 group by n.nspname, c.oid, c.relname
 order by n.nspname, c.relname;
select :ROW_COUNT = 0 as none \gset
\if :none
  select engine.refuse(
    'NOT_FOUND',
    'No table has such a name. Say which, as in: psql -v like=hill.mov% -f sql/verify/tables.sql');
\endif
commit;
