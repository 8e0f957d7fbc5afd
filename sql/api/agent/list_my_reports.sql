-- api/agent/list_my_reports.sql · The tool list_my_reports: what was reported, and what staff answered.
-- Rules 18.3.

create or replace function api_agent.list_my_reports(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.list_reports(engine.enter_agent(token, 'hill:read'), engine.enter_grant(token));
end
$$;

comment on function api_agent.list_my_reports is
'The caller''s reports with their answers, with an access token of scope hill:read: see engine.list_reports. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE.';

grant execute on function api_agent.list_my_reports to hill_agent;
