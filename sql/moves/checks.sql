-- What deposits and announcements ask alike. Rules 2.7, 3.7.

-- Why an account may neither play nor announce today, as the code of the refusal; null where it may. Rules 2.7, 3.7.
create or replace function engine.bar_to_playing(
  suspended_at timestamptz,
  barred_at timestamptz,
  paused_until integer,
  founder boolean,
  today integer,
  founders_total integer)
returns text
language sql immutable parallel safe
return case when suspended_at is not null then 'ACCOUNT_SUSPENDED'
            when barred_at is not null then 'PAYMENT_DISPUTED'
            when today < paused_until then 'PAUSED'
            when today = 0 or (today <= founders_total and not founder) then 'HILL_NOT_OPEN' end;

-- The first day on which an account may play: day 1 for founders, launch day for others. Rules 2.7.
create or replace function engine.opening_day(founder boolean, founders_total integer)
returns integer
language sql immutable parallel safe
return case when founder then 1 else founders_total + 1 end;

-- The refusal (see engine.refused) of an account whose top-up is disputed or was refunded. Code: PAYMENT_DISPUTED.
-- Rules 5.8.
create or replace function engine.payment_disputed()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select engine.refused('PAYMENT_DISPUTED', 'A top-up of the account is disputed or was refunded.');
end;

-- The refusal (see engine.refused) of a suspended account, of one whose top-up is disputed or was refunded, of one that
-- its human has paused, and of everyone before the hill opens to them. Codes: ACCOUNT_SUSPENDED, PAYMENT_DISPUTED,
-- PAUSED, HILL_NOT_OPEN.
create or replace function engine.barred(
  suspended_at timestamptz,
  barred_at timestamptz,
  paused_until integer,
  founder boolean,
  today integer,
  founders_total integer,
  day_one date)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select case engine.bar_to_playing(
      barred.suspended_at, barred.barred_at, barred.paused_until, barred.founder, barred.today, barred.founders_total)
    when 'ACCOUNT_SUSPENDED' then engine.refused('ACCOUNT_SUSPENDED', 'The account is suspended.')
    when 'PAYMENT_DISPUTED' then engine.payment_disputed()
    when 'PAUSED' then engine.refused('PAUSED', 'The account is paused by its human.', jsonb_build_object(
      'resumes_at', engine.iso(engine.day_start(barred.paused_until, barred.day_one))))
    when 'HILL_NOT_OPEN' then engine.refused('HILL_NOT_OPEN', 'The hill is not open yet.', jsonb_build_object(
      'opensAt', engine.iso(engine.day_start(
        engine.opening_day(barred.founder, barred.founders_total), barred.day_one))))
  end;
end;

-- Raises what engine.barred returns. Errors: ACCOUNT_SUSPENDED, PAYMENT_DISPUTED, PAUSED, HILL_NOT_OPEN.
create or replace function engine.check_may_play(
  suspended_at timestamptz,
  barred_at timestamptz,
  paused_until integer,
  founder boolean,
  today integer,
  founders_total integer,
  day_one date)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.unless_refused(engine.barred(
    suspended_at, barred_at, paused_until, founder, today, founders_total, day_one));
end
$$;

create type engine.allowance as (
  moves             integer,
  places            integer,
  reserved_cents    bigint,
  daily_cap_cents   bigint,
  weekly_left_cents bigint,
  max_stake_cents   bigint,
  credits_cents     bigint
);

comment on type engine.allowance is
'What an account has used of today, moves, places and cents, and what it may use: caps, what the weekly one leaves for '
'today (null: no such cap), and credits (cents).';

-- The first limit of the account that a deposit would break, as the code of the refusal; null where it breaks none.
-- Rules 3.
create or replace function engine.limit_reached(
  move hill.move,
  stake_cents bigint,
  cost_cents bigint,
  replaces boolean,
  replaced_cents bigint,
  own engine.allowance)
returns text
language sql immutable parallel safe
return case
  when own.moves >= engine.moves_per_day() then 'NO_MOVES_LEFT'
  when move <> 'PASS' and not replaces and own.places >= engine.places_per_day() then 'TOO_MANY_PLACES'
  when move = 'WAR' and stake_cents > own.max_stake_cents then 'STAKE_OVER_MANDATE'
  -- no cost: a rent beyond 64 bits is beyond any cap
  when cost_cents is null
       or (own.reserved_cents - replaced_cents + cost_cents > own.daily_cap_cents and cost_cents > replaced_cents)
    then 'OVER_DAILY_CAP'
  when own.reserved_cents - replaced_cents + cost_cents > own.weekly_left_cents and cost_cents > replaced_cents
    then 'WEEKLY_CAP'
  when own.reserved_cents - replaced_cents + cost_cents > own.credits_cents then 'INSUFFICIENT_CREDITS'
end;
