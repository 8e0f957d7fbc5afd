-- Prints what was checked, for the scripts beside this one, and refuses if anything is wrong. Takes checks, all, failed
-- and bad, as they ask for them.

\echo
select l.name as "what must hold", l.compared, l.wrong, case when l.wrong = 0 then 'ok' else 'FAILED' end as result
  from jsonb_to_recordset(:'checks') l (part integer, name text, compared bigint, wrong bigint, example text);

commit;
\if :bad
\echo
\echo The first that is wrong of each
\echo
select l.name as "what must hold", l.example as "the first that is wrong"
  from jsonb_to_recordset(:'checks') l (part integer, name text, compared bigint, wrong bigint, example text)
 where l.wrong > 0;
select engine.refuse('VERIFICATION_FAILED', :'failed' || ' of ' || :'all' || ' checks failed. See '
                     'docs/runbook.md#what-must-hold.');
\endif
