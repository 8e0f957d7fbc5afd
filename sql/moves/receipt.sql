-- moves/receipt.sql · What an agent keeps of a deposit.

create or replace function engine.receipt(
  day integer,
  slot integer,
  move hill.move,
  stake_cents bigint,
  message text,
  reserved_cents bigint,
  at timestamptz,
  sealed_until timestamptz,
  moves_left integer default null,
  places_left integer default null,
  cap_left_cents bigint default null,
  available_cents bigint default null,
  salt bytea default null,
  ends bytea default null,
  message_salt bytea default null,
  commitment bytea default null)
returns jsonb
language sql stable parallel safe
return jsonb_strip_nulls(jsonb_build_object(
  'day', day,
  'slot', slot,
  'move', move,
  'stake_cents', nullif(stake_cents, 0),
  'message', message,
  'reserved_cents', reserved_cents,
  'deposited_at', engine.iso(at),
  'sealed_until', engine.iso(sealed_until),
  'moves_left', moves_left,
  'places_left', places_left,
  'cap_left_cents', case when cap_left_cents < 0 then 0 else cap_left_cents end,
  'available_cents', available_cents,
  'salt', encode(salt, 'hex'),
  'ends', encode(ends, 'hex'),
  'message_salt', encode(message_salt, 'hex'),
  'commitment', encode(commitment, 'hex')));

comment on function engine.receipt is
'The receipt of a deposit: its day, place, move and instant, what it reserves (cents), when it is unsealed, and what '
'the account has left today: of its moves, places, daily cap and credits (cents); and what it is committed to with in '
'the log (see engine.commitment), in hexadecimal. It has no figure of the whole hill, which would reveal what others '
'do. Rules 9.1, 9.2, 20.15.';

grant execute on function engine.receipt to hill_api;
