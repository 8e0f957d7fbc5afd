-- Ends what a client holds: on the client's request, or its human's. Protocol 6.1; RFC 7009.

-- Cuts an agent of the account: its access tokens, refresh tokens and assertions end at once, on every process. Rules
-- 3.11; protocol 2.3, 6.1, 6.2.
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
  v_now := trusted.take_instant(account_id);   -- waits for a deposit under way; none is accepted after
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
