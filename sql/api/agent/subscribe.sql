-- The tool subscribe: events of the account, posted to an address of its own. Rules 15.1.

create or replace function api_agent.subscribe(token text, id uuid, url text, events text[], sealed_secret text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor    engine.agent_actor := engine.enter_agent(token, 'hill:play');
  v_events   text[];
  v_standing jsonb;
begin
  select array_agg(n.name order by n.place) into v_events
    from unnest(engine.event_names()) with ordinality n (name, place)
   where subscribe.events is null or n.name = any (subscribe.events);
  if v_events is null or not coalesce(subscribe.events <@ engine.event_names(), true) then
    perform engine.refuse('INVALID_ARGUMENT', 'events is a list of one or more events.',
      jsonb_build_object('argument', 'events', 'events', engine.event_names()));
  end if;
  if subscribe.url is null or subscribe.url !~ '^https?://' or char_length(subscribe.url) > 2048 then
    perform engine.refuse('INVALID_ARGUMENT', 'url is the address (https) that events are posted to.',
      '{"argument": "url"}');
  end if;
  perform trusted.lock_account(v_actor.account_id);
  perform engine.check_admitted(v_actor);
  perform engine.end_cut_subscriptions(v_actor.account_id);
  select s.shown into v_standing from engine.subscriptions_of(v_actor.account_id) s
   where not s.ended and s.url = subscribe.url;
  if v_standing is not null then
    perform engine.refuse('ALREADY_SUBSCRIBED', 'Events are posted to that address already.',
      jsonb_build_object('subscription', v_standing));
  end if;
  if (select count(*)
        from engine.subscriptions_of(v_actor.account_id) s
       where not s.ended) >= engine.subscriptions_per_account() then
    perform engine.refuse('TOO_MANY_SUBSCRIPTIONS', 'The account has as many subscriptions as it may have.',
      engine.list_subscriptions(v_actor.account_id));
  end if;
  insert into hill.subscriptions (id, account_id, agent_id, url, events, sealed_secret, created_at)
  values (
    subscribe.id,
    v_actor.account_id,
    v_actor.agent_id,
    subscribe.url,
    v_events,
    decode(subscribe.sealed_secret, 'base64'),
    engine.now());
  return (select s.shown from engine.subscriptions_of(v_actor.account_id) s where s.id = subscribe.id);
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
declare
  v_account_id uuid := (engine.enter_agent(token, 'hill:play')).account_id;
begin
  if not exists (select from hill.subscriptions s
                  where s.id = cancel_subscription.id and s.account_id = v_account_id) then
    perform engine.refuse('NOT_FOUND', 'The account has no subscription of that id.',
      engine.list_subscriptions(v_account_id));
  end if;
  perform engine.end_subscription(cancel_subscription.id, 'cancelled');
  return (select s.shown
            from engine.subscriptions_of(v_account_id) s
           where s.id = cancel_subscription.id);
end
$$;

comment on function api_agent.subscribe is
'Has events (all of engine.event_names if null) of the agent''s account posted to an address, signed with a secret '
'that is passed sealed. The id is new, and the door has asked the fetcher about the address. Returns the '
'subscription. With an access token of scope hill:play. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_ARGUMENT, '
'ALREADY_SUBSCRIBED, TOO_MANY_SUBSCRIPTIONS. Rules 15.1.';
comment on function api_agent.list_subscriptions is
'The subscriptions of the caller''s account: see engine.list_subscriptions. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE.';
comment on function api_agent.cancel_subscription is
'Ends a subscription of an account; one that has ended stays as it is. Returns it. With an access token of scope '
'hill:play. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, NOT_FOUND, with the account''s subscriptions.';

grant execute on function
  api_agent.subscribe, api_agent.list_subscriptions, api_agent.cancel_subscription
  to hill_agent;
