-- api/staff/end_access.sql · Who is let in no longer: an agent, or a human until the next sign-in. Rules 3.11, 18.1.

create or replace function api_staff.cut_agent(agent_id uuid, reason text)
returns hill.agents
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.cut_off(agent_id, reason);
end
$$;

create or replace function api_staff.sign_out_human(account_id uuid, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.sign_out_human(account_id, reason);
end
$$;

comment on function api_staff.cut_agent is
'Cuts an agent for good: what it holds ends at once, and the moves that it has deposited stand. Its human can bring it '
'again, unless you suspend the account. Returns the agent. Errors: INVALID_TOKEN, REASON_REQUIRED, NOT_FOUND. '
'Rules 3.11, 18.1.';
comment on function api_staff.sign_out_human is
'Signs the human of an account out everywhere, on this console too. Agents go on. Returns the account. Errors: '
'INVALID_TOKEN, REASON_REQUIRED, NOT_FOUND. Rules 18.1.';

grant execute on function api_staff.cut_agent, api_staff.sign_out_human to hill_staff;
