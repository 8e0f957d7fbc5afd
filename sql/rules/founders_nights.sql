-- The nights before the hill opens to all, and the places that are open. Rules 2.7, 2.8.

-- The founders' nights as the records show them: total, left (bells that have not rung), launchDay, active. Rules 2.7.
create or replace function engine.founders_nights()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'total', s.founders_total,
      'left', greatest(0, s.founders_total - engine.last_night()),
      'launchDay', s.founders_total + 1,
      'active', s.founders_total > engine.last_night())
    from hill.settings s;
end;

-- How many places are open on a day. Rules 2.7.
create or replace function engine.open_slots(day integer)
returns integer
language sql stable parallel safe security invoker
begin atomic
  select count(*)::integer from hill.places p where p.opens_day <= open_slots.day;
end;

-- The next day after a day on which a place opens; null if none will. Rules 2.8.
create or replace function engine.next_opening(day integer)
returns integer
language sql stable parallel safe security invoker
begin atomic
  select min(p.opens_day) from hill.places p where p.opens_day > next_opening.day;
end;
