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
comment on column hill.wallets.account_id is 'Whose wallet it is.';
comment on column hill.wallets.since is 'The account''s seniority, as hill.accounts.created_at.';
comment on column hill.wallets.paid_cents is 'Paid credits that it shows (cents).';
comment on column hill.wallets.granted_cents is
'Granted credits that it shows (cents), lots and all: engine.account_lots tells them apart.';
comment on column hill.wallets.peace_ring is
'PEACE moves of the 30 nights up to ring_day, 2 bits a night, the latest lowest. Rules 4.3.';
comment on column hill.wallets.war_ring is 'The same of WAR moves.';
comment on column hill.wallets.ring_day is 'The last night with a move that the wallet shows; 0 before any.';
comment on table hill.ledger_accounts is
'The service''s side of the double entry (cents). With the wallets they add up to 0 at every commit. Rules 5.5.';
comment on column hill.ledger_accounts.code is 'Name of the account in transfers.';
comment on column hill.ledger_accounts.meaning is 'What its balance is, in words.';
comment on column hill.ledger_accounts.balance_cents is 'What it holds; negative where wallets hold what came from it.';
comment on table hill.transfers is
'Cents that came in, were granted or expired: one row moves them between two balances as it is written. Never changed.';
comment on column hill.transfers.id is 'In the order in which they were written.';
comment on column hill.transfers.day is 'The day that it belongs to; of what a bell does, the night.';
comment on column hill.transfers.at is 'When; of what a bell does, the instant of that bell. Hill''s clock.';
comment on column hill.transfers.kind is
'topup, grant, expiry, lapse (rules 19.5), reversal, restored, writeoff or recovery (rules 5.8).';
comment on column hill.transfers.debit_account_id is 'Whose wallet it takes from; null if it takes from debit_code.';
comment on column hill.transfers.debit_code is
'Which of hill.ledger_accounts it takes from; null if it takes from a wallet.';
comment on column hill.transfers.credit_account_id is 'Whose wallet it gives to; null if it gives to credit_code.';
comment on column hill.transfers.credit_code is
'Which of hill.ledger_accounts it gives to; null if it gives to a wallet.';
comment on column hill.transfers.cents is 'How much, above 0.';
comment on column hill.transfers.reason is 'What for, in words.';
comment on table hill.lots is
'Granted credits, each with its expiry; spent before paid ones, soonest expiry first. An account''s lots lie end to '
'end on one line of cents, from from_cents; what is left of each follows from the wallet: engine.account_lots. '
'Rules 5.3, 5.5.';
comment on column hill.lots.id is 'In the order in which they were granted.';
comment on column hill.lots.account_id is 'Whose credits they are.';
comment on column hill.lots.transfer_id is 'The transfer that granted them.';
comment on column hill.lots.from_cents is
'Where the lot begins on the account''s line: all that was granted to it before (cents).';
comment on column hill.lots.cents is 'How much was granted; what is left is not kept here.';
comment on column hill.lots.granted_at is 'When. Hill''s clock.';
comment on column hill.lots.expires_at is
'90 days later; it ends at the first bell from then on, once that night is settled. Hill''s clock.';
