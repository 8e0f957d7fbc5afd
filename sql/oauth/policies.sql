-- oauth/policies.sql · Who reaches what the authorization server keeps: the owner of its API schema; of a human's claim and cut, the owner of the
-- humans' API schema too. Specification 3.2, 3.3, 5.

grant usage on schema oauth to hill_api_oauth;

do $$
declare
  v_table text;
begin
  foreach v_table in array array['signing_keys', 'clients', 'grants', 'registrations', 'claim_attempts', 'assertions', 'refresh_chains',
                                 'authorization_codes', 'refresh_tokens', 'rates'] loop
    execute format('alter table oauth.%I enable row level security, force row level security', v_table);
    execute format('create policy server_keeps on oauth.%I to hill_api_oauth using (true) with check (true)', v_table);
    execute format('grant select, insert, update on oauth.%I to hill_api_oauth', v_table);
  end loop;
end
$$;

create policy server_keeps on oauth.access_tokens to hill_api_oauth using (true) with check (true);
grant select, insert, update on oauth.access_tokens to hill_api_oauth;

-- A human finishes or refuses a claim by the token of its page, and cuts agents of the own account.
create policy human_decides on oauth.claim_attempts to hill_api_human using (true) with check (true);
grant select, update on oauth.claim_attempts to hill_api_human;
create policy human_claims on oauth.registrations to hill_api_human using (true) with check (true);
grant select, update on oauth.registrations to hill_api_human;
create policy human_holds on oauth.grants to hill_api_human
  using (account_id is null or account_id = (select engine.actor_account())) with check (account_id = (select engine.actor_account()));
grant select, insert, update on oauth.grants to hill_api_human;
create policy human_approves on oauth.authorization_codes for insert to hill_api_human with check (true);
grant insert on oauth.authorization_codes to hill_api_human;
create policy human_reads on oauth.clients for select to hill_api_human using (true);
grant select on oauth.clients to hill_api_human;
create policy human_counts on oauth.rates to hill_api_human using (true) with check (true);
grant select, insert, update on oauth.rates to hill_api_human;

create policy human_revokes on oauth.access_tokens for update to hill_api_human using (true) with check (revoked_at is not null);
create policy human_finds on oauth.access_tokens for select to hill_api_human using (true);
grant select (grant_id, agent_id, revoked_at), update (revoked_at) on oauth.access_tokens to hill_api_human;
create policy human_revokes on oauth.assertions to hill_api_human using (true) with check (revoked_at is not null);
grant select (registration_id, revoked_at), update (revoked_at) on oauth.assertions to hill_api_human;
create policy human_revokes on oauth.refresh_chains to hill_api_human using (true) with check (revoked_at is not null);
grant select (id, grant_id, revoked_at), update (revoked_at) on oauth.refresh_chains to hill_api_human;

create policy human_adds on hill.agents for insert to hill_api_human with check (account_id = (select engine.actor_account()));
create policy human_cuts on hill.agents for update to hill_api_human
  using (account_id = (select engine.actor_account())) with check (account_id = (select engine.actor_account()));
grant insert, update (cut_at) on hill.agents to hill_api_human;
create policy server_cuts on hill.agents for update to hill_api_oauth using (true) with check (true);
grant update (cut_at) on hill.agents to hill_api_oauth;
grant select (cut_at) on hill.agents to hill_api_oauth;

-- A worker compares its secret with theirs, and sees nothing that is sealed.
create policy worker_compares on oauth.signing_keys for select to hill_api_worker using (true);
grant select (secret_check, signs_from) on oauth.signing_keys to hill_api_worker;

comment on table oauth.signing_keys is 'Keys that sign tokens: the public part, and the private part sealed by a secret outside the database.';
comment on table oauth.clients is 'Clients of the authorization server: anonymous agents, registered ones, and those that a metadata document describes. Specification 4.3.';
comment on table oauth.grants is 'What one client holds on one account: an agent, as its human sees and cuts it. Before a claim it is nobody''s. Specification 5.';
comment on table oauth.registrations is 'Anonymous registrations (door A), from registration to claim. generation: the generation of assertions that still counts. Specification 3.2.';
comment on table oauth.claim_attempts is 'Codes that were handed out to claim a registration, by hash, with the address whose account may type it. Specification 3.2.';
comment on table oauth.assertions is 'Identity assertions that were issued, by hash. Specification 2.8, 3.2.';
comment on table oauth.refresh_chains is 'What one authorization code began: the chain of refresh tokens, which reuse ends as a whole. Specification 3.3.';
comment on table oauth.authorization_codes is 'Authorization codes (door B), by hash: used once, within 60 seconds. Specification 4.3.';
comment on table oauth.refresh_tokens is 'Refresh tokens, by hash, each with the one that it replaced. Specification 3.3.';
comment on table oauth.rates is 'Requests counted per address, account or client, by hash, in a window and the one before it. Specification 7.';
