-- What engine.play_together answers where it deposits nothing. They stand apart from it because they are rare. Rules 3,
-- 9.1.
--
-- Refusals are returned (see engine.refused), not raised: whatever is raised leaves a line with its instant in the
-- server's log, where whoever reads it learns when who tried to play.

-- Whether a move has the form of one: see engine.malformed_move.
create or replace function engine.well_formed(slot integer, move text, message text)
returns boolean
language sql immutable parallel safe
return (slot between 1 and engine.slot_count() and move in ('PEACE', 'WAR', 'PASS')) is true
       and (message ~ engine.hidden_letters()) is not true;

-- The refusal of a move whose place, kind or message is malformed: the first of the three that is. Codes:
-- INVALID_ARGUMENT.
create or replace function engine.malformed_move(slot integer, move text)
returns jsonb
language sql stable parallel safe security invoker
return case
  when malformed_move.slot is null or malformed_move.slot not between 1 and engine.slot_count()
    then engine.refused('INVALID_ARGUMENT', format('slot is a place from 1 to %s.', engine.slot_count()),
                         '{"argument": "slot"}')
  when malformed_move.move is null or malformed_move.move not in ('PEACE', 'WAR', 'PASS')
    then engine.refused('INVALID_ARGUMENT', 'move is PEACE, WAR or PASS.', '{"argument": "move"}')
  else engine.refused('INVALID_ARGUMENT', 'message is one line of printable characters.',
                      '{"argument": "message"}')
end;

-- The refusal of a move while the bell holds the day. Codes: ACCOUNT_SUSPENDED, PAYMENT_DISPUTED, HILL_NOT_OPEN,
-- BELL_RINGING.
create or replace function engine.no_move_in_bell(account_id uuid)
returns jsonb
language sql volatile parallel safe security invoker
begin atomic
  select coalesce(engine.barred(a.suspended_at, a.barred_at, a.founder, engine.today(), s.founders_total, s.day_one),
                  engine.bell_ringing())
    from hill.settings s cross join hill.accounts a where a.id = no_move_in_bell.account_id;
end;

-- The receipt that a past day gave for this very request, null if it gave none: so a retry across midnight buys nothing
-- twice. Rules 2.6.
create or replace function engine.past_receipt(
  account_id uuid,
  day integer,
  slot integer,
  move hill.move,
  stake_cents bigint,
  message text)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select engine.receipt(
           row(null, m.account_id, m.agent_id, m.day, m.at, m.slot, m.move, m.stake_cents, m.cost_cents, m.message,
               null, m.salt, m.ends, m.message_salt, m.message_hash, m.commitment,
               null, null, null, null)::engine.deposit,
           engine.bell_at(m.day))
    from hill.moves m
   where m.day = past_receipt.day and m.account_id = past_receipt.account_id and m.slot = past_receipt.slot
     and m.move = past_receipt.move and m.stake_cents = past_receipt.stake_cents
     and m.message is not distinct from past_receipt.message
   order by m.seq desc limit 1;
end;

-- The refusal of a move that would break a limit, by the code that engine.limit_reached gave, with the figures of the
-- account (cents).
create or replace function engine.over_limit(
  code text,
  account_id uuid,
  cost_cents bigint,
  daily_cap_cents bigint,
  max_stake_cents bigint,
  today_cents bigint,
  available_cents bigint,
  next_day_at timestamptz)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  case code
    when 'NO_MOVES_LEFT' then
      return engine.refused(code, 'No move is left today.', jsonb_build_object(
        'moves_per_day', engine.moves_per_day(),
        'next_day_at', engine.iso(next_day_at)));
    when 'TOO_MANY_PLACES' then
      return engine.refused(code, 'No further place can be contested today.', jsonb_build_object(
        'places_per_day', engine.places_per_day(),
        'contested', (
          select jsonb_agg(l.slot) from engine.live_moves(over_limit.account_id) l)));
    when 'STAKE_OVER_MANDATE' then
      return engine.refused(code, 'The stake is over the mandate.', jsonb_build_object(
        'max_stake_cents', max_stake_cents));
    when 'OVER_DAILY_CAP' then
      return engine.refused(code, 'The day''s moves would go over the mandate''s daily cap.', jsonb_build_object(
        'daily_cap_cents', daily_cap_cents,
        'reserved_cents', today_cents,
        'cost_cents', cost_cents));
    when 'INSUFFICIENT_CREDITS' then
      return engine.refused(code, 'The credits do not cover the move.', jsonb_build_object(
        'available_cents', available_cents,
        'cost_cents', cost_cents));
  end case;
end
$$;

-- What engine.play_together answers while the bell holds the day.
create or replace function engine.no_moves_in_bell(
  accounts uuid[],
  slots integer[],
  moves text[],
  messages text[])
returns jsonb[]
language sql volatile parallel safe security invoker
begin atomic
  select array_agg(case when c.account_id is null then null
                        when engine.well_formed(c.slot, c.move, c.message) then engine.no_move_in_bell(c.account_id)
                        else engine.malformed_move(c.slot, c.move) end order by c.n)
    from unnest(accounts, slots, moves, messages)
         with ordinality c (account_id, slot, move, message, n);
end;

-- The answers of engine.play_together, with those to calls whose account it does not hold.
create or replace function engine.not_held(
  answers jsonb[],
  accounts uuid[],
  slots integer[],
  moves text[],
  messages text[])
returns jsonb[]
language sql stable parallel safe security invoker
begin atomic
  select array_agg(case when c.answer is not null or c.account_id is null then c.answer
                        when engine.well_formed(c.slot, c.move, c.message) then '{"busy": true}'
                        else engine.malformed_move(c.slot, c.move) end order by c.n)
    from unnest(answers, accounts, slots, moves, messages)
         with ordinality c (answer, account_id, slot, move, message, n);
end;
