-- events/subscribe.sql · An account subscribes to events, lists its subscriptions and ends them. Rules 15.1.

create or replace function engine.event_names()
returns text[] language sql immutable parallel safe
return array['bell_rung', 'seat_won', 'seat_lost', 'fuel_low', 'report_answered'];

comment on function engine.event_names is 'Events that an account can subscribe to. Rules 15.1.';

create or replace function engine.subscriptions_of(account_id uuid)
returns table (id uuid, url text, created_at timestamptz, ended boolean, shown jsonb)
language sql stable parallel safe security invoker
begin atomic
  select s.id,
         s.url,
         s.created_at,
         s.ended_at is not null,
         jsonb_build_object(
           'id', s.id,
           'url', s.url,
           'events', to_jsonb(s.events),
           'created_at', engine.iso(s.created_at),
           'state', case
             when s.ended_at is not null then 'ended'
             when s.failing_since is not null then 'failing'
             else 'active'
           end,
           'ended_because', s.ended_because,
           'delivered_at', engine.iso(s.delivered_at),
           'failing_since', engine.iso(s.failing_since),
           'waiting', (select count(*) from hill.deliveries d where d.subscription_id = s.id and d.ended_at is null),
           'last_try', (select jsonb_build_object(
                                 'webhook_id', d.id,
                                 'event', d.body ->> 'type',
                                 'at', engine.iso(d.tried_at),
                                 'attempt', d.attempts,
                                 'outcome', d.outcome,
                                 'status', d.status)
                          from hill.deliveries d
                         where d.subscription_id = s.id and d.outcome is not null
                         order by d.tried_at desc
                         limit 1))
    from hill.subscriptions s where s.account_id = subscriptions_of.account_id;
end;

comment on function engine.subscriptions_of is
'The subscriptions of an account. shown is what the account sees: state (active, failing, ended), ended_because '
'(cancelled, gone, failing, agent_cut), how many deliveries wait, and the last attempt with its outcome and the HTTP '
'status. The times of attempts are real time.';

create or replace function engine.list_subscriptions(account_id uuid)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'subscriptions', coalesce(jsonb_agg(s.shown order by s.nth) filter (where s.nth <= 20), '[]'),
      'subscriptions_left', greatest(0, engine.subscriptions_per_account() - count(*) filter (where not s.ended)))
    from (select o.*, row_number() over (order by o.ended, o.created_at desc) as nth
            from engine.subscriptions_of(list_subscriptions.account_id) o) s;
end;

comment on function engine.list_subscriptions is
'The subscriptions of an account, live ones first, at most 20, and how many more it may have: see '
'engine.subscriptions_of.';

create or replace function engine.end_subscription(id uuid, because text)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  update hill.subscriptions s set ended_at = engine.now(), ended_because = end_subscription.because
   where s.id = end_subscription.id and s.ended_at is null;
  if not found then
    return false;
  end if;
  update hill.deliveries d set ended_at = clock_timestamp(), ended_as = 'dropped'
   where d.subscription_id = end_subscription.id and d.ended_at is null;
  return true;
end
$$;

comment on function engine.end_subscription is
'Ends a subscription (cancelled, gone, failing, agent_cut) and drops what waits for it. Returns whether there was one '
'to end.';

create or replace function engine.end_cut_subscriptions(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.end_subscription(s.id, 'agent_cut')
     from hill.subscriptions s join hill.agents g on g.id = s.agent_id
    where s.account_id = end_cut_subscriptions.account_id and s.ended_at is null and g.cut_at is not null;
end
$$;

comment on function engine.end_cut_subscriptions is
'Ends the subscriptions of those agents of an account that have been cut. Nothing is sent to them anyway: this is for '
'whoever reads the list, or needs room in it.';

create or replace function engine.subscribe(
  actor engine.agent_actor,
  id uuid,
  url text,
  events text[],
  sealed_secret text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
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
  perform engine.lock_account(actor.account_id);
  perform engine.end_cut_subscriptions(actor.account_id);
  select s.shown into v_standing from engine.subscriptions_of(actor.account_id) s
   where not s.ended and s.url = subscribe.url;
  if v_standing is not null then
    perform engine.refuse('ALREADY_SUBSCRIBED', 'Events are posted to that address already.',
      jsonb_build_object('subscription', v_standing));
  end if;
  if (select count(*)
        from engine.subscriptions_of(actor.account_id) s
       where not s.ended) >= engine.subscriptions_per_account() then
    perform engine.refuse('TOO_MANY_SUBSCRIPTIONS', 'The account has as many subscriptions as it may have.',
      engine.list_subscriptions(actor.account_id));
  end if;
  insert into hill.subscriptions (id, account_id, agent_id, url, events, sealed_secret, created_at)
  values (
    subscribe.id,
    actor.account_id,
    actor.agent_id,
    subscribe.url,
    v_events,
    decode(subscribe.sealed_secret, 'base64'),
    engine.now());
  return (select s.shown from engine.subscriptions_of(actor.account_id) s where s.id = subscribe.id);
end
$$;

comment on function engine.subscribe is
'Has events (all of engine.event_names if null) of the agent''s account posted to an address, signed with a secret '
'that is passed sealed. Returns the subscription. Errors: INVALID_ARGUMENT, ALREADY_SUBSCRIBED, '
'TOO_MANY_SUBSCRIPTIONS. Rules 15.1.';

create or replace function engine.cancel_subscription(account_id uuid, id uuid)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if not exists (select from hill.subscriptions s
                  where s.id = cancel_subscription.id and s.account_id = cancel_subscription.account_id) then
    perform engine.refuse('NOT_FOUND', 'The account has no subscription of that id.',
      engine.list_subscriptions(cancel_subscription.account_id));
  end if;
  perform engine.end_subscription(cancel_subscription.id, 'cancelled');
  return (select s.shown
            from engine.subscriptions_of(cancel_subscription.account_id) s
           where s.id = cancel_subscription.id);
end
$$;

comment on function engine.cancel_subscription is
'Ends a subscription of an account; one that has ended stays as it is. Returns it. Errors: NOT_FOUND, with the '
'account''s subscriptions.';

grant execute on function
  engine.end_cut_subscriptions,
  engine.event_names,
  engine.subscriptions_of,
  engine.list_subscriptions,
  engine.subscribe,
  engine.cancel_subscription
  to hill_api_agent;
grant execute on function engine.end_subscription to hill_api_agent, hill_api_worker;
