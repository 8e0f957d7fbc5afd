-- api/staff/hide_icon.sql · Whose icon is not shown, whatever the account's site shows. Rules 11.3, 18.1.

create or replace function api_staff.hide_icon(account_id uuid, hidden boolean, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.hide_icon(account_id, hidden, reason);
end
$$;

comment on function api_staff.hide_icon is
'Hides the icon of an account, for as long as it is not lifted again, whatever its site shows. Lifted, it comes back '
'when the site is checked, which is due at once. Returns the account. Errors: INVALID_TOKEN, REASON_REQUIRED, '
'INVALID_ARGUMENT, NOT_FOUND. Rules 11.3.';

grant execute on function api_staff.hide_icon to hill_staff;
