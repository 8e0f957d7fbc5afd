-- Who is let in no longer: an agent, or a human until the next sign-in. Rules 3.11, 18.1.

create or replace function api_staff.cut_agent(agent_id uuid, reason text)
returns hill.agents
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.set_cut(agent_id, true, reason);
end
$$;

create or replace function api_staff.uncut_agent(agent_id uuid, reason text)
returns hill.agents
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.set_cut(agent_id, false, reason);
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
'Cuts an agent: nothing that it holds works from now on, and the moves that it has deposited stand. uncut_agent takes '
'that back; its human can end it for good, or bring it again as another agent, unless you suspend the account. Returns '
'the agent. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND. Rules 3.11, 18.1.
- agent_id: which agent.';
comment on function api_staff.uncut_agent is
'Lets in again an agent that staff have cut: what it holds works as before, as far as it has not ended meanwhile. One '
'that its human has cut or that gave up stays cut (NOT_ALLOWED); one that is not cut stays as it is. '
'Returns the agent. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND, ACCOUNT_CLOSED, NOT_ALLOWED. '
'Rules 3.11, 18.1.
- agent_id: which agent.';
comment on function api_staff.sign_out_human is
'Signs the human of an account out everywhere, on this console too. Agents go on. Returns the account. Errors: '
'INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, NOT_FOUND. Rules 18.1.';

grant execute on function api_staff.cut_agent, api_staff.uncut_agent, api_staff.sign_out_human to hill_staff;
