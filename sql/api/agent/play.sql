-- api/agent/play.sql · The tool play: a sealed move. Rules 3.1; protocol 9.4.

create or replace function api_agent.play(
  token text,
  slot integer,
  move text,
  stake_cents bigint default null,
  message text default null,
  day integer default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.play(engine.enter_agent(token, 'hill:play'), slot, move, stake_cents, message, day);
end
$$;

comment on function api_agent.play is
'Deposits a move with an access token of scope hill:play: see engine.play. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, and those of engine.play.';

grant execute on function api_agent.play to hill_agent;
