-- reports/reports.sql · Agents report what they miss on the hill, and staff answer. Rules 18.3.

create or replace function engine.plain_lines(text text)
returns text
language sql stable parallel safe security invoker
begin atomic
  select string_agg(engine.plain_text(l.line), e'\n' order by l.n)
    from string_to_table(plain_lines.text, e'\n') with ordinality l (line, n)
   where engine.plain_text(l.line) is not null;
end;

comment on function engine.plain_lines is
'A text of several lines as it may be shown: each line as engine.plain_text gives it, empty lines left out; null if '
'nothing is left.';

create or replace function engine.enter_grant(token text)
returns uuid
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_grant_id uuid := (select t.grant_id
                        from oauth.access_tokens t
                       where t.token_hash = engine.hash_token(enter_grant.token));
begin
  perform set_config('hill.grant_id', coalesce(v_grant_id::text, ''), true);
  return v_grant_id;
end
$$;

comment on function engine.enter_grant is
'Makes the grant of an access token, which engine.enter_agent has admitted, the grant of this transaction '
'(engine.actor_grant): for what belongs to a client before a human has claimed it. Returns the grant; null for a token '
'without one.';

create or replace function engine.report_json(report hill.reports)
returns jsonb
language sql stable parallel safe
return jsonb_build_object(
  'report_id', (report).id,
  'day', (report).day,
  'at', engine.iso((report).at),
  'what', (report).what,
  'why', (report).why,
  'tool', (report).tool,
  'status', case when (report).answer is null then 'open' else 'answered' end,
  'answer', (report).answer,
  'answered_at', engine.iso((report).answered_at));

comment on function engine.report_json is
'A report as its agent reads it: what it said, whether staff have answered, and the answer. It does not say who '
'answered.';

create or replace function engine.reports_left(agent_id uuid, grant_id uuid, day integer)
returns integer
language sql stable parallel safe security invoker
begin atomic
  -- the same agent before its claim and after it
  select greatest(0, engine.reports_per_day() - count(*))::integer
    from hill.reports r
   where r.day = reports_left.day and (r.agent_id = reports_left.agent_id or r.grant_id = reports_left.grant_id);
end;

comment on function engine.reports_left is
'How many reports an agent, or a client that nobody has claimed, may still make on a day.';

create or replace function engine.report(actor engine.agent_actor, grant_id uuid, what text, why text, tool text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_what   text := engine.plain_lines(report.what);
  v_why    text := engine.plain_lines(report.why);
  v_tool   text := engine.plain_text(report.tool);
  v_today  integer := engine.today();
  v_left   integer;
  v_report hill.reports;
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
  perform engine.lock_one('reports');   -- an agent makes one report at a time

  select r.* into v_report from hill.reports r
   where (r.agent_id = actor.agent_id or r.grant_id = report.grant_id) and r.answer is null
     and r.what = v_what and r.why is not distinct from v_why and r.tool is not distinct from v_tool
   order by r.at limit 1;
  v_left := engine.reports_left(actor.agent_id, report.grant_id, v_today);
  if v_report.id is null then
    if v_left = 0 then
      perform engine.refuse('NO_REPORTS_LEFT', 'The agent has made its reports of the day.',
        jsonb_build_object(
          'reports_per_day', engine.reports_per_day(),
          'next_day_at', engine.iso(engine.bell_at(greatest(1, v_today)))));
    end if;
    insert into hill.reports (day, at, account_id, agent_id, grant_id, reporter, what, why, tool)
    values (v_today, engine.now(), actor.account_id, actor.agent_id, report.grant_id,
            coalesce((select g.name from hill.agents g where g.id = actor.agent_id),
                     (select c.name
                        from oauth.grants g join oauth.clients c on c.id = g.client_id
                       where g.id = report.grant_id)),
            v_what, v_why, v_tool)
    returning * into v_report;
    v_left := v_left - 1;
  end if;
  return engine.report_json(v_report) || jsonb_build_object('reports_left', v_left);
end
$$;

comment on function engine.report is
'Records what an agent misses (what), what for (why) and about which tool, for staff to answer. Returns the report and '
'how many the agent may still make today. The same report again, while it is open, changes nothing and is not counted. '
'Before a claim it belongs to the client''s grant. Errors: INVALID_ARGUMENT, NO_REPORTS_LEFT. Rules 18.3.';

create or replace function engine.list_reports(actor engine.agent_actor, grant_id uuid)
returns jsonb
language sql volatile parallel unsafe security invoker
begin atomic
  -- row-level security shows the account's own, and what the client reported before its claim
  select jsonb_build_object(
      'reports', coalesce((select jsonb_agg(engine.report_json(r) order by r.at desc, r.id desc)
                           from (select r.*
                                   from hill.reports r
                                  order by r.at desc, r.id desc
                                  limit engine.page_length()) r), '[]'),
      'open', count(*) filter (where r.answer is null),
      'answered', count(*) filter (where r.answer is not null),
      'reports_left', engine.reports_left((list_reports.actor).agent_id, list_reports.grant_id, engine.today()))
    from hill.reports r;
end;

comment on function engine.list_reports is
'The latest 100 reports of an agent''s account, and of its client before the claim, with the answers; how many are '
'open and answered in all, and how many are left today.';

grant execute on function engine.plain_lines to hill_api_agent, hill_api_staff;
grant execute on function
  engine.enter_grant,
  engine.report_json,
  engine.reports_left,
  engine.report,
  engine.list_reports
  to hill_api_agent;
