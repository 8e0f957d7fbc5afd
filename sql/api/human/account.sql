-- api/human/account.sql · The account page: all that it shows at once, and its fuel. Specification 2.6, 5.6.

create or replace function api_human.account(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.account_state(engine.enter_human(session));
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

comment on function api_human.account is
'All that the account page shows of the human''s account, except its agents: see engine.account_state. Errors: '
'INVALID_TOKEN.';
comment on function api_human.top_up is
'Adds paid credits (cents) to the human''s account: see engine.top_up. The web process proves that they were paid; '
'outside production its sandbox does, for any amount. payment is the reference of the payment, which is credited once. '
'Proof "top up": SHA-256 of the session (hexadecimal), cents, reason, payment. Returns the account. Errors: '
'INVALID_TOKEN, INVALID_AMOUNT, PROOF_REFUSED.';

grant execute on function api_human.account, api_human.top_up to hill_human;
