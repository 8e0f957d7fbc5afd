-- Recomputes everything that is kept up incrementally: the ledger, reputations, boards, also those of tournaments; and
-- checks the bounds of every night.
--
--   psql -f sql/verify/ledger.sql
--
-- Read-only. For a superuser, the database's owner, or a member of hill_dba. Needs psql 13 or newer. Exits with 3 if a
-- check fails.

\set ON_ERROR_STOP on
\ir ../replay/start.sql

with line as materialized (
  select p.part, c.*
    from unnest(engine.check_parts()) with ordinality p (name, part) cross join lateral engine.check_part(p.name) c
)
select jsonb_agg(to_jsonb(l) order by l.part, l.name) as checks,
       count(*) as all,
       count(*) filter (where l.wrong > 0) as failed,
       count(*) filter (where l.wrong > 0) > 0 as bad
  from line l \gset

\echo The hill added up anew
\ir tell_checks.sql
\echo All :all checks hold.
