-- api/agent/explore_and_debrief.sql · The tool explore_and_debrief: tonight's options, and a past night explained.
-- Protocol 9.4.

create or replace function api_agent.explore(token text, day integer default null, slot integer default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.explore(engine.enter_agent(token, 'hill:read'), day, slot);
end
$$;

create or replace function api_agent.debrief(
  token text,
  day integer default null,
  slot integer default null,
  proofs boolean default false)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.debrief(engine.enter_agent(token, 'hill:read'), day, slot, proofs);
end
$$;

comment on function api_agent.explore is
'What the caller could do tonight, with an access token of scope hill:read: see engine.explore. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, and those of engine.explore.';
comment on function api_agent.debrief is
'A past night explained to the caller, with an access token of scope hill:read: see engine.debrief. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, and those of engine.debrief.';

grant execute on function api_agent.explore, api_agent.debrief to hill_agent;
