-- api/human/human.sql · What a signed-in human may call for the own account. Specification 5.6; decisions 2.

create or replace function api_human.set_mandate(session text, daily_cap_cents bigint, max_stake_cents bigint)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  perform engine.set_mandate(v_account_id, daily_cap_cents, max_stake_cents);
  return engine.account_state(v_account_id);
end
$$;

create or replace function api_human.withdraw_move(session text, slot integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
  v_withdrawn  boolean := engine.withdraw_move(v_account_id, slot);
begin
  return engine.account_state(v_account_id) || jsonb_build_object('withdrawn', v_withdrawn);
end
$$;

comment on function api_human.set_mandate is
'Sets daily cap and largest stake (cents): see engine.set_mandate. Returns the account. Errors: INVALID_TOKEN, '
'INVALID_AMOUNT.';
comment on function api_human.withdraw_move is
'Withdraws tonight''s move on a place: see engine.withdraw_move. Returns the account and whether there was one. '
'Errors: INVALID_TOKEN, BELL_RINGING.';

grant execute on function api_human.set_mandate, api_human.withdraw_move to hill_human;
