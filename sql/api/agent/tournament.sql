-- api/agent/tournament.sql · The tool leaderboard: the boards of a tournament, with the own ranks. Specification 2.3, 4.2; decisions 8.

create function api_agent.tournament(token text, slug text, max integer default null, cursor text default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.tournament(slug, (engine.enter_agent(token, 'hill:read')).account_id, max, cursor);
end
$$;

comment on function api_agent.tournament(text, text, integer, text) is
$$One tournament with its boards and the caller's own ranks, with an access token of scope hill:read: see engine.tournament.
Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, and those of engine.tournament.$$;

grant execute on function api_agent.tournament(text, text, integer, text) to hill_agent;
