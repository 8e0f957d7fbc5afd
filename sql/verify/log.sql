-- Checks every entry of the public log, and the audit log with its chain of hashes. Rules 18.1, 20.4.
--
--   psql -f sql/verify/log.sql
--   psql -v entries=120 -v head=5e0c… -f sql/verify/log.sql   the chain had that head when it had 120 entries
--
-- Write down the head that it prints, where nobody of this hill can change it: whoever changes the audit log and its
-- whole chain is found by it alone. Read-only. For a superuser, the database's owner, or a member of hill_dba. Needs
-- psql 13 or newer. Exits with 3 if a check fails.

\set ON_ERROR_STOP on
\ir ../replay/start.sql

\if :{?entries}
\else
  \set entries ''
\endif
\if :{?head}
\else
  \set head ''
\endif
select (:'entries' <> '' or :'head' <> '') and (:'entries' !~ '^[0-9]{1,12}$' or :'head' !~ '^[0-9a-f]{64}$') as wrong,
       :'entries' <> '' as pinned \gset
\if :wrong
  select engine.refuse(
    'INVALID_ARGUMENT',
    'entries and head are what this script printed earlier, as in: psql -v entries=120 -v head=5e0c… -f '
      || 'sql/verify/log.sql');
\endif
\if :pinned
  select trusted.audit_hash_at(:'entries'::bigint) is distinct from :'head' as moved \gset
\else
  \set moved false
\endif
with line as materialized (
  select p.part, c.*
    from unnest(array['public_log', 'audit']) with ordinality p (name, part)
   cross join lateral engine.check_part(p.name) c
)
select jsonb_agg(to_jsonb(l) order by l.part, l.name) as checks,
       count(*) as all,
       count(*) filter (where l.wrong > 0) as failed,
       count(*) filter (where l.wrong > 0) > 0 as bad
  from line l \gset
select coalesce(max(h.entries), 0) as entries_now, coalesce(max(h.hash), 'none') as head_now
  from trusted.audit_head() h \gset

\echo The audit log has :entries_now entries in its chain. Its head: :head_now
\echo
\echo The public log and the audit log
\ir tell_checks.sql
\if :moved
select engine.refuse('VERIFICATION_FAILED', 'With ' || :'entries' || ' entries the chain of the audit log had another '
                     'head: the log and its chain were written anew.');
\endif
\echo All :all checks hold.
