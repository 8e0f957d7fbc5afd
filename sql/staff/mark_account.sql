-- Marks that staff set on an account: founder, suspended. Rules 2.7, 3.11.

-- Sets a mark of an account, founder or suspended, for the member of staff who calls, and writes it to the audit log as
-- an action with its reason. Errors: INVALID_TOKEN, REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND.
create or replace function engine.mark_account(account_id uuid, mark text, value boolean, action text, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff(reason);
  v_now    timestamptz;
  v_before hill.accounts;
  v_after  hill.accounts;
begin
  if value is null then
    perform engine.refuse('INVALID_ARGUMENT', mark || ' is true or false.', jsonb_build_object('argument', mark));
  end if;
  v_before := engine.find_account(account_id);   -- waits for a deposit under way; none is accepted after
  v_now := trusted.take_instant(account_id);
  update hill.accounts a
     set founder = case mark when 'founder' then value else a.founder end,
         suspended_at = case
           when mark <> 'suspended' then a.suspended_at
           -- an account that is suspended already stays so since the same instant
           when value then coalesce(a.suspended_at, v_now)
         end
   where a.id = mark_account.account_id returning a.* into v_after;
  perform engine.write_audit(v_staff, action, account_id, null,
    jsonb_build_object(
      mark, value,
      'was_' || mark, case mark when 'founder' then v_before.founder else v_before.suspended_at is not null end),
    reason);
  return v_after;
end
$$;
