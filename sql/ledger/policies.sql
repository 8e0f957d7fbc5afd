-- Who sees money. Its own account: all of it. Staff: what is settled, for reservations betray moves. Others: nothing
-- but the boards.

alter table hill.wallets enable row level security, force row level security;
create policy owner_posts on hill.wallets to hill_owner using (true) with check (true);
create policy own_read on hill.wallets for select to hill_api_agent, hill_api_human
  using (account_id = any ((select engine.actor_accounts())::uuid[]));
create policy worker_adds on hill.wallets for insert to hill_api_worker with check (true);
create policy worker_reads on hill.wallets for select to hill_api_worker using (true);
create policy public_ranks on hill.wallets for select to hill_api_public using (true);
create policy staff_read on hill.wallets for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.wallets for select to hill_dba using (true);
grant select on hill.wallets to hill_api_agent, hill_api_human, hill_api_worker, hill_staff, hill_dba;
grant select (account_id, since, peace_ring, war_ring, ring_day) on hill.wallets to hill_api_public;
grant insert on hill.wallets to hill_api_worker;

alter table hill.ledger_accounts enable row level security, force row level security;
create policy owner_posts on hill.ledger_accounts to hill_owner using (true) with check (true);
create policy worker_settles on hill.ledger_accounts to hill_api_worker using (true) with check (true);
create policy staff_read on hill.ledger_accounts for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.ledger_accounts for select to hill_dba using (true);
grant select, update on hill.ledger_accounts to hill_api_worker;
grant select on hill.ledger_accounts to hill_staff, hill_dba;

alter table hill.transfers enable row level security, force row level security;
create policy own_read on hill.transfers for select to hill_api_agent, hill_api_human
  using (engine.actor_account() in (debit_account_id, credit_account_id));
create policy human_pays on hill.transfers for insert to hill_api_human
  with check (kind = 'topup' and credit_account_id = engine.actor_account());
create policy staff_grants on hill.transfers for insert to hill_api_staff
  with check (kind = 'grant' and api_staff.staff_name() is not null);
create policy staff_returning on hill.transfers for select to hill_api_staff using (true);
create policy worker_writes on hill.transfers to hill_api_worker using (true) with check (true);
create policy staff_read on hill.transfers for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.transfers for select to hill_dba using (true);
grant select on hill.transfers to hill_api_agent, hill_api_human, hill_api_staff, hill_api_worker, hill_staff, hill_dba;
grant insert on hill.transfers to hill_api_human, hill_api_staff, hill_api_worker;

alter table hill.lots enable row level security, force row level security;
create policy own_read on hill.lots for select to hill_api_agent, hill_api_human
  using (account_id = engine.actor_account());
create policy staff_grants on hill.lots for insert to hill_api_staff with check (api_staff.staff_name() is not null);
create policy staff_returning on hill.lots for select to hill_api_staff using (true);
create policy worker_grants on hill.lots to hill_api_worker using (true) with check (true);
create policy owner_checks on hill.lots for select to hill_owner using (true);
create policy staff_read on hill.lots for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.lots for select to hill_dba using (true);
grant select on hill.lots to hill_api_agent, hill_api_human, hill_api_staff, hill_api_worker, hill_staff, hill_dba;
grant insert on hill.lots to hill_api_staff, hill_api_worker;

comment on table hill.wallets is
'Each account''s balances (cents), and its PEACE and WAR counts of 30 nights as rings of 2 bits a night, shifted by '
'the nights since ring_day. Only transfers and bells change balances. For a moment after a large bell some do not show '
'its night: engine.pending_settlements() has what is left to take. Rules 4.3, 4.7, 5.4, 5.5.';
comment on table hill.ledger_accounts is
'The service''s side of the double entry (cents). With the wallets they add up to 0 at every commit. Rules 5.5.';
comment on table hill.transfers is
'Cents that came in, were granted or expired: one row moves them between two balances as it is written. Never changed.';
comment on table hill.lots is
'Granted credits, each with its expiry; spent before paid ones, soonest expiry first. An account''s lots lie end to '
'end on one line of cents, from from_cents; what is left of each follows from the wallet: engine.account_lots. '
'Rules 5.3, 5.5.';
