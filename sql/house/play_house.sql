-- house/play_house.sql · House agents keep a new hill alive and give way to guests. Specification 2.2; decisions 1.

create function engine.found_house()
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

comment on function engine.found_house() is 'Makes the house accounts that are missing, one for each place.';

create function engine.play_house()
returns integer
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_last  integer;
  v_today integer;
  v_cents bigint;
  v_made  integer := 0;
  v       record;
begin
  -- one at a time: two servers that start together must not grant twice
  perform pg_advisory_xact_lock(engine.lock_key(), 3);
  if not pg_try_advisory_xact_lock_shared(engine.lock_key(), 1) then
    return 0;
  end if;
  v_last := engine.last_night();
  v_today := engine.today();
  if v_today <> v_last + 1 or v_today <= (select s.founders_total from hill.settings s) then
    return 0;
  end if;
  perform engine.found_house();
  for v in
    select p.slot, h.id as account_id, (select g.id from hill.agents g where g.account_id = h.id order by g.id limit 1) as agent_id, s.days_held
      from hill.places p
      join (select a.id, row_number() over (order by a.created_at, a.id) as slot from hill.accounts a where a.house) h on h.slot = p.slot
      left join hill.seats s on s.day = v_last and s.slot = p.slot and s.account_id = h.id
     where p.opens_day <= v_today
       and not exists (select from hill.seats g where g.day = v_last and g.slot = p.slot and g.account_id <> h.id)   -- a guest holds it
       -- one to three nights running, by place, so that they do not all leave on the same night
       and coalesce(s.days_held + 1, 0) <= p.slot % engine.house_stay_nights()
       and not exists (select from hill.reservations r where r.account_id = h.id and r.day = v_today and r.moves > 0)
     order by p.slot
  loop
    v_cents := engine.move_cents('PEACE', 0, coalesce(v.days_held, 0));
    perform engine.grant_credits(v.account_id, v_cents, 'House agent''s move of day ' || v_today);
    perform set_config('hill.account_id', v.account_id::text, true);
    perform engine.play(row(v.account_id, v.agent_id, '{hill:play}')::engine.agent_actor, v.slot, 'PEACE', null, null, v_today);
    v_made := v_made + 1;
  end loop;
  perform set_config('hill.account_id', '', true);
  return v_made;
end
$$;

comment on function engine.play_house() is
$$Deposits the house agents' moves of the day: PEACE on each open place that no guest holds, at most three nights running, each paid with credits
granted for it. Once a day, from launch day on; safe to call at any time. Returns the deposits made. Decisions 1.$$;

grant execute on function engine.found_house(), engine.play_house() to hill_api_worker;
