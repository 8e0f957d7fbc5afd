-- What the worker asks of the clock, and how a simulated one is set. Rules 17.3.

create or replace function api_worker.read_clock()
returns jsonb
language sql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'clock', s.clock,
      'rate', coalesce(s.rate, 1),
      'now', engine.iso(n.now),
      'day', engine.day_of(n.now, s.day_one),
      'last_night', engine.last_night(),
      'next_bell_at', engine.iso(engine.bell_at(engine.last_night() + 1)),
      'house_at', engine.iso(engine.house_deposits_from(engine.last_night() + 1)),
      -- when to look again, in real time: at the next quarter hour, when the house deposits, or at the next bell,
      -- whichever comes first
      'seconds_to_next', case when coalesce(s.rate, 1) > 0 then greatest(0, extract(epoch from least(
          date_bin('15 minutes', n.now, 'epoch') + interval '15 minutes',
          engine.bell_at(engine.last_night() + 1),
          case when engine.house_deposits_from(engine.last_night() + 1) > n.now then
            engine.house_deposits_from(engine.last_night() + 1) end) - n.now)
        / coalesce(s.rate, 1)) end)
    from hill.settings s, (select engine.now() as now) n
$$;

create or replace function api_worker.set_clock(shown_at timestamptz, rate double precision)
returns timestamptz
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  if shown_at < engine.now() then
    perform engine.refuse('INVALID_ARGUMENT', 'The clock cannot be set back.');
  end if;
  update hill.settings s
     set shown_at = coalesce(set_clock.shown_at, engine.now()), set_at = clock_timestamp(),
         rate = coalesce(set_clock.rate, s.rate)
   where s.clock = 'simulated';
  if not found then
    perform engine.refuse('SETTING_REFUSED', 'This database runs with the real clock, which nobody sets.');
  end if;
  return engine.now();
end
$$;

comment on function api_worker.read_clock is
'The clock, the day, the next bell, from when the house deposits before it, and in how many real seconds something may '
'be due.';
comment on function api_worker.set_clock is
'Moves the simulated clock forward to an instant (null: leaves it) and sets the pace at which it runs (1: like the '
'real one; null: unchanged). Returns the present. Errors: SETTING_REFUSED on the real clock; INVALID_ARGUMENT for an '
'instant that has passed.';

grant execute on function api_worker.read_clock, api_worker.set_clock to hill_worker;
