-- What the night decided about the account, and why.

select exists (select from engine.night_moves(engine.stored_night(:day)) m where m.account = :'account_id')
       or exists (select from engine.night_holders(engine.stored_night(:day)) h where h.account = :'account_id') as any,
       exists (select from hill.seats s where s.day = :day and s.account_id = :'account_id') as seated \gset

\echo What they came to
\echo
\if :any
with decided as (
  select d as decision, d.*
    from engine.explain_night(engine.stored_night(:day), :'resolution'::engine.resolution) d
   where d.account = :'account_id'
)
select coalesce(m.slot, d.slot) as place,
       d.seq as deposit,
       d.move,
       case d.fate
         when 'kept' then 'keeps seat ' || s.seat || ', held ' || s.days_held
                          || case s.days_held when 1 then ' day' else ' days' end
         when 'seated' then 'takes seat ' || s.seat
         when 'queued' then 'joins the queue'
         when 'evicted' then 'evicted, joins the queue'
         when 'burned' then case when d.held is null then 'burns' else 'burns, evicted' end
         when 'left' then 'leaves'
         when 'served' then 'number ' || q.place || ' of the queue, takes a seat on ' || d.slot
         when 'waits' then 'number ' || q.place || ' of the queue, not served'
         else 'passed over on ' || d.slot end as "comes to",
       engine.decision_words(d.decision, (select r.slug from hill.accounts r where r.id = d.rival)) as why
  from decided d
  left join hill.moves m on m.day = :day and m.account_id = d.account and m.seq = d.seq
  left join unnest((:'resolution'::engine.resolution).seats) s on s.account = d.account and s.seq = d.seq
  left join engine.night_queue(engine.stored_night(:day), :'resolution'::engine.resolution) q
    on d.fate in ('served', 'waits') and q.seq = d.seq and q.account = d.account
 order by coalesce(m.slot, d.slot), d.seq, d.fate, d.slot;
\if :seated
select s.slot as "sits on", s.seat, s.via, s.days_held as "days held", trim_scale(s.points) as points
  from hill.seats s where s.day = :day and s.account_id = :'account_id' order by s.slot;
\endif
\else
\echo Nothing was decided about it.
\echo
\endif
