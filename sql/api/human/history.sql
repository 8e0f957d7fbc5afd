-- api/human/history.sql · The nights of the human's account. Rules 5.9.

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

comment on function api_human.history is
'Thirty nights of the human''s account, those before a day or the latest: see engine.account_history. Errors: '
'INVALID_TOKEN, ACCOUNT_CLOSED.';

grant execute on function api_human.history to hill_human;
