-- The nights of the human's account, and what opens its deposits. Rules 5.9, 20.21.

create or replace function api_human.history(session text, before integer default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  return engine.account_history(v_account_id, before);
end
$$;

create or replace function api_human.deposits(session text, day integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  return engine.own_deposits(v_account_id, (engine.find_night(day)).day, null, false);
end
$$;

comment on function api_human.history is
'Thirty nights of the human''s account, those before a day or the latest: see engine.account_history. Errors: '
'INVALID_TOKEN, ACCOUNT_CLOSED.';
comment on function api_human.deposits is
'All that the human''s account deposited on a night that is over, with what opens it in the log: see '
'engine.own_deposits. Errors: INVALID_TOKEN, ACCOUNT_CLOSED, DAY_NOT_RESOLVED. Rules 20.21.';

grant execute on function api_human.history, api_human.deposits to hill_human;
