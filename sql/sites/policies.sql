-- sites/policies.sql · Who reaches the checks of sites: their own account, and the worker that makes them.

alter table hill.site_checks enable row level security, force row level security;
create policy own_use on hill.site_checks to hill_api_agent
  using (account_id = engine.actor_account()) with check (account_id = engine.actor_account());
create policy worker_looks on hill.site_checks to hill_api_worker using (true) with check (true);
grant select, insert, update (asked_at, due_at) on hill.site_checks to hill_api_agent;
grant select, update on hill.site_checks to hill_api_worker;

create policy worker_verifies on hill.accounts for update to hill_api_worker using (true) with check (true);
grant update (verified, badge) on hill.accounts to hill_api_worker;

comment on table hill.site_checks is
'Whether the site of an account says that it is the account''s: the token of its tag, when the next check is due (by '
'the hill''s clock), and what the last one found. Accounts that never asked have no row. Rules 11.2.';
