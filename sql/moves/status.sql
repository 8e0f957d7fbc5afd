-- The hill as one agent needs it to decide: what there is, what each move would cost it, what it has left. Protocol
-- 9.4.

create type engine.offer as (
  refused      boolean,   -- comes last
  move         hill.move,
  per_cent     numeric,   -- points for a cent, below 0, less where one WAR often took the place
  points       numeric,   -- below 0
  slot         smallint,
  stake_cents  bigint,    -- 0 for PEACE
  cost_cents   bigint,
  code         text
);

comment on type engine.offer is
'A move that an account may make tonight. Its columns are its order, and the least is the one to recommend: whether '
'play would refuse it, the move, what it would earn for each cent and in all if holders stay, announcers do as they '
'said and nobody else moves (negative, for most comes first; for each cent less by the share of the last nights on '
'which one WAR took the place), the place, what it would cost (cents), and the code of the refusal. Decisions 150.';

-- A move as an offer, if it earns something and the account has no live move on its place; else null. The least of
-- them earns most for its cents: a PEACE that play would accept, else a WAR that it would accept, else one that it
-- would refuse. Takes the move, its place, stake and cost (cents), what it would earn (engine.prospects), on how many
-- of the last nights one WAR took the place, the live move there, and the code with which play would refuse it.
create or replace function engine.offered(
  move hill.move,
  slot smallint,
  stake_cents bigint,
  cost_cents bigint,
  points numeric,
  lone_wars smallint,
  live hill.move,
  code text)
returns engine.offer
-- inlined into api_agent.status
language sql immutable parallel safe
-- WAR only where no PEACE is left: two of them burn, and it lowers the reputation
return case when points > 0
             and cost_cents is not null
             and live is distinct from 'PEACE'
             and live is distinct from 'WAR'
  then row(code is not null, move,
           -(points * (engine.lone_war_nights() - lone_wars) / (engine.lone_war_nights() * cost_cents)),
           -points, slot, stake_cents, cost_cents, code)::engine.offer
end;

-- What each place is worth to one occupant, from place 1, with commas: computed when a query is planned.
create or replace function engine.tell_points()
returns text
language sql immutable parallel safe security invoker
begin atomic
  select string_agg(trunc(engine.points(s.slot, 1))::text, ', ' order by s.slot)
    from generate_series(1, engine.slot_count()) s (slot);
end;

-- The code with which play would refuse a move without a message tonight; null where it would not.
create or replace function engine.offer_refused(
  move hill.move,
  stake_cents bigint,
  cost_cents bigint,
  refused text,
  ringing boolean,
  opens_day integer,
  live hill.move,
  live_stake_cents bigint,
  live_message text,
  live_cents bigint,
  own engine.allowance)
returns text
-- inlined into api_agent.status, as is engine.limit_reached
language sql immutable parallel safe
return case
  when refused is not null then refused
  when ringing then 'BELL_RINGING'
  when opens_day is not null then 'SLOT_CLOSED'
  -- the same again changes nothing
  when live = move and live_stake_cents = stake_cents and live_message is null then null
  else engine.limit_reached(move, stake_cents, cost_cents, live is not null, live_cents, own)
end;
