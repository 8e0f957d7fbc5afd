-- Posts what was written: one delivery at a time to each subscription, at least once, until it has arrived, was refused
-- for good, or was given up. All in real time. A worker that dies leaves no more than a subscription that is busy for a
-- minute. Rules 15.3.

-- How long after a failed attempt the next one follows: 5 s, 25 s, 2 min, 10 min, 52 min, 4 h 20 min, then every 12 h.
create or replace function engine.retry_delay(attempts integer)
returns interval language sql immutable parallel safe
return least(interval '5 s' * 5 ^ (least(attempts, 10) - 1), interval '12 hours');

-- Real seconds until a delivery may be tried, 0 or less if one may be now, null if none waits.
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

-- Deletes deliveries that ended engine.delivery_days ago, 5,000 at most, and returns how many: call it again until it
-- is 0.
create or replace function trusted.forget_deliveries()
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

grant execute on function trusted.forget_deliveries to hill_api_worker;
