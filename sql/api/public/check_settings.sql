-- Whether a process was started with the hill's settings. Rules 2, 17.1.

create or replace function api_public.check_settings(day_one date, clock text)
returns void
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.check_settings(day_one, clock) $$;

create or replace function api_public.check_use(practice boolean)
returns void
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.check_use(practice) $$;

comment on function api_public.check_use is
'Refuses a process that is not for what the hill is for: see engine.check_use. For every serving login.';
comment on function api_public.check_settings is
'Refuses process settings that are not the hill''s: see engine.check_settings. For every serving login.';

grant execute on function api_public.check_settings, api_public.check_use to hill_public, hill_worker, hill_staff;
