-- House agents keep a new hill alive and give way to guests. Rules 1.3.

-- Makes the house accounts that are missing, one for each place.
create or replace function engine.found_house()
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  for v_slot in (select count(*) + 1 from hill.accounts a where a.house)::integer .. engine.slot_count() loop
    perform engine.create_account('House ' || v_slot, 'house', true);
  end loop;
end
$$;

-- The instant of a day from which the house deposits: the last minute before the bell. Rules 1.3.
create or replace function engine.house_deposits_from(day integer)
returns timestamptz
language sql stable parallel safe security invoker
begin atomic
  -- A fast simulated clock passes a minute before anybody has looked: there it is the last two seconds of real time.
  select engine.bell_at(house_deposits_from.day)
         - make_interval(secs => least(86400, greatest(engine.house_deposit_seconds(), 2 * coalesce(s.rate, 1))))
    from hill.settings s;
end;

-- The PEACE moves that the house has still to deposit on a day: its place, who deposits, and what it costs (cents).
-- Rules 1.3.
create or replace function engine.house_moves(day integer)
returns table (slot integer, actor engine.agent_actor, cents bigint)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select p.slot,
         row(h.id, h.agent_id, '{hill:play}', null)::engine.agent_actor,
         engine.move_cents('PEACE', 0, coalesce(s.days_held, 0))
    from hill.places p
    join (select a.id, a.suspended_at, g.id as agent_id, g.cut_at,
                 row_number() over (order by a.created_at, a.id) as slot
            from hill.accounts a join hill.agents g on g.account_id = a.id
           where a.house) h on h.slot = p.slot
    left join hill.seats s on s.day = house_moves.day - 1 and s.slot = p.slot and s.account_id = h.id
   where p.opens_day <= house_moves.day
     and h.suspended_at is null
     and h.cut_at is null
     -- a guest holds it
     and not exists (select from hill.seats g
                      where g.day = house_moves.day - 1 and g.slot = p.slot and g.account_id <> h.id)
     -- it was evicted: PEACE that meets one WAR always is, and a house agent loses its seat in no other way
     and not exists (select from hill.place_results o
                       join hill.moves m
                         on m.day = o.day and m.slot = o.slot and m.account_id = h.id and m.ended is null
                      where o.day = house_moves.day - 1 and o.slot = p.slot and o.outcome = 'WAR')
     -- three nights running at most; and each place has its own nights to be left on, so that they never all leave at
     -- once
     and (s.days_held is null
          or (s.days_held + 1 < engine.house_stay_nights()
              and (house_moves.day + p.slot) % (engine.house_stay_nights() + 1) <> 0))
     -- guests enough to keep the hill alive
     and coalesce((
           select n.accounts - (
                    select count(*) from hill.settlements t
                     where t.day = n.day
                       and t.account_id = any (array(select a.id from hill.accounts a where a.house)))
             from hill.nights n where n.day = house_moves.day - 1), 0) < engine.house_rest_guests()
     and not exists (select from hill.reservations r
                      where r.account_id = h.id and r.day = house_moves.day and r.moves > 0)
   order by p.slot
$$;
