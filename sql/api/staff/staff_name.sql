-- api/staff/staff_name.sql · Which member of staff calls. Policies ask it, so it is loaded before them.

create or replace function api_staff.staff_name()
returns text
language sql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
  -- console requests run in real time, whatever the hill's clock shows
  select s.staff_name from oauth.staff_sessions s
   where s.token_hash = engine.hash_token(current_setting('hill.staff_session', true))
     and s.revoked_at is null
     and s.expires_at > clock_timestamp()
$$;

comment on function api_staff.staff_name is
'Your name as staff: the one of the session that the console passes in the setting hill.staff_session, looked up by '
'its hash; null for nobody. Row-level security shows nothing without it.';

grant execute on function api_staff.staff_name to hill_staff;
