-- Who reaches the authorization server's tables: the owner of its API schema, and for a human's claims and cuts also
-- the owner of the humans' API schema. Protocol 1.1, 2.4, 6.2.

grant usage on schema oauth to hill_api_oauth;

alter table oauth.signing_keys enable row level security, force row level security;
create policy server_keeps on oauth.signing_keys to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.signing_keys to hill_api_oauth;

alter table oauth.clients enable row level security, force row level security;
create policy server_keeps on oauth.clients to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.clients to hill_api_oauth;

alter table oauth.grants enable row level security, force row level security;
create policy server_keeps on oauth.grants to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.grants to hill_api_oauth;

alter table oauth.registrations enable row level security, force row level security;
create policy server_keeps on oauth.registrations to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.registrations to hill_api_oauth;

alter table oauth.claim_attempts enable row level security, force row level security;
create policy server_keeps on oauth.claim_attempts to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.claim_attempts to hill_api_oauth;

alter table oauth.assertions enable row level security, force row level security;
create policy server_keeps on oauth.assertions to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.assertions to hill_api_oauth;

alter table oauth.refresh_chains enable row level security, force row level security;
create policy server_keeps on oauth.refresh_chains to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.refresh_chains to hill_api_oauth;

alter table oauth.authorization_codes enable row level security, force row level security;
create policy server_keeps on oauth.authorization_codes to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.authorization_codes to hill_api_oauth;

alter table oauth.device_codes enable row level security, force row level security;
create policy server_keeps on oauth.device_codes to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.device_codes to hill_api_oauth;
create policy human_decides on oauth.device_codes to hill_api_human using (true) with check (true);
grant select, update (status, decided_at, grant_id) on oauth.device_codes to hill_api_human;

alter table oauth.refresh_tokens enable row level security, force row level security;
create policy server_keeps on oauth.refresh_tokens to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.refresh_tokens to hill_api_oauth;

alter table oauth.rates enable row level security, force row level security;
create policy server_keeps on oauth.rates to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.rates to hill_api_oauth;

create policy server_keeps on oauth.access_tokens to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.access_tokens to hill_api_oauth;
-- only for engine.play_together, which the worker runs for the house: it sees no row
grant select (token_hash, revoked_at) on oauth.access_tokens to hill_api_worker;

-- A human approves or refuses a claim by the token of its page, and cuts agents of the own account.
create policy human_decides on oauth.claim_attempts to hill_api_human using (true) with check (true);
grant select, update on oauth.claim_attempts to hill_api_human;
create policy human_claims on oauth.registrations to hill_api_human using (true) with check (true);
grant select, update on oauth.registrations to hill_api_human;
create policy human_holds on oauth.grants to hill_api_human
  using (account_id is null or account_id = (select engine.actor_account()))
  with check (account_id = (select engine.actor_account()));
grant select, insert, update on oauth.grants to hill_api_human;
create policy human_approves on oauth.authorization_codes for insert to hill_api_human with check (true);
grant insert on oauth.authorization_codes to hill_api_human;
create policy human_reads on oauth.clients for select to hill_api_human using (true);
grant select on oauth.clients to hill_api_human;
create policy human_counts on oauth.rates to hill_api_human using (true) with check (true);
grant select, insert, update on oauth.rates to hill_api_human;

create policy human_revokes on oauth.access_tokens for update to hill_api_human
  using (true) with check (revoked_at is not null);
create policy human_finds on oauth.access_tokens for select to hill_api_human using (true);
grant select (grant_id, agent_id, revoked_at), update (revoked_at) on oauth.access_tokens to hill_api_human;
create policy human_revokes on oauth.assertions to hill_api_human using (true) with check (revoked_at is not null);
grant select (registration_id, revoked_at), update (revoked_at) on oauth.assertions to hill_api_human;
create policy human_revokes on oauth.refresh_chains to hill_api_human using (true) with check (revoked_at is not null);
grant select (id, grant_id, revoked_at), update (revoked_at) on oauth.refresh_chains to hill_api_human;

create policy human_adds on hill.agents for insert to hill_api_human
  with check (account_id = (select engine.actor_account()));
create policy human_cuts on hill.agents for update to hill_api_human
  using (account_id = (select engine.actor_account())) with check (account_id = (select engine.actor_account()));
grant insert, update (cut_at) on hill.agents to hill_api_human;
create policy server_cuts on hill.agents for update to hill_api_oauth using (true) with check (true);
grant update (cut_at) on hill.agents to hill_api_oauth;
grant select (cut_at) on hill.agents to hill_api_oauth;

comment on table oauth.signing_keys is
'Keys that sign tokens: the public part, and the private part sealed by a secret outside the database.';
comment on table oauth.clients is
'Clients of the authorization server: anonymous agents, registered ones, and those that a metadata document describes. '
'Protocol 4.1, 4.2.';
comment on table oauth.grants is
'What one client holds on one account: an agent, which its human sees and can cut. Before a claim it belongs to '
'nobody. Protocol 6.2.';
comment on table oauth.registrations is
'Anonymous registrations (door A), from registration to claim. generation: which generation of assertions still '
'counts. Protocol 3.2.';
comment on table oauth.claim_attempts is
'Codes issued to claim a registration, by hash, with the address whose account may type it. Protocol 3.3.';
comment on table oauth.assertions is 'Identity assertions that were issued, by hash. Protocol 2.3.';
comment on table oauth.refresh_chains is
'What one authorization code or device code began: the chain of refresh tokens, which reuse ends as a whole. '
'Protocol 2.4.';
comment on table oauth.authorization_codes is
'Authorization codes (door B), by hash: used once, within 60 seconds. Protocol 4.5.';
comment on table oauth.device_codes is
'Pairs of codes of the device grant, by hash: what a client polls with, and what its human types. Protocol 4.6.';
comment on table oauth.refresh_tokens is
'Refresh tokens, by hash, each with the one that it replaced. Protocol 2.4.';
comment on table oauth.rates is
'Requests counted per address, account or client, by hash, in a window and the one before it. Protocol 10.2.';
