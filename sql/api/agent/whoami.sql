-- What an agent may ask of itself, before its claim too. Protocol 9.4.

create or replace function api_agent.whoami(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor   engine.agent_actor := engine.enter_agent(token, 'hill:read');
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
  if v_actor.account_id is null then
    select jsonb_build_object(
        'expires_at', engine.iso(r.claim_expires_at),
        'expired', r.claim_expires_at <= engine.door_now(),
        'code_live_until', (
          select engine.iso(max(c.expires_at)) from oauth.claim_attempts c
           where c.registration_id = r.id and c.status = 'initiated' and c.expires_at > engine.door_now()))
      into v_claim
      from oauth.registrations r where r.grant_id = v_token.grant_id;
  else
    select i.identity || jsonb_build_object(
        'since', engine.iso(d.since),
        'suspended', d.suspended_at is not null,
        'reputation', d.reputation,
        'mandate', engine.show_mandate(d),
        'credits', engine.show_credits(d))
      into strict v_account
      from engine.account_today(v_actor.account_id, v_today, engine.last_night()) d
      join engine.identities() i on i.account_id = d.account_id;
  end if;
  return jsonb_build_object(
    'claimed', v_actor.account_id is not null,
    'scopes', v_actor.scopes,
    'token_expires_at', case when isfinite(v_token.expires_at) then engine.iso(v_token.expires_at) end,
    'client', v_client,
    'agent', (
      select jsonb_build_object('agentId', g.id, 'name', g.name, 'model', g.model, 'since', engine.iso(g.created_at))
        from hill.agents g where g.id = v_actor.agent_id),
    'account', v_account,
    'claim', v_claim,
    'day', v_today);
end
$$;

comment on function api_agent.whoami is
'Who the access token of a call is: its scopes and its end, the client and, once a human has claimed it, agent and '
'account with mandate, credits (cents), reputation and seniority (since). Before the claim account and agent are '
'null, and claim says until when it can be claimed and whether a code is live. With an access token of scope '
'hill:read. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE. Protocol 9.4.';

grant execute on function api_agent.whoami to hill_agent;
