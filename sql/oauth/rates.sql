-- oauth/rates.sql · Limits on how often something may be asked for, counted over all processes. Specification 7.

create function engine.admit(what text, who text, at_most integer, seconds integer)
returns integer
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz := engine.now();
  v_per     interval := make_interval(secs => seconds);
  v_began   timestamptz := date_bin(v_per, v_now, '2000-01-01Z');
  v_passed  double precision := extract(epoch from v_now - v_began);
  v_rate    oauth.rates;
begin
  -- Who goes on hammering is counted up to the limit and one more: the wait that was announced stays the wait.
  insert into oauth.rates as r (what, who, began_at, count) values (admit.what, engine.hash_token(admit.who), v_began, 1)
  on conflict on constraint rates_pkey do update
     set before   = case r.began_at when v_began then r.before when v_began - v_per then r.count else 0 end,
         count    = case r.began_at when v_began then least(r.count, at_most) + 1 else 1 end,
         began_at = v_began
  returning r.* into v_rate;

  -- The window slides: what is left of the one before counts in proportion.
  if v_rate.count + v_rate.before * (1 - v_passed / seconds) <= at_most then
    return 0;
  end if;
  return greatest(1, ceil(case when v_rate.count > at_most or v_rate.before = 0 then seconds
                               else seconds * least(1, 1 - (at_most - v_rate.count)::double precision / v_rate.before) end - v_passed));
end
$$;

comment on function engine.admit(text, text, integer, integer) is
$$Counts one more request of a kind by somebody (an address, an account, a token: kept as a hash), of which at_most may come in so many seconds,
counted in a sliding window. Returns 0, or the seconds to wait if this was one too many. Specification 7.$$;

grant execute on function engine.admit(text, text, integer, integer) to hill_api_oauth, hill_api_human;
