-- moves/play.sql · A deposit: PEACE, WAR or PASS on a place, sealed until the bell. Specification 2.4, 8; decisions 1, 2.

create function engine.play(actor engine.agent_actor, slot integer, move text, stake_cents bigint, message text, day integer)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_move        hill.move;
  v_stake       bigint := coalesce(play.stake_cents, 0);
  v_message     text := nullif(play.message, '');
  v_day_held    boolean;
  v_reserved    hill.reservations;
  v_now         timestamptz;
  v             record;     -- what the checks need, read at one go
  v_live        record;     -- the live move on the place
  v_cost        bigint;
  v_sum         bigint;     -- the day's reservations after this deposit
  v_places      integer;
  v_until       timestamptz;
begin
  if play.slot is null or play.slot not between 1 and engine.slot_count() then
    perform engine.refuse('INVALID_ARGUMENT', 'slot is a place from 1 to 10.', '{"argument": "slot"}');
  end if;
  if play.move is null or play.move not in ('PEACE', 'WAR', 'PASS') then
    perform engine.refuse('INVALID_ARGUMENT', 'move is PEACE, WAR or PASS.', '{"argument": "move"}');
  end if;
  v_move := play.move::hill.move;

  -- Tried, not waited for: while the bell holds the day, or waits for it, there is nothing to wait for.
  v_day_held := pg_try_advisory_xact_lock_shared(engine.lock_key(), 1);
  -- Serializes everything that this account does today, whichever of its agents does it.
  select r.* into v_reserved from hill.reservations r where r.account_id = actor.account_id for update;
  v_now := engine.now();  -- after both locks: so deposits of an account have instants in the order in which they took effect

  select engine.day_of(v_now, s.day_one) as today, s.day_one, s.founders_total, a.suspended_at, a.founder, m.daily_cap_cents, m.max_stake_cents,
         w.paid_cents + w.granted_cents as credits_cents, p.opens_day, engine.last_night() as last_night
    into strict v
    from hill.settings s, hill.accounts a, hill.mandates m, hill.wallets w, hill.places p
   where a.id = actor.account_id and m.account_id = actor.account_id and w.account_id = actor.account_id and p.slot = play.slot;

  perform engine.check_may_play(v.suspended_at, v.founder, v.today, v.founders_total, v.day_one);
  if not v_day_held or v.today > v.last_night + 1 then
    perform engine.refuse('BELL_RINGING', 'The bell is ringing.', '{"retry_after_seconds": 5}');
  end if;
  if play.day <> v.today or v.today <= v.last_night then
    perform engine.refuse('DAY_PASSED', 'The move is for another day than today.', jsonb_strip_nulls(jsonb_build_object(
      'day', v.today, 'receipt', engine.past_receipt(actor.account_id, play.day, play.slot, v_move, v_stake, v_message))));
  end if;
  if v.today < v.opens_day then
    perform engine.refuse('SLOT_CLOSED', 'The place is not open yet.', jsonb_build_object('opens_day', v.opens_day));
  end if;
  if (v_move = 'WAR' and v_stake < engine.war_minimum_cents()) or (v_move <> 'WAR' and v_stake <> 0) then
    perform engine.refuse('INVALID_STAKE', 'The stake does not go with the move.', jsonb_build_object('minimum_stake_cents', engine.war_minimum_cents()));
  end if;
  if char_length(v_message) > engine.message_length() then
    perform engine.refuse('MESSAGE_TOO_LONG', 'The message is too long.', jsonb_build_object('max_length', engine.message_length()));
  end if;

  if v_reserved.day <> v.today then  -- what an earlier day reserved stands for nothing
    v_reserved.cents := 0; v_reserved.peace := 0; v_reserved.war := 0; v_reserved.moves := 0;
  end if;
  v_places := v_reserved.peace + v_reserved.war;
  v_until := engine.day_start(v.today + 1, v.day_one);
  select l.seq, l.move, l.stake_cents, l.message, l.cost_cents, l.at into v_live
    from hill.sealed_moves l
   where l.account_id = actor.account_id and l.slot = play.slot and l.ended is null;

  if v_live.move = v_move and v_live.stake_cents = v_stake and v_live.message is not distinct from v_message then
    return engine.receipt(v.today, play.slot, v_move, v_stake, v_message, v_live.cost_cents, v_live.at, v_until,
                          engine.moves_per_day() - v_reserved.moves, engine.places_per_day() - v_places);
  end if;
  if v_move = 'PASS' and v_live.seq is null then
    return engine.receipt(v.today, play.slot, v_move, 0, null, 0,
                          (select p.at from hill.sealed_moves p where p.account_id = actor.account_id and p.slot = play.slot order by p.seq desc limit 1),
                          v_until, engine.moves_per_day() - v_reserved.moves, engine.places_per_day() - v_places);
  end if;

  if v_reserved.moves >= engine.moves_per_day() then
    perform engine.refuse('NO_MOVES_LEFT', 'No move is left today.', jsonb_build_object('moves_per_day', engine.moves_per_day(), 'next_day_at', engine.iso(v_until)));
  end if;
  if v_move <> 'PASS' and v_live.seq is null and v_places >= engine.places_per_day() then
    perform engine.refuse('TOO_MANY_PLACES', 'No further place can be contested today.', jsonb_build_object('places_per_day', engine.places_per_day()));
  end if;
  if v_move = 'WAR' and v_stake > v.max_stake_cents then
    perform engine.refuse('STAKE_OVER_MANDATE', 'The stake is over the mandate.', jsonb_build_object('max_stake_cents', v.max_stake_cents));
  end if;
  v_cost := engine.move_cents(v_move, v_stake, case when v_move = 'PEACE' then engine.days_held(actor.account_id, play.slot, v.last_night) end);
  v_sum := v_reserved.cents - coalesce(v_live.cost_cents, 0) + v_cost;
  if v_cost is null or (v_sum > v.daily_cap_cents and v_sum > v_reserved.cents) then
    perform engine.refuse('OVER_DAILY_CAP', 'The day''s moves would go over the mandate''s daily cap.',
      jsonb_build_object('daily_cap_cents', v.daily_cap_cents, 'reserved_cents', v_reserved.cents, 'cost_cents', v_cost));
  end if;
  if v_sum > v.credits_cents then
    perform engine.refuse('INSUFFICIENT_CREDITS', 'The credits do not cover the move.',
      jsonb_build_object('available_cents', v.credits_cents - v_reserved.cents, 'cost_cents', v_cost));
  end if;

  if v_live.seq is not null then
    update hill.sealed_moves l
       set ended = case v_move when 'PASS' then 'withdrawn' else 'replaced' end::hill.deposit_end, ended_at = v_now
     where l.account_id = actor.account_id and l.slot = play.slot and l.ended is null;
  end if;
  insert into hill.sealed_moves (day, account_id, agent_id, at, slot, move, stake_cents, cost_cents, message, ended, ended_at)
  values (v.today, actor.account_id, actor.agent_id, v_now, play.slot, v_move, v_stake, v_cost, v_message,
          case when v_move = 'PASS' then 'pass'::hill.deposit_end end, case when v_move = 'PASS' then v_now end);
  v_reserved.peace := v_reserved.peace - (v_live.move is not distinct from 'PEACE')::int + (v_move = 'PEACE')::int;
  v_reserved.war := v_reserved.war - (v_live.move is not distinct from 'WAR')::int + (v_move = 'WAR')::int;
  update hill.reservations r
     set day = v.today, cents = v_sum, peace = v_reserved.peace, war = v_reserved.war, moves = v_reserved.moves + 1
   where r.account_id = actor.account_id;

  return engine.receipt(v.today, play.slot, v_move, v_stake, v_message, v_cost, v_now, v_until,
                        engine.moves_per_day() - v_reserved.moves - 1, engine.places_per_day() - v_reserved.peace - v_reserved.war);
end
$$;

comment on function engine.play(engine.agent_actor, integer, text, bigint, text, integer) is
$$Deposits a move for an agent's account: reserves its cost (cents) and returns the receipt. A live move on the place is replaced; PASS withdraws it.
A deposit identical to the live one, or PASS without one, changes nothing and is not counted. day, if given, must be today.
Errors, the first that fails: INVALID_ARGUMENT, ACCOUNT_SUSPENDED, HILL_NOT_OPEN, BELL_RINGING, DAY_PASSED, SLOT_CLOSED, INVALID_STAKE, MESSAGE_TOO_LONG,
NO_MOVES_LEFT, TOO_MANY_PLACES, STAKE_OVER_MANDATE, OVER_DAILY_CAP, INSUFFICIENT_CREDITS. Specification 2.4, 8; decisions 2.$$;

grant execute on function engine.play(engine.agent_actor, integer, text, bigint, text, integer) to hill_api_agent, hill_api_worker;
