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
comment on column oauth.signing_keys.kid is 'Name of the key in tokens and in the published set.';
comment on column oauth.signing_keys.public_jwk is 'The public part, which is published.';
comment on column oauth.signing_keys.sealed_private is 'The private part, sealed by a secret outside the database.';
comment on column oauth.signing_keys.created_at is 'When it was made. Doors'' clock (rules 17.3).';
comment on column oauth.signing_keys.signs_from is
'From when on it signs; it is published before. Doors'' clock (rules 17.3).';
comment on column oauth.signing_keys.retires_at is
'When nothing that it signed is valid any more; null for the latest one. Doors'' clock (rules 17.3).';
comment on table oauth.clients is
'Clients of the authorization server: anonymous agents, registered ones, and those that a metadata document describes. '
'Protocol 4.1, 4.2.';
comment on column oauth.clients.id is 'The client_id; the address of its document, if it has one.';
comment on column oauth.clients.kind is 'anonymous (door A), registered, or document.';
comment on column oauth.clients.name is 'What it calls itself, as humans are shown it.';
comment on column oauth.clients.redirect_uris is 'Where its codes may be sent; empty if it takes none.';
comment on column oauth.clients.scopes is 'What it may ask for.';
comment on column oauth.clients.details is 'What else it said when it registered.';
comment on column oauth.clients.created_at is 'When it was first known. Doors'' clock (rules 17.3).';
comment on column oauth.clients.fetched_at is
'When its document was read last; null if it has none. Doors'' clock (rules 17.3).';
comment on column oauth.clients.fresh_until is
'Until when that reading holds; null if it has none. Doors'' clock (rules 17.3).';
comment on table oauth.grants is
'What one client holds on one account: an agent, which its human sees and can cut. Before a claim it belongs to '
'nobody. Protocol 6.2.';
comment on column oauth.grants.id is 'The grant, wherever others name it.';
comment on column oauth.grants.client_id is 'Whose grant it is.';
comment on column oauth.grants.account_id is 'The account that it is on; null before a claim.';
comment on column oauth.grants.agent_id is 'The agent that it is; null before a claim.';
comment on column oauth.grants.scopes is 'What its human approved; hill:read before a claim.';
comment on column oauth.grants.created_at is 'When it was made. Doors'' clock (rules 17.3).';
comment on column oauth.grants.last_used_at is
'When it was last approved, or issued a token or a code; it lapses 30 days later. Doors'' clock (rules 17.3).';
comment on column oauth.grants.revoked_at is 'When it was cut off or given up; null while it counts.';
comment on table oauth.registrations is
'Anonymous registrations (door A), from registration to claim. generation: which generation of assertions still '
'counts. Protocol 3.2.';
comment on column oauth.registrations.id is 'The registration, whose assertions name it.';
comment on column oauth.registrations.grant_id is 'What it holds.';
comment on column oauth.registrations.claim_token_hash is
'SHA-256 of the token with which the agent asks for codes and polls.';
comment on column oauth.registrations.claim_expires_at is
'When it can no longer be claimed, 24 hours later. Doors'' clock (rules 17.3).';
comment on column oauth.registrations.generation is '1 before the claim, 2 after it: assertions of 1 end with it.';
comment on column oauth.registrations.email is 'The address by which its human was asked; null before the claim.';
comment on column oauth.registrations.claimed_at is
'When its human approved it; null before. Doors'' clock (rules 17.3).';
comment on column oauth.registrations.issued_at is
'When the agent fetched what the claim gave it, once; null before. Doors'' clock (rules 17.3).';
comment on column oauth.registrations.created_at is 'When the agent registered. Doors'' clock (rules 17.3).';
comment on table oauth.claim_attempts is
'Codes issued to claim a registration, by hash, with the address whose account may type it. Protocol 3.3.';
comment on column oauth.claim_attempts.id is 'The attempt.';
comment on column oauth.claim_attempts.registration_id is 'What is to be claimed.';
comment on column oauth.claim_attempts.token_hash is 'SHA-256 of the token in the address of its claim page.';
comment on column oauth.claim_attempts.code_hash is 'SHA-256 of that token and the six digits that the human types.';
comment on column oauth.claim_attempts.email is
'The address that the agent named; only the account that shows it sees the claim.';
comment on column oauth.claim_attempts.status is 'initiated, approved, refused or locked (too many wrong codes).';
comment on column oauth.claim_attempts.wrong_tries is 'Wrong codes so far.';
comment on column oauth.claim_attempts.poll_interval is
'How long the agent has to wait between two polls; longer if it does not.';
comment on column oauth.claim_attempts.polled_at is 'When it polled last; null before. Doors'' clock (rules 17.3).';
comment on column oauth.claim_attempts.created_at is 'When the code was given. Doors'' clock (rules 17.3).';
comment on column oauth.claim_attempts.expires_at is 'When the code ends. Doors'' clock (rules 17.3).';
comment on column oauth.claim_attempts.decided_at is
'When the human approved or refused it, or it was locked; null before. Doors'' clock (rules 17.3).';
comment on table oauth.assertions is 'Identity assertions that were issued, by hash. Protocol 2.3.';
comment on column oauth.assertions.token_hash is 'SHA-256 of the assertion.';
comment on column oauth.assertions.registration_id is 'Whose it is.';
comment on column oauth.assertions.generation is '1 from before the claim, 2 from after it.';
comment on column oauth.assertions.created_at is 'When it was issued. Doors'' clock (rules 17.3).';
comment on column oauth.assertions.expires_at is '24 hours later. Doors'' clock (rules 17.3).';
comment on column oauth.assertions.revoked_at is 'When it was ended early; null if it was not.';
comment on table oauth.refresh_chains is
'What one authorization code or device code began: the chain of refresh tokens, which reuse ends as a whole. '
'Protocol 2.4.';
comment on column oauth.refresh_chains.id is 'The chain.';
comment on column oauth.refresh_chains.grant_id is 'Under which grant.';
comment on column oauth.refresh_chains.scopes is 'What its tokens may be used for.';
comment on column oauth.refresh_chains.audience is 'The address that they are for.';
comment on column oauth.refresh_chains.created_at is 'When its first tokens were issued. Doors'' clock (rules 17.3).';
comment on column oauth.refresh_chains.revoked_at is
'When it was ended, by reuse or with its grant; null while it counts.';
comment on table oauth.authorization_codes is
'Authorization codes (door B), by hash: used once, within 60 seconds. Protocol 4.5.';
comment on column oauth.authorization_codes.code_hash is 'SHA-256 of the code.';
comment on column oauth.authorization_codes.grant_id is 'What the human approved.';
comment on column oauth.authorization_codes.redirect_uri is 'Where it was sent: the exchange has to name the same.';
comment on column oauth.authorization_codes.code_challenge is
'SHA-256 in base64url of what the exchange has to show (PKCE, S256).';
comment on column oauth.authorization_codes.scopes is 'What its tokens may be used for.';
comment on column oauth.authorization_codes.audience is 'The address that they are for.';
comment on column oauth.authorization_codes.created_at is 'When it was given. Doors'' clock (rules 17.3).';
comment on column oauth.authorization_codes.expires_at is '60 seconds later. Doors'' clock (rules 17.3).';
comment on column oauth.authorization_codes.used_at is
'When it was exchanged; null before. Doors'' clock (rules 17.3).';
comment on column oauth.authorization_codes.chain_id is
'The chain that it began, which a second use ends; null before.';
comment on table oauth.device_codes is
'Pairs of codes of the device grant, by hash: what a client polls with, and what its human types. Protocol 4.6.';
comment on column oauth.device_codes.device_hash is 'SHA-256 of the code that the client polls with.';
comment on column oauth.device_codes.user_hash is 'SHA-256 of what the typed code stands for.';
comment on column oauth.device_codes.client_id is 'Who asks.';
comment on column oauth.device_codes.scopes is 'What it asks for.';
comment on column oauth.device_codes.audience is 'The address that its tokens are for.';
comment on column oauth.device_codes.status is 'pending, approved or refused.';
comment on column oauth.device_codes.grant_id is 'What came of the approval; null without one.';
comment on column oauth.device_codes.poll_interval is
'How long the client has to wait between two polls; longer if it does not.';
comment on column oauth.device_codes.polled_at is 'When it polled last; null before. Doors'' clock (rules 17.3).';
comment on column oauth.device_codes.created_at is 'When the codes were given. Doors'' clock (rules 17.3).';
comment on column oauth.device_codes.expires_at is 'When they end. Doors'' clock (rules 17.3).';
comment on column oauth.device_codes.decided_at is
'When the human approved or refused it; null before. Doors'' clock (rules 17.3).';
comment on column oauth.device_codes.issued_at is
'When the client fetched its tokens, once; null before. Doors'' clock (rules 17.3).';
comment on table oauth.refresh_tokens is
'Refresh tokens, by hash, each with the one that it replaced. Protocol 2.4.';
comment on column oauth.refresh_tokens.token_hash is 'SHA-256 of the token.';
comment on column oauth.refresh_tokens.chain_id is 'The chain that it belongs to.';
comment on column oauth.refresh_tokens.parent_hash is
'The token that it replaced; null for the first of its chain, or once that is forgotten.';
comment on column oauth.refresh_tokens.created_at is 'When it was issued. Doors'' clock (rules 17.3).';
comment on column oauth.refresh_tokens.expires_at is '30 days later. Doors'' clock (rules 17.3).';
comment on column oauth.refresh_tokens.used_at is 'When it was exchanged; null before. Doors'' clock (rules 17.3).';
comment on table oauth.rates is
'Requests counted per address, account or client, by hash, in a window and the one before it. Protocol 10.2.';
comment on column oauth.rates.what is 'Which limit, such as code_account.';
comment on column oauth.rates.who is 'SHA-256 of who is counted: an address, an account, a client.';
comment on column oauth.rates.began_at is 'When the present window began. Doors'' clock (rules 17.3).';
comment on column oauth.rates.count is 'What was admitted in it.';
comment on column oauth.rates.before is 'What was admitted in the window before it.';
comment on column oauth.rates.ends_at is 'When the row no longer matters. Doors'' clock (rules 17.3).';
