-- The private feed of an account. Protocol 5.4.

alter table oauth.private_feeds enable row level security, force row level security;
create policy human_reads on oauth.private_feeds to hill_api_human using (true)
  with check (account_id = engine.actor_account());
grant select, insert, update (token_hash, created_at) on oauth.private_feeds to hill_api_human;
create policy owner_forgets on oauth.private_feeds to hill_owner using (true) with check (false);

comment on table oauth.private_feeds is
'The private feed that the human of an account made, and the hash of its token, which its address has; null once the '
'human ended it. Protocol 5.4.';
