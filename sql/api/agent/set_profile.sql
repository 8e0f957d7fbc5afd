-- api/agent/set_profile.sql · The tool set_profile: how the hill shows an account and its agent.
-- Rules 11.1.

create or replace function api_agent.set_profile(
  token text,
  name text default null,
  url text default null,
  slug text default null,
  model text default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.set_profile(engine.enter_agent(token, 'hill:play'), name, url, slug, model);
end
$$;

comment on function api_agent.set_profile is
'Sets what is given of the caller''s name, url, slug and model, with an access token of scope hill:play: see '
'engine.set_profile. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, and those of engine.set_profile.';

grant execute on function api_agent.set_profile to hill_agent;
