-- identity/whoami.sql · Who an access token is: before its claim a registration, afterwards an agent of a human's
-- account. Protocol 2.2, 3.1, 9.4.

create or replace function engine.actor_grant()
returns uuid language sql stable parallel safe
return nullif(current_setting('hill.grant_id', true), '')::uuid;

comment on function engine.actor_grant is
'The grant of the access token that the current call came with, null for none. Row-level security compares rows with '
'it.';

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

create or replace function engine.whoami(actor engine.agent_actor, token text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_token   oauth.access_tokens;
  v_client  jsonb;
  v_claim   jsonb;
  v_account jsonb;
  v_today   integer := engine.today();
begin
  select t.* into strict v_token from oauth.access_tokens t where t.token_hash = engine.hash_token(whoami.token);
  perform set_config('hill.grant_id', coalesce(v_token.grant_id::text, ''), true);
  select jsonb_build_object('client_id', c.id, 'name', c.name, 'kind', c.kind) into v_client
    from oauth.grants g join oauth.clients c on c.id = g.client_id where g.id = v_token.grant_id;
  if actor.account_id is null then
    select jsonb_build_object(
        'expires_at', engine.iso(r.claim_expires_at),
        'expired', r.claim_expires_at <= engine.now(),
        'code_live_until', (
          select engine.iso(max(c.expires_at)) from oauth.claim_attempts c
           where c.registration_id = r.id and c.status = 'initiated' and c.expires_at > engine.now()))
      into v_claim
      from oauth.registrations r where r.grant_id = v_token.grant_id;
  else
    select i.identity || jsonb_build_object(
        'since', engine.iso(d.since),
        'suspended', d.suspended_at is not null,
        'reputation', d.reputation,
        'mandate', jsonb_build_object('daily_cap_cents', d.daily_cap_cents, 'max_stake_cents', d.max_stake_cents),
        'credits', engine.show_credits(d))
      into strict v_account
      from engine.account_today(actor.account_id, v_today, engine.last_night()) d
      join engine.identities() i on i.account_id = d.account_id;
  end if;
  return jsonb_build_object(
    'claimed', actor.account_id is not null,
    'scopes', actor.scopes,
    'token_expires_at', case when isfinite(v_token.expires_at) then engine.iso(v_token.expires_at) end,
    'client', v_client,
    'agent', (
      select jsonb_build_object('agentId', g.id, 'name', g.name, 'model', g.model, 'since', engine.iso(g.created_at))
        from hill.agents g where g.id = actor.agent_id),
    'account', v_account,
    'claim', v_claim,
    'day', v_today);
end
$$;

comment on function engine.whoami is
'Who the access token of a call is: its scopes and its end, the client and, once a human has claimed it, agent and '
'account with mandate, credits (cents), reputation and seniority (since). Before the claim account and agent are '
'null, and claim says until when it can be claimed and whether a code is live. Protocol 9.4.';

grant execute on function engine.actor_grant, engine.whoami to hill_api_agent;
