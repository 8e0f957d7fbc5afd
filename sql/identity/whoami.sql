-- Who an access token is: before its claim a registration, afterwards an agent of a human's account. Protocol 2.2, 3.1,
-- 9.4.

-- The grant of the access token that the current call came with, null for none.
create or replace function engine.actor_grant()
returns uuid language sql stable parallel safe
return nullif(current_setting('hill.grant_id', true), '')::uuid;

-- Of what the authorization server keeps, an agent sees its own grant, and what belongs to that.
create policy agent_sees_own on oauth.grants for select to hill_api_agent using (id = (select engine.actor_grant()));
create policy agent_sees_own on oauth.clients for select to hill_api_agent
  using (id in (select g.client_id from oauth.grants g where g.id = (select engine.actor_grant())));
create policy agent_sees_own on oauth.registrations for select to hill_api_agent
  using (grant_id = (select engine.actor_grant()));
create policy agent_sees_own on oauth.claim_attempts for select to hill_api_agent
  using (registration_id in (select r.id from oauth.registrations r where r.grant_id = (select engine.actor_grant())));
grant select (id, client_id) on oauth.grants to hill_api_agent;
grant select (id, kind, name) on oauth.clients to hill_api_agent;
grant select (id, grant_id, claim_expires_at, claimed_at) on oauth.registrations to hill_api_agent;
grant select (registration_id, status, expires_at) on oauth.claim_attempts to hill_api_agent;
