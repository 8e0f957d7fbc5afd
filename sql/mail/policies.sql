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
grant select, insert, update (ended_at, ended_as, facts) on hill.mails to hill_api_human;
grant select, insert, update on hill.mails to hill_api_worker;

comment on table oauth.mail_addresses is
'To which address notices of an account go (address, null if to none; nightly: after each night that was something for '
'it), and which one has been asked to confirm that they may (asked_address). Tokens of confirmation and of '
'unsubscribing are kept as hashes, and derived from id and asked_id by a secret outside the database. told: the '
'warnings that were mailed lately, each with its night. digest_night: the last night that was looked at. Protocol 5.6.';
comment on table hill.mails is
'What is to be mailed to an account, or was. kind and about name the occasion, of which each is written once; what '
'is said is read when it is sent, and facts has what stands nowhere else, until it has ended. Tried from due_at on '
'and not after until. unsure: attempts that may have arrived, though nobody said so: a repeat has the same '
'Message-ID. Rows are deleted engine.mail_days after they ended. Protocol 5.6.';

comment on column oauth.mail_addresses.account_id is 'Whose notices.';
comment on column oauth.mail_addresses.id is 'Of the confirmed address; its links to stop are derived from it.';
comment on column oauth.mail_addresses.address is 'Confirmed; null while there is none.';
comment on column oauth.mail_addresses.stop_hash is 'SHA-256 of the token that stops mail without a session.';
comment on column oauth.mail_addresses.nightly is 'Whether each night of the account is told, or trouble only.';
comment on column oauth.mail_addresses.confirmed_at is 'When whoever reads the address confirmed it, in real time.';
comment on column oauth.mail_addresses.stopped_at is 'Since when nothing is mailed there, in real time; null: it is.';
comment on column oauth.mail_addresses.stopped_because is
'unsubscribed, refused (by its mail server) or secret_lost (the links to stop no longer work).';
comment on column oauth.mail_addresses.told is 'Warnings mailed lately, each with its night: they are no news again.';
comment on column oauth.mail_addresses.digest_night is 'The last night that was looked at for a digest.';
comment on column oauth.mail_addresses.asked_id is 'Of the address that was asked to confirm; null: refused or none.';
comment on column oauth.mail_addresses.asked_address is 'Takes the place of address once it is confirmed.';
comment on column oauth.mail_addresses.asked_hash is 'SHA-256 of the token that confirms.';
comment on column oauth.mail_addresses.asked_stop_hash is 'Becomes stop_hash.';
comment on column oauth.mail_addresses.asked_at is 'Since when it is asked, in real time.';
comment on column hill.mails.id is 'Its Message-ID is made from it.';
comment on column hill.mails.account_id is 'Whose notice.';
comment on column hill.mails.address_id is 
'The address that it was written for: oauth.mail_addresses.id or asked_id. Of a staff_order no such: facts has it.';
comment on column hill.mails.kind is 'What it tells, such as digest, agent, sign_in or suspended.';
comment on column hill.mails.about is 'Which one of its kind: a night, an agent, an instant.';
comment on column hill.mails.facts is 'What it says that stands in no other table; empty once it has ended.';
comment on column hill.mails.made_at is 'When it was written, in real time, as all instants here.';
comment on column hill.mails.until is 'It is given up then.';
comment on column hill.mails.due_at is 'When it is tried next.';
comment on column hill.mails.attempts is 'How often it was tried.';
comment on column hill.mails.unsure is 'How many of them may have arrived, though nobody said so.';
comment on column hill.mails.tried_at is 'When the last attempt began; null before the first.';
comment on column hill.mails.outcome is 'Of the last attempt.';
comment on column hill.mails.status is 'What the mail server answered to it (SMTP); null if nothing.';
comment on column hill.mails.ended_at is 'Null while it waits.';
comment on column hill.mails.ended_as is
'sent, refused, given_up (too old) or dropped (the address is not wanted any more).';
