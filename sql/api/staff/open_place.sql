-- From which day a place is open. Rules 2.8.

create or replace function api_staff.open_place(slot integer, day integer, reason text)
returns hill.places
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff('open_place', reason);
  v_today  integer;
  v_before hill.places;
  v_after  hill.places;
begin
  -- Locked as a deposit locks it: the bell waits for this transaction, and nobody can deposit for the next day before
  -- the bell has rung. So the place cannot open while its day is being moved.
  if not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  select p.* into v_before from hill.places p where p.slot = open_place.slot for no key update;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such place.', '{"argument": "slot"}');
  end if;
  v_today := engine.today();
  if v_today > engine.last_night() + 1 then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  if v_before.opens_day <= v_today then
    perform engine.refuse('NOT_ALLOWED', 'The place is open, and an open place stays open.',
      jsonb_build_object('opens_day', v_before.opens_day, 'today', v_today));
  end if;
  if day is null or day <= v_today then
    perform engine.refuse('NOT_ALLOWED', 'A place can open on a later day than today only.',
      jsonb_build_object('argument', 'day', 'today', v_today));
  end if;
  update hill.places p set opens_day = open_place.day where p.slot = open_place.slot returning p.* into v_after;
  perform engine.write_audit(v_staff, 'open_place', null, slot,
    jsonb_build_object('opens_day', v_after.opens_day, 'was_to_open_on_day', v_before.opens_day), reason);
  return v_after;
end
$$;

comment on function api_staff.open_place is
'Sets the day from which a place is open: a later day than today, for a place that is not open yet. Returns the place. '
'Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, BELL_RINGING, NOT_ALLOWED. Rules 2.8.
- day: from which day on the place is open.';

grant execute on function api_staff.open_place to hill_staff;
