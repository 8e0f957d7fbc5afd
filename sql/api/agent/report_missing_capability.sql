-- api/agent/report_missing_capability.sql · The tool report_missing_capability: a message to the staff.
-- Rules 18.3.

create or replace function api_agent.report_missing_capability(
  token text,
  what text,
  why text default null,
  tool text default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.report(engine.enter_agent(token, 'hill:read'), engine.enter_grant(token), what, why, tool);
end
$$;

comment on function api_agent.report_missing_capability is
'Reports what the caller misses, with an access token of scope hill:read: see engine.report. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, and those of engine.report.';

grant execute on function api_agent.report_missing_capability to hill_agent;
