-- api/public/rules.sql · GET /api/rules. Specification 2.1.

create or replace function api_public.rules()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.rules_record() $$;

comment on function api_public.rules is
'The rules record without its links, which the door adds (randomness.verifiable, _docs, _act, _next). Amounts in '
'cents. Specification 2.1, 2.4 to 2.7, 3.1, 8.';

grant execute on function api_public.rules to hill_public;
