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
comment on column hill.settings.singleton is 'Always true: there is one row.';
comment on column hill.settings.day_one is 'The UTC date of day 1, as the first start wrote it. Rules 17.2.';
comment on column hill.settings.founders_total is 'How many days, from day 1, are founders'' nights. Rules 2.7.';
comment on column hill.settings.clock is 'real or simulated, as the first start had it, for good. Rules 17.3.';
comment on column hill.settings.practice is
'Whether it is a practice hill, as the first start had it, for good. Rules 17.4.';
comment on column hill.settings.shown_at is 'What the simulated clock showed at set_at; null with the real clock.';
comment on column hill.settings.set_at is
'When the simulated clock was set last (real clock); null with the real clock.';
comment on column hill.settings.rate is
'Seconds that the simulated clock goes in a real one, 0 if it stands still; null with the real clock.';
comment on column hill.settings.created_at is 'When the hill was started first. Real clock.';
comment on column hill.settings.closed_day is
'The last day that takes no deposit any more, 0 before any: of hill.closed_days (engine.renew_tonight).';
comment on column hill.settings.settled_night is
'The last night that all wallets show, 0 before any (trusted.note_settled). Rules 5.4.';
comment on column hill.settings.last_night is
'The last day whose bell has been rung, 0 before any: the last of hill.nights (engine.renew_tonight).';
comment on column hill.settings.opens_days is
'The day from which each place is open, by its number: those of hill.places (engine.renew_tonight).';
comment on table hill.places is 'The ten places, and the day from which each is open. Rules 2.8.';
comment on column hill.places.slot is 'Number of the place: an occupant alone earns 11 less this. Rules 4.8.';
comment on column hill.places.opens_day is
'The first day on which it can be played; staff may move it while it is ahead.';
comment on table hill.accounts is
'Accounts: a human''s identity on the hill, for which agents play. created_at is its seniority. Rules 10.5.';
comment on column hill.accounts.id is 'The account, wherever others name it; shown as accountId.';
comment on column hill.accounts.name is
'What its human calls it; drawn until then, and replaced when it is hidden or closed. Rules 11.1, 18.5, 19.4.';
comment on column hill.accounts.slug is 'Its name in addresses, never another''s: see hill.former_slugs. Rules 11.1.';
comment on column hill.accounts.url is 'Its site, as it says itself (set_profile); null if it names none.';
comment on column hill.accounts.verified is
'Whether the site showed the tag or the badge when it was last read. Rules 11.2.';
comment on column hill.accounts.badge is 'Whether the site showed the badge when it was last read. Rules 11.2.';
comment on column hill.accounts.icon is 'Whether an icon of the site is served (hill.icons). Rules 11.3.';
comment on column hill.accounts.house is 'Whether it is one of the house, on no board. Rules 1.3.';
comment on column hill.accounts.founder is 'Whether staff have marked it to play before launch day. Rules 2.7.';
comment on column hill.accounts.suspended_at is
'Since when staff have suspended it; null if they have not. Hill''s clock.';
comment on column hill.accounts.created_at is 'Its seniority: older is better. Rules 1.2. Hill''s clock.';
comment on column hill.accounts.barred_at is
'Since when a disputed or refunded top-up bars its deposits; null if none does. Rules 5.8. Hill''s clock.';
comment on table hill.agents is 'Agents, each of one account. cut_at: its human cut it off. Protocol 6.2.';
comment on column hill.agents.id is 'The agent, wherever others name it.';
comment on column hill.agents.account_id is 'Whose agent it is.';
comment on column hill.agents.name is
'What its client called itself when its human approved it; replaced when the account is closed.';
comment on column hill.agents.model is 'What it runs on, by its own word (set_profile); empty if it has not said.';
comment on column hill.agents.created_at is 'When its human approved it. Hill''s clock.';
comment on column hill.agents.cut_at is
'When it was cut off, or its client gave it up; null if neither. Rules 3.11. Hill''s clock.';
comment on table hill.identity_counters is 'Views, clicks and agents'' reads of each identity. Rules 10.5.';
comment on column hill.identity_counters.account_id is 'The account that was looked at; it has no row until it is.';
comment on column hill.identity_counters.views is 'How often people opened its page. Rules 10.8.';
comment on column hill.identity_counters.clicks is 'How often people followed the link to its site.';
comment on column hill.identity_counters.agents is 'How often programs read it as the holder of a place.';
comment on column hill.identity_counters.shown_until is
'Until when readers get the three shown_ figures instead, for most of a minute. Real clock.';
comment on column hill.identity_counters.shown_views is 'What is shown for views until shown_until.';
comment on column hill.identity_counters.shown_clicks is 'What is shown for clicks until shown_until.';
comment on column hill.identity_counters.shown_agents is 'What is shown for agents until shown_until.';
comment on column hill.accounts.suspended_because is
'Why, as its human is told; null if not suspended, or not said. The reason for staff is in the audit log. Rules 3.11.';
