-- What has changed since a process looked last. Decisions 480.

create or replace function api_public.changes(snapshot text default null, taken_at timestamptz default null)
returns jsonb
language sql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$ select trusted.changes_since(snapshot, taken_at) $$;

comment on function api_public.changes is
'trusted.changes_since(): what was committed since the look that returned snapshot and taken_at. No address leads '
'here: it is for the processes themselves.';

grant execute on function api_public.changes to hill_public;
