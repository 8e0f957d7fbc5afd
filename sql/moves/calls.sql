-- A call of play, with all that it is judged by. Rules 3.1, 3.7; decisions 315.

create type engine.call as (
  n                  integer,      -- its place in the lists of engine.play_together
  account_id         uuid,
  agent_id           uuid,
  admitted           boolean,      -- agent and token have not been ended meanwhile
  for_day            integer,
  well_formed        boolean,
  slot               integer,
  move               hill.move,
  stake_cents        bigint,
  message            text,
  cost_cents         bigint,
  at                 timestamptz,  -- once it has taken its instant: that, and its day
  today              integer,
  -- the hill
  clock              text,
  shown_at           timestamptz,
  set_at             timestamptz,
  rate               double precision,
  day_one            date,
  founders_total     integer,
  closed_day         integer,
  last_night         integer,
  opens_day          integer,
  -- the account
  founder            boolean,
  suspended_at       timestamptz,
  barred_at          timestamptz,
  paused_until       integer,
  daily_cap_cents    bigint,
  weekly_left_cents  bigint,       -- for today; null: no such cap
  max_stake_cents    bigint,
  credits_cents      bigint,
  acted_at           timestamptz,
  reserved_day       integer,
  reserved_cents     bigint,
  peace              smallint,
  war                smallint,
  moves              smallint,
  -- its last deposit on the place, if it may know what opens the commitment
  live               boolean,
  live_cents         bigint,       -- 0 if it is not live
  last_seq           bigint,
  last_move          hill.move,
  last_stake_cents   bigint,
  last_message       text,
  last_at            timestamptz,
  last_salt          bytea,
  last_ends          bytea,
  last_message_salt  bytea,
  last_commitment    bytea
);

comment on type engine.call is
'A move that an agent asks to deposit, with what it is judged by: its cost, tonight, what its account has, may spend '
'and has reserved (cents), and the last deposit of the account on the place.';

-- Whether a move has the form of one: see engine.malformed_move.
create or replace function engine.well_formed(slot integer, move text, message text)
returns boolean
language sql immutable parallel safe
return (slot between 1 and engine.slot_count() and move in ('PEACE', 'WAR', 'PASS')) is true
       and (message ~ engine.hidden_letters()) is not true;

-- What a call asks for, as engine.call has it: of one that is malformed, the move may be null.
create or replace function engine.asked(slot integer, move text, stake_cents bigint, message text)
returns table (well_formed boolean, slot integer, move hill.move, stake_cents bigint, message text)
-- inlined into the query of engine.play_together, as is the next
language sql stable parallel safe security invoker
begin atomic
  select engine.well_formed(asked.slot, asked.move, asked.message), asked.slot,
         case when asked.move in ('PEACE', 'WAR', 'PASS') then asked.move::hill.move end,
         coalesce(asked.stake_cents, 0), nullif(asked.message, '');
end;
