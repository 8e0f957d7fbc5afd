-- The tool fund: a code becomes granted credits. Rules 8.5; protocol 9.4.

create or replace function api_agent.redeem_code(token text, code text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor    engine.agent_actor := engine.enter_agent(token, 'hill:play');
  v_redeemed jsonb := engine.redeem_code(v_actor.account_id, code);
begin
  perform engine.check_admitted(v_actor);   -- a code that is known waits for the account
  return v_redeemed;
end
$$;

comment on function api_agent.redeem_code is
'Redeems a code for the caller''s account, with an access token of scope hill:play: see engine.redeem_code. Errors: '
'INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_ARGUMENT, rate_limited; returned: UNKNOWN_CODE, CODE_REDEEMED, '
'CODE_EXPIRED, OWN_ACCOUNT, ENTRANTS_ONLY, ACCOUNT_SUSPENDED, CODE_USED_UP.';

grant execute on function api_agent.redeem_code to hill_agent;
