-- The registry of refusals, for the page that explains them. Rules 14.1.

create or replace function api_public.errors()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select jsonb_agg(jsonb_build_object('code', e.code, 'hint', e.hint) order by e.code) from engine.errors() e $$;

comment on function api_public.errors is
'Every registered code with what to do next: code, hint. Rules 14.1.';

grant execute on function api_public.errors to hill_public;
