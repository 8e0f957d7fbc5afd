-- What staff did, by name, action, account and date. Rules 18.1.

create or replace function api_staff.search_audit(
  staff_name text default null,
  action text default null,
  account text default null,
  first_date date default null,
  last_date date default null)
returns setof hill.audit_log
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan  -- planned for what is asked for: whose entries, or which days
as $$
declare
  v_staff   text := engine.enter_looking();
  v_account uuid := engine.account_meant(account);
  v_names   text[] := case when staff_name is not null then engine.names_in_audit(staff_name) end;
begin
  return query
  select l.*
    from hill.audit_log l
   where (search_audit.staff_name is null or l.staff_name = any (v_names))
     and (search_audit.action is null or l.action = search_audit.action)
     and (v_account is null or l.account_id = v_account)
     and (first_date is null or l.at >= first_date::timestamp at time zone 'UTC')
     and (last_date is null or l.at < (last_date + 1)::timestamp at time zone 'UTC')
   order by l.id desc
   limit 1000;
end
$$;

comment on function api_staff.search_audit is
'What staff did, the latest first, at most 1000: by name, action (such as suspend_account), account (its id or slug) '
'and from a date to a date (UTC, both included); each may be left out. Capitals in names do not count. Errors: '
'INVALID_TOKEN, NOT_FOUND. Rules 18.1.
- staff_name: who did it.
- action: what was done, such as suspend_account.
- account: its id or slug.
- first_date: from which date on (UTC).
- last_date: up to which date, that one included (UTC).';

create type api_staff.audit_head as (entries bigint, head text);

comment on type api_staff.audit_head is
'How many entries the chain of the audit log has, and the hash of the last, which depends on all before it.';
comment on column api_staff.audit_head.entries is 'How many entries the chain has.';
comment on column api_staff.audit_head.head is 'The hash of the last one, in hexadecimal.';

create or replace function api_staff.audit_head()
returns api_staff.audit_head
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_looking();
  v_head  api_staff.audit_head;
begin
  select h.entries, h.hash into v_head from trusted.audit_head() h;
  return v_head;
end
$$;

comment on function api_staff.audit_head is
'The head of the chain of the audit log. Whoever has written it down elsewhere finds out later (sql/verify/log.sql) '
'whether an entry was changed. Null before the first entry. Errors: INVALID_TOKEN. Rules 18.1.';

grant execute on function api_staff.search_audit, api_staff.audit_head to hill_staff;
