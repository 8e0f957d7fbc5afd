-- What an account has and what it has used of today: in one place for play, announce, status and explore. For the
-- account alone. Rules 9.1.

create type engine.account_day as (
  account_id      uuid,
  name            text,
  slug            text,
  founder         boolean,
  suspended_at    timestamptz,
  barred_at       timestamptz,
  paused_until    integer,
  since           timestamptz,
  granted_cents   bigint,
  paid_cents      bigint,
  reserved_cents  bigint,   -- what live moves will cost at bells that have not taken it yet
  today_cents     bigint,   -- what today's live moves reserve
  moves           integer,  -- made today
  peace           integer,  -- live today
  war             integer,
  announced       integer,  -- today
  daily_cap_cents bigint,
  weekly_cap_cents bigint,
  weekly_left_cents bigint,
  max_stake_cents bigint,
  reputation      numeric
);

comment on type engine.account_day is
'An account as it stands today: name, suspension, bar of its payments, the day from which its human lets it play '
'again, seniority (since), credits, caps, what the weekly one leaves for today, and '
'reservations (cents), moves made, live moves of each kind, announcements made, and its reputation as it counts '
'tonight. Rules 3.3, 3.6, 3.8, 4.2, 4.3.';

-- Who an account is, whether it may play, and with what.
create or replace function engine.account_means(account_id uuid)
returns table (
  account_id uuid,
  name text,
  slug text,
  founder boolean,
  suspended_at timestamptz,
  barred_at timestamptz,
  paused_until integer,
  since timestamptz,
  peace_ring bigint,
  war_ring bigint,
  ring_day integer,
  granted_cents bigint,
  paid_cents bigint,
  daily_cap_cents bigint,
  weekly_cap_cents bigint,
  max_stake_cents bigint)
-- inlined into the queries that use it, which then read only the columns that they need: hence no search_path
language sql stable parallel safe security invoker
begin atomic
  select a.id, a.name, a.slug, a.founder, a.suspended_at, a.barred_at, m.paused_until, w.since,
         case when p.night is null then w.peace_ring
              else engine.ring_with(w.peace_ring, w.ring_day, p.night, p.peace) end,
         case when p.night is null then w.war_ring
              else engine.ring_with(w.war_ring, w.ring_day, p.night, p.war) end,
         coalesce(p.night, w.ring_day),
         least(w.granted_cents - coalesce(p.granted_cents, 0), p.unexpired_cents),  -- null: no bound
         w.paid_cents - coalesce(p.paid_cents, 0),
         m.daily_cap_cents, m.weekly_cap_cents, m.max_stake_cents
    from hill.accounts a
    join hill.wallets w on w.account_id = a.id
    join hill.mandates m on m.account_id = a.id
    left join lateral engine.pending(w.account_id, w.ring_day) p on true
   where a.id = account_means.account_id;
end;

-- An account on a day, given the last published night: see engine.account_day. No row for an unknown account.
create or replace function engine.account_today(account_id uuid, today integer, last_night integer)
returns setof engine.account_day
language sql stable parallel safe security invoker
begin atomic
  select a.account_id, a.name, a.slug, a.founder, a.suspended_at, a.barred_at, a.paused_until, a.since,
         a.granted_cents, a.paid_cents,
         coalesce(r.cents, 0),
         case when r.day = account_today.today then r.cents else 0 end,
         case when r.day = account_today.today then r.moves else 0 end,
         case when r.day = account_today.today then r.peace else 0 end,
         case when r.day = account_today.today then r.war else 0 end,
         (select count(*)::integer from hill.announcements n
           where n.day = account_today.today and n.account_id = account_today.account_id),
         a.daily_cap_cents, a.weekly_cap_cents,
         engine.weekly_left(a.account_id, a.weekly_cap_cents, account_today.last_night), a.max_stake_cents,
         engine.reputation_tonight(a.peace_ring, a.war_ring, a.ring_day, account_today.last_night)
    from engine.account_means(account_today.account_id) a
    -- what the night before has promised stays reserved until its bell has taken it
    left join hill.reservations r on r.account_id = a.account_id and r.day > account_today.last_night;
end;

-- What limits the deposits of an account.
create or replace function engine.allowance_of(own engine.account_day)
returns engine.allowance
language sql immutable parallel safe
return row(
  own.moves, own.peace + own.war, own.today_cents, own.daily_cap_cents, own.weekly_left_cents, own.max_stake_cents,
  own.granted_cents + own.paid_cents)::engine.allowance;

create type engine.live_move as (
  slot           integer,
  move           hill.move,
  stake_cents    bigint,
  message        text,
  reserved_cents bigint,
  at             timestamptz,
  agent_id       uuid
);

comment on type engine.live_move is 'A live move of today, what it reserves (cents), and which agent made it.';

-- An account's live moves of today, by place. The caller holds the day: see engine.try_day.
create or replace function engine.live_moves(account_id uuid)
returns setof engine.live_move
language plpgsql stable parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  return query
  -- by its own key, as in engine.play_together
  select l.slot::integer, l.move, l.stake_cents, l.message, l.cost_cents, l.at, l.agent_id
    from (select distinct on (m.slot) m.* from hill.sealed_moves m where m.account_id = live_moves.account_id
           order by m.slot, m.seq desc) l
   where l.ended is null
   order by l.slot;
end
$$;

-- A live move as tools and pages show it (cents); null for none.
create or replace function engine.show_live_move(live engine.live_move)
returns jsonb
language sql stable parallel safe
return case when live.slot is not null then jsonb_strip_nulls(jsonb_build_object(
  'slot', live.slot,
  'move', live.move,
  'stake_cents', nullif(live.stake_cents, 0),
  'message', live.message,
  'reserved_cents', live.reserved_cents,
  'deposited_at', engine.iso(live.at))) end;

-- An account's live moves of today, by place, with the name of the agent that made each. The caller holds the day.
create or replace function engine.show_live_moves(account_id uuid)
returns jsonb
language sql stable parallel unsafe security invoker
begin atomic
  select coalesce(jsonb_agg(engine.show_live_move(l) || jsonb_build_object('agent', engine.shown_client(a.name))
                            order by l.slot), '[]')
    from engine.live_moves(show_live_moves.account_id) l join hill.agents a on a.id = l.agent_id;
end;

-- What a human lets the agents of an account spend (cents), and until when nothing, of which there may be no word.
create or replace function engine.show_mandate(account_day engine.account_day)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_strip_nulls(jsonb_build_object(
      'daily_cap_cents', account_day.daily_cap_cents,
      'max_stake_cents', account_day.max_stake_cents,
      'weekly_cap_cents', account_day.weekly_cap_cents,
      'weekly_left_cents', case when account_day.weekly_cap_cents is not null
                                then greatest(0, account_day.weekly_left_cents - account_day.today_cents) end,
      'paused_until', engine.iso(case when account_day.paused_until > engine.today()
                                      then engine.day_start(account_day.paused_until, s.day_one) end)))
    from hill.settings s;
end;

-- The members of what engine.show_account_day gives, as JSON.
create or replace function engine.tell_account_day(own engine.account_day)
returns text
language sql stable parallel safe  -- as concat is: then it is inlined
return concat(
  '"reserved_cents": ', own.reserved_cents,
  ', "available_cents": ', own.granted_cents + own.paid_cents - own.reserved_cents,
  ', "daily_cap_cents": ', own.daily_cap_cents,
  ', "cap_left_cents": ', greatest(0, least(own.daily_cap_cents, own.weekly_left_cents) - own.today_cents),
  ', "max_stake_cents": ', own.max_stake_cents,
  ', "moves_left": ', engine.moves_per_day() - own.moves,
  ', "places_left": ', engine.places_per_day() - own.peace - own.war,
  ', "reputation": ', own.reputation);

-- What every view of an account's day shows.
create or replace function engine.show_account_day(account_day engine.account_day)
returns jsonb
language sql stable parallel safe  -- inlined likewise
return concat('{', engine.tell_account_day(account_day), '}')::jsonb;

-- An account's credits, reserved and available ones among them (cents).
create or replace function engine.show_credits(account_day engine.account_day)
returns jsonb
language sql stable parallel safe  -- as jsonb_build_object is: then it is inlined
return jsonb_build_object(
  'granted_cents', account_day.granted_cents,
  'paid_cents', account_day.paid_cents,
  'reserved_cents', account_day.reserved_cents,
  'available_cents', account_day.granted_cents + account_day.paid_cents - account_day.reserved_cents);

-- What is left of an account's granted credits (cents), lot by lot, the soonest expiry first.
create or replace function engine.show_lots(account_id uuid)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select coalesce(jsonb_agg(jsonb_build_object(
      'remaining_cents', l.remaining_cents,
      'expires_at', engine.iso(l.expires_at)) order by l.expires_at, l.lot_id), '[]')
    from engine.account_lots(show_lots.account_id) l where l.remaining_cents > 0;
end;

-- What engine.own_state gives, of one snapshot, also while the account's agents deposit. `held`: the transaction holds
-- the day.
create or replace function engine.tell_own_state(account_id uuid, held boolean)
returns jsonb
language sql stable parallel unsafe security invoker
begin atomic
  select engine.show_account_day(d) || engine.show_credits(d) || engine.show_mandate(d) || jsonb_build_object(
      'day', t.today,
      'account_id', d.account_id,
      'since', engine.iso(d.since),
      'moves', case when tell_own_state.held then engine.show_live_moves(d.account_id) end,
      'lots', engine.show_lots(d.account_id))
    from (select engine.today() as today, engine.last_night() as last_night) t
   cross join lateral engine.account_today(tell_own_state.account_id, t.today, t.last_night) d;
end;

-- An account's credits, reservations, caps and lots (cents), what is left of its moves and places, its reputation, and
-- its live moves of today (null while the bell is ringing).
create or replace function engine.own_state(account_id uuid)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  -- tried, for a reader should not wait until the bell has unsealed the table
  v_held boolean := engine.try_day();
begin
  return engine.tell_own_state(account_id, v_held);
end
$$;

-- a refusal of a move says what lives: the house plays as an agent does
