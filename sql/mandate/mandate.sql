-- The caps that a human sets and no agent can widen, and the pause. Rules 1.2, 3.8.

alter table hill.mandates enable row level security, force row level security;
create policy own_read on hill.mandates for select to hill_api_agent, hill_api_human
  using (account_id = any ((select engine.actor_accounts())::uuid[]));
create policy human_sets on hill.mandates for update to hill_api_human
  using (account_id = engine.actor_account()) with check (account_id = engine.actor_account());
create policy worker_adds on hill.mandates to hill_api_worker using (true) with check (true);
create policy staff_read on hill.mandates for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.mandates for select to hill_dba using (true);
grant select on hill.mandates to hill_api_agent, hill_api_human, hill_api_worker, hill_staff, hill_dba;
grant update on hill.mandates to hill_api_human;
grant insert on hill.mandates to hill_api_worker;

-- The account of a session whose human changes its mandate, and since when: what is being deposited is under the old
-- one, what comes after under the new one. Errors: INVALID_TOKEN, ACCOUNT_CLOSED.
create or replace function engine.enter_mandate(session text, out account_id uuid, out at timestamptz)
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  account_id := engine.enter_human(session);
  at := trusted.take_instant(account_id);
  perform engine.enter_human(session);   -- it may have been ended while this waited
end
$$;

-- Refuses a cap (cents) that is out of bounds; null is none. Errors: INVALID_AMOUNT.
create or replace function engine.check_cap(cents bigint)
returns void
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if cents not between 0 and engine.mandate_maximum_cents() then
    perform engine.refuse('INVALID_AMOUNT',
                          format('Caps are whole cents from 0 to %s.', engine.mandate_maximum_cents()),
                          jsonb_build_object('minimum_cents', 0, 'maximum_cents', engine.mandate_maximum_cents()));
  end if;
end
$$;

-- What an account paid for the nights from one to another (cents).
create or replace function engine.charged(account_id uuid, from_night integer, to_night integer)
returns bigint
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan  -- of these partitions: a plan for any night would lock those of all
as $$
begin
  return (
    select coalesce(sum(s.granted_cents + s.paid_cents), 0)
      from hill.settlements s
     where s.account_id = charged.account_id and s.day between charged.from_night and charged.to_night);
end
$$;

-- What the weekly cap of an account (cents) leaves for the day after a night, once what the six nights before cost is
-- off it; null without such a cap. Rules 3.8.
create or replace function engine.weekly_left(account_id uuid, weekly_cap_cents bigint, last_night integer)
returns bigint
language sql stable parallel safe  -- inlined: without a cap, nothing is asked
return case when weekly_cap_cents is not null
  then weekly_cap_cents - engine.charged(account_id, last_night - engine.weekly_cap_nights() + 2, last_night) end;

comment on table hill.mandates is
'The spending caps of each account, for all its agents together: set by its human alone. Rules 3.8.';
comment on column hill.mandates.account_id is 'Whose caps they are.';
comment on column hill.mandates.daily_cap_cents is 'What the live moves of a day may cost together.';
comment on column hill.mandates.max_stake_cents is 'What one WAR may stake.';
comment on column hill.mandates.updated_at is
'When the human last changed any of it, or the account was made. Hill''s clock.';
comment on column hill.mandates.paused_until is
'The day on which play goes on, until which the human has paused it; null for no pause.';
comment on column hill.mandates.weekly_cap_cents is
'What seven nights may cost, tonight among them; null for no such cap.';
