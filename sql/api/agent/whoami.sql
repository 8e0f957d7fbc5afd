-- api/agent/whoami.sql · What an agent may ask of itself, before its claim too. Protocol 9.4.

create or replace function api_agent.whoami(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.whoami(engine.enter_agent(token, 'hill:read'), token);
end
$$;

comment on function api_agent.whoami is
'Who the caller is, with an access token of scope hill:read: see engine.whoami. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE.';

grant execute on function api_agent.whoami to hill_agent;
