-- Staff let an agent in no longer, or again, or end the sessions of a human. Rules 3.11, 18.1.

-- Cuts an agent, or lets one in again: api_staff.cut_agent, api_staff.uncut_agent. Nothing of what it holds is revoked,
-- so that none of it has to come back: while it is cut nothing of it works, and time goes on. Whether that changed
-- anything; null where there is nothing to let in, because its human has cut it or it gave up.
create or replace function trusted.cut_for_staff(account_id uuid, agent_id uuid, cut boolean)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner: staff read nothing of what agents hold
set search_path to pg_catalog, pg_temp
as $$
declare
  v_grant oauth.grants;
  v_now   timestamptz;
begin
  select g.* into v_grant from oauth.grants g where g.agent_id = cut_for_staff.agent_id for update;
  v_now := trusted.take_instant(account_id);   -- waits for a deposit under way; none is accepted after
  if not cut and v_grant.revoked_at is not null then
    return null;
  end if;
  update hill.agents a
     set cut_at = case when cut then v_now end
   where a.id = cut_for_staff.agent_id and (a.cut_at is null) = cut;
  if not found then
    return false;
  end if;
  perform engine.note_event(case when cut then 'agent_cut' else 'agent_let_in' end, account_id, agent_id);
  return true;
end
$$;

-- Cuts an agent or lets it in again, for the member of staff who calls. Errors: INVALID_TOKEN, ROLE_TOO_LOW,
-- REASON_REQUIRED, NOT_FOUND, ACCOUNT_CLOSED, NOT_ALLOWED.
create or replace function engine.set_cut(agent_id uuid, cut boolean, reason text)
returns hill.agents
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_action text := case when cut then 'cut_agent' else 'uncut_agent' end;
  v_staff  text := engine.enter_staff(v_action, reason);
  v_agent  hill.agents;
  v_change boolean;
  v_which  jsonb := jsonb_build_object('agent_id', agent_id);
begin
  select g.* into v_agent from hill.agents g where g.id = set_cut.agent_id;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such agent.', '{"argument": "agent_id"}');
  end if;
  v_change := trusted.cut_for_staff(v_agent.account_id, agent_id, cut);
  if not cut then
    perform engine.unless_refused(engine.closed(v_agent.account_id));
  end if;
  if v_change is null then
    perform engine.refuse('NOT_ALLOWED',
      'What the agent held has ended: its human cut it, or it gave up. Its human can bring it again.',
      '{"argument": "agent_id"}');
  end if;
  perform engine.write_audit(v_staff, v_action, v_agent.account_id, null,
    case when cut then v_which else engine.reverses('cut_agent', v_which) end
      || jsonb_build_object('was_cut', v_change <> cut),
    reason);
  select g.* into strict v_agent from hill.agents g where g.id = set_cut.agent_id;
  return v_agent;
end
$$;

-- As engine.sign_out_everywhere: api_staff.sign_out_human.
create or replace function trusted.sign_out_for_staff(account_id uuid)
returns integer
language plpgsql volatile parallel unsafe security definer  -- hill_owner: staff read no session
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.sign_out_everywhere(account_id);
end
$$;

grant execute on function trusted.cut_for_staff, trusted.sign_out_for_staff to hill_api_staff;

-- Nothing but ends.
create policy owner_ends on oauth.grants for update to hill_owner using (true) with check (revoked_at is not null);
create policy owner_ends on oauth.human_sessions for update to hill_owner
  using (true) with check (revoked_at is not null);
create policy owner_notes on hill.security_events for insert to hill_owner with check (true);
