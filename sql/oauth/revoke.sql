-- oauth/revoke.sql · Ends what a client holds: on the client's request, or its human's.
-- Protocol 6.1; RFC 7009.

create or replace function engine.revoke_token(token text, client_id text)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_hash     bytea := engine.hash_token(token);
  v_grant_id uuid;
  v_grant    oauth.grants;
begin
  -- Any known token, even an ended one: a client that comes back to leave holds only tokens that have ended.
  select k.grant_id into v_grant_id
    from (select t.grant_id from oauth.access_tokens t where t.token_hash = v_hash
          union all
          select c.grant_id from oauth.refresh_tokens f join oauth.refresh_chains c on c.id = f.chain_id
           where f.token_hash = v_hash
          union all
          select r.grant_id from oauth.assertions a join oauth.registrations r on r.id = a.registration_id
           where a.token_hash = v_hash
          union all
          select r.grant_id from oauth.registrations r where r.claim_token_hash = v_hash) k;
  select * into v_grant from oauth.grants g where g.id = v_grant_id for update;
  if not found or (revoke_token.client_id is not null and v_grant.client_id <> revoke_token.client_id) then
    return false;
  end if;
  if not engine.revoke_grant(v_grant.id) then
    return false;
  end if;
  perform engine.note_event('client_revoked', v_grant.account_id, v_grant.agent_id);
  return true;
end
$$;

comment on function engine.revoke_token is
'Ends everything that a client holds under the grant of a token (access, refresh, assertion or claim token). The token '
'may have expired, or been superseded, spent or revoked, as long as it is stored (engine.forget_ended). An unknown '
'token, or one of another client, changes nothing. Returns whether anything ended. Protocol 6.1; RFC 7009.';

create or replace function engine.cut_agent(account_id uuid, agent_id uuid)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now      timestamptz;
  v_grant_id uuid;
begin
  select g.id into v_grant_id
    from oauth.grants g
   where g.agent_id = cut_agent.agent_id and g.account_id = cut_agent.account_id
     for update;
  v_now := engine.take_instant(account_id);   -- waits for a deposit under way; none is accepted after
  if v_grant_id is not null then
    perform engine.revoke_grant(v_grant_id);
  end if;
  -- an agent that its client gave up was cut with its grant; one that never had a grant is cut all the same
  update hill.agents a
     set cut_at = v_now
   where a.id = cut_agent.agent_id and a.account_id = cut_agent.account_id and a.cut_at is null;
  if not found and v_grant_id is null then
    return false;
  end if;
  update oauth.access_tokens t set revoked_at = v_now where t.agent_id = cut_agent.agent_id and t.revoked_at is null;
  perform engine.note_event('agent_cut', account_id, agent_id);
  return true;
end
$$;

comment on function engine.cut_agent is
'Cuts an agent of the account: its access tokens, refresh tokens and assertions end at once, on every process. Moves '
'that it deposited stand. Returns whether there was such an agent. Rules 3.11; protocol 2.3, 6.1, 6.2.';

grant execute on function engine.revoke_token to hill_api_oauth;
grant execute on function engine.cut_agent to hill_api_human;
