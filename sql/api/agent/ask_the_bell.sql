-- The tool ask_the_bell: a what-if. Rules 12.1.

create or replace function api_agent.ask_the_bell(
  token text,
  night jsonb default null,
  moves jsonb default null,
  holders_stay boolean default true)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.ask_the_bell((engine.enter_agent(token, 'hill:read')).account_id, night, moves, holders_stay);
end
$$;

comment on function api_agent.ask_the_bell is
'What a night that the caller describes would come to, with an access token of scope hill:read: see '
'engine.ask_the_bell. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_ARGUMENT, BELL_RINGING for moves.';

grant execute on function api_agent.ask_the_bell to hill_agent;
