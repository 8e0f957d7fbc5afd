-- The long lists that follow from a resolved night: its queue, its evictions, its charges. Derived when read. Rules
-- 4.5, 4.6, 12.2.

-- Every PEACE of a night that found no seat on its own place, unordered, with what orders it and the burned place that
-- served it, if one did. Rules 4.5.
create or replace function engine.queue_entries(night engine.night, resolution engine.resolution)
returns table (
  account uuid,
  from_slot smallint,
  seq bigint,
  at timestamptz,
  reputation numeric,
  since timestamptz,
  served_slot smallint)
language sql stable parallel safe security invoker
begin atomic
  select m.account, m.slot, m.seq, m.at, a.reputation, a.since, q.slot
    from engine.night_moves(queue_entries.night) m
    join engine.night_accounts(queue_entries.night) a on a.account = m.account
    left join unnest((queue_entries.resolution).seats) q on q.via = 'queue' and q.seq = m.seq
   where m.move = 'PEACE'
     and not exists (select from unnest((queue_entries.resolution).seats) s
                      where s.slot = m.slot and s.account = m.account and s.via in ('holder', 'peace'));
end;

create or replace function engine.night_queue(night engine.night, resolution engine.resolution)
returns table (place bigint, account uuid, from_slot smallint, seq bigint, served_slot smallint)
language sql stable parallel safe security invoker
begin atomic
  select row_number() over (order by engine.queue_order(e.reputation, e.since, e.at, e.seq)),
         e.account,
         e.from_slot,
         e.seq,
         e.served_slot
    from engine.queue_entries(night_queue.night, night_queue.resolution) e
   order by 1;
end;

comment on function engine.night_queue is
'The cooperators'' queue of a night, engine.queue_entries in queue order: reputation descending, seniority, deposit '
'order. Rules 4.2, 4.3, 4.5.';

-- Who held a place (days_held: for how many bells), moved there and lost the seat. Rules 4.6.
create or replace function engine.place_unseated(night engine.night, slot smallint, seats engine.seat[])
returns table (account uuid, seq bigint, at timestamptz, days_held integer)
language sql stable parallel safe security invoker
begin atomic
  select h.account, m.seq, m.at, h.days_held
    from engine.night_holders(place_unseated.night) h
   cross join lateral (select m.seq, m.at from engine.night_moves(place_unseated.night) m
                        where m.account = h.account and m.slot = h.slot offset 0) m
   where h.slot = place_unseated.slot
     and not exists (select from unnest(place_unseated.seats) s where s.slot = h.slot and s.account = h.account);
end;

-- Who was evicted from a place. Rules 4.6.
create or replace function engine.place_evicted(
  night engine.night,
  place engine.place_result,
  seats engine.seat[],
  how_many integer)
returns table (account uuid, seq bigint, at timestamptz)
language sql stable parallel safe security invoker
begin atomic
  select f.account, f.seq, f.at
    from engine.first_peace(place_evicted.night, (place_evicted.place).slot, place_evicted.how_many) f
   where (place_evicted.place).outcome = 'WAR'
  union all
  select u.account, u.seq, u.at
    from engine.place_unseated(place_evicted.night, (place_evicted.place).slot, place_evicted.seats) u
   where (place_evicted.place).outcome <> 'WAR';
end;

create or replace function engine.count_evicted(night engine.night, place engine.place_result, seats engine.seat[])
returns bigint
language sql stable parallel safe security invoker
begin atomic
  -- after a lone WAR the tally has the count, and the long list need not be read
  select case when (count_evicted.place).outcome = 'WAR' then (count_evicted.place).peace_count
              else (select count(*)
                      from engine.place_evicted(count_evicted.night, count_evicted.place, count_evicted.seats, 0)) end;
end;

comment on function engine.count_evicted is 'How many accounts engine.place_evicted lists when it is not limited.';

-- Who was evicted from which place: engine.place_evicted of all ten.
create or replace function engine.night_evicted(night engine.night, resolution engine.resolution)
returns table (slot smallint, account uuid)
language sql stable parallel safe security invoker
begin atomic
  select p.slot, e.account
    from unnest((night_evicted.resolution).places) p
   cross join lateral engine.place_evicted(night_evicted.night, p, (night_evicted.resolution).seats, 2147483647) e
   order by 1, 2;
end;

-- What each live move of a night cost (cents), served or not, and whether it burned. Rules 4.4.
create or replace function engine.night_charges(night engine.night, resolution engine.resolution)
returns table (account uuid, slot smallint, seq bigint, move hill.move, cents bigint, burned boolean)
language sql stable parallel safe security invoker
begin atomic
  select m.account, m.slot, m.seq, m.move, m.cost_cents, m.move = 'WAR' and p.outcome = 'BURN'
    from engine.night_moves(night_charges.night) m join unnest((night_charges.resolution).places) p on p.slot = m.slot
   order by m.slot, m.seq;
end;
