-- The tool night: what happened at a bell, and what it meant for whoever asks. Protocol 9.4.

create or replace function api_agent.night(
  token text,
  day integer default null,
  slot integer default null,
  queue boolean default null,
  max integer default null,
  cursor text default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.night_for_agent(engine.enter_agent(token, 'hill:read'), day, slot, queue, max, cursor);
end
$$;

comment on function api_agent.night is
'What happened on a published night, with an access token of scope hill:read: see engine.night_for_agent. Errors: '
'INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_ARGUMENT, DAY_NOT_RESOLVED, with the days that exist.';

grant execute on function api_agent.night to hill_agent;
