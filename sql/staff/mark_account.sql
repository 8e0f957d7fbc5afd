-- Marks that staff set on an account: founder, suspended. Rules 2.7, 3.11.

-- Sets a mark of an account, founder or suspended, for the member of staff who calls, and writes it to the audit log as
-- an action with its reason; because: what the human is told of a suspension. Errors: INVALID_TOKEN, ROLE_TOO_LOW,
-- REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND.
create or replace function engine.mark_account(
  account_id uuid,
  mark text,
  value boolean,
  action text,
  reason text,
  because text default null)
returns hill.accounts
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff(action, reason);
  v_told   text := engine.plain_text(because);
  v_now    timestamptz;
  v_before hill.accounts;
  v_after  hill.accounts;
begin
  if char_length(v_told) > engine.told_length() then
    perform engine.refuse('INVALID_ARGUMENT', format('because has at most %s characters.', engine.told_length()),
                          '{"argument": "because"}');
  end if;
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
         end,
         suspended_because = case
           when mark <> 'suspended' then a.suspended_because
           when value then coalesce(v_told, a.suspended_because)
         end
   where a.id = mark_account.account_id returning a.* into v_after;
  perform engine.write_audit(v_staff, action, account_id, null,
    jsonb_build_object(
      mark, value,
      'was_' || mark, case mark when 'founder' then v_before.founder else v_before.suspended_at is not null end)
    || jsonb_strip_nulls(jsonb_build_object('because', v_told)),
    reason);
  if mark = 'suspended' and value and v_before.suspended_at is null then
    perform trusted.mail(account_id, 'suspended', engine.iso(v_now), jsonb_build_object('because', v_told));
  end if;
  return v_after;
end
$$;
