-- Who sees top-ups and claims: the own account, staff and the DBA. They change by what Stripe says alone; a human
-- begins a top-up, and notes the session that was made for it. Terms are everybody's to read and the owner's to
-- publish; a human accepts them for the own account.

alter table oauth.stripe_keys enable row level security, force row level security;
create policy owner_keeps on oauth.stripe_keys to hill_owner using (true) with check (true);

alter table oauth.stripe_modes enable row level security, force row level security;
create policy owner_keeps on oauth.stripe_modes to hill_owner using (true) with check (true);

alter table hill.top_ups enable row level security, force row level security;
create policy owner_settles on hill.top_ups to hill_owner using (true) with check (true);
create policy human_begins on hill.top_ups for insert to hill_api_human
  with check (account_id = engine.actor_account() and transfer_id is null);
create policy own_read on hill.top_ups for select to hill_api_human using (account_id = engine.actor_account());
create policy human_notes on hill.top_ups for update to hill_api_human
  using (account_id = engine.actor_account() and checkout is null)
  with check (account_id = engine.actor_account());
create policy staff_read on hill.top_ups for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.top_ups for select to hill_dba using (true);
grant insert (id, account_id, cents, created_at, started_at, look_at) on hill.top_ups to hill_api_human;
grant update (checkout) on hill.top_ups to hill_api_human;
grant select on hill.top_ups to hill_api_human, hill_staff, hill_dba;

alter table hill.payment_events enable row level security, force row level security;
create policy owner_takes on hill.payment_events to hill_owner using (true) with check (true);
create policy staff_read on hill.payment_events for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.payment_events for select to hill_dba using (true);
grant select on hill.payment_events to hill_staff, hill_dba;

alter table hill.payment_claims enable row level security, force row level security;
create policy owner_takes on hill.payment_claims to hill_owner using (true) with check (true);
create policy own_read on hill.payment_claims for select to hill_api_human
  using (payment in (select t.payment from hill.top_ups t where t.account_id = engine.actor_account()));
create policy staff_read on hill.payment_claims for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.payment_claims for select to hill_dba using (true);
grant select on hill.payment_claims to hill_api_human, hill_staff, hill_dba;

alter table hill.claim_transfers enable row level security, force row level security;
create policy owner_takes on hill.claim_transfers to hill_owner using (true) with check (true);
create policy own_read on hill.claim_transfers for select to hill_api_human
  using (transfer_id in (select t.id from hill.transfers t
                          where engine.actor_account() in (t.debit_account_id, t.credit_account_id)));
create policy staff_read on hill.claim_transfers for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.claim_transfers for select to hill_dba using (true);
grant select on hill.claim_transfers to hill_api_human, hill_staff, hill_dba;

alter table hill.payment_listing enable row level security, force row level security;
create policy worker_lists on hill.payment_listing to hill_api_worker using (true) with check (true);
grant select, insert, update on hill.payment_listing to hill_api_worker;

create policy owner_posts on hill.transfers for insert to hill_owner with check (true);
create policy owner_finds on hill.transfers for select to hill_owner using (true);
create policy owner_bars on hill.accounts for update to hill_owner using (true) with check (true);
create policy owner_tells on hill.audit_log for insert to hill_owner with check (true);

create or replace trigger written_once before update or delete or truncate on hill.payment_events
  for each statement execute function trusted.guard_balances();
create or replace trigger written_once before update or delete or truncate on hill.claim_transfers
  for each statement execute function trusted.guard_balances();

alter table hill.terms enable row level security, force row level security;
create policy owner_publishes on hill.terms to hill_owner using (true) with check (true);
create policy all_read on hill.terms for select to hill_api, hill_dba using (true);
create policy staff_read on hill.terms for select to hill_staff using ((select api_staff.staff_name()) is not null);
grant select on hill.terms to hill_api, hill_staff, hill_dba;
create or replace trigger written_once before update or delete or truncate on hill.terms
  for each statement execute function trusted.guard_balances();

alter table hill.terms_accepted enable row level security, force row level security;
create policy human_accepts on hill.terms_accepted for insert to hill_api_human
  with check (account_id = engine.actor_account());
create policy own_read on hill.terms_accepted for select to hill_api_human using (account_id = engine.actor_account());
create policy staff_read on hill.terms_accepted for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy dba_read on hill.terms_accepted for select to hill_dba using (true);
grant insert, select on hill.terms_accepted to hill_api_human;
grant select on hill.terms_accepted to hill_staff, hill_dba;
create or replace trigger written_once before update or delete or truncate on hill.terms_accepted
  for each statement execute function trusted.guard_balances();

comment on table oauth.stripe_keys is
'The secret with which Stripe signs its events, as the two blocks of HMAC. No serving role reads it: only '
'engine.stripe_signed does, and it answers yes or no.';
comment on table oauth.stripe_modes is
'One row: whether real money is paid here, or test cards. Only the owner writes it, when the hill starts.';
comment on table hill.top_ups is
'Top-ups that were begun, to be paid for at Stripe (cents): checkout (a session) and payment are Stripe''s ids, '
'transfer_id is what credited it. started_at and look_at are of the real clock. Rules 5.7.';
comment on table hill.payment_events is
'What Stripe told, each event once, and what came of it: an outcome that begins with "refused" credited nothing, and '
'payment says what it was about. A session that the worker asked about and that was refused is here under its own id. '
'sent_at and taken_at are of the real clock. Rules 5.7.';
comment on table hill.payment_claims is
'Disputes and refunds at Stripe (cents), by their ids there. A live one bars the account''s deposits until staff '
'release it; taken_cents and written_off_cents are set at the bell after it. Rules 5.8.';
comment on table hill.claim_transfers is
'The transfers that a claim made, and the credit that each takes from or belongs to. Never changed.';
comment on table hill.payment_listing is
'One row: up to when the worker has read Stripe''s list of events, by the real clock.';
comment on table hill.terms is
'The terms and privacy notices that the operator has published, with its name: the last row is in force. Each has its '
'text, or the address at which it is; its SHA-256 is of the text, or of the address, a space and the version. Never '
'changed. Rules 5.10.';
comment on table hill.terms_accepted is
'Which published terms the human of an account accepted, when, and on which page it was shown them. Never changed, and '
'kept when the account is closed: it is the contract under which was paid. Rules 5.10, 19.4.';
