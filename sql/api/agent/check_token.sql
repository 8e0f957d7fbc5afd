-- Whether a token is live, for requests that the agents' door answers by itself. Protocol 2.2.

create or replace function api_agent.check_token(token text)
returns text[]
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return (engine.enter_agent(token, 'hill:read')).scopes;
end
$$;

comment on function api_agent.check_token is
'The scopes of a live access token with the scope hill:read, for requests that the agents'' door answers by itself. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE.';

grant execute on function api_agent.check_token to hill_agent;
