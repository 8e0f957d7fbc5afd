-- events/deliver.sql · Posts what was written: one delivery at a time to each subscription, at least once, until it has
-- arrived, was refused for good, or was given up. All in real time. A worker that dies leaves no more than a
-- subscription that is busy for a minute. Rules 15.3.

create or replace function engine.retry_delay(attempts integer)
returns interval language sql immutable parallel safe
return least(interval '5 s' * 5 ^ (least(attempts, 10) - 1), interval '12 hours');

comment on function engine.retry_delay is
'How long after a failed attempt the next one follows: 5 s, 25 s, 2 min, 10 min, 52 min, 4 h 20 min, then every 12 h. '
'With engine.delivery_attempts, nearly three days in all.';

create or replace function engine.take_delivery()
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz;
  v     record;
begin
  loop
    v_now := clock_timestamp();
    select d.id, d.subscription_id, d.body, d.attempts + 1 as attempt, s.url, s.sealed_secret, g.cut_at into v
      from hill.deliveries d
      join hill.subscriptions s on s.id = d.subscription_id
      join hill.agents g on g.id = s.agent_id
     where d.ended_at is null and d.due_at <= v_now and (s.busy_until is null or s.busy_until <= v_now)
     order by d.due_at, d.id limit 1
       for no key update of d, s skip locked;
    if not found then
      return null;
    end if;
    exit when v.cut_at is null;
    perform engine.end_subscription(v.subscription_id, 'agent_cut');   -- an agent that was cut is sent nothing more
  end loop;
  update hill.subscriptions s set busy_until = v_now + interval '60 s' where s.id = v.subscription_id;
  update hill.deliveries d set attempts = v.attempt, tried_at = v_now where d.id = v.id;
  return jsonb_build_object(
    'id', v.id,
    'subscription_id', v.subscription_id,
    'url', v.url,
    'sealed_secret', encode(v.sealed_secret, 'base64'),
    'body', v.body::text,
    'event', v.body ->> 'type',
    'attempt', v.attempt);
end
$$;

comment on function engine.take_delivery is
'The delivery that has been due longest, null if none is: its address, its sealed secret (base64), its body and the '
'number of the attempt. Nothing else is sent to that subscription until engine.end_delivery says what became of it, or '
'60 s have passed: then it is tried again. Rules 15.3.';

create or replace function engine.end_delivery(id uuid, attempt integer, outcome text, status integer default null)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v     record;
begin
  select d.subscription_id, d.attempts, s.failing_since into v
    from hill.deliveries d join hill.subscriptions s on s.id = d.subscription_id
   where d.id = end_delivery.id and d.ended_at is null
     -- a delivery that arrived has arrived, however late the worker says so; a failure overtaken by another attempt is
     -- ignored
     and (d.attempts = end_delivery.attempt or end_delivery.outcome = 'delivered')
     for no key update of d, s;
  if not found then
    return jsonb_build_object('state', 'over');
  end if;

  if end_delivery.outcome = 'busy' then   -- no attempt was made
    update hill.deliveries d
       set attempts = d.attempts - 1, due_at = v_now + interval '10 s'
     where d.id = end_delivery.id;
    update hill.subscriptions s set busy_until = null where s.id = v.subscription_id;
    return jsonb_build_object('state', 'waiting');
  end if;

  update hill.deliveries d
     set outcome = end_delivery.outcome, status = end_delivery.status
   where d.id = end_delivery.id;
  if end_delivery.outcome = 'delivered' then
    update hill.deliveries d set ended_at = v_now, ended_as = 'delivered' where d.id = end_delivery.id;
    update hill.subscriptions s
       set busy_until = null, failing_since = null, delivered_at = v_now
     where s.id = v.subscription_id;
    return jsonb_build_object('state', 'delivered');
  end if;

  update hill.subscriptions s
     set busy_until = null, failing_since = coalesce(s.failing_since, v_now)
   where s.id = v.subscription_id;
  if end_delivery.outcome = 'gone' then
    perform engine.end_subscription(v.subscription_id, 'gone');
    return jsonb_build_object('state', 'ended');
  end if;
  if v.failing_since <= v_now - make_interval(hours => 24 * engine.failing_days()) then
    perform engine.end_subscription(v.subscription_id, 'failing');
    return jsonb_build_object('state', 'ended');
  end if;
  if v.attempts >= engine.delivery_attempts() then
    update hill.deliveries d set ended_at = v_now, ended_as = 'given_up' where d.id = end_delivery.id;
    return jsonb_build_object('state', 'given_up');
  end if;
  update hill.deliveries d set due_at = v_now + engine.retry_delay(v.attempts) where d.id = end_delivery.id;
  return jsonb_build_object('state', 'waiting');
end
$$;

comment on function engine.end_delivery is
'Records the outcome of an attempt: delivered; gone (410), which ends the subscription; busy, when none was made; '
'anything else is a failure, tried again after engine.retry_delay, given up after engine.delivery_attempts. A '
'subscription at which nothing has arrived for engine.failing_days ends with the next failure. Returns state: '
'delivered, waiting, given_up, ended, or over if there was nothing to record. Rules 15.3.';

create or replace function engine.seconds_to_delivery()
returns double precision
language sql volatile parallel unsafe security invoker
begin atomic
  select extract(epoch from min(greatest(d.due_at, s.busy_until)) - clock_timestamp())::double precision
    from (select d.due_at, d.subscription_id
            from hill.deliveries d
           where d.ended_at is null
           order by d.due_at
           limit 100) d
    join hill.subscriptions s on s.id = d.subscription_id;
end;

comment on function engine.seconds_to_delivery is
'Real seconds until a delivery may be tried, 0 or less if one may be now, null if none waits.';

create or replace function engine.forget_deliveries()
returns bigint
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_count bigint;
begin
  delete from hill.deliveries d
   where d.id = any (array(
           select o.id from hill.deliveries o
            where o.ended_at < clock_timestamp() - make_interval(hours => 24 * engine.delivery_days())
            limit 5000));
  get diagnostics v_count = row_count;
  return v_count;
end
$$;

comment on function engine.forget_deliveries is
'Deletes deliveries that ended engine.delivery_days ago, 5,000 at most, and returns how many: call it again until it '
'is 0. Runs as the tables'' owner, to whom '
'row-level security shows only what has ended.';

grant execute on function
  engine.retry_delay,
  engine.take_delivery,
  engine.end_delivery,
  engine.seconds_to_delivery,
  engine.forget_deliveries
  to hill_api_worker;
