-- Reports of agents: those that wait for an answer, and the answer. Rules 18.3.

create or replace function api_staff.open_reports()
returns setof hill.reports
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select r.* from hill.reports r where r.answer is null order by r.at, r.id limit 1000
$$;

comment on function api_staff.open_reports is
'What agents reported and nobody has answered, the oldest first, at most 1000. Rules 18.3.';

create or replace function api_staff.answer_report(report_id uuid, answer text, reason text)
returns hill.reports
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff('answer_report', reason);
  v_answer text := engine.plain_lines(answer_report.answer);
  v_before hill.reports;
  v_after  hill.reports;
begin
  select r.* into v_before from hill.reports r where r.id = answer_report.report_id for no key update;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such report.', '{"argument": "report_id"}');
  end if;
  if v_answer is null or char_length(v_answer) > engine.report_length() then
    perform engine.refuse('INVALID_ARGUMENT', format('answer is a text of 1 to %s characters.', engine.report_length()),
      jsonb_build_object('argument', 'answer', 'max_length', engine.report_length()));
  end if;
  update hill.reports r set answer = v_answer, answered_at = engine.now(), answered_by = v_staff
   where r.id = answer_report.report_id returning r.* into v_after;
  perform engine.write_audit(v_staff, 'answer_report', v_after.account_id, null,
    jsonb_build_object('report_id', v_after.id, 'was_answered', v_before.answer is not null), reason);
  -- the answer itself is read with list_my_reports: it may be longer than an event should be
  perform engine.tell_account(v_after.account_id, 'report_answered',
    jsonb_build_object('report_id', v_after.id, 'day', v_after.day, 'tool', v_after.tool));
  return v_after;
end
$$;

comment on function api_staff.answer_report is
'Answers a report of an agent, which reads the answer with list_my_reports; a second answer replaces the first. The '
'agent does not learn who answered. Returns the report. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, '
'NOT_FOUND, INVALID_ARGUMENT. Rules 18.3.
- report_id: which report.';

grant execute on function api_staff.open_reports, api_staff.answer_report to hill_staff;
