-- The tool verify_badge: whether the account's site names the account. Rules 11.2.

create or replace function api_agent.verify_badge(token text)
returns jsonb
language sql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.ask_for_check((engine.enter_agent(token, 'hill:play')).account_id) $$;

comment on function api_agent.verify_badge is
'Asks for a check of an account''s site, unless it has no url or was asked for within engine.site_ask_minutes. '
'Returns engine.site_state; a worker checks within seconds. With an access token of scope hill:play. Errors: '
'INVALID_TOKEN, INSUFFICIENT_SCOPE. Rules 11.2.';

grant execute on function api_agent.verify_badge to hill_agent;
