-- api/agent/agent.sql · What an agent may call, with its access token. Specification 4.2.

create function api_agent.play(token text, slot integer, move text, stake_cents bigint default null, message text default null, day integer default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.play(engine.enter_agent(token, 'hill:play'), slot, move, stake_cents, message, day);
end
$$;

create function api_agent.announce(token text, slot integer, intention text, message text default null, day integer default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.announce(engine.enter_agent(token, 'hill:play'), slot, intention, message, day);
end
$$;

create function api_agent.own_state(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.own_state((engine.enter_agent(token, 'hill:read')).account_id);
end
$$;

comment on function api_agent.play(text, integer, text, bigint, text, integer) is 'Deposits a move with an access token of scope hill:play: see engine.play. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, and those of engine.play.';
comment on function api_agent.announce(text, integer, text, text, integer) is 'Announces with an access token of scope hill:play: see engine.announce. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, and those of engine.announce.';
comment on function api_agent.own_state(text) is 'The caller''s account today, with an access token of scope hill:read: see engine.own_state. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE.';

grant execute on all functions in schema api_agent to hill_agent;
