-- api/human/claims.sql · The claim page and the cut button. Specification 3.2, 5.4, 5.7.

create or replace function api_human.look_at_claim(session text, attempt_token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.claim_attempt_at(attempt_token, engine.enter_human(session)) - '{attempt_id,grant_id,at}'::text[];
end
$$;

create or replace function api_human.approve_claim(session text, attempt_token text, user_code text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.approve_claim(engine.enter_human(session), attempt_token, user_code)
    - '{attempt_id,grant_id,at}'::text[];
end
$$;

create or replace function api_human.refuse_claim(session text, attempt_token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.refuse_claim(engine.enter_human(session), attempt_token) - '{attempt_id,grant_id,at}'::text[];
end
$$;

create or replace function api_human.cut_agent(session text, agent_id uuid)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.cut_agent(engine.enter_human(session), agent_id);
end
$$;

create or replace function api_human.agents(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.account_agents(engine.enter_human(session));
end
$$;

comment on function api_human.look_at_claim is
'What a claim page shows, by the token in its address: see engine.claim_attempt_at for the outcomes. Errors: '
'INVALID_TOKEN.';
comment on function api_human.approve_claim is
'The human typed the code: see engine.approve_claim for the outcomes, a wrong code among them. Errors: INVALID_TOKEN.';
comment on function api_human.refuse_claim is 'The human refuses: see engine.refuse_claim. Errors: INVALID_TOKEN.';
comment on function api_human.cut_agent is
'Cuts an agent of the human''s account: see engine.cut_agent. False if there is none. Errors: INVALID_TOKEN.';
comment on function api_human.agents is
'The agents of the human''s account: see engine.account_agents. Errors: INVALID_TOKEN.';

grant execute on function
  api_human.look_at_claim,
  api_human.approve_claim,
  api_human.refuse_claim,
  api_human.cut_agent,
  api_human.agents
  to hill_human;
