-- Staff grant credits. Rules 5.3.

create or replace function api_staff.grant_credits(account_id uuid, cents integer, reason text)
returns hill.lots
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff('grant_credits', reason);
  v_lot_id bigint;
  v_lot    hill.lots;
begin
  perform engine.find_account(account_id);
  -- the account reads the reason of a transfer; what staff write is for the audit log
  v_lot_id := engine.grant_credits(account_id, cents, 'Granted by staff');
  select l.* into strict v_lot from hill.lots l where l.id = v_lot_id;
  perform engine.write_audit(v_staff, 'grant_credits', account_id, null,
    jsonb_build_object('cents', cents, 'lot_id', v_lot_id), reason);
  return v_lot;
end
$$;

comment on function api_staff.grant_credits is
'Grants an account credits (cents), which expire after 90 days and are spent first. Returns the lot. Errors: '
'INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, INVALID_AMOUNT. Rules 5.3.';

grant execute on function api_staff.grant_credits to hill_staff;
