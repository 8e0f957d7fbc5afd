-- night/lists.sql · The long lists that follow from a resolved night: its queue, its evictions, its charges. Derived when read. Decisions 3, 9.

create function engine.night_queue(night engine.night, resolution engine.resolution)
returns table (place bigint, account uuid, from_slot smallint, seq bigint, served_slot smallint)
language sql stable parallel safe security invoker
begin atomic
  select row_number() over (order by a.reputation desc, a.since, m.at, m.seq), m.account, m.slot, m.seq, q.slot
    from engine.night_moves(night_queue.night) m
    join engine.night_accounts(night_queue.night) a on a.account = m.account
    left join unnest((night_queue.resolution).seats) q on q.via = 'queue' and q.seq = m.seq
   where m.move = 'PEACE'
     and not exists (select from unnest((night_queue.resolution).seats) s where s.slot = m.slot and s.account = m.account and s.via in ('holder', 'peace'))
   order by 1;
end;

comment on function engine.night_queue(engine.night, engine.resolution) is
$$The cooperators' queue of a night: every PEACE that obtained no place by itself, in queue order (reputation descending, seniority, deposit order),
and the burned place that served it, if one did. Specification 2.5.$$;

create function engine.night_evicted(night engine.night, resolution engine.resolution)
returns table (slot smallint, account uuid)
language sql stable parallel safe security invoker
begin atomic
  select m.slot, m.account
    from unnest((night_evicted.resolution).places) p join engine.night_moves(night_evicted.night) m on m.slot = p.slot
   where p.outcome = 'WAR' and m.move = 'PEACE'
  union
  select h.slot, h.account
    from engine.night_holders(night_evicted.night) h
    join engine.night_moves(night_evicted.night) m on m.account = h.account and m.slot = h.slot
   where not exists (select from unnest((night_evicted.resolution).seats) s where s.slot = h.slot and s.account = h.account)
   order by 1, 2;
end;

comment on function engine.night_evicted(engine.night, engine.resolution) is
'Who was evicted from which place: every PEACE where there was one WAR, and previous occupants who moved there and did not keep their seat. Decisions 3.';

create function engine.night_charges(night engine.night, resolution engine.resolution)
returns table (account uuid, slot smallint, seq bigint, move hill.move, cents bigint, burned boolean)
language sql stable parallel safe security invoker
begin atomic
  select m.account, m.slot, m.seq, m.move, m.cost_cents, m.move = 'WAR' and p.outcome = 'BURN'
    from engine.night_moves(night_charges.night) m join unnest((night_charges.resolution).places) p on p.slot = m.slot
   order by m.slot, m.seq;
end;

comment on function engine.night_charges(engine.night, engine.resolution) is
'What each live move of a night cost (cents), served or not, and whether it burned. Specification 3.1.';

grant execute on function engine.night_queue(engine.night, engine.resolution), engine.night_evicted(engine.night, engine.resolution),
  engine.night_charges(engine.night, engine.resolution) to hill_api, hill_dba;
