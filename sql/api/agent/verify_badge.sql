-- api/agent/verify_badge.sql · The tool verify_badge: whether the account's site names the account.
-- Rules 11.2.

create or replace function api_agent.verify_badge(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.verify_badge((engine.enter_agent(token, 'hill:play')).account_id);
end
$$;

comment on function api_agent.verify_badge is
'Asks for a check of the site of the caller''s account and says what is known of it: see engine.verify_badge. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE.';

grant execute on function api_agent.verify_badge to hill_agent;
