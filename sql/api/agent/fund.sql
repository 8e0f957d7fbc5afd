-- The tool fund: the credits of the account, and how much more can be asked for. Rules 5.1; protocol 9.4.

create or replace function api_agent.fund(token text, amount_cents bigint default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := (engine.enter_agent(token, 'hill:play')).account_id;
begin
  if amount_cents is not null then
    perform engine.check_topup(amount_cents);
  end if;
  return (
    select engine.show_credits(d) || jsonb_build_object(
        'lots', engine.show_lots(d.account_id),
        'topup_minimum_cents', engine.topup_minimum_cents(),
        'topup_maximum_cents', engine.topup_maximum_cents())
      from engine.account_today(v_account_id, engine.today(), engine.last_night()) d);
end
$$;

comment on function api_agent.fund is
'The caller''s credits (cents), their lots and the limits of a top-up, with an access token of scope hill:play. '
'amount_cents is what the human would be asked to add: it is only checked against those limits. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_AMOUNT.';

grant execute on function api_agent.fund to hill_agent;
