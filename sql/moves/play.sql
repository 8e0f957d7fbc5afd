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

-- What a call that changes nothing leaves as it is, for its receipt: the live move, or the PASS before it, or none.
create or replace function engine.left_deposit(call engine.call)
returns engine.deposit
language sql immutable parallel safe
return row(
  call.n, call.account_id, call.agent_id, call.today, call.last_at, call.slot, call.move, call.stake_cents,
  call.live_cents, case when call.live then call.message end, null,
  call.last_salt, call.last_ends, call.last_message_salt, null, call.last_commitment,
  call.reserved_cents, call.peace, call.war, call.moves)::engine.deposit;

-- The deposit that a call makes. Rules 3.3.
create or replace function engine.new_deposit(call engine.call, seal engine.seal)
returns engine.deposit
language sql immutable parallel safe
return row(
  call.n, call.account_id, call.agent_id, call.today, call.at, call.slot, call.move, call.stake_cents,
  call.cost_cents, call.message, case when call.live then call.last_seq end,
  seal.salt, seal.ends, seal.message_salt, seal.message_hash, seal.commitment,
  call.reserved_cents - call.live_cents + call.cost_cents,
  call.peace - (call.live and call.last_move = 'PEACE')::int + (call.move = 'PEACE')::int,
  call.war - (call.live and call.last_move = 'WAR')::int + (call.move = 'WAR')::int,
  call.moves + 1)::engine.deposit;

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
  v          engine.call;
  v_code     text;
  v_seal     engine.seal;
  v_deposit  engine.deposit;
  v_deposits engine.deposit[];
  v_replaces boolean := false;
  v_answers  jsonb[] := array_fill(null::jsonb, array[cardinality(accounts)]);
begin
  -- Hold. Tried, not waited for: while the bell holds the day, or waits for it, there is nothing to wait for.
  if not engine.try_day() then
    return engine.answer_unread(v_answers, accounts, slots, moves, messages, true);
  end if;
  -- Before anything is read, and by a statement of its own: one that waits for a row sees that row alone anew.
  if waits then
    v_held := array(select r from hill.reservations r where account_id = any (accounts) for no key update);
  else
    v_held := array(select r from hill.reservations r where account_id = any (accounts) for no key update skip locked);
  end if;

  -- Read. After both locks: so what was taken from an agent meanwhile is gone, and deposits of an account have instants
  -- in the order in which they took effect, whatever happens to the clock. One query for all that the checks need.
  for v in
    select r.n, r.account_id, agents[r.n], t.admitted, days[r.n], c.*,
           case when h.slot is null then engine.move_cents(c.move, c.stake_cents, 0)  -- known when it is planned
                else engine.move_cents(c.move, c.stake_cents, h.days_held) end, null::timestamptz, null::integer,
           s.clock, s.shown_at, s.set_at, s.rate, s.day_one, s.founders_total, s.closed_day, s.last_night,
           s.opens_days[slots[r.n]],
           d.founder, d.suspended_at, d.barred_at, d.paused_until, d.daily_cap_cents,
           engine.weekly_left(r.account_id, d.weekly_cap_cents, s.last_night), d.max_stake_cents,
           d.paid_cents + d.granted_cents,
           r.acted_at, r.day, r.cents, r.peace, r.war, r.moves,
           l.seq is not null and l.ended is null, case when l.ended is null then coalesce(l.cost_cents, 0) else 0 end,
           l.seq, l.move, l.stake_cents, l.message, l.at, l.salt, l.ends, l.message_salt, l.commitment
      from (select array_position(accounts, h.account_id) as n, h.* from unnest(v_held) h offset 0) r
     cross join lateral engine.admits(agents[r.n], token_hashes[r.n]) t
     cross join lateral engine.asked(slots[r.n], play_together.moves[r.n], stakes[r.n], messages[r.n]) c
     cross join hill.settings s
     cross join lateral engine.account_means(r.account_id) d
      left join lateral (
        select h.slot, h.days_held
          from hill.seats h
         where h.day = s.last_night and h.slot = slots[r.n] and h.account_id = r.account_id
        offset 0) h on true  -- of that night, however few there were when they were last counted
      -- What lives on a place is the last that the account deposited there. It is looked for by the one key that leads
      -- to it: asked for what lives, a plan that was made while tonight's table was empty reads all that lives on the
      -- place. And it is looked for also where the reservations tell of none: a lock that is missing would tell a first
      -- move from others.
      left join lateral (
        select m.* from hill.sealed_moves m where m.account_id = r.account_id and m.slot = slots[r.n]
         order by m.seq desc limit 1) l on l.ended is null or l.ended = 'pass'
     order by r.n
  loop
    v.at := greatest(engine.instant(v.clock, v.shown_at, v.set_at, v.rate, v.closed_day, v.day_one), v.acted_at);
    v.today := engine.day_of(v.at, v.day_one);
    if v.reserved_day <> v.today then  -- what an earlier day reserved stands for nothing
      v.reserved_cents := 0; v.peace := 0; v.war := 0; v.moves := 0;
    end if;

    -- Judge.
    v_code := engine.why_refused(v);
    if v_code is not null then
      v_answers[v.n] := engine.refused_call(v, v_code);
      continue;
    elsif engine.changes_nothing(v) then
      v_deposit := engine.left_deposit(v);
    else
      v_seal := engine.seal(engine.random_salts(), v.today, v.account_id, v.slot, moves[v.n], v.stake_cents, v.message,
                            v.at, case when v.live then engine.ending(v.last_salt, v.last_commitment) end);
      v_deposit := engine.new_deposit(v, v_seal);
      v_deposits := array_append(v_deposits, v_deposit);
      v_replaces := v_replaces or v.live;
    end if;
    v_answers[v.n] := engine.receipt(
      v_deposit, engine.day_start(v.today + 1, v.day_one), least(v.daily_cap_cents, v.weekly_left_cents),
      v.credits_cents);
  end loop;

  -- Write.
  if v_deposits is not null then
    perform engine.write_deposits(v_deposits, v_replaces);
  end if;

  -- Tell.
  return case when cardinality(v_held) = cardinality(accounts) then v_answers
              else engine.answer_unread(v_answers, accounts, slots, moves, messages, false) end;
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
