-- Which accounts may not deposit, who stopped them and why. Rules 3.11, 5.8.

create type api_staff.stopped_account as (
  account_id uuid,
  suspended_at timestamptz,
  barred_at timestamptz,
  staff_name text,
  reason text);

comment on type api_staff.stopped_account is
'An account that may not deposit: suspended by staff, or barred by a dispute or a refund; by whom, and why.';
comment on column api_staff.stopped_account.account_id is 'Which account.';
comment on column api_staff.stopped_account.suspended_at is
'Since when staff suspend it; null if they do not. Hill''s clock.';
comment on column api_staff.stopped_account.barred_at is
'Since when a dispute or a refund bars it; null if none does. Hill''s clock.';
comment on column api_staff.stopped_account.staff_name is 'Who stopped it last, as in the audit log.';
comment on column api_staff.stopped_account.reason is 'Why, as in the audit log.';

create or replace function api_staff.stopped_accounts()
returns setof api_staff.stopped_account
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select s.*
    from (select distinct on (a.id) a.id, a.suspended_at, a.barred_at, l.staff_name, l.reason
            from hill.audit_log l
            join hill.accounts a on a.id = l.account_id
           where l.action in ('suspend_account', 'bar_deposits')
             -- what stops it now: neither a suspension that was lifted nor the lifting of one
             and case l.action
                   when 'suspend_account' then a.suspended_at is not null and (l.details ->> 'suspended')::boolean
                   else a.barred_at is not null
                 end
           order by a.id, l.id desc) s
   order by greatest(s.suspended_at, s.barred_at) desc, s.id
   limit 1000
$$;

comment on function api_staff.stopped_accounts is
'Accounts that may not deposit, the latest first, at most 1000: suspended by staff, or barred by a dispute or a '
'refund, with who stopped them last and why, as the audit log has it. Rules 3.11, 5.8.';

grant execute on function api_staff.stopped_accounts to hill_staff;
