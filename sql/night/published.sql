-- What the bell published, in the form in which the engine resolves. Rules 4, 10.6.

create or replace function engine.published_resolution(day integer)
returns engine.resolution
language sql stable parallel safe security invoker
begin atomic
  select row(
    (select coalesce(
              array_agg(row(p.slot, p.open, p.outcome, p.peace_count, p.war_count, null, null,
                            p.burned_cents)::engine.place_result order by p.slot),
              '{}')
       from hill.place_results p
      where p.day = published_resolution.day),
    (select coalesce(
              array_agg(row(s.slot, s.seat, s.account_id, s.seq, s.days_held, s.via, s.points)::engine.seat
                        order by s.slot, s.seat),
              '{}')
       from hill.seats s
      where s.day = published_resolution.day))::engine.resolution;
end;

comment on function engine.published_resolution is
'What the bell published for a day: with engine.stored_night(day) the input of engine.night_queue, night_evicted and '
'resolution_json, or to compare with engine.resolve_places of that night. Rent and stakes of each place are null: '
'hill.nights has them for the whole night only. Empty lists for a day that has not been resolved.';

-- Returns a day, once this connection sees all of its partition of settlements or leaderboard. Errors:
-- NIGHT_NOT_IN_SIGHT, after a second.
create or replace function engine.see_day(parent text, day integer)
returns integer
language plpgsql stable parallel restricted security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_setting text := 'hill.seen_' || parent;
  v_until   timestamptz;
  v_seen    boolean;
begin
  if day <= coalesce(nullif(current_setting(v_setting, true), '')::integer, 0) then
    return day;
  end if;
  -- a night in which nobody played has nothing to be seen
  v_seen := not case parent
    when 'settlements' then exists (select from hill.nights n where n.day = see_day.day and n.accounts > 0)
    when 'leaderboard' then exists (select from hill.boards b where b.day = see_day.day and b.entries > 0)
  end;
  v_until := clock_timestamp() + interval '1 second';
  while not v_seen loop
    -- For a name that nobody has asked for the server reads its catalogue, and hears first what has changed there.
    perform to_regclass('hill.' || gen_random_uuid());
    execute format('select exists (select from hill.%I p where p.day = %L)', parent, day) into v_seen;
    exit when v_seen;
    if clock_timestamp() > v_until then
      -- Not told as a night without moves: a reader would keep it, and a worker build on it.
      perform engine.refuse('NIGHT_NOT_IN_SIGHT', 'The night is published, and not in sight here yet.',
        jsonb_build_object('day', day, 'retry_after_seconds', engine.retry_seconds()));
    end if;
    perform pg_sleep(0.001);
  end loop;
  perform set_config(v_setting, day::text, false);   -- what a connection has seen it goes on to see
  return day;
end
$$;

-- The last published night (engine.last_night), once this connection sees all of it (engine.see_day).
create or replace function engine.see_last_night()
returns integer
language sql stable parallel restricted security invoker
return engine.see_day('settlements', engine.last_night());

-- The night of a day that has been resolved, once this connection sees all of it (engine.see_day). Errors:
-- DAY_NOT_RESOLVED, with today and the first and last of the days that exist (null: none). Rules 10.6.
create or replace function engine.find_night(day integer)
returns hill.nights
language plpgsql stable parallel restricted security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night hill.nights;
  v_last  integer;
begin
  select n.* into v_night from hill.nights n where n.day = find_night.day;
  if not found then
    v_last := engine.last_night();
    perform engine.refuse(
      'DAY_NOT_RESOLVED',
      case when v_last = 0 then 'No day has been resolved yet.' else 'That day has not been resolved.' end,
      jsonb_build_object(
        'today', engine.today(),
        'days', case when v_last > 0 then jsonb_build_object('first', 1, 'last', v_last) end));
  end if;
  perform engine.see_day('settlements', v_night.day);
  return v_night;
end
$$;
