-- What time it is on the hill, for caches and pages. Rules 10.11, 17.3.

create or replace function api_public.clock()
returns jsonb
language sql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'now', engine.iso(n.now),
      'day', d.day,
      'last_night', engine.see_last_night(),
      'boards_night', engine.see_boards(),
      'next_bell_at', engine.iso(engine.bell_at(d.day)),
      'simulated', s.clock = 'simulated',
      'rate', coalesce(s.rate, 1),
      'seconds_to_bell', case when coalesce(s.rate, 1) > 0
                              then extract(epoch from engine.bell_at(d.day) - n.now) / coalesce(s.rate, 1) end)
    from hill.settings s
   cross join lateral (select engine.now() as now) n
   cross join lateral (select engine.day_of(n.now, s.day_one) as day) d
$$;

comment on function api_public.clock is
'now, day, last_night (the last published one), boards_night (to which the boards are built), next_bell_at (when the '
'day changes), simulated, rate (hill seconds per real second), seconds_to_bell (real seconds at that rate; null while '
'the clock stands still). Errors: NIGHT_NOT_IN_SIGHT. Rules 10.11, 17.3.';

create or replace function api_public.day_ago(seconds double precision)
returns integer
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select engine.day_of(engine.now() - make_interval(secs => day_ago.seconds * coalesce(s.rate, 1)), s.day_one)
    from hill.settings s
$$;

comment on function api_public.day_ago is
'The day so many real seconds ago: for a call that is repeated, and means the day of its first attempt. Rules 2.1.';

grant execute on function api_public.clock, api_public.day_ago to hill_public;
