-- What refuses a call of play, and what engine.play_together answers then. Rules 3, 9.1.
--
-- Refusals are returned (see engine.refused), not raised: whatever is raised leaves a line with its instant in the
-- server's log, where whoever reads it learns when who tried to play.

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

-- The refusal of a move while the bell holds the day. Codes: ACCOUNT_SUSPENDED, PAYMENT_DISPUTED, PAUSED,
-- HILL_NOT_OPEN, BELL_RINGING.
create or replace function engine.no_move_in_bell(account_id uuid)
returns jsonb
language sql volatile parallel safe security invoker
begin atomic
  select coalesce(engine.barred(a.suspended_at, a.barred_at, m.paused_until, a.founder, engine.today(),
                                s.founders_total, s.day_one),
                  engine.bell_ringing())
    from hill.settings s cross join hill.accounts a join hill.mandates m on m.account_id = a.id
   where a.id = no_move_in_bell.account_id;
end;

-- Whether a call changes nothing: the same again, or PASS where there is no live move.
create or replace function engine.changes_nothing(call engine.call)
returns boolean
language sql immutable parallel safe
return call.live and call.last_move = call.move and call.last_stake_cents = call.stake_cents
       and call.last_message is not distinct from call.message
       or call.move = 'PASS' and not call.live;

-- The first check of a call that fails, as the code of its refusal or, of those of engine.barred, as BARRED; null where
-- none fails. It is asked with its day known. Rules 3.7.
create or replace function engine.why_refused(call engine.call)
returns text
-- inlined into engine.play_together, with all that it asks: each expression costs more to start than to ask
language sql immutable parallel safe
return case
  when not call.well_formed then 'INVALID_ARGUMENT'
  when not call.admitted then 'INVALID_TOKEN'
  when engine.bar_to_playing(call.suspended_at, call.barred_at, call.paused_until, call.founder, call.today,
                             call.founders_total) is not null then 'BARRED'
  when call.today > call.last_night + 1 then 'BELL_RINGING'  -- midnight has struck, and the bell will any moment
  when call.for_day <> call.today then 'DAY_PASSED'
  when call.today < call.opens_day then 'SLOT_CLOSED'
  when call.move = 'WAR' and call.stake_cents < engine.war_minimum_cents() then 'INVALID_STAKE'
  when call.move <> 'WAR' and call.stake_cents <> 0 then 'INVALID_STAKE'
  when char_length(call.message) > engine.message_length() then 'MESSAGE_TOO_LONG'
  when engine.changes_nothing(call) then null
  else engine.limit_reached(
    call.move, call.stake_cents, call.cost_cents, call.live, call.live_cents,
    row(call.moves, call.peace + call.war, call.reserved_cents, call.daily_cap_cents, call.weekly_left_cents,
        call.max_stake_cents, call.credits_cents)::engine.allowance)
end;

-- The receipt that the day of a call, which is past, gave for this very request, null if it gave none: so a retry
-- across midnight buys nothing twice. Rules 2.6.
create or replace function engine.past_receipt(call engine.call)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select engine.receipt(
           row(null, m.account_id, m.agent_id, m.day, m.at, m.slot, m.move, m.stake_cents, m.cost_cents, m.message,
               null, m.salt, m.ends, m.message_salt, m.message_hash, m.commitment,
               null, null, null, null)::engine.deposit,
           engine.bell_at(m.day))
    from hill.moves m
   where m.day = call.for_day and m.account_id = call.account_id and m.slot = call.slot and m.move = call.move
     and m.stake_cents = call.stake_cents and m.message is not distinct from call.message
   order by m.seq desc limit 1;
end;

-- The refusal of a call, by the code that engine.why_refused gave.
create or replace function engine.refused_call(call engine.call, code text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  case code
    when 'INVALID_ARGUMENT' then
      return engine.malformed_move(call.slot, call.move::text);
    when 'INVALID_TOKEN' then
      return engine.invalid_token();
    when 'BARRED' then
      return engine.barred(
        call.suspended_at, call.barred_at, call.paused_until, call.founder, call.today, call.founders_total,
        call.day_one);
    when 'BELL_RINGING' then
      return engine.bell_ringing();
    when 'DAY_PASSED' then
      return engine.refused(code, 'The move is for another day than today.', jsonb_strip_nulls(jsonb_build_object(
        'day', call.today,
        'receipt', engine.past_receipt(call))));
    when 'SLOT_CLOSED' then
      return engine.refused(code, 'The place is not open yet.', jsonb_build_object(
        'opens_day', call.opens_day));
    when 'INVALID_STAKE' then
      return engine.refused(code, 'The stake does not go with the move.', jsonb_build_object(
        'minimum_stake_cents', engine.war_minimum_cents()));
    when 'MESSAGE_TOO_LONG' then
      return engine.refused(code, 'The message is too long.', jsonb_build_object(
        'max_length', engine.message_length()));
    when 'NO_MOVES_LEFT' then
      return engine.refused(code, 'No move is left today.', jsonb_build_object(
        'moves_per_day', engine.moves_per_day(),
        'next_day_at', engine.iso(engine.day_start(call.today + 1, call.day_one))));
    when 'TOO_MANY_PLACES' then
      return engine.refused(code, 'No further place can be contested today.', jsonb_build_object(
        'places_per_day', engine.places_per_day(),
        'contested', (select jsonb_agg(l.slot) from engine.live_moves(call.account_id) l)));
    when 'STAKE_OVER_MANDATE' then
      return engine.refused(code, 'The stake is over the mandate.', jsonb_build_object(
        'max_stake_cents', call.max_stake_cents));
    when 'OVER_DAILY_CAP' then
      return engine.refused(code, 'The day''s moves would go over the mandate''s daily cap.', jsonb_build_object(
        'daily_cap_cents', call.daily_cap_cents,
        'reserved_cents', call.reserved_cents,
        'cost_cents', call.cost_cents));
    when 'WEEKLY_CAP' then
      return engine.refused(code, 'Seven nights would go over the mandate''s weekly cap.', jsonb_build_object(
        'weekly_left_cents', greatest(0, call.weekly_left_cents - call.reserved_cents),
        'cost_cents', call.cost_cents));
    when 'INSUFFICIENT_CREDITS' then
      return engine.refused(code, 'The credits do not cover the move.', jsonb_build_object(
        'available_cents', call.credits_cents - call.reserved_cents,
        'cost_cents', call.cost_cents));
  end case;
end
$$;

-- The answers of engine.play_together, with those to calls that it has not read: the bell holds the day (ringing), or
-- somebody else the account.
create or replace function engine.answer_unread(
  answers jsonb[],
  accounts uuid[],
  slots integer[],
  moves text[],
  messages text[],
  ringing boolean)
returns jsonb[]
language sql volatile parallel safe security invoker
begin atomic
  select array_agg(case when c.answer is not null or c.account_id is null then c.answer
                        when not engine.well_formed(c.slot, c.move, c.message)
                          then engine.malformed_move(c.slot, c.move)
                        when answer_unread.ringing then engine.no_move_in_bell(c.account_id)
                        else '{"busy": true}' end order by c.n)
    from unnest(answers, accounts, slots, moves, messages)
         with ordinality c (answer, account_id, slot, move, message, n);
end;
