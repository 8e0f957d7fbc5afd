-- api/staff/lift_bar.sql · Staff end the bar that a disputed or refunded top-up has put on an account. Rules 5.8.

create or replace function api_staff.lift_bar(account_id uuid, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.lift_bar(account_id, reason);
end
$$;

comment on function api_staff.lift_bar is
'Lets an account deposit again whose top-up is disputed or was refunded; a new claim bars it again. Returns the '
'account. Errors: INVALID_TOKEN, REASON_REQUIRED, NOT_FOUND, NOT_ALLOWED. Rules 5.8.';

grant execute on function api_staff.lift_bar to hill_staff;
