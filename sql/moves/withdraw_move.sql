-- moves/withdraw_move.sql · The human takes back a move of an agent, on the account page. Rules 3.11.

create or replace function engine.withdraw_move(account_id uuid, slot integer)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now  timestamptz;
  v_live hill.sealed_moves;
  v_seal engine.seal;
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
  select l.* into v_live from hill.sealed_moves l  -- the last one, as in engine.play_together
   where l.account_id = withdraw_move.account_id and l.slot = withdraw_move.slot
   order by l.seq desc limit 1;
  if v_live.ended is not null or not found then
    return false;
  end if;
  if v_live.commitment is not null then  -- what was deposited before there was a log is not in it
    v_seal := engine.seal(engine.random_salts(), v_live.day, account_id, slot, 'PASS', 0, null, v_now,
                          engine.ending(v_live.salt, v_live.commitment));
    insert into hill.log_waiting (at, entry) values (v_now, engine.deposit_entry(v_live.day, v_seal.commitment));
  end if;
  update hill.sealed_moves l
     set ended = 'withdrawn', ended_at = v_now, end_salt = v_seal.salt, end_commitment = v_seal.commitment
   where l.account_id = withdraw_move.account_id and l.seq = v_live.seq;
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
'Withdraws an account''s live move on a place, which the log has like a PASS, and releases what it reserved; false '
'where there is none. It is not counted as a move. '
'Errors: BELL_RINGING. Rules 3.11, 20.16.';

grant execute on function engine.withdraw_move to hill_api_human;
