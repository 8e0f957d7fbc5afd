-- Deposits: PEACE, WAR or PASS on places, sealed until the bell. Those that come together are read and written
-- together, and judged one by one. Rules 3.1, 3.5, 3.7; decisions 315.

-- The number of a deposit. Numbers are left out by chance, so that a gap in those of a night tells nobody of a move
-- that was withdrawn.
create or replace function engine.next_deposit()
returns bigint
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_left_out bigint;
begin
  while random() < 0.75 loop
    v_left_out := nextval('hill.deposit_seq');
  end loop;
  return nextval('hill.deposit_seq');
end
$$;

-- Writes the deposits that engine.play_together has accepted, what they reserve and what the log has of them.
create or replace function engine.write_deposits(deposits engine.deposit[], replaces boolean)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_deposit engine.deposit;
begin
  if replaces then
    foreach v_deposit in array deposits loop
      if v_deposit.replaced is not null and engine.acting(v_deposit.account_id, v_deposit.agent_id) then
        update hill.sealed_moves l
           set ended = case v_deposit.move when 'PASS' then 'withdrawn' else 'replaced' end::hill.deposit_end,
               ended_at = v_deposit.at
         where l.account_id = v_deposit.account_id and l.seq = v_deposit.replaced;
      end if;
    end loop;
  end if;
  -- Each row by the actor of its own call, with whom its policy compares it.
  with accepted as materialized (
    select d.* from unnest(deposits) d

  ), waiting as (
    insert into hill.log_waiting (at, entry) select d.at, engine.deposit_entry(d.day, d.commitment) from accepted d

  ), reserved as (
    update hill.reservations r
       set day = case when engine.acting(d.account_id, d.agent_id) then d.day end,
           cents = d.cents, peace = d.peace, war = d.war, moves = d.moves, acted_at = d.at
      from accepted d
     where r.account_id = d.account_id
  )
  insert into hill.sealed_moves
    (seq, day, account_id, agent_id, at, slot, move, stake_cents, cost_cents, message, ended, ended_at,
     salt, ends, message_salt, message_hash, commitment)
  select case when engine.acting(d.account_id, d.agent_id) then engine.next_deposit() end,
         d.day, d.account_id, d.agent_id, d.at, d.slot, d.move, d.stake_cents, d.cost_cents, d.message,
         case when d.move = 'PASS' then 'pass'::hill.deposit_end end, case when d.move = 'PASS' then d.at end,
         d.salt, d.ends, d.message_salt, d.message_hash, d.commitment
    from accepted d;
end
$$;

-- Deposits moves of different accounts, as engine.play does one, in lists of one length, in the order in which they
-- came. Rules 3.3, 3.7, 3.8.
create or replace function engine.play_together(
  accounts uuid[],
  agents uuid[],
  token_hashes bytea[],
  slots integer[],
  moves text[],
  stakes bigint[],
  messages text[],
  days integer[],
  waits boolean)
returns jsonb[]
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
-- each look is for one row, also in a table of tonight that was empty when it was last counted
set enable_seqscan to off
set enable_hashjoin to off
set enable_mergejoin to off
-- the plan is the same for everyone: a new connection plans once, not six times
set plan_cache_mode to force_generic_plan
as $$
declare
  v_held     hill.reservations[];  -- what the accounts that are locked here have reserved
  v_answers  jsonb[] := array_fill(null::jsonb, array[cardinality(accounts)]);
  v_deposits engine.deposit[];
  v_replaces boolean := false;
  v          record;  -- a call, and what its checks need; n is its place in the lists
  v_move     hill.move;
  v_stake    bigint;
  v_message  text;
  v_now      timestamptz;
  v_today    integer;
  v_bell_at  timestamptz;
  v_cost     bigint;
  v_code     text;
  v_live     boolean;  -- something of the account lives on the place
  v_known    boolean;  -- what opens the commitment is the account's to know
  v_seal     engine.seal;
  v_deposit  engine.deposit;
begin
  -- Tried, not waited for: while the bell holds the day, or waits for it, there is nothing to wait for.
  if not engine.try_day() then
    return engine.no_moves_in_bell(accounts, slots, moves, messages);
  end if;
  -- Held before anything is read, and by a statement of its own: one that waits for a row sees that row alone anew.
  if waits then
    v_held := array(select r from hill.reservations r where r.account_id = any (accounts) for no key update);
  else
    v_held := array(select r from hill.reservations r where r.account_id = any (accounts)
                       for no key update skip locked);
  end if;
  -- After both locks: so deposits of an account have instants in the order in which they took effect, whatever happens
  -- to the clock, and what was taken from the agent meanwhile is gone. One query for all that the checks need;
  -- what one row gives one value of is no join, which would pass on the columns of all before it.
  for v in
    select r.*, s.clock, s.shown_at, s.set_at, s.rate, s.closed_day, s.day_one, s.founders_total, s.last_night,
           s.opens_days[slots[r.n]] as opens_day,
           (select h.days_held from hill.seats h
             where h.day = s.last_night and h.slot = slots[r.n] and h.account_id = r.account_id) as days_held,
           d.suspended_at, d.barred_at, d.founder, d.daily_cap_cents, d.max_stake_cents,
           d.paid_cents + d.granted_cents as credits_cents,
           exists (select from hill.agents g where g.id = agents[r.n] and g.cut_at is null)
             and (token_hashes[r.n] is null
                  or exists (select from oauth.access_tokens k
                              where k.token_hash = token_hashes[r.n] and k.revoked_at is null)) as admitted,
           l.seq as last_seq, l.move as last_move, l.stake_cents as last_stake_cents, l.message as last_message,
           l.cost_cents as last_cost_cents, l.at as last_at, l.ended as last_ended, l.salt as last_salt,
           l.ends as last_ends, l.message_salt as last_message_salt, l.commitment as last_commitment
      from (select array_position(accounts, h.account_id) as n, h.* from unnest(v_held) h offset 0) r
     cross join hill.settings s
     cross join lateral engine.account_means(r.account_id) d
      -- What lives on a place is the last that the account deposited there. It is looked for by the one key that leads
      -- to it: asked for what lives, a plan that was made while tonight's table was empty reads all that lives on the
      -- place. And it is looked for also where the reservations tell of none: a lock that is missing would tell a first
      -- move from others.
      left join lateral (
        select m.* from hill.sealed_moves m where m.account_id = r.account_id and m.slot = slots[r.n]
         order by m.seq desc limit 1) l on true
     order by r.n
  loop
    v_message := nullif(messages[v.n], '');
    if not engine.well_formed(slots[v.n], moves[v.n], v_message) then
      v_answers[v.n] := engine.malformed_move(slots[v.n], moves[v.n]);
      continue;
    end if;
    v_move := moves[v.n]::hill.move;
    v_stake := coalesce(stakes[v.n], 0);
    v_now := greatest(engine.instant(v.clock, v.shown_at, v.set_at, v.rate), engine.last_bell(v.closed_day, v.day_one),
                      v.acted_at);
    v_today := engine.day_of(v_now, v.day_one);
    v_bell_at := engine.day_start(v_today + 1, v.day_one);
    if v.day <> v_today then  -- what an earlier day reserved stands for nothing
      v.cents := 0; v.peace := 0; v.war := 0; v.moves := 0;
    end if;

    -- The first check that fails. One expression: each costs more to start than to ask.
    v_code := case
      when not v.admitted then 'INVALID_TOKEN'
      when engine.bar_to_playing(v.suspended_at, v.barred_at, v.founder, v_today, v.founders_total) is not null
        then 'BARRED'
      when v_today > v.last_night + 1 then 'BELL_RINGING'  -- midnight has struck, and the bell will any moment
      when days[v.n] <> v_today then 'DAY_PASSED'
      when v_today < v.opens_day then 'SLOT_CLOSED'
      when v_move = 'WAR' and v_stake < engine.war_minimum_cents() then 'INVALID_STAKE'
      when v_move <> 'WAR' and v_stake <> 0 then 'INVALID_STAKE'
      when char_length(v_message) > engine.message_length() then 'MESSAGE_TOO_LONG'
    end;
    if v_code is not null then
      v_answers[v.n] := case v_code
        when 'INVALID_TOKEN' then
          engine.invalid_token()
        when 'BARRED' then
          engine.barred(v.suspended_at, v.barred_at, v.founder, v_today, v.founders_total, v.day_one)
        when 'BELL_RINGING' then
          engine.bell_ringing()
        when 'DAY_PASSED' then
          engine.refused('DAY_PASSED', 'The move is for another day than today.', jsonb_strip_nulls(jsonb_build_object(
            'day', v_today,
            'receipt', engine.past_receipt(v.account_id, days[v.n], slots[v.n], v_move, v_stake, v_message))))
        when 'SLOT_CLOSED' then
          engine.refused('SLOT_CLOSED', 'The place is not open yet.', jsonb_build_object('opens_day', v.opens_day))
        when 'INVALID_STAKE' then
          engine.refused('INVALID_STAKE', 'The stake does not go with the move.', jsonb_build_object(
            'minimum_stake_cents', engine.war_minimum_cents()))
        when 'MESSAGE_TOO_LONG' then
          engine.refused('MESSAGE_TOO_LONG', 'The message is too long.', jsonb_build_object(
            'max_length', engine.message_length()))
      end;
      continue;
    end if;

    v_live := v.last_seq is not null and v.last_ended is null;
    if v_live and v.last_move = v_move and v.last_stake_cents = v_stake
         and v.last_message is not distinct from v_message
       or v_move = 'PASS' and not v_live then
      -- The same again changes nothing, and neither does PASS where there is no live move.
      v_known := v_live or v.last_ended = 'pass';
      v_deposit := row(
        v.n, v.account_id, agents[v.n], v_today, v.last_at, slots[v.n], v_move, v_stake,
        case when v_live then v.last_cost_cents else 0 end, case when v_live then v_message end, null,
        case when v_known then v.last_salt end, case when v_known then v.last_ends end,
        case when v_known then v.last_message_salt end, null, case when v_known then v.last_commitment end,
        v.cents, v.peace, v.war, v.moves);
      v_answers[v.n] := engine.receipt(v_deposit, v_bell_at, v.daily_cap_cents, v.credits_cents);
      continue;
    end if;
    v_cost := engine.move_cents(v_move, v_stake, coalesce(v.days_held, 0));
    v_code := engine.limit_reached(
      v_move, v_stake, v_cost, v_live, case when v_live then v.last_cost_cents else 0 end, v.moves, v.peace + v.war,
      v.cents, v.daily_cap_cents, v.max_stake_cents, v.credits_cents);
    if v_code is not null then
      v_answers[v.n] := engine.over_limit(
        v_code, v.account_id, v_cost, v.daily_cap_cents, v.max_stake_cents, v.cents, v.credits_cents - v.cents,
        v_bell_at);
      continue;
    end if;
    v_seal := engine.seal(engine.random_salts(), v_today, v.account_id, slots[v.n], moves[v.n], v_stake, v_message,
                          v_now, case when v_live then engine.ending(v.last_salt, v.last_commitment) end);
    v_deposit := row(
      v.n, v.account_id, agents[v.n], v_today, v_now, slots[v.n], v_move, v_stake, v_cost, v_message,
      case when v_live then v.last_seq end,
      v_seal.salt, v_seal.ends, v_seal.message_salt, v_seal.message_hash, v_seal.commitment,
      v.cents - case when v_live then v.last_cost_cents else 0 end + v_cost,
      v.peace - (v_live and v.last_move = 'PEACE')::int + (v_move = 'PEACE')::int,
      v.war - (v_live and v.last_move = 'WAR')::int + (v_move = 'WAR')::int,
      v.moves + 1);
    v_replaces := v_replaces or v_live;
    v_deposits := array_append(v_deposits, v_deposit);
    v_answers[v.n] := engine.receipt(v_deposit, v_bell_at, v.daily_cap_cents, v.credits_cents);
  end loop;
  if cardinality(v_held) < cardinality(accounts) then
    v_answers := engine.not_held(v_answers, accounts, slots, moves, messages);
  end if;

  if v_deposits is not null then
    perform engine.write_deposits(v_deposits, v_replaces);
  end if;
  return v_answers;
end
$$;

-- Deposits a move of the actor of the transaction, its account and agent: reserves its cost (cents) and returns the
-- receipt. A deposit identical to the live one, or PASS without one, changes nothing and is not counted. day, if
-- given, must be today. waits: see engine.play_together. Rules 3.3, 3.7, 3.8.
create or replace function engine.play(
  actor engine.agent_actor,
  slot integer,
  move text,
  stake_cents bigint,
  message text,
  day integer,
  waits boolean default true)
returns jsonb
language sql volatile parallel unsafe security invoker
return (engine.play_together(
  array[(actor).account_id], array[(actor).agent_id], array[(actor).token_hash], array[slot], array[move],
  array[stake_cents], array[message], array[day], waits))[1];
