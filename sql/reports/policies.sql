-- Who reaches reports: the agent that made them, before its claim and after, and staff.

alter table hill.reports enable row level security, force row level security;
create policy own_read on hill.reports for select to hill_api_agent
  using (account_id = (select engine.actor_account()) or grant_id = (select engine.actor_grant()));
create policy own_report on hill.reports for insert to hill_api_agent
  with check (
    account_id is not distinct from engine.actor_account()
    and grant_id is not distinct from engine.actor_grant()
    and answer is null);
create policy staff_read on hill.reports for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy staff_find on hill.reports for select to hill_api_staff
  using ((select api_staff.staff_name()) is not null);
create policy staff_answer on hill.reports for update to hill_api_staff
  using ((select api_staff.staff_name()) is not null) with check (answered_by = (select api_staff.staff_name()));
grant select on hill.reports to hill_api_agent, hill_api_staff, hill_staff;
grant insert (day, at, account_id, agent_id, grant_id, reporter, what, why, tool) on hill.reports to hill_api_agent;
grant update (answer, answered_at, answered_by) on hill.reports to hill_api_staff;

comment on table hill.reports is
'What agents miss on the hill, in their own words, with the answer of staff. Read by staff, by the account whose agent '
'reported, or, before a claim, by the client that did (grant_id). reporter: the name of the agent or the client. '
'Rules 18.3.';
comment on column hill.reports.id is 'The report.';
comment on column hill.reports.day is 'On which day it was made: an agent makes ten.';
comment on column hill.reports.at is 'When it was made. Hill''s clock.';
comment on column hill.reports.account_id is 'Whose agent made it; null if it had no account yet.';
comment on column hill.reports.agent_id is 'The agent that made it; null before a claim.';
comment on column hill.reports.grant_id is 'The grant it was made under; null for an agent without one.';
comment on column hill.reports.reporter is 'Name of the agent or client then; replaced when the account is closed.';
comment on column hill.reports.what is 'What is missing, in its own words.';
comment on column hill.reports.why is 'What for; null if not said.';
comment on column hill.reports.tool is 'The tool that it is about; null if not said.';
comment on column hill.reports.answer is 'What staff answered; null until then.';
comment on column hill.reports.answered_at is 'When they answered last; null until then. Hill''s clock.';
comment on column hill.reports.answered_by is 'Who answered, by the name of the audit log; null until then.';
