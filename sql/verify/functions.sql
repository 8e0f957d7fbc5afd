-- The functions that are there to be called, of the API schemas and for a DBA, with arguments, return type and comment.
-- What they call is described in sql/, above each function. Unlike \df+, without the source, which psql pads to the
-- longest line.
--
--   psql -f sql/verify/functions.sql                              the engine and the API schemas
--   psql -v like=engine.%night% -f sql/verify/functions.sql       those of a name
--
-- Read-only. For any login that may use the schemas. Needs psql 13 or newer. Exits with 3 if no function has such a
-- name.

\set ON_ERROR_STOP on
\ir ../replay/start.sql
\pset format unaligned
\pset tuples_only on

\if :{?like}
\else
  \set like %
\endif
select format(e'%s.%s(%s) returns %s\n  %s\n',
              n.nspname,
              p.proname,
              pg_get_function_arguments(p.oid),
              pg_get_function_result(p.oid),
              replace(obj_description(p.oid, 'pg_proc'), e'\n', e'\n  '))
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
 where n.nspname ~ '^(engine|trusted|api_.*)$' and n.nspname || '.' || p.proname like :'like'
   and obj_description(p.oid, 'pg_proc') is not null
 order by n.nspname ~ '^api_', n.nspname, p.proname, p.oid;
select :ROW_COUNT = 0 as none \gset
\if :none
  select engine.refuse(
    'NOT_FOUND',
    'No function has such a name. Say which, as in: psql -v like=engine.%night% -f sql/verify/functions.sql');
\endif
commit;
