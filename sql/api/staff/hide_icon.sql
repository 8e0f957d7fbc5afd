-- Whose icon is not shown, whatever the account's site shows. Rules 11.3, 18.1.

create or replace function api_staff.hide_icon(account_id uuid, hidden boolean, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff('hide_icon', reason);
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

comment on function api_staff.hide_icon is
'Hides the icon of an account, for as long as it is not lifted again, whatever its site shows. Lifted, it comes back '
'when the site is checked, which is due at once. Returns the account. Errors: INVALID_TOKEN, ROLE_TOO_LOW, '
'REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND. Rules 11.3.
- hidden: false shows it again.';

grant execute on function api_staff.hide_icon to hill_staff;
