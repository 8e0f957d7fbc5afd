-- What an agent keeps of a deposit.

create type engine.deposit as (
  n             integer,  -- of the call
  account_id    uuid,
  agent_id      uuid,
  day           integer,
  at            timestamptz,
  slot          smallint,
  move          hill.move,
  stake_cents   bigint,
  cost_cents    bigint,
  message       text,
  replaced      bigint,   -- the number of the live one that it ends
  salt          bytea,
  ends          bytea,
  message_salt  bytea,
  message_hash  bytea,
  commitment    bytea,
  cents         bigint,   -- what the account has reserved with it, and its live and its made moves
  peace         integer,
  war           integer,
  moves         integer
);

comment on type engine.deposit is
'A deposit that is accepted, as it is written (cents), and what its account has reserved then.';

-- The receipt of a deposit: its day, place, move and instant, what it reserves (cents), when it is unsealed, and
-- what the account has left today. It has no figure of the whole hill, which would reveal what others do. Rules 9.1,
-- 9.2, 20.15.
create or replace function engine.receipt(
  deposit engine.deposit,
  sealed_until timestamptz,
  daily_cap_cents bigint default null,
  credits_cents bigint default null)
returns jsonb
language sql stable parallel safe
return jsonb_strip_nulls(jsonb_build_object(
  'day', (deposit).day,
  'slot', (deposit).slot,
  'move', (deposit).move,
  'stake_cents', nullif((deposit).stake_cents, 0),
  'message', (deposit).message,
  'reserved_cents', (deposit).cost_cents,
  'deposited_at', engine.iso((deposit).at),
  'sealed_until', engine.iso(sealed_until),
  'moves_left', engine.moves_per_day() - (deposit).moves,
  'places_left', engine.places_per_day() - (deposit).peace - (deposit).war,
  'cap_left_cents', case when daily_cap_cents < (deposit).cents then 0 else daily_cap_cents - (deposit).cents end,
  'available_cents', credits_cents - (deposit).cents,
  'salt', encode((deposit).salt, 'hex'),
  'ends', encode((deposit).ends, 'hex'),
  'message_salt', encode((deposit).message_salt, 'hex'),
  'commitment', encode((deposit).commitment, 'hex')));
