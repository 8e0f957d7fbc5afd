-- Who is let in no longer: an agent, or a human until the next sign-in. Rules 3.11, 18.1.

create or replace function api_staff.cut_agent(agent_id uuid, reason text)
returns hill.agents
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_staff('cut_agent', reason);
  v_before hill.agents;
  v_after  hill.agents;
begin
  select g.* into v_before from hill.agents g where g.id = cut_agent.agent_id;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such agent.', '{"argument": "agent_id"}');
  end if;
  if v_before.cut_at is null then
    perform trusted.cut_for_staff(v_before.account_id, agent_id);
  end if;
  perform engine.write_audit(v_staff, 'cut_agent', v_before.account_id, null,
    jsonb_build_object('agent_id', agent_id, 'was_cut', v_before.cut_at is not null), reason);
  select g.* into strict v_after from hill.agents g where g.id = cut_agent.agent_id;
  return v_after;
end
$$;

create or replace function api_staff.sign_out_human(account_id uuid, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_staff('sign_out_human', reason);
  v_account hill.accounts := engine.find_account(account_id);
begin
  -- first: whoever signs out the own account may write nothing afterwards
  perform engine.write_audit(v_staff, 'sign_out_human', account_id, null, '{}', reason);
  perform trusted.sign_out_for_staff(account_id);
  return v_account;
end
$$;

comment on function api_staff.cut_agent is
'Cuts an agent for good: what it holds ends at once, and the moves that it has deposited stand. Its human can bring it '
'again, unless you suspend the account. Returns the agent. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, '
'NOT_FOUND. Rules 3.11, 18.1.';
comment on function api_staff.sign_out_human is
'Signs the human of an account out everywhere, on this console too. Agents go on. Returns the account. Errors: '
'INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND. Rules 18.1.';

grant execute on function api_staff.cut_agent, api_staff.sign_out_human to hill_staff;
