-- moves/withdraw_move.sql · The human takes back a move of an agent, on the account page. Rules 3.11.

create or replace function engine.withdraw_move(account_id uuid, slot integer)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now  timestamptz;
  v_live hill.sealed_moves;
begin
  if not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  perform from hill.reservations r where r.account_id = withdraw_move.account_id for no key update;
  select greatest(engine.now(), r.acted_at) into v_now
    from hill.reservations r where r.account_id = withdraw_move.account_id;
  if (select engine.day_of(v_now, s.day_one) from hill.settings s) <> engine.last_night() + 1 then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  update hill.sealed_moves l set ended = 'withdrawn', ended_at = v_now
   where l.account_id = withdraw_move.account_id
     and l.seq = (select m.seq from hill.sealed_moves m  -- the last one, as in engine.play
                   where m.account_id = withdraw_move.account_id and m.slot = withdraw_move.slot
                   order by m.seq desc limit 1)
     and l.ended is null
  returning * into v_live;
  if not found then
    return false;
  end if;
  -- No move is needed and none is counted: a human who stops an agent must not be stopped by what it has used up. One
  -- update, and so no engine.take_instant before it: a second one in a transaction looks the account up for the foreign
  -- key, and leaves a mark on its row that staff can see.
  update hill.reservations r
     set acted_at = v_now, cents = r.cents - v_live.cost_cents,
         peace = r.peace - (v_live.move = 'PEACE')::int, war = r.war - (v_live.move = 'WAR')::int
   where r.account_id = withdraw_move.account_id;
  return true;
end
$$;

comment on function engine.withdraw_move is
'Withdraws an account''s live move on a place and releases what it reserved; false where there is none. It is not '
'counted as a move. '
'Errors: BELL_RINGING. Rules 3.11.';

grant execute on function engine.withdraw_move to hill_api_human;
