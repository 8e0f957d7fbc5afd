-- Who reaches addresses of mail and what is sent there: their own account, whoever bears a token that was mailed, and
-- the worker that sends. Staff and DBAs do not, as with the addresses of sign-ins.

alter table oauth.mail_addresses enable row level security, force row level security;
create policy human_reads on oauth.mail_addresses to hill_api_human using (true)
  with check (account_id = engine.actor_account());
create policy worker_sends on oauth.mail_addresses to hill_api_worker using (true) with check (true);
create policy owner_looks on oauth.mail_addresses for select to hill_owner using (true);
create policy owner_forgets on oauth.mail_addresses for delete to hill_owner using (true);
grant select, insert, update on oauth.mail_addresses to hill_api_human;
grant select, update (told, digest_night, stopped_at, stopped_because, asked_id, asked_hash, asked_stop_hash)
  on oauth.mail_addresses to hill_api_worker;

alter table hill.mails enable row level security, force row level security;
create policy human_asks on hill.mails to hill_api_human
  using (account_id = (select engine.actor_account())) with check (account_id = (select engine.actor_account()));
create policy worker_sends on hill.mails to hill_api_worker using (true) with check (true);
create policy owner_tells on hill.mails to hill_owner using (true) with check (true);
grant select, insert, update (ended_at, ended_as) on hill.mails to hill_api_human;
grant select, insert, update on hill.mails to hill_api_worker;

comment on table oauth.mail_addresses is
'To which address notices of an account go (address, null if to none; nightly: after each night that was something for '
'it), and which one has been asked to confirm that they may (asked_address). Tokens of confirmation and of '
'unsubscribing are kept as hashes, and derived from id and asked_id by a secret outside the database. told: the '
'warnings that were mailed lately, each with its night. digest_night: the last night that was looked at. Protocol 5.6.';
comment on table hill.mails is
'What is to be mailed to an account, or was. kind and about name the occasion, of which each is written once; what is '
'said is read when it is sent, and facts has what stands nowhere else. Tried from due_at on and not after until. '
'unsure: attempts that may have arrived, though nobody said so: a repeat has the same Message-ID. Rows are deleted '
'engine.mail_days after they ended. Protocol 5.6.';
