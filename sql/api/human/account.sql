-- api/human/account.sql · The account page: what it shows and what its buttons do, the cut button among them.
-- Rules 3.11, 5.1; protocol 5.4, 6.2.

create or replace function api_human.account(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.account_state(engine.enter_human(session)) || jsonb_build_object(
    'fresh', engine.signed_in_anew(session),
    'fresh_minutes', engine.fresh_sign_in_minutes());
end
$$;

create or replace function api_human.top_up(
  session text,
  cents bigint,
  reason text,
  payment text,
  proven_at bigint,
  proof text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  perform engine.check_proof(
    'top up',
    array[encode(engine.hash_token(session), 'hex'), coalesce(cents::text, ''), reason, payment],
    proven_at,
    proof);
  perform engine.record_payment(payment, engine.top_up(v_account_id, cents, reason));
  return engine.account_state(v_account_id);
end
$$;

create or replace function api_human.set_mandate(session text, daily_cap_cents bigint, max_stake_cents bigint)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  perform engine.set_mandate(v_account_id, daily_cap_cents, max_stake_cents, engine.signed_in_anew(session));
  return engine.account_state(v_account_id);
end
$$;

create or replace function api_human.withdraw_move(session text, slot integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
  v_withdrawn  boolean := engine.withdraw_move(v_account_id, slot);
begin
  return engine.account_state(v_account_id) || jsonb_build_object('withdrawn', v_withdrawn);
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

create or replace function api_human.cut_agent(session text, agent_id uuid)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.cut_agent(engine.enter_human(session), agent_id);
end
$$;

comment on function api_human.account is
'All that the account page shows of the human''s account, except its agents: see engine.account_state; and whether '
'this session is recent enough for what wants that (fresh; fresh_minutes). Errors: INVALID_TOKEN.';
comment on function api_human.top_up is
'Adds paid credits (cents) to the human''s account: see engine.top_up. The web process proves that they were paid; '
'outside production its sandbox does, for any amount. payment is the reference of the payment, which is credited once. '
'Proof "top up": SHA-256 of the session (hexadecimal), cents, reason, payment. Returns the account. Errors: '
'INVALID_TOKEN, INVALID_AMOUNT, PROOF_REFUSED.';
comment on function api_human.set_mandate is
'Sets daily cap and largest stake (cents): see engine.set_mandate. Returns the account. Errors: INVALID_TOKEN, '
'INVALID_AMOUNT; SIGN_IN_AGAIN if either is raised without a recent sign-in.';
comment on function api_human.withdraw_move is
'Withdraws tonight''s move on a place: see engine.withdraw_move. Returns the account and whether there was one. '
'Errors: INVALID_TOKEN, BELL_RINGING.';
comment on function api_human.agents is
'The agents of the human''s account: see engine.account_agents. Errors: INVALID_TOKEN.';
comment on function api_human.cut_agent is
'Cuts an agent of the human''s account: see engine.cut_agent. False if there is none. Errors: INVALID_TOKEN.';

grant execute on function
  api_human.account,
  api_human.top_up,
  api_human.set_mandate,
  api_human.withdraw_move,
  api_human.agents,
  api_human.cut_agent
  to hill_human;
