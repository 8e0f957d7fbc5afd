-- mandate/set_mandate.sql · The caps that a human sets and no agent can widen. Rules 1.2, 3.8.

create or replace function engine.set_mandate(
  account_id uuid,
  daily_cap_cents bigint,
  max_stake_cents bigint,
  may_raise boolean)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz;
begin
  if set_mandate.daily_cap_cents is null or set_mandate.max_stake_cents is null
     or set_mandate.daily_cap_cents not between 0 and engine.mandate_maximum_cents()
     or set_mandate.max_stake_cents not between 0 and engine.mandate_maximum_cents() then
    perform engine.refuse('INVALID_AMOUNT',
                          format('Caps are whole cents from 0 to %s.', engine.mandate_maximum_cents()),
                          jsonb_build_object('minimum_cents', 0, 'maximum_cents', engine.mandate_maximum_cents()));
  end if;
  -- what is being deposited is under the old caps, what comes after under these
  v_now := engine.take_instant(account_id);
  perform engine.refuse_closed(account_id);
  if not may_raise
     and exists (select from hill.mandates m
                  where m.account_id = set_mandate.account_id
                    and (set_mandate.daily_cap_cents > m.daily_cap_cents
                         or set_mandate.max_stake_cents > m.max_stake_cents)) then
    perform engine.ask_to_sign_in_again();
  end if;
  update hill.mandates m
     set daily_cap_cents = set_mandate.daily_cap_cents, max_stake_cents = set_mandate.max_stake_cents,
         updated_at = v_now
   where m.account_id = set_mandate.account_id;
end
$$;

comment on function engine.set_mandate is
'Sets an account''s daily cap and largest stake (cents) for deposits from now on; accepted moves stand. '
'Without may_raise, a recent sign-in, they can only be lowered. '
'Errors: INVALID_AMOUNT, ACCOUNT_CLOSED, SIGN_IN_AGAIN. Rules 3.8; decisions 485.';

grant execute on function engine.set_mandate to hill_api_human;

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

comment on table hill.mandates is
'The spending caps of each account, for all its agents together: set by its human alone. Rules 3.8.';
