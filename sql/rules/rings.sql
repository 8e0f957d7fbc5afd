-- PEACE and WAR counts of 30 nights in one number each: 2 bits a night, tonight's lowest, with one bit set for each
-- move.

-- A ring last written at ring_day, as it is at another night.
create or replace function engine.ring_at(ring bigint, ring_day integer, night integer)
returns bigint
language sql immutable parallel safe
return case when abs(night - ring_day) >= engine.window_nights() then 0
            when night < ring_day then ring >> (2 * (ring_day - night))
            else (ring << (2 * (night - ring_day))) & ((1::bigint << (2 * engine.window_nights())) - 1) end;

-- A ring last written at ring_day, with the moves (0 to 2) of a later night. Rules 4.3.
create or replace function engine.ring_with(ring bigint, ring_day integer, night integer, moves smallint)
returns bigint
language sql immutable parallel safe
return engine.ring_at(ring, ring_day, night) | ((1 << moves) - 1);

-- How many moves a ring counts.
create or replace function engine.ring_count(ring bigint)
returns integer
language sql immutable parallel safe
return bit_count(ring::bit(64))::integer;

-- An account's reputation as it counts at the bell after last_night, from its wallet's rings. Rules 4.3, 7.1.
create or replace function engine.reputation_tonight(
  peace_ring bigint,
  war_ring bigint,
  ring_day integer,
  last_night integer)
returns numeric
language sql immutable parallel safe
return engine.reputation(
  engine.ring_count(engine.ring_at(peace_ring, ring_day, last_night)),
  engine.ring_count(engine.ring_at(war_ring, ring_day, last_night)));
