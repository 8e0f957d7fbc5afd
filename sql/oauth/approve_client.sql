-- The human approves a client: a grant, and an authorization code for 60 seconds. Protocol 4.4, 4.5.

-- What a human's approval of a client does at every door. Errors: NOT_FOUND, INVALID_ARGUMENT,
-- NAME_TAKEN.
create or replace function engine.grant_client(account_id uuid, client_id text, scopes text[], account_name text)
returns oauth.grants
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now    timestamptz := engine.door_now();
  v_client oauth.clients;
  v_grant  oauth.grants;
  v_agent  uuid;
begin
  select * into v_client from oauth.clients c where c.id = grant_client.client_id and c.kind <> 'anonymous';
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such client.');
  end if;
  -- two approvals at the same instant make one agent
  perform trusted.lock_one('approvals');
  select * into v_grant from oauth.grants g
   where g.client_id = grant_client.client_id
     and g.account_id = grant_client.account_id
     and g.revoked_at is null for update;
  if found and (engine.lock_grant(v_grant.id)).id is null then
    perform engine.revoke_grant(v_grant.id);   -- it lapsed, or staff cut its agent: the human starts over
    v_grant := null;
  end if;
  if v_grant.id is null then
    perform engine.name_account(account_id, account_name);
    insert into hill.agents (account_id, name, created_at)
    values (grant_client.account_id, engine.shown_client(v_client.name), engine.now())
    returning id into v_agent;
    insert into oauth.grants (client_id, account_id, agent_id, scopes, created_at, last_used_at)
    values (grant_client.client_id, grant_client.account_id, v_agent, grant_client.scopes, v_now, v_now)
    returning * into v_grant;
  else
    update oauth.grants g
       set last_used_at = v_now, scopes = array(select distinct s
                                                  from unnest(g.scopes || grant_client.scopes) s
                                                 order by s desc)
     where g.id = v_grant.id;
  end if;
  perform engine.note_event('client_approved', account_id, v_grant.agent_id,
    jsonb_build_object('client_id', client_id, 'scopes', to_jsonb(scopes)));
  return v_grant;
end
$$;
