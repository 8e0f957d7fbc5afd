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
\echo
select l.name as "what must hold", l.compared, l.wrong, case when l.wrong = 0 then 'ok' else 'FAILED' end as result
  from jsonb_to_recordset(:'checks') l (part integer, name text, compared bigint, wrong bigint, example text);

commit;
\if :bad
\echo The first that is wrong of each
\echo
select l.name as "what must hold", l.example as "the first that is wrong"
  from jsonb_to_recordset(:'checks') l (part integer, name text, compared bigint, wrong bigint, example text)
 where l.wrong > 0;
select engine.refuse('VERIFICATION_FAILED', :'failed' || ' of ' || :'all' || ' checks failed. See '
                     'docs/runbook.md#what-must-hold.');
\endif
\echo All :all checks hold.
