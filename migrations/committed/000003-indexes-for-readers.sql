--! Previous: sha1:17cedbe06dae0f3b00451faa0f183fe1c1919330
--! Hash: sha1:c81eb384f8b8730462aa0c4dc58368ad722f72cb
--! Message: indexes for readers

-- What readers of the hill look for among a million moves and announcements: the few that say something, and the latest.

set local role hill_owner;

-- Tonight's table has it so that its day's partition will (engine.unseal_day makes it for the next day's); only a move with a message pays for it.
create index sealed_moves_messages on hill.sealed_moves (slot, at) where ended is null and message is not null;
create index on hill.announcements (day, at desc);

reset role;
