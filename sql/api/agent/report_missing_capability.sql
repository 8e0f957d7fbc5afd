-- The tool report_missing_capability: a message to the staff. Rules 18.3.

create or replace function api_agent.report_missing_capability(
  token text,
  what text,
  why text default null,
  tool text default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor    engine.agent_actor := engine.enter_agent(token, 'hill:read');
  v_grant_id uuid := engine.enter_grant(token);
  v_what     text := engine.plain_lines(report_missing_capability.what);
  v_why      text := engine.plain_lines(report_missing_capability.why);
  v_tool     text := engine.plain_text(report_missing_capability.tool);
  v_today    integer := engine.today();
  v_left     integer;
  v_report   hill.reports;
begin
  if v_what is null or char_length(v_what) > engine.report_length() then
    perform engine.refuse('INVALID_ARGUMENT', format('what is a text of 1 to %s characters.', engine.report_length()),
      jsonb_build_object('argument', 'what', 'max_length', engine.report_length()));
  elsif char_length(v_why) > engine.report_length() then
    perform engine.refuse('INVALID_ARGUMENT', format('why has at most %s characters.', engine.report_length()),
      jsonb_build_object('argument', 'why', 'max_length', engine.report_length()));
  elsif char_length(v_tool) > engine.tool_name_length() then
    perform engine.refuse('INVALID_ARGUMENT', 'tool is the name of a tool.',
      jsonb_build_object('argument', 'tool', 'max_length', engine.tool_name_length()));
  end if;
  perform trusted.lock_one('reports');   -- an agent makes one report at a time

  select r.* into v_report from hill.reports r
   where (r.agent_id = v_actor.agent_id or r.grant_id = v_grant_id) and r.answer is null
     and r.what = v_what and r.why is not distinct from v_why and r.tool is not distinct from v_tool
   order by r.at limit 1;
  v_left := engine.reports_left(v_actor.agent_id, v_grant_id, v_today);
  if v_report.id is null then
    if v_left = 0 then
      perform engine.refuse('NO_REPORTS_LEFT', 'The agent has made its reports of the day.',
        jsonb_build_object(
          'reports_per_day', engine.reports_per_day(),
          'next_day_at', engine.iso(engine.bell_at(greatest(1, v_today)))));
    end if;
    insert into hill.reports (day, at, account_id, agent_id, grant_id, reporter, what, why, tool)
    values (v_today, engine.now(), v_actor.account_id, v_actor.agent_id, v_grant_id,
            coalesce((select g.name from hill.agents g where g.id = v_actor.agent_id),
                     (select c.name
                        from oauth.grants g join oauth.clients c on c.id = g.client_id
                       where g.id = v_grant_id)),
            v_what, v_why, v_tool)
    returning * into v_report;
    v_left := v_left - 1;
  end if;
  return engine.report_json(v_report) || jsonb_build_object('reports_left', v_left);
end
$$;

comment on function api_agent.report_missing_capability is
'Records what an agent misses (what), what for (why) and about which tool, for staff to answer. Returns the report '
'and how many the agent may still make today. The same report again, while it is open, changes nothing and is not '
'counted. Before a claim it belongs to the client''s grant. With an access token of scope hill:read. Errors: '
'INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_ARGUMENT, NO_REPORTS_LEFT. Rules 18.3.';

grant execute on function api_agent.report_missing_capability to hill_agent;
