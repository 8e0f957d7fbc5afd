-- The tool list_my_reports: what was reported, and what staff answered. Rules 18.3.

create or replace function api_agent.list_my_reports(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor    engine.agent_actor := engine.enter_agent(token, 'hill:read');
  v_grant_id uuid := engine.enter_grant(token);
begin
  -- row-level security shows the account's own, and what the client reported before its claim
  return (
    select jsonb_build_object(
        'reports', coalesce((select jsonb_agg(engine.report_json(r) order by r.at desc, r.id desc)
                             from (select r.*
                                     from hill.reports r
                                    order by r.at desc, r.id desc
                                    limit engine.page_length()) r), '[]'),
        'open', count(*) filter (where r.answer is null),
        'answered', count(*) filter (where r.answer is not null),
        'reports_left', engine.reports_left(v_actor.agent_id, v_grant_id, engine.today()))
      from hill.reports r);
end
$$;

comment on function api_agent.list_my_reports is
'The latest 100 reports of the caller''s account, and of its client before the claim, with the answers; how many are '
'open and answered in all, and how many are left today. With an access token of scope hill:read. Errors: '
'INVALID_TOKEN, INSUFFICIENT_SCOPE.';

grant execute on function api_agent.list_my_reports to hill_agent;
