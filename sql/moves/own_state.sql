-- moves/own_state.sql · What an account may know of itself today. Decisions 7: nobody else may.

create or replace function engine.live_moves(account_id uuid)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  -- tried, for a reader should not wait until the bell has unsealed the table
  if not engine.try_day() then
    return null;
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'slot', l.slot,
        'move', l.move,
        'stake_cents', nullif(l.stake_cents, 0),
        'message', l.message,
        'reserved_cents', l.cost_cents,
        'deposited_at', engine.iso(l.at))) order by l.slot), '[]')
      from hill.sealed_moves l where l.account_id = live_moves.account_id and l.ended is null);
end
$$;

comment on function engine.live_moves is
'An account''s live moves of today (cents), by place; null while the bell is ringing.';

create or replace function engine.own_state(account_id uuid)
returns jsonb
language sql volatile parallel unsafe security invoker
begin atomic
  select jsonb_build_object(
      'day', t.day,
      'account_id', w.account_id,
      'granted_cents', w.granted_cents,
      'paid_cents', w.paid_cents,
      'reserved_cents', coalesce(r.cents, 0),
      'available_cents', w.granted_cents + w.paid_cents - coalesce(r.cents, 0),
      'daily_cap_cents', m.daily_cap_cents,
      'max_stake_cents', m.max_stake_cents,
      'moves_left', engine.moves_per_day() - case when r.day = t.day then r.moves else 0 end,
      'places_left', engine.places_per_day() - case when r.day = t.day then r.peace + r.war else 0 end,
      'reputation', engine.reputation_tonight(w.peace_ring, w.war_ring, w.ring_day, engine.last_night()),
      'since', engine.iso(w.since),
      'moves', engine.live_moves(w.account_id),
      'lots', (
        select coalesce(jsonb_agg(jsonb_build_object(
            'remaining_cents', l.remaining_cents,
            'expires_at', engine.iso(l.expires_at)) order by l.expires_at, l.lot_id), '[]')
          from engine.account_lots(own_state.account_id) l where l.remaining_cents > 0))
    from hill.wallets w
    join hill.mandates m on m.account_id = w.account_id
   cross join (select engine.today() as day) t
    -- what the night before has promised stays reserved until its bell has taken it
    left join hill.reservations r on r.account_id = w.account_id and r.day > engine.last_night()
   where w.account_id = own_state.account_id;
end;

comment on function engine.own_state is
'An account''s credits, reservations, caps and lots (cents), what is left of its moves and places, its reputation, '
'and its live moves of today (null while the bell is ringing).';
grant execute on function engine.live_moves, engine.own_state to hill_api_agent, hill_api_human;
