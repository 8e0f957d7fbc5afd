-- The rent of a place, and what each move costs. A deposit fixes it (engine.play_together). Rules 3.2. days_held is
-- that of hill.seats after the last bell (engine.ring_bell writes it); 0 for who holds no seat there.

-- Rent in cents of a PEACE by an account that has held the place for days_held bells: ceil(300 × 1.15^days_held),
-- exact.
create or replace function engine.rent_cents(days_held integer)
returns numeric
-- bound when created and inlined: neither strict nor a search_path, which would prevent it
language sql immutable parallel safe
-- div() truncates exactly; "/" rounds, and is a cent off from day 223
return div(engine.peace_cents() * engine.rent_growth_percent()::numeric ^ days_held + 100::numeric ^ days_held - 1,
           100::numeric ^ days_held);

-- What a move costs in cents: PEACE its rent at days_held (0 for a challenger), WAR its stake, PASS nothing. Rules 3.2.
create or replace function engine.move_cents(move hill.move, stake_cents bigint, days_held integer)
returns bigint
-- inlined likewise: called, it costs a deposit more than all that it computes
language sql immutable parallel safe
-- the bound keeps the power from being computed where the answer is known: 300 × 1.15^271 still fits 64 bits, 272 does
-- not
return case move
  when 'PEACE' then case when days_held <= 271 then engine.rent_cents(days_held)::bigint end
  when 'WAR' then stake_cents
  else 0
end;
