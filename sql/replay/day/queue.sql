-- The cooperators' queue of the night: its order, whom it served where, and whom it passed over and why.

select engine.queue_length(
         (:'resolution'::engine.resolution).places, (:'resolution'::engine.resolution).seats) as queue,
       coalesce(
         (select string_agg(
                   f.slot || case f.seats when 1 then '' else ' (' || f.seats || ' seats)' end,
                   ', ' order by f.slot)
            from (select f.slot, count(*) as seats
                    from engine.queue_seats(engine.stored_night(:day), :'resolution'::engine.resolution) f
                   group by f.slot) f),
         'none') as free_seats \gset
select :queue > 0 as queued, greatest(:queue - :rows, 0) as unseen, :queue > :rows as cut \gset

\echo The queue: by reputation, then seniority, then deposit
\echo
\if :queued
\echo Waiting: :queue. Burned places with a seat left: :free_seats.
\echo
-- First which to show, then why: the planner has to know that they are few.
select coalesce(jsonb_agg(to_jsonb(q)), '[]') as entries,
       coalesce(array_agg(q.account), '{}') as accounts_shown,
       coalesce(array_agg(q.seq), '{}') as seqs_shown
  from (select q.*
          from engine.night_queue(engine.stored_night(:day), :'resolution'::engine.resolution) q
         order by q.place limit :rows) q \gset

with decided as (
  select d as decision, d.*
    from engine.explain_queue(engine.stored_night(:day), :'resolution'::engine.resolution) d
   where d.account = any (:'accounts_shown'::uuid[]) and d.seq = any (:'seqs_shown'::bigint[])
)
select case when d.fate <> 'skipped' then e.place end as number,
       case when d.fate <> 'skipped' then a.slug end as account,
       case when d.fate <> 'skipped' then trim_scale(engine.reputation(s.peace_count, s.war_count)) end as reputation,
       case when d.fate <> 'skipped' then to_char(s.since, 'YYYY-MM-DD HH24:MI:SS.US') end as "account since",
       case when d.fate <> 'skipped' then e.from_slot end as "from place",
       case when d.fate <> 'skipped' then to_char(m.at, 'HH24:MI:SS.US') end as deposited,
       case d.fate
         when 'waits' then 'not served'
         when 'served' then 'takes a seat on ' || d.slot
         else '  passed over on ' || d.slot end as "comes to",
       engine.decision_words(d.decision, (select r.slug from hill.accounts r where r.id = d.rival)) as why
  from decided d
  join jsonb_to_recordset(:'entries') e (place bigint, account uuid, from_slot smallint, seq bigint)
    on e.account = d.account and e.seq = d.seq
  join hill.accounts a on a.id = d.account
  join hill.settlements s on s.day = :day and s.account_id = d.account
  join hill.moves m on m.day = :day and m.account_id = d.account and m.seq = d.seq
 order by e.place, d.fate = 'skipped', d.slot;
\if :cut
\echo ... and :unseen more (-v rows=N shows more).
\echo
\endif
\else
\echo Nobody waited in it.
\echo
\endif
