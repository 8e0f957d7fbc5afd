-- api/agent/subscribe.sql · The tool subscribe: events of the account, posted to an address of its own.
-- Rules 15.1.

create or replace function api_agent.subscribe(token text, id uuid, url text, events text[], sealed_secret text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.subscribe(engine.enter_agent(token, 'hill:play'), id, url, events, sealed_secret);
end
$$;

create or replace function api_agent.list_subscriptions(token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor engine.agent_actor := engine.enter_agent(token, 'hill:play');
begin
  perform engine.end_cut_subscriptions(v_actor.account_id);
  return engine.list_subscriptions(v_actor.account_id);
end
$$;

create or replace function api_agent.cancel_subscription(token text, id uuid)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.cancel_subscription((engine.enter_agent(token, 'hill:play')).account_id, id);
end
$$;

comment on function api_agent.subscribe is
'Subscribes the caller''s account to events (all if null) at an address, with a new id and a secret sealed outside '
'the database: see engine.subscribe. The door has asked the fetcher about the address. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, and those of engine.subscribe.';
comment on function api_agent.list_subscriptions is
'The subscriptions of the caller''s account: see engine.list_subscriptions. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE.';
comment on function api_agent.cancel_subscription is
'Ends a subscription of the caller''s account: see engine.cancel_subscription. '
'Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, NOT_FOUND.';

grant execute on function
  api_agent.subscribe, api_agent.list_subscriptions, api_agent.cancel_subscription
  to hill_agent;
