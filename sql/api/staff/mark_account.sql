-- Who may play on the founders' nights, and who may deposit nothing new. Rules 2.7, 3.11.

create or replace function api_staff.mark_founder(account_id uuid, founder boolean, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.mark_account(account_id, 'founder', founder, 'mark_founder', reason);
end
$$;

create or replace function api_staff.suspend_account(
  account_id uuid,
  suspended boolean,
  reason text,
  because text default null)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.mark_account(account_id, 'suspended', suspended, 'suspend_account', reason, because);
end
$$;

create or replace function api_staff.restore_account(account_id uuid, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.mark_account(account_id, 'suspended', false, 'restore_account', reason);
end
$$;

comment on function api_staff.mark_founder is
'Marks an account as a founder, who may play before launch day, or takes the mark away. Returns the account. Errors: '
'INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND. Rules 2.7.';
comment on function api_staff.suspend_account is
'Suspends an account, which can then deposit and announce nothing new, or lifts its suspension. Its accepted moves '
'stand. because: what its human is told of why, on the account page and by mail; the reason is for the audit log, and '
'the human does not see it. Returns the account. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, '
'INVALID_ARGUMENT, NOT_FOUND. Rules 3.11; protocol 5.6.
- suspended: false lifts the suspension.
- because: what its human is told; null for nothing.';

comment on function api_staff.restore_account is
'Lifts the suspension of an account, as suspend_account does with suspended: false; one that is not suspended stays as '
'it is. Returns the account. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND. Rules 3.11.';

grant execute on function api_staff.mark_founder, api_staff.suspend_account, api_staff.restore_account to hill_staff;
