-- moves/play.sql · A deposit: PEACE, WAR or PASS on a place, sealed until the bell.
-- Rules 3.1, 3.5, 3.7.

create or replace function engine.play(
  actor engine.agent_actor,
  slot integer,
  move text,
  stake_cents bigint,
  message text,
  day integer,
  waits boolean default true)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
-- each look is for one row, also in a table of tonight that was empty when it was last counted
set enable_seqscan to off
-- the plan is the same for everyone: a new connection plans once, not six times
set plan_cache_mode to force_generic_plan
as $$
declare
  v_move     hill.move;
  v_stake    bigint := coalesce(play.stake_cents, 0);
  v_message  text := nullif(play.message, '');
  v_own      record;  -- what the account has reserved today, locked
  v          record;  -- what else the checks need
  v_today    integer;
  v_cost     bigint;
  v_code     text;
  v_left_out bigint;
  v_last     record;  -- the account's last deposit on the place today
  -- what of it lives, null where nothing does
  v_live_move  hill.move;
  v_live_cents bigint := 0;
  v_seal       engine.seal;
begin
  if play.slot is null or play.slot not between 1 and engine.slot_count()
     or play.move is null or play.move not in ('PEACE', 'WAR', 'PASS')
     or v_message ~ engine.hidden_letters() then
    return engine.malformed_move(play.slot, play.move);
  end if;
  v_move := play.move::hill.move;

  -- Tried, not waited for: while the bell holds the day, or waits for it, there is nothing to wait for.
  if not engine.try_day() then
    return engine.no_move_in_bell(actor.account_id);
  end if;
  -- Held before anything is read, and by a statement of its own: one that waits for a row sees that row alone anew.
  if waits then
    select r.day, r.cents, r.peace, r.war, r.moves, r.acted_at into strict v_own
      from hill.reservations r where r.account_id = actor.account_id for no key update;
  else
    select r.day, r.cents, r.peace, r.war, r.moves, r.acted_at into v_own
      from hill.reservations r where r.account_id = actor.account_id for no key update skip locked;
    if not found then
      return '{"busy": true}';
    end if;
  end if;
  -- After both locks: so deposits of an account have instants in the order in which they took effect, whatever happens
  -- to the clock, and what was taken from the agent meanwhile is gone. One query for all that the checks need;
  -- what one row gives one value of is no join, which would pass on the columns of all before it.
  select greatest(engine.instant(s.clock, s.shown_at, s.set_at, s.rate), engine.last_bell(s.closed_day, s.day_one),
                  v_own.acted_at) as now,
         s.day_one, s.founders_total, s.last_night, s.opens_days[play.slot] as opens_day,
         (select h.days_held from hill.seats h
           where h.day = s.last_night and h.slot = play.slot and h.account_id = actor.account_id) as days_held,
         d.suspended_at, d.barred_at, d.founder, d.daily_cap_cents, d.max_stake_cents,
         d.paid_cents + d.granted_cents as credits_cents,
         exists (select from hill.agents g where g.id = actor.agent_id and g.cut_at is null)
           and (actor.token_hash is null
                or exists (select from oauth.access_tokens k
                            where k.token_hash = actor.token_hash and k.revoked_at is null)) as admitted
    into strict v
    from hill.settings s
   cross join lateral engine.account_means(actor.account_id) d;
  v_today := engine.day_of(v.now, v.day_one);
  if v_own.day <> v_today then  -- what an earlier day reserved stands for nothing
    v_own.cents := 0; v_own.peace := 0; v_own.war := 0; v_own.moves := 0;
  end if;

  -- The first check that fails. One expression: each costs more to start than to ask.
  v_code := case
    when not v.admitted then 'INVALID_TOKEN'
    when engine.bar_to_playing(v.suspended_at, v.barred_at, v.founder, v_today, v.founders_total) is not null
      then 'BARRED'
    when v_today > v.last_night + 1 then 'BELL_RINGING'  -- midnight has struck, and the bell will any moment
    when play.day <> v_today then 'DAY_PASSED'
    when v_today < v.opens_day then 'SLOT_CLOSED'
    when v_move = 'WAR' and v_stake < engine.war_minimum_cents() then 'INVALID_STAKE'
    when v_move <> 'WAR' and v_stake <> 0 then 'INVALID_STAKE'
    when char_length(v_message) > engine.message_length() then 'MESSAGE_TOO_LONG'
  end;
  if v_code is not null then
    return case v_code
      when 'INVALID_TOKEN' then
        engine.invalid_token()
      when 'BARRED' then
        engine.barred(v.suspended_at, v.barred_at, v.founder, v_today, v.founders_total, v.day_one)
      when 'BELL_RINGING' then
        engine.bell_ringing()
      when 'DAY_PASSED' then
        engine.refused('DAY_PASSED', 'The move is for another day than today.', jsonb_strip_nulls(jsonb_build_object(
          'day', v_today,
          'receipt', engine.past_receipt(actor.account_id, play.day, play.slot, v_move, v_stake, v_message))))
      when 'SLOT_CLOSED' then
        engine.refused('SLOT_CLOSED', 'The place is not open yet.', jsonb_build_object('opens_day', v.opens_day))
      when 'INVALID_STAKE' then
        engine.refused('INVALID_STAKE', 'The stake does not go with the move.', jsonb_build_object(
          'minimum_stake_cents', engine.war_minimum_cents()))
      when 'MESSAGE_TOO_LONG' then
        engine.refused('MESSAGE_TOO_LONG', 'The message is too long.', jsonb_build_object(
          'max_length', engine.message_length()))
    end;
  end if;

  -- What lives on a place is the last that the account deposited there. It is looked for by the one key that leads to
  -- it: asked for what lives, a plan that was made while tonight's table was empty reads all that lives on the place.
  -- And it is looked for also where the reservations tell of none: a lock that is missing would tell a first move from
  -- others.
  select l.seq, l.move, l.stake_cents, l.message, l.cost_cents, l.at, l.ended, l.salt, l.ends, l.message_salt,
         l.commitment into v_last
    from hill.sealed_moves l where l.account_id = actor.account_id and l.slot = play.slot
   order by l.seq desc limit 1;
  if v_last.ended is null and found then
    v_live_move := v_last.move;
    v_live_cents := v_last.cost_cents;
  end if;
  if v_live_move = v_move and v_last.stake_cents = v_stake and v_last.message is not distinct from v_message then
    -- the same again changes nothing
    v_cost := v_live_cents;
    v.now := v_last.at;
    v_seal := row(v_last.salt, v_last.ends, v_last.message_salt, null, v_last.commitment);
  elsif v_move = 'PASS' and v_live_move is null then
    -- neither does PASS where there is no live move
    v_cost := 0;
    v_message := null;
    v.now := v_last.at;
    if v_last.ended = 'pass' then
      v_seal := row(v_last.salt, v_last.ends, v_last.message_salt, null, v_last.commitment);
    end if;
  else
    v_cost := engine.move_cents(v_move, v_stake, coalesce(v.days_held, 0));
    v_code := engine.limit_reached(v_move, v_stake, v_cost, v_live_move is not null, v_live_cents, v_own.moves,
                                   v_own.peace + v_own.war, v_own.cents, v.daily_cap_cents, v.max_stake_cents,
                                   v.credits_cents);
    if v_code is not null then
      return engine.over_limit(v_code, actor.account_id, v_cost, v.daily_cap_cents, v.max_stake_cents, v_own.cents,
                               v.credits_cents - v_own.cents, engine.day_start(v_today + 1, v.day_one));
    end if;

    if v_live_move is not null then
      update hill.sealed_moves l
         set ended = case v_move when 'PASS' then 'withdrawn' else 'replaced' end::hill.deposit_end, ended_at = v.now
       where l.account_id = actor.account_id and l.seq = v_last.seq;
    end if;
    -- Numbers are left out by chance, so that a gap in those of a night tells nobody of a move that was withdrawn.
    while random() < 0.75 loop
      v_left_out := nextval('hill.deposit_seq');
    end loop;
    v_seal := engine.seal(v_today, actor.account_id, play.slot, play.move, v_stake, v_message, v.now,
                          case when v_live_move is not null then engine.ending(v_last.salt, v_last.commitment) end);
    with waiting as (
      insert into hill.log_waiting (at, entry) values (v.now, engine.deposit_entry(v_today, v_seal.commitment)))
    insert into hill.sealed_moves
      (day, account_id, agent_id, at, slot, move, stake_cents, cost_cents, message, ended, ended_at,
       salt, ends, message_salt, message_hash, commitment)
    values (v_today, actor.account_id, actor.agent_id, v.now, play.slot, v_move, v_stake, v_cost, v_message,
            case when v_move = 'PASS' then 'pass'::hill.deposit_end end, case when v_move = 'PASS' then v.now end,
            v_seal.salt, v_seal.ends, v_seal.message_salt, v_seal.message_hash, v_seal.commitment);
    update hill.reservations r
       set day = v_today,
           cents = v_own.cents - v_live_cents + v_cost,
           peace = v_own.peace - (v_live_move is not distinct from 'PEACE')::int + (v_move = 'PEACE')::int,
           war = v_own.war - (v_live_move is not distinct from 'WAR')::int + (v_move = 'WAR')::int,
           moves = v_own.moves + 1,
           acted_at = v.now
     where r.account_id = actor.account_id
    returning r.day, r.cents, r.peace, r.war, r.moves, r.acted_at into strict v_own;
  end if;

  return engine.receipt(v_today, play.slot, v_move, v_stake, v_message, v_cost, v.now,
                        engine.day_start(v_today + 1, v.day_one),
                        engine.moves_per_day() - v_own.moves, engine.places_per_day() - v_own.peace - v_own.war,
                        v.daily_cap_cents - v_own.cents, v.credits_cents - v_own.cents,
                        v_seal.salt, v_seal.ends, v_seal.message_salt, v_seal.commitment);
end
$$;

comment on function engine.play is
'Deposits a move for an agent''s account: reserves its cost (cents) and returns the receipt. A live move on the place '
'is replaced; PASS withdraws it. A deposit identical to the live one, or PASS without one, changes nothing and is not '
'counted. day, if given, must be today. A call that does not wait (waits) gets {"busy": true} where another '
'transaction holds the account: nothing was done, and it has to come again and wait. Refusals are returned (see '
'engine.refused), also that of an agent whose token was taken away while it waited. Errors, the first that fails: '
'INVALID_ARGUMENT, ACCOUNT_SUSPENDED, PAYMENT_DISPUTED, HILL_NOT_OPEN, BELL_RINGING, DAY_PASSED, SLOT_CLOSED, '
'INVALID_STAKE, MESSAGE_TOO_LONG, NO_MOVES_LEFT, TOO_MANY_PLACES, STAKE_OVER_MANDATE, OVER_DAILY_CAP, '
'INSUFFICIENT_CREDITS. Rules 3.3, 3.7, 3.8; decisions 315.';

grant execute on function engine.play to hill_api_agent, hill_api_worker;
