-- Whether a process was started with the hill's settings. Rules 2, 17.1.

create or replace function api_public.check_settings(day_one date, clock text, practice boolean default false)
returns void
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.check_settings(day_one, clock, practice) $$;

comment on function api_public.check_settings is
'Refuses process settings that are not the hill''s: see engine.check_settings. For every serving login.';

grant execute on function api_public.check_settings to hill_public, hill_worker, hill_staff;
