-- staff/hide_icon.sql · Staff take an account's icon away, or let it have one again. Rules 11.3, 18.1.

create or replace function engine.hide_icon(account_id uuid, hidden boolean, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff(reason);
  v_before boolean;
  v_after  hill.accounts;
begin
  if hidden is null then
    perform engine.refuse('INVALID_ARGUMENT', 'hidden is true or false.', '{"argument": "hidden"}');
  end if;
  perform engine.enter_day();
  -- before the account's row, as in the worker
  select c.icon_hidden into v_before
    from hill.site_checks c where c.account_id = hide_icon.account_id for no key update;
  perform engine.find_account(account_id);
  if v_before is null then
    perform engine.refuse('NOT_FOUND', 'The site of that account was never checked: it has no icon.',
      '{"argument": "account_id"}');
  end if;
  update hill.site_checks c
     -- the icon comes back with a check, which is due now
     set icon_hidden = hidden, due_at = case when hidden then c.due_at else engine.now() end
   where c.account_id = hide_icon.account_id;
  update hill.accounts a set icon = a.icon and not hidden where a.id = hide_icon.account_id returning a.* into v_after;
  perform engine.write_audit(v_staff, 'hide_icon', account_id, null,
    jsonb_build_object('hidden', hidden, 'was_hidden', v_before), reason);
  return v_after;
end
$$;

comment on function engine.hide_icon is
'Takes the icon of an account away for good, whatever its site shows, or lets it have one again, for the member of '
'staff who calls, and writes that to the audit log with its reason. Returns the account. Errors: INVALID_TOKEN, '
'REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND. Rules 11.3.';

grant execute on function engine.hide_icon to hill_api_staff;

create policy staff_hides on hill.site_checks to hill_api_staff
  using (api_staff.staff_name() is not null) with check (true);
grant select (account_id, due_at, icon_hidden), update (due_at, icon_hidden) on hill.site_checks to hill_api_staff;
grant update (icon) on hill.accounts to hill_api_staff;
