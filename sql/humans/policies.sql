-- Who reaches what is stored of humans: the owner of their API schema, which signs them in. Staff see the security
-- events, not the addresses.

alter table oauth.humans enable row level security, force row level security;
create policy human_signs_in on oauth.humans to hill_api_human using (true) with check (true);
grant select, insert, update (email) on oauth.humans to hill_api_human;

alter table oauth.sign_ins enable row level security, force row level security;
create policy human_signs_in on oauth.sign_ins to hill_api_human using (true) with check (true);
grant select, insert, update (email, last_used_at) on oauth.sign_ins to hill_api_human;

create policy human_opens on oauth.human_sessions for insert to hill_api_human
  with check (account_id = engine.actor_account());
create policy human_ends on oauth.human_sessions for update to hill_api_human
  using (true) with check (revoked_at is not null);
grant insert, update (revoked_at) on oauth.human_sessions to hill_api_human;

-- The first sign-in makes the account: its own rows, and no others.
create policy human_opens on hill.accounts for insert to hill_api_human
  with check (id = engine.actor_account() and not house);
create policy human_names on hill.accounts for update to hill_api_human
  using (id = engine.actor_account()) with check (id = engine.actor_account());
grant insert (id, name, slug, house, created_at), update (name, slug, url) on hill.accounts to hill_api_human;
create policy human_opens on hill.mandates for insert to hill_api_human
  with check (account_id = engine.actor_account());
grant insert on hill.mandates to hill_api_human;
create policy human_opens on hill.wallets for insert to hill_api_human with check (account_id = engine.actor_account());
grant insert (account_id, since) on hill.wallets to hill_api_human;
grant insert (account_id) on hill.reservations to hill_api_human;

alter table oauth.private_feeds enable row level security, force row level security;
create policy human_reads on oauth.private_feeds to hill_api_human using (true)
  with check (account_id = engine.actor_account());
grant select, insert, update (token_hash, created_at) on oauth.private_feeds to hill_api_human;
create policy owner_forgets on oauth.private_feeds to hill_owner using (true) with check (false);

comment on table oauth.humans is
'Accounts that a human has signed in to, each with the address that it shows, in lower case: the one vouched for last. '
'Protocol 5.1, 5.2.';
comment on column oauth.humans.account_id is 'The account that is the human''s.';
comment on column oauth.humans.email is 'The address that the account shows; null if no sign-in vouches for one.';
comment on column oauth.humans.created_at is 'When the human signed in first. Real clock.';
comment on table oauth.sign_ins is
'Sign-ins, by provider and the provider''s own id of the human, which alone opens an account. email is the address '
'that the provider vouched for last; null if it has been vouched for as somebody else''s since.';
comment on column oauth.sign_ins.provider is
'google or github; development on a hill without them; practice on one for that.';
comment on column oauth.sign_ins.subject is 'The provider''s own id of the human.';
comment on column oauth.sign_ins.account_id is 'The account that it opens.';
comment on column oauth.sign_ins.email is 'Verified by the provider, in lower case; null if somebody else''s by now.';
comment on column oauth.sign_ins.created_at is 'When it was first used or added. Real clock.';
comment on column oauth.sign_ins.last_used_at is 'When it was last used. Real clock.';
comment on table oauth.private_feeds is
'The private feed that the human of an account made, and the hash of its token, which its address has; null once the '
'human ended it. Protocol 5.4.';
comment on column oauth.private_feeds.account_id is 'Whose feed it is.';
comment on column oauth.private_feeds.token_hash is
'SHA-256 of the token in its address; null once the human ended it.';
comment on column oauth.private_feeds.created_at is 'When the last address was made. Real clock.';
