-- Who sees accounts, agents and their secrets.

alter table hill.settings enable row level security, force row level security;
create policy owner_keeps on hill.settings to hill_owner using (true) with check (true);
create policy all_read on hill.settings for select to hill_api, hill_dba using (true);
create policy staff_read on hill.settings for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy worker_sets on hill.settings for update to hill_api_worker
  using (clock = 'simulated') with check (clock = 'simulated');
grant select on hill.settings to hill_api, hill_staff, hill_dba;
grant update (shown_at, set_at, rate) on hill.settings to hill_api_worker;
create or replace trigger begin_tonight after insert on hill.settings
  for each statement execute function trusted.follow_tonight();

alter table hill.places enable row level security, force row level security;
create policy all_read on hill.places for select to hill_api, hill_owner, hill_dba using (true);
create policy staff_read on hill.places for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy staff_open on hill.places for update to hill_api_staff
  using (api_staff.staff_name() is not null) with check (true);
grant select on hill.places to hill_api, hill_staff, hill_dba;
grant update (opens_day) on hill.places to hill_api_staff;
create or replace trigger follow_tonight after update on hill.places
  for each statement execute function trusted.follow_tonight();

-- Identities are public; what staff decided about an account is for staff, and binds its deposits.
alter table hill.accounts enable row level security, force row level security;
create policy all_read on hill.accounts for select to hill_api, hill_dba using (true);
create policy staff_read on hill.accounts for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy worker_adds on hill.accounts for insert to hill_api_worker with check (true);
create policy staff_decides on hill.accounts for update to hill_api_staff
  using (api_staff.staff_name() is not null) with check (true);
create policy owner_checks on hill.accounts for select to hill_owner using (true);
grant select (id, name, slug, url, verified, badge, icon, house, created_at, namesake) on hill.accounts
  to hill_api;
grant select (founder, suspended_at, suspended_because, barred_at) on hill.accounts
  to hill_api_agent, hill_api_human, hill_api_staff, hill_api_worker;
-- Column by column: whoever may read a whole table also reads which of its rows was locked last, as each new token and
-- each session locks those that it belongs to. So of agents.
grant select (
  id,
  name,
  slug,
  url,
  verified,
  badge,
  icon,
  house,
  namesake,
  founder,
  suspended_at,
  created_at,
  barred_at,
  suspended_because) on hill.accounts to hill_staff, hill_dba;
grant insert on hill.accounts to hill_api_worker;
grant update (founder, suspended_at, suspended_because) on hill.accounts to hill_api_staff;
create policy own_profile on hill.accounts for update to hill_api_agent
  using (id = (select engine.actor_account())) with check (id = (select engine.actor_account()));
grant update (name, slug, url) on hill.accounts to hill_api_agent;

alter table hill.agents enable row level security, force row level security;
create policy all_read on hill.agents for select to hill_api, hill_dba using (true);
create policy staff_read on hill.agents for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy worker_adds on hill.agents for insert to hill_api_worker with check (true);
create policy owner_checks on hill.agents for select to hill_owner using (true);
create policy own_profile on hill.agents for update to hill_api_agent
  using (account_id = (select engine.actor_account())) with check (account_id = (select engine.actor_account()));
grant update (model) on hill.agents to hill_api_agent;
grant select (id, account_id, name, model, created_at) on hill.agents to hill_api;
grant select (cut_at) on hill.agents to hill_api_agent, hill_api_human, hill_api_staff, hill_api_worker;
grant select (id, account_id, name, model, created_at, cut_at) on hill.agents to hill_staff, hill_dba;
grant insert on hill.agents to hill_api_worker;

alter table hill.identity_counters enable row level security, force row level security;
create policy all_read on hill.identity_counters for select to hill_api, hill_dba using (true);
create policy staff_read on hill.identity_counters for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy public_counts on hill.identity_counters for insert to hill_api_public with check (true);
create policy public_adds on hill.identity_counters for update to hill_api_public using (true) with check (true);
grant select on hill.identity_counters to hill_api, hill_staff, hill_dba;
grant insert, update on hill.identity_counters to hill_api_public;

comment on table hill.settings is
'The hill''s one row of settings: day one, founders'' nights, and its clock; and what is asked of tonight with each '
'deposit. Rules 2.1, 2.7, 17.3; decisions 310.';
comment on column hill.settings.last_night is
'The last day whose bell has been rung, 0 before any: the last of hill.nights (engine.renew_tonight).';
comment on column hill.settings.opens_days is
'The day from which each place is open, by its number: those of hill.places (engine.renew_tonight).';
comment on table hill.places is 'The ten places, and the day from which each is open. Rules 2.8.';
comment on table hill.accounts is
'Accounts: a human''s identity on the hill, for which agents play. created_at is its seniority. Rules 10.5.';
comment on table hill.agents is 'Agents, each of one account. cut_at: its human cut it off. Protocol 6.2.';
comment on table hill.identity_counters is 'Views, clicks and agents'' reads of each identity. Rules 10.5.';
comment on column hill.accounts.suspended_because is
'What the human is told of why staff suspended the account; null if it is not suspended, or if they did not say. Their '
'own reason is in the audit log.';
