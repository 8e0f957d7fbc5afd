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
comment on column oauth.stripe_keys.singleton is 'Always true: there is one row.';
comment on column oauth.stripe_keys.inner_block is '64 bytes: the key padded with zeros, XOR 0x36 (RFC 2104).';
comment on column oauth.stripe_keys.outer_block is '64 bytes: the key padded with zeros, XOR 0x5c.';
comment on column oauth.stripe_keys.set_at is 'When the owner set it, at a start. Real clock.';
comment on table oauth.stripe_modes is
'One row: whether real money is paid here, or test cards. Only the owner writes it, when the hill starts.';
comment on column oauth.stripe_modes.singleton is 'Always true: there is one row.';
comment on column oauth.stripe_modes.live is 'true: real money; false: test cards.';
comment on column oauth.stripe_modes.set_at is 'When the owner set it, at a start. Real clock.';
comment on table hill.top_ups is
'Top-ups that were begun, to be paid for at Stripe (cents): checkout (a session) and payment are Stripe''s ids, '
'transfer_id is what credited it. started_at and look_at are of the real clock. Rules 5.7.';
comment on column hill.top_ups.id is 'Names it at Stripe (client_reference_id).';
comment on column hill.top_ups.account_id is 'Whose human asked for it.';
comment on column hill.top_ups.cents is 'How much is to be paid, and is credited.';
comment on column hill.top_ups.created_at is 'When it was asked for. Hill''s clock.';
comment on column hill.top_ups.started_at is 'The same by the real clock: it can be paid for an hour from then.';
comment on column hill.top_ups.look_at is
'When the worker is to ask Stripe about it; null once that is settled. Real clock.';
comment on column hill.top_ups.checkout is 'Stripe''s id of the session; null until one is made.';
comment on column hill.top_ups.payment is 'Stripe''s id of the payment; null until it is credited.';
comment on column hill.top_ups.transfer_id is 'The transfer that credited it; null until then.';
comment on column hill.top_ups.failed_at is 'When it ended unpaid or was refused; null if neither. Hill''s clock.';
comment on table hill.payment_events is
'What Stripe told, each event once, and what came of it: an outcome that begins with "refused" credited nothing, and '
'payment says what it was about. A session that the worker asked about and that was refused is here under its own id. '
'sent_at and taken_at are of the real clock. Rules 5.7.';
comment on column hill.payment_events.id is 'Stripe''s id of the event, or of the session that the worker read.';
comment on column hill.payment_events.type is
'Stripe''s type of it, such as charge.dispute.created; checkout.session if the worker read one.';
comment on column hill.payment_events.sent_at is
'When Stripe made it; when it was taken, if it did not say. Real clock.';
comment on column hill.payment_events.taken_at is 'When it was taken. Real clock.';
comment on column hill.payment_events.outcome is 'What came of it, such as credited; refused: and why.';
comment on column hill.payment_events.payment is
'Stripe''s id of the payment; null if it names none, or money of another mode.';
comment on table hill.payment_claims is
'Disputes and refunds at Stripe (cents), by their ids there. A live one bars the account''s deposits until staff '
'release it; taken_cents and written_off_cents are set at the bell after it. Rules 5.8.';
comment on column hill.payment_claims.id is 'Stripe''s id of the dispute or refund.';
comment on column hill.payment_claims.kind is 'dispute or refund.';
comment on column hill.payment_claims.payment is
'Stripe''s id of the payment, which may not be credited yet (hill.top_ups).';
comment on column hill.payment_claims.cents is 'How much Stripe takes back.';
comment on column hill.payment_claims.status is 'Stripe''s word for how it stands.';
comment on column hill.payment_claims.live is
'Whether money is held or taken back; not so of an inquiry, a won dispute, a failed refund.';
comment on column hill.payment_claims.at is
'When it became so, or its amount changed: it is taken at the first bell after. Hill''s clock.';
comment on column hill.payment_claims.taken_cents is
'What a bell took of the top-up; null before, and once it was given back.';
comment on column hill.payment_claims.written_off_cents is
'The rest of cents, which had been spent; null as taken_cents.';
comment on column hill.payment_claims.released_at is
'When staff lifted the bar that it was; null if they have not. Hill''s clock.';
comment on column hill.payment_claims.sent_at is 'When Stripe made the event that told this. Real clock.';
comment on column hill.payment_claims.settled is 'Whether that status is a last one.';
comment on column hill.payment_claims.event is
'Stripe''s id of that event: of two of one second the settled, then the greater one counts.';
comment on table hill.claim_transfers is
'The transfers that a claim made, and the credit that each takes from or belongs to. Never changed.';
comment on column hill.claim_transfers.transfer_id is 'The transfer that the claim made.';
comment on column hill.claim_transfers.claim_id is 'The dispute or refund.';
comment on column hill.claim_transfers.of_id is 'The transfer whose credit it takes from, writes off or gives back.';
comment on table hill.payment_listing is
'One row: up to when the worker has read Stripe''s list of events, by the real clock.';
comment on column hill.payment_listing.singleton is 'Always true: there is one row.';
comment on column hill.payment_listing.listed_until is 'Up to when Stripe''s events were read. Real clock.';
comment on table hill.terms is
'The terms and privacy notices that the operator has published, with its name: the last row is in force. Each has its '
'text, or the address at which it is; its SHA-256 is of the text, or of the address, a space and the version. Never '
'changed. Rules 5.10.';
comment on column hill.terms.id is 'In the order in which they were published; the greatest is in force.';
comment on column hill.terms.operator is 'Who runs the hill.';
comment on column hill.terms.version is 'The operator''s name for this version.';
comment on column hill.terms.terms_text is 'The terms, as served at /terms.md; null if they are elsewhere.';
comment on column hill.terms.terms_url is 'Where the terms are; null if they are served here.';
comment on column hill.terms.terms_sha256 is 'SHA-256 of the terms in hexadecimal (engine.hash_terms).';
comment on column hill.terms.privacy_text is 'The privacy notice, as served at /privacy.md; null if it is elsewhere.';
comment on column hill.terms.privacy_url is 'Where the privacy notice is; null if it is served here.';
comment on column hill.terms.privacy_sha256 is 'SHA-256 of the privacy notice in hexadecimal (engine.hash_terms).';
comment on column hill.terms.at is 'When the owner published it, at a start. Hill''s clock.';
comment on table hill.terms_accepted is
'Which published terms the human of an account accepted, when, and on which page it was shown them. Never changed, and '
'kept when the account is closed: it is the contract under which was paid. Rules 5.10, 19.4.';
comment on column hill.terms_accepted.account_id is 'Whose human accepted them.';
comment on column hill.terms_accepted.terms_id is 'Which version.';
comment on column hill.terms_accepted.at is 'When, the first time. Hill''s clock.';
comment on column hill.terms_accepted.page is 'Where they were shown: claim, consent, device or top-up.';
