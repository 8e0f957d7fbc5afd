-- Which member of staff calls. Policies ask it, so it is loaded before them.

create or replace function api_staff.staff_name()
returns text
language sql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
  -- console requests run in real time, whatever the hill's clock shows
  select coalesce(m.name, s.staff_name)
    from oauth.staff_sessions s left join hill.staff_members m on m.account_id = s.account_id
   where s.token_hash = engine.hash_token(current_setting('hill.staff_session', true))
     and s.revoked_at is null
     and s.expires_at > clock_timestamp()
     -- whoever came in as a member is one no longer than the row is there; the key needs no row
     and (s.account_id is null or m.account_id is not null)
$$;

comment on function api_staff.staff_name is
'Your name as staff, which the audit log shows: that of the session that the console passes in the setting '
'hill.staff_session, looked up by its hash; null for nobody. Row-level security shows nothing without it. Rules 18.4.';

create or replace function api_staff.who_calls()
returns table (name text, role text, account_id uuid)
language sql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
  select api_staff.staff_name(), coalesce(m.role, 'owner'), s.account_id
    from oauth.staff_sessions s left join hill.staff_members m on m.account_id = s.account_id
   where s.token_hash = engine.hash_token(current_setting('hill.staff_session', true))
     and api_staff.staff_name() is not null
$$;

comment on function api_staff.who_calls is
'Who calls, as staff_name: the name, the role (viewer, support, manager, owner) and the account, null for whoever came '
'in with the staff key. No row for nobody. Rules 18.4.';

create or replace function api_staff.staff_role()
returns text
language sql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$ select w.role from api_staff.who_calls() w $$;

comment on function api_staff.staff_role is
'Your role: viewer, support, manager or owner. The staff key makes an owner. Null for nobody. Rules 18.1, 18.4.';

grant execute on function api_staff.staff_name, api_staff.staff_role to hill_staff;
