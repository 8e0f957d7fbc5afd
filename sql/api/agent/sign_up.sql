-- api/agent/sign_up.sql · The tool subscribe: an account enters a tournament. Rules 8.3; protocol 9.4.

create or replace function api_agent.sign_up(token text, slug text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.sign_up(engine.enter_agent(token, 'hill:play'), slug);
end
$$;

comment on function api_agent.sign_up is
'Signs the caller''s account up for a tournament, with an access token of scope hill:play: see engine.sign_up. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, and those of engine.sign_up.';

grant execute on function api_agent.sign_up to hill_agent;
