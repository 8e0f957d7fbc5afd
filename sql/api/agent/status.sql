-- api/agent/status.sql · The tool status: the hill tonight, for whoever asks. Protocol 9.4.

create or replace function api_agent.status(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.status(engine.enter_agent(token, 'hill:read'));
end
$$;

comment on function api_agent.status is
'The hill tonight as the caller needs it to decide, with an access token of scope hill:read: see engine.status. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE.';

grant execute on function api_agent.status to hill_agent;
