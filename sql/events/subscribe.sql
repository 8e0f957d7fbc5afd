-- An account subscribes to events, lists its subscriptions and ends them. Rules 15.1.

-- Events that an account can subscribe to. Rules 15.1.
create or replace function engine.event_names()
returns text[] language sql immutable parallel safe
return array['bell_rung', 'seat_won', 'seat_lost', 'fuel_low', 'report_answered'];

-- The subscriptions of an account. shown is what the account sees.
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

-- The subscriptions of an account, live ones first, at most 20, and how many more it may have: see
-- engine.subscriptions_of.
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

-- Ends a subscription (cancelled, gone, failing, agent_cut) and drops what waits for it. Whether it ended now.
create or replace function engine.end_subscription(id uuid, because text)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_ended boolean;
begin
  update hill.subscriptions s set ended_at = engine.now(), ended_because = end_subscription.because
   where s.id = end_subscription.id and s.ended_at is null;
  v_ended := found;
  update hill.deliveries d set ended_at = clock_timestamp(), ended_as = 'dropped'
   where d.subscription_id = end_subscription.id and d.ended_at is null;
  return v_ended;
end
$$;

-- Ends the subscriptions of those agents of an account that have been cut.
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
