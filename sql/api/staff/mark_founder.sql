-- api/staff/mark_founder.sql · Who may play on the founders' nights. Decisions 1.

create function api_staff.mark_founder(account_id uuid, founder boolean, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff(reason);
  v_before hill.accounts;
  v_after  hill.accounts;
begin
  if founder is null then
    perform engine.refuse('INVALID_ARGUMENT', 'founder is true or false.', '{"argument": "founder"}');
  end if;
  v_before := engine.find_account(account_id);
  update hill.accounts a set founder = mark_founder.founder where a.id = mark_founder.account_id returning a.* into v_after;
  perform engine.write_audit(v_staff, 'mark_founder', account_id, null,
    jsonb_build_object('founder', v_after.founder, 'was_founder', v_before.founder), reason);
  return v_after;
end
$$;

comment on function api_staff.mark_founder(uuid, boolean, text) is
$$Says whether an account is a founder, who may play before launch day. Returns the account.
Errors: INVALID_TOKEN, REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND. Decisions 1.$$;

grant execute on function api_staff.mark_founder(uuid, boolean, text) to hill_staff;
