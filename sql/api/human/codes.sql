-- A human redeems a tournament's code on the account page. Claim codes: claims.sql. Rules 8.5.

create or replace function api_human.redeem_code(session text, code text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_answer jsonb := engine.redeem_code(engine.enter_human(session), code);
begin
  perform engine.enter_human(session);   -- it may have been ended while this waited
  return v_answer;
end
$$;

comment on function api_human.redeem_code is
'Redeems a code for the human''s account: see engine.redeem_code. Errors: INVALID_TOKEN, INVALID_ARGUMENT, '
'rate_limited; returned: UNKNOWN_CODE, CODE_REDEEMED, CODE_EXPIRED, OWN_ACCOUNT, ENTRANTS_ONLY, ACCOUNT_SUSPENDED, '
'CODE_USED_UP.';

grant execute on function api_human.redeem_code to hill_human;
