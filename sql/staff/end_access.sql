-- Staff end what an agent holds, or the sessions of a human. Rules 18.1.

-- As engine.cut_agent: api_staff.cut_agent.
create or replace function trusted.cut_for_staff(account_id uuid, agent_id uuid)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner: staff read nothing of what agents hold
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.cut_agent(account_id, agent_id);
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
create policy owner_ends on oauth.access_tokens for update to hill_owner
  using (true) with check (revoked_at is not null);
create policy owner_ends on oauth.refresh_chains for update to hill_owner
  using (true) with check (revoked_at is not null);
create policy owner_ends on oauth.assertions for update to hill_owner using (true) with check (revoked_at is not null);
create policy owner_ends on oauth.human_sessions for update to hill_owner
  using (true) with check (revoked_at is not null);
create policy owner_notes on hill.security_events for insert to hill_owner with check (true);
