-- Agents of a demonstration. They exist only on the simulated clock.

create or replace function api_worker.fuel_agent(account_id uuid, granted_cents bigint, paid_cents bigint)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  if (select s.clock from hill.settings s) <> 'simulated' then
    perform engine.refuse('SETTING_REFUSED', 'Agents of a demonstration need the simulated clock.');
  end if;
  if granted_cents > 0 then
    perform engine.grant_credits(account_id, granted_cents, 'Credits of a demonstration');
  end if;
  if paid_cents > 0 then
    perform engine.top_up(account_id, paid_cents, 'Top-up of a demonstration');
  end if;
end
$$;

create or replace function api_worker.admit_agent(name text, model text, granted_cents bigint, paid_cents bigint)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor engine.agent_actor := engine.create_account(admit_agent.name, admit_agent.model);
begin
  -- refuses on the real clock, and undoes the account
  perform api_worker.fuel_agent(v_actor.account_id, granted_cents, paid_cents);
  return jsonb_build_object('account_id', v_actor.account_id, 'agent_id', v_actor.agent_id);
end
$$;

create or replace function api_worker.give_token(agent_id uuid, token text)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  if (select s.clock from hill.settings s) <> 'simulated' then
    perform engine.refuse('SETTING_REFUSED', 'Agents of a demonstration need the simulated clock.');
  end if;
  insert into oauth.access_tokens (token_hash, agent_id, scopes, created_at, expires_at)
  values (engine.hash_token(token), give_token.agent_id, '{hill:read,hill:play}', engine.now(), 'infinity');
end
$$;

comment on function api_worker.fuel_agent is
'Grants and tops up (cents, 0 for none) the account of a demonstration agent. Only on the simulated clock: '
'SETTING_REFUSED otherwise; INVALID_AMOUNT.';
comment on function api_worker.admit_agent is
'Makes a demonstration agent with its account and credits (cents): account_id, agent_id. Only on the simulated clock: '
'SETTING_REFUSED otherwise.';
comment on function api_worker.give_token is
'Records an access token of a demonstration agent that never expires and has both scopes: no human is there to '
'let it in again. Only on the simulated clock: SETTING_REFUSED otherwise.';

grant execute on function api_worker.fuel_agent, api_worker.admit_agent, api_worker.give_token to hill_worker;
