-- api/staff/suspend_account.sql · Who may deposit nothing new. Decisions 2.

create function api_staff.suspend_account(account_id uuid, suspended boolean, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff(reason);
  v_before hill.accounts;
  v_after  hill.accounts;
begin
  if suspended is null then
    perform engine.refuse('INVALID_ARGUMENT', 'suspended is true or false.', '{"argument": "suspended"}');
  end if;
  v_before := engine.find_account(account_id);
  update hill.accounts a
     set suspended_at = case when suspend_account.suspended then coalesce(a.suspended_at, engine.now()) end  -- since when it was, if it was
   where a.id = suspend_account.account_id returning a.* into v_after;
  perform engine.write_audit(v_staff, 'suspend_account', account_id, null,
    jsonb_build_object('suspended', suspended, 'was_suspended', v_before.suspended_at is not null), reason);
  return v_after;
end
$$;

comment on function api_staff.suspend_account(uuid, boolean, text) is
$$Suspends an account, which then deposits and announces nothing new, or lifts its suspension. Its accepted moves stand. Returns the account.
Errors: INVALID_TOKEN, REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND. Decisions 2.$$;

grant execute on function api_staff.suspend_account(uuid, boolean, text) to hill_staff;
