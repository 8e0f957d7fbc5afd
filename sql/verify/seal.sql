-- Holds a day against the hill's log, from the hill's own tables: all that npm run verify does, but signatures. Rules
-- 20.35.
--
--   psql -v day=7 -f sql/verify/seal.sql
--
-- Read-only. For a superuser, the database's owner, or a member of hill_dba. Needs psql 13 or newer. Exits with 3 if a
-- check fails, or the log does not cover the day.

\set ON_ERROR_STOP on
\ir ../replay/start.sql
\set script 'sql/verify/seal.sql'
\ir ../replay/day.sql

select not exists (select from trusted.logged_lines(:day) l where l.kind = 'night') as unlogged \gset
\if :unlogged
  select engine.refuse(
    'NOT_FOUND',
    'The log has nothing of the night of day ' || :'day'
      || ': it is from before the log, or comes with the next quarter hour.');
\endif

select trusted.unsealed(:day) as unsealed,
       trusted.unsealed(:day) is not null as is_unsealed,
       trusted.unsealed(:day) is null and not exists (select from trusted.night_closing(:day)) as unclosed \gset
select jsonb_agg(to_jsonb(c)) as checks,
       count(*) as all,
       count(*) filter (where c.wrong > 0) as failed,
       count(*) filter (where c.wrong > 0) > 0 as bad
  from engine.check_seal(:day) c \gset

\echo Day :day, held against the log
\if :is_unsealed
\echo UNSEALED: nothing shows what was deposited before the night was resolved. The reason: :unsealed
\endif
\if :unclosed
\echo The night has no closing: nothing was deposited, or it is from before days were closed.
\endif
\ir tell_checks.sql
\echo Day :day is what the log has of it.
