-- Staff end the bar that a disputed or refunded top-up has put on an account. Rules 5.8.

create or replace function api_staff.lift_bar(account_id uuid, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_staff('lift_bar', reason);
  v_claims  jsonb;
  v_account hill.accounts;
begin
  perform trusted.lock_one('payments');
  v_account := engine.find_account(account_id);
  if v_account.barred_at is null then
    perform engine.refuse('NOT_ALLOWED', 'The account is not barred.', '{"argument": "account_id"}');
  end if;
  v_claims := trusted.release_claims(account_id, trusted.take_instant(account_id));
  perform engine.write_audit(v_staff, 'lift_bar', account_id, null, jsonb_build_object('claims', v_claims), reason);
  select a.* into strict v_account from hill.accounts a where a.id = lift_bar.account_id;
  return v_account;
end
$$;

comment on function api_staff.lift_bar is
'Lets an account deposit again whose top-up is disputed or was refunded; a new claim bars it again. Returns the '
'account. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED. Rules 5.8.';

grant execute on function api_staff.lift_bar to hill_staff;
