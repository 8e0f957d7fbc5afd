-- The caps that a human sets and no agent can widen. Rules 1.2, 3.8.

alter table hill.mandates enable row level security, force row level security;
create policy own_read on hill.mandates for select to hill_api_agent, hill_api_human
  using (account_id = any ((select engine.actor_accounts())::uuid[]));
create policy human_sets on hill.mandates for update to hill_api_human
  using (account_id = engine.actor_account()) with check (account_id = engine.actor_account());
create policy worker_adds on hill.mandates to hill_api_worker using (true) with check (true);
create policy staff_read on hill.mandates for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.mandates for select to hill_dba using (true);
grant select on hill.mandates to hill_api_agent, hill_api_human, hill_api_worker, hill_staff, hill_dba;
grant update on hill.mandates to hill_api_human;
grant insert on hill.mandates to hill_api_worker;

comment on table hill.mandates is
'The spending caps of each account, for all its agents together: set by its human alone. Rules 3.8.';
