-- GET /api/rules. Rules 10.3.

create or replace function api_public.rules()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.rules_record() $$;

comment on function api_public.rules is
'The rules record without its links, which the door adds (randomness.verifiable, _docs, _act, _next). Amounts in '
'cents. Rules 3.1, 4.4, 4.5, 5, 7, 10.3, 13.1.';

grant execute on function api_public.rules to hill_public;

create or replace function api_public.rules_page()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select jsonb_build_object('rules', engine.rules_record(), 'worked', engine.worked_nights()) $$;

comment on function api_public.rules_page is
'The rules for people: rules (api_public.rules), and nights of three agents on one place as the engine resolves them '
'(worked; engine.worked_nights). Amounts in cents. Rules 4.4, 4.8, 10.3.';

grant execute on function api_public.rules_page to hill_public;
