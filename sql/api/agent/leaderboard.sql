-- The tool leaderboard: the boards, and where whoever asks stands on them. Protocol 9.4.

create or replace function api_agent.leaderboard(
  token text,
  board text,
  max integer default null,
  cursor text default null,
  tournament text default null,
  rank_by text default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.board_for_agent(engine.enter_agent(token, 'hill:read'), board, max, cursor, tournament, rank_by);
end
$$;

comment on function api_agent.leaderboard is
'A page of a board and the caller''s own rank, with an access token of scope hill:read: see engine.board_for_agent. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_ARGUMENT, NOT_FOUND for an unknown tournament.';

grant execute on function api_agent.leaderboard to hill_agent;
