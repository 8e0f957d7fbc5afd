-- A night as the engine takes it: one that the bell has stored, identified by its day, or one from a night file. Rules
-- 4.9, 12.1.

create type engine.night_account as (account uuid, reputation numeric, since timestamptz);
create type engine.night_holder as (slot smallint, account uuid, days_held integer);
create type engine.night_move as (
  seq          bigint,
  account      uuid,
  slot         smallint,
  move         hill.move,
  stake_cents  bigint,
  cost_cents   bigint,
  at           timestamptz
);
create type engine.night as (
  day         integer,
  -- null: a stored night, read from the tables. Otherwise a file's accounts by name, sorted; account n is number n
  names       text[],
  open_slots  smallint[],
  accounts    engine.night_account[],
  holders     engine.night_holder[],
  moves       engine.night_move[]
);

create type engine.place_result as (
  slot          smallint,
  open          boolean,
  outcome       hill.outcome,
  peace_count   integer,
  war_count     integer,
  rent_cents    numeric,
  stakes_cents  numeric,
  burned_cents  numeric
);
create type engine.seat as (
  slot       smallint,
  seat       smallint,
  account    uuid,
  seq        bigint,
  days_held  integer,
  via        hill.seat_source,
  points     numeric
);
create type engine.resolution as (places engine.place_result[], seats engine.seat[]);

comment on type hill.outcome is
'What a place comes to at a bell. Rules 4.4.
- VACANT: nobody holds it.
- PEACE: occupants share it.
- WAR: one took it with the only stake.
- BURN: two or more staked, and all stakes burned.';
comment on type hill.seat_source is
'How an occupant came by its seat: as a holder at peace, by its PEACE, by its WAR, or from the queue. '
'Rules 4.4, 4.5.
- holder: it held the place before.
- peace: by its PEACE.
- war: by its WAR.
- queue: it waited in the queue.';
comment on type engine.night_account is
'An account that moved, with reputation and seniority as the night uses them. Rules 4.1, 4.2, 4.3.';
comment on type engine.night_holder is 'Who held a place before the night, and for how many bells. Rules 4.7.';
comment on type engine.night_move is 'A live move of a night and what it costs (cents). Rules 4.';
comment on type engine.place_result is
'What a place came to, how many moved there, and what was played there (cents). Rules 4.4.';
comment on type engine.seat is
'A seat after a night: whose, by which move, for how many bells, for how many points. Rules 4.8.';
comment on type engine.night is
'A night to resolve: a stored one by its day alone (names null), or a night file taken apart by engine.parse_night. '
'Rules 12.1.';
comment on type engine.resolution is
'What a night came to: the ten places in order, and who sits where. The queue, evictions and charges follow from it '
'and the night.';

create or replace function engine.stored_night(day integer)
returns engine.night language sql immutable parallel safe
return row(day, null, null, null, null, null)::engine.night;

comment on function engine.stored_night is
'The night of a day as the bell stored its input, for engine.resolve_places and the lists of a night.';
