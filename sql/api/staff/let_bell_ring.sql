-- The bell of a day whose closing cannot be signed. Rules 20.43.

create or replace function api_staff.let_bell_ring(day integer, reason text)
returns timestamptz
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_staff('let_bell_ring', reason);
  v_now   timestamptz := engine.now();
  v_waits boolean := not trusted.bell_may_ring(day);
begin
  -- The day is named, so that nobody lets ring another one than was meant.
  if day is distinct from engine.last_night() + 1 then
    perform engine.refuse('NOT_ALLOWED', 'That is not the day whose bell is next.',
      jsonb_build_object('argument', 'day', 'day', engine.last_night() + 1));
  end if;
  if v_now < engine.bell_at(day) then
    perform engine.refuse('NOT_ALLOWED', 'That day is not over.',
      jsonb_build_object('from', engine.iso(engine.bell_at(day))));
  end if;
  if v_waits then
    insert into hill.unsealed_days (day, allowed_at, reason) values (let_bell_ring.day, v_now, engine.trimmed(reason))
    on conflict do nothing;
    v_waits := found;                                    -- another of the staff has just let it ring
  end if;
  if not v_waits then
    perform engine.refuse('NOT_ALLOWED', 'The bell of that day waits for no signature.');
  end if;
  perform engine.write_audit(v_staff, 'let_bell_ring', null, null, jsonb_build_object('day', day), reason);
  perform trusted.note_change('log');                     -- a worker rings
  return v_now;
end
$$;

comment on function api_staff.let_bell_ring is
'Lets the next bell ring although the closing of its day is not signed, sooner than a worker would by itself. The '
'reason is shown with the night for good: it says UNSEALED wherever it is told, unless the closing is signed first. A '
'worker rings. Returns the instant. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_ALLOWED. Rules 20.43.
- day: the day under way, whose closing is not signed.';

grant execute on function api_staff.let_bell_ring to hill_staff;
