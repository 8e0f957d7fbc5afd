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

create or replace function api_human.top_up(session text, cents bigint, reason text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  perform engine.top_up(v_account_id, cents, reason);
  return engine.account_state(v_account_id);
end
$$;

comment on function api_human.account(text) is 'All that the account page shows of the human''s account, save its agents: see engine.account_state. Errors: INVALID_TOKEN.';
comment on function api_human.top_up(text, bigint, text) is
$$Credits the human's account with paid credits (cents): see engine.top_up. The web process says that they were paid, and is trusted to: outside production
its sandbox says so of any amount. Returns the account. Errors: INVALID_TOKEN, INVALID_AMOUNT.$$;

grant execute on function api_human.account(text), api_human.top_up(text, bigint, text) to hill_human;
