-- The tournaments, as the caller sees them. Rules 8.6.

create or replace function api_agent.tournaments(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.tournaments((engine.enter_agent(token, 'hill:read')).account_id);
end
$$;

comment on function api_agent.tournaments is
'The tournaments as the caller''s account sees them, with an access token of scope hill:read: see engine.tournaments. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE.';

grant execute on function api_agent.tournaments to hill_agent;
