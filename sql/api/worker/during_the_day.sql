-- What the worker does while a day is open: plays for the house, and counts what is sealed. Rules 1.3, 9.3.

create or replace function api_worker.play_house()
returns integer
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_today     integer;
  v_announces boolean;
  v_deposits  boolean;
  v_made      integer := 0;
  v_spoken    boolean := false;
  v           record;
begin
  -- one at a time: two servers that start together must not grant twice
  perform trusted.lock_one('house');
  if not engine.try_day() then
    return 0;
  end if;
  select engine.day_of(n.now, s.day_one),
         n.now < engine.day_start(engine.day_of(n.now, s.day_one), s.day_one) + engine.announcements_close(),
         n.now >= engine.house_deposits_from(engine.day_of(n.now, s.day_one))
    into v_today, v_announces, v_deposits
    from hill.settings s, (select engine.now() as now) n
   where engine.day_of(n.now, s.day_one) > s.founders_total;
  if not found or v_today <> engine.last_night() + 1 then
    return 0;
  end if;
  perform engine.found_house();  -- also late in the day: a hill that opens then can be looked at, too
  if not (v_announces or v_deposits) then
    return 0;
  end if;
  for v in select h.* from engine.house_moves(v_today) h loop
    perform set_config('hill.account_id', (v.actor).account_id::text, true),
            set_config('hill.agent_id', (v.actor).agent_id::text, true);
    -- Announced when the day begins, while announcements are open: moves are sealed, and a hill must show from its
    -- first day who will be on it.
    if v_announces and not exists (
      select from hill.announcements n
       where n.day = v_today and n.account_id = (v.actor).account_id and n.slot = v.slot) then
      perform engine.announce(v.actor, v.slot, 'PEACE', 'The house keeps this place until a guest comes.', v_today);
      v_spoken := true;
    end if;
    if v_deposits then
      perform engine.grant_credits((v.actor).account_id, v.cents, 'House agent''s move of day ' || v_today);
      perform engine.unless_refused(engine.play(v.actor, v.slot, 'PEACE', null, null, v_today));
      v_made := v_made + 1;
    end if;
  end loop;
  perform set_config('hill.account_id', '', true);
  if v_spoken then
    perform engine.keep_prospects(v_today);
  end if;
  return v_made;
exception
  -- The clock passed 22:00 or midnight meanwhile. Nothing was done; whoever rings the bell calls this again.
  when sqlstate 'ZHANC' or sqlstate 'ZHBEL' or sqlstate 'ZHDAY' then
    return 0;
end
$$;

create or replace function api_worker.refresh_sealed_count()
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_quarter timestamptz := date_bin('15 minutes', engine.now(), 'epoch');
begin
  if not engine.try_day() then
    return false;                                        -- the bell resets the count itself
  end if;
  update hill.sealed_counts c
     set day = engine.last_night() + 1, counted_at = v_quarter,
         moves = (select count(*) from hill.sealed_moves m   -- as of that instant, however late this runs
                  where m.move <> 'PASS' and m.at < v_quarter and (m.ended_at is null or m.ended_at >= v_quarter))
   where c.counted_at is null or c.counted_at < v_quarter;
  return found;
end
$$;

comment on function api_worker.play_house is
'Announces (until 22:00 UTC) what the house agents will play today: PEACE on each open place that no guest holds, at '
'most three nights running, not after an eviction, and nothing after a night on which ten guests moved. Deposits it '
'in the last minute of the day, each move paid with credits granted for it. Once a day, from launch day on; safe to '
'call at any time. Returns the deposits made, 0 while the bell rings. Rules 1.3.';
comment on function api_worker.refresh_sealed_count is
'Counts the moves that were live at the last quarter hour, once a quarter. Returns whether it did. Rules 9.3.';

grant execute on function api_worker.play_house, api_worker.refresh_sealed_count to hill_worker;
