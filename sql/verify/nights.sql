-- Resolves every night again from its stored input, and compares it with what was published.
--
--   psql -f sql/verify/nights.sql                          every night
--   psql -v from=10 -v to=20 -f sql/verify/nights.sql      some of them
--   psql -v rows=200 -f sql/verify/nights.sql              prints up to 200 nights and 200 differences (by default 50)
--
-- Read-only. For a superuser, the database's owner, or a member of hill_dba. Needs psql 13 or newer. Exits with 3 if a
-- night differs (sql/replay/replay_day.sql prints it in full) or is missing.

\set ON_ERROR_STOP on
\ir ../replay/start.sql

\if :{?from}
\else
  \set from 1
\endif
\if :{?to}
\else
  \set to 999999999
\endif
select :'from' !~ '^[0-9]{1,9}$' or :'to' !~ '^[0-9]{1,9}$' as wrong \gset
\if :wrong
  select engine.refuse(
    'INVALID_ARGUMENT',
    'from and to are days, as in: psql -v from=10 -v to=20 -f sql/verify/nights.sql');
\endif
select count(*) as nights,
       min(r.day) as first,
       max(r.day) as last,
       coalesce(sum(n.moves), 0) as moves,
       count(*) = 0 as none
  from engine.rung_nights(:from, :to) r
  left join hill.nights n using (day) \gset
\if :none
  select engine.refuse(
    'DAY_NOT_RESOLVED',
    'No night of those days is resolved: '
      || coalesce('days 1 to ' || nullif(engine.last_night(), 0) || ' are.', 'none is yet.'));
\endif

\echo Days :first to :last resolved again, :moves live moves
\echo
select coalesce(
         jsonb_agg(to_jsonb(d) || jsonb_build_object('account', a.slug)
                   order by d.day, d.subject, d.slot, d.seq, a.slug) filter (where d.number <= :rows),
         '[]') as shown,
       count(*) as differences,
       count(distinct d.day) as differing,
       coalesce(' Missing: ' || string_agg(d.day::text, ', ' order by d.day) filter (where d.subject = 'night') || '.',
                '') as missing,
       count(*) > 0 as bad
  from (select d.*, row_number() over (order by d.day, d.subject, d.slot, d.seq) as number
          from engine.replay_nights(:from, :to) d) d
  left join hill.accounts a on a.id = d.account \gset
commit;
\if :bad
select d.day,
       d.subject as what,
       d.slot as place,
       d.account,
       d.seq as deposit,
       coalesce(d.published, 'nothing') as published,
       coalesce(d.recomputed, 'nothing') as replayed
  from jsonb_to_recordset(:'shown') d (
         day integer, subject text, slot integer, account text, seq bigint, published text, recomputed text)
 order by d.day, d.subject, d.slot, d.seq, d.account;
select engine.refuse(
  'VERIFICATION_FAILED',
  :'differing' || ' of ' || :'nights' || ' nights differ from what was published; differences: '
    || :'differences' || '.' || :'missing' || ' See docs/runbook.md#what-must-hold.');
\endif
\echo Equal to what was published: :nights of :nights.
