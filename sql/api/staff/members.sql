-- api/staff/members.sql · Owners say who is staff. Rules 18.4.

create or replace function api_staff.set_staff(account_id uuid, name text, role text, reason text)
returns hill.staff_members
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.set_staff(account_id, name, role, reason);
end
$$;

create or replace function api_staff.remove_staff(account_id uuid, reason text)
returns hill.staff_members
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.remove_staff(account_id, reason);
end
$$;

comment on function api_staff.set_staff is
'Makes the human of an account staff, or changes one of the staff: the name, which the audit log shows, and the role, '
'"owner" (who also says who is staff) or "staff". For owners. Returns the member. Errors: INVALID_TOKEN, '
'REASON_REQUIRED, OWNERS_ONLY, INVALID_ARGUMENT, NOT_FOUND, NOT_ALLOWED, ACCOUNT_CLOSED, LAST_OWNER. Rules 18.4.';
comment on function api_staff.remove_staff is
'Removes a member of the staff, who loses the console at once. For owners; the last owner stays. Returns the member '
'that was. Errors: INVALID_TOKEN, REASON_REQUIRED, OWNERS_ONLY, NOT_FOUND, LAST_OWNER. Rules 18.4.';

grant execute on function api_staff.set_staff, api_staff.remove_staff to hill_staff;
