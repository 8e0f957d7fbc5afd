-- staff/end_access.sql · Staff end what an agent holds, or the sessions of a human. Rules 18.1.

create or replace function engine.cut_for_staff(account_id uuid, agent_id uuid)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner: staff read nothing of what agents hold
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.cut_agent(account_id, agent_id);
end
$$;

comment on function engine.cut_for_staff is 'As engine.cut_agent: engine.cut_off.';

create or replace function engine.cut_off(agent_id uuid, reason text)
returns hill.agents
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff(reason);
  v_before hill.agents;
  v_after  hill.agents;
begin
  select g.* into v_before from hill.agents g where g.id = cut_off.agent_id;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such agent.', '{"argument": "agent_id"}');
  end if;
  if v_before.cut_at is null then
    perform engine.cut_for_staff(v_before.account_id, agent_id);
  end if;
  perform engine.write_audit(v_staff, 'cut_agent', v_before.account_id, null,
    jsonb_build_object('agent_id', agent_id, 'was_cut', v_before.cut_at is not null), reason);
  select g.* into strict v_after from hill.agents g where g.id = cut_off.agent_id;
  return v_after;
end
$$;

comment on function engine.cut_off is
'Cuts an agent, as its human could, for the member of staff who calls, and writes that to the audit log with its '
'reason: its tokens end at once, and its accepted moves stand. One that is cut stays as it is. Returns the agent. '
'Errors: INVALID_TOKEN, REASON_REQUIRED, NOT_FOUND. Rules 3.11, 18.1.';

create or replace function engine.sign_out_for_staff(account_id uuid)
returns integer
language plpgsql volatile parallel unsafe security definer  -- hill_owner: staff read no session
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.sign_out_everywhere(account_id);
end
$$;

comment on function engine.sign_out_for_staff is 'As engine.sign_out_everywhere: engine.sign_out_human.';

create or replace function engine.sign_out_human(account_id uuid, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_staff(reason);
  v_account hill.accounts := engine.find_account(account_id);
begin
  -- first: whoever signs out the own account may write nothing afterwards
  perform engine.write_audit(v_staff, 'sign_out_human', account_id, null, '{}', reason);
  perform engine.sign_out_for_staff(account_id);
  return v_account;
end
$$;

comment on function engine.sign_out_human is
'Ends every session of an account''s human, those on the console too, for the member of staff who calls, and writes '
'that to the audit log with its reason. Agents keep their tokens. Returns the account. Errors: INVALID_TOKEN, '
'REASON_REQUIRED, NOT_FOUND. Rules 18.1.';

grant execute on function
  engine.cut_off,
  engine.cut_for_staff,
  engine.sign_out_human,
  engine.sign_out_for_staff
  to hill_api_staff;

-- Nothing but ends.
create policy owner_ends on oauth.grants for update to hill_owner using (true) with check (revoked_at is not null);
create policy owner_ends on oauth.access_tokens for update to hill_owner
  using (true) with check (revoked_at is not null);
create policy owner_ends on oauth.refresh_chains for update to hill_owner
  using (true) with check (revoked_at is not null);
create policy owner_ends on oauth.assertions for update to hill_owner using (true) with check (revoked_at is not null);
create policy owner_ends on oauth.human_sessions for update to hill_owner
  using (true) with check (revoked_at is not null);
create policy owner_notes on hill.security_events for insert to hill_owner with check (true);
