--! Previous: sha1:6a3c5e96314858d70fb7c4de6d55b6caf07e561d
--! Hash: sha1:8122e9660638161bf705a6930cd822a589e8df0c
--! Message: indexes for readers

-- What readers of the hill look for among a million moves and announcements: the few that say something, and the latest.

set local role hill_owner;

-- Tonight's table has it so that its day's partition will (engine.unseal_day makes it for the next day's); only a move with a message pays for it.
create index sealed_moves_messages on hill.sealed_moves (slot, at) where ended is null and message is not null;
create index on hill.announcements (day, at desc);

reset role;
