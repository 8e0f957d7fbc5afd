-- What an account could do tonight: every move on every place, what it costs, whether it would be accepted, what it may
-- come to. Rules 3.1, 3.7, 9.1, 13.1.

-- One move on one place as api_agent.explore tells it, WAR at the least stake: its cost (cents), whether play would
-- accept it, else the code and what to do; the day's reservations with it, the reputation after it, for WAR the
-- largest stake that would pass.
create or replace function engine.show_option(
  own engine.account_day,
  live engine.live_move,
  move hill.move,
  days_held integer,
  bar text,
  opens_day integer,
  today integer,
  peace integer,
  war integer)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_stake   bigint := case move when 'WAR' then engine.war_minimum_cents() else 0 end;
  v_cost    bigint := engine.move_cents(move, v_stake, days_held);
  v_others  bigint := own.today_cents - coalesce(live.reserved_cents, 0);   -- what the other live moves reserve
  v_credits bigint := own.granted_cents + own.paid_cents;
  v_same    boolean;
  v_code    text;
begin
  v_same := case when move = 'PASS' then live.slot is null
                 else coalesce(live.move = move and live.stake_cents = v_stake and live.message is null, false) end;
  v_code := case
    when bar is not null then bar
    when opens_day > today then 'SLOT_CLOSED'
    when v_same then null
    else engine.limit_reached(move, v_stake, v_cost, live.slot is not null, coalesce(live.reserved_cents, 0),
                              engine.allowance_of(own)) end;
  return jsonb_build_object(
    'move', move,
    'cost_cents', v_cost,
    'stake_cents', nullif(v_stake, 0),
    'allowed', v_code is null,
    'code', v_code,
    'hint', (select e.hint from engine.errors() e where e.code = v_code),
    'changes_nothing', case when own.account_id is not null then v_same end,
    'day_total_cents', v_others + v_cost,
    -- the live move on the place is replaced: it is not counted beside the new one
    'reputation_after', engine.reputation(
      peace - (live.move is not distinct from 'PEACE')::integer + (move = 'PEACE')::integer,
      war - (live.move is not distinct from 'WAR')::integer + (move = 'WAR')::integer))
    || case when move = 'WAR' then jsonb_build_object(
         'largest_stake_cents', case when v_code is null then nullif(greatest(
           least(own.max_stake_cents, greatest(least(own.daily_cap_cents, own.weekly_left_cents), own.today_cents)
                                      - v_others, v_credits - v_others),
           v_stake), 0) end)
       else '{}' end;
end
$$;
