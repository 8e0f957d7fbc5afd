-- moves/checks.sql · What deposits and announcements ask alike. Decisions 1, 2.

create or replace function engine.bar_to_playing(
  suspended_at timestamptz,
  founder boolean,
  today integer,
  founders_total integer)
returns text
language sql immutable parallel safe
return case when suspended_at is not null then 'ACCOUNT_SUSPENDED'
            when today = 0 or (today <= founders_total and not founder) then 'HILL_NOT_OPEN' end;

comment on function engine.bar_to_playing is
'Why an account may neither play nor announce today, as the code of the refusal; null where it may. Decisions 1, 2.';

create or replace function engine.barred(
  suspended_at timestamptz,
  founder boolean,
  today integer,
  founders_total integer,
  day_one date)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select case engine.bar_to_playing(barred.suspended_at, barred.founder, barred.today, barred.founders_total)
    when 'ACCOUNT_SUSPENDED' then engine.refused('ACCOUNT_SUSPENDED', 'The account is suspended.')
    when 'HILL_NOT_OPEN' then engine.refused('HILL_NOT_OPEN', 'The hill is not open yet.', jsonb_build_object(
      'opensAt', engine.iso(engine.day_start(
        case when barred.founder then 1 else barred.founders_total + 1 end, barred.day_one))))
  end;
end;

comment on function engine.barred is
'The refusal (see engine.refused) of a suspended account, and of everyone before the hill opens to them: founders on '
'day 1, others on launch day. Null for who may play and announce. '
'Codes: ACCOUNT_SUSPENDED, HILL_NOT_OPEN.';

create or replace function engine.check_may_play(
  suspended_at timestamptz,
  founder boolean,
  today integer,
  founders_total integer,
  day_one date)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.unless_refused(engine.barred(suspended_at, founder, today, founders_total, day_one));
end
$$;

comment on function engine.check_may_play is
'Raises what engine.barred returns. Errors: ACCOUNT_SUSPENDED, HILL_NOT_OPEN.';

create or replace function engine.limit_reached(
  move hill.move,
  stake_cents bigint,
  cost_cents bigint,
  replaces boolean,
  replaced_cents bigint,
  moves integer,
  places integer,
  reserved_cents bigint,
  daily_cap_cents bigint,
  max_stake_cents bigint,
  credits_cents bigint)
returns text
language sql immutable parallel safe
return case
  when moves >= engine.moves_per_day() then 'NO_MOVES_LEFT'
  when move <> 'PASS' and not replaces and places >= engine.places_per_day() then 'TOO_MANY_PLACES'
  when move = 'WAR' and stake_cents > max_stake_cents then 'STAKE_OVER_MANDATE'
  -- no cost: a rent beyond 64 bits is beyond any cap
  when cost_cents is null
       or (reserved_cents - replaced_cents + cost_cents > daily_cap_cents and cost_cents > replaced_cents)
    then 'OVER_DAILY_CAP'
  when reserved_cents - replaced_cents + cost_cents > credits_cents then 'INSUFFICIENT_CREDITS'
end;

comment on function engine.limit_reached is
'The first limit of the account that a deposit would break, as the code of the refusal; null where it breaks none. '
'Takes the move, its stake and its cost (cents; null where it has no price), whether it replaces a live move and what '
'that had reserved, the moves made and places contested today, what is reserved today, the mandate, and the credits '
'(cents, reservations not taken off). Specification 8; decisions 2.';

create or replace function engine.past_receipt(
  account_id uuid,
  day integer,
  slot integer,
  move hill.move,
  stake_cents bigint,
  message text)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select engine.receipt(m.day, m.slot, m.move, m.stake_cents, m.message, m.cost_cents, m.at, engine.bell_at(m.day))
    from hill.moves m
   where m.day = past_receipt.day and m.account_id = past_receipt.account_id and m.slot = past_receipt.slot
     and m.move = past_receipt.move and m.stake_cents = past_receipt.stake_cents
     and m.message is not distinct from past_receipt.message
   order by m.seq desc limit 1;
end;

comment on function engine.past_receipt is
'The receipt that a past day gave for this very request, null if it gave none: so a retry across midnight buys '
'nothing twice. Decisions 1.';

grant execute on function
  engine.bar_to_playing, engine.check_may_play, engine.barred, engine.limit_reached, engine.past_receipt
  to hill_api_agent, hill_api_worker;
