-- Who played what on which place, what became of it and why. For a large night, of each place only who sits there and
-- the first in deposit order who do not.

\echo Moves, place by place
\echo
select case when :'large' then greatest(3, :rows / 20) else :rows end as moves_each,
       :moves > 0 or exists (select from engine.night_holders(engine.stored_night(:day))) as any \gset
\if :any
\if :large
\echo -n Of :moves live moves, those that hold a seat,
\echo ' and the first' :moves_each PEACE and :moves_each WAR of each place (-v rows=N shows more).
\echo
\endif

-- First which to show, then why: the planner has to know that they are few.
select coalesce(array_agg(s.account), '{}') as accounts_shown,
       coalesce(array_agg(s.seq) filter (where s.seq is not null), '{}') as seqs_shown
  from (select s.account, s.seq from unnest((:'resolution'::engine.resolution).seats) s where s.via <> 'queue'
         union
        select m.account, m.seq
          from unnest((:'resolution'::engine.resolution).places) p
         cross join lateral (select f.account, f.seq
                               from engine.first_peace(engine.stored_night(:day), p.slot, :moves_each) f
                              order by f.at limit :moves_each) m
         union
        select m.account, m.seq
          from unnest((:'resolution'::engine.resolution).places) p
         cross join lateral (select w.account, w.seq
                               from engine.night_moves(engine.stored_night(:day)) w
                              where w.slot = p.slot and w.move = 'WAR'
                              order by w.at, w.seq limit :moves_each) m
         union
        select h.account, null from engine.night_holders(engine.stored_night(:day)) h) s \gset

with decided as (
  select d as decision, d.*
    from engine.explain_places(engine.stored_night(:day), :'resolution'::engine.resolution) d
   where d.account = any (:'accounts_shown'::uuid[]) and (d.seq is null or d.seq = any (:'seqs_shown'::bigint[]))
)
select d.slot as place,
       a.slug as account,
       d.move,
       m.cost_cents as cents,
       to_char(m.at, 'HH24:MI:SS.US') as deposited,
       case d.fate
         when 'kept' then 'keeps seat ' || s.seat
         when 'seated' then 'takes seat ' || s.seat
         when 'queued' then 'joins the queue'
         when 'evicted' then 'evicted, joins the queue'
         when 'burned' then case when d.held is null then 'burns' else 'burns, evicted' end
         when 'left' then 'leaves'
         else d.fate::text end as "comes to",
       engine.decision_words(d.decision, (select r.slug from hill.accounts r where r.id = d.rival)) as why
  from decided d
  join hill.accounts a on a.id = d.account
  left join hill.moves m on m.day = :day and m.account_id = d.account and m.seq = d.seq
  left join unnest((:'resolution'::engine.resolution).seats) s
    on s.via <> 'queue' and s.account = d.account and s.seq = d.seq
 order by d.slot, s.seat nulls last, d.fate, m.at, m.seq, a.slug;
\else
\echo Nobody moved, and nobody held a place.
\echo
\endif
