-- api/agent/own_state.sql · What an agent may know of its account today. Specification 4.2; decisions 7.

create function api_agent.own_state(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.own_state((engine.enter_agent(token, 'hill:read')).account_id);
end
$$;

comment on function api_agent.own_state(text) is 'The caller''s account today, with an access token of scope hill:read: see engine.own_state. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE.';

grant execute on function api_agent.own_state(text) to hill_agent;
