--! Previous: sha1:e2b2be56a429f9f0fd4495f20e5d837efcb1144a
--! Hash: sha1:b74e9a367e86a94699c1a0138c87004985f456c9
--! Message: batches in pieces

-- A batch of the log that is numbered in several transactions: each of them writes a head.

set local role hill_owner;

-- false: more of its batch follows. Older code numbers a batch at once.
alter table hill.log_heads add column whole boolean not null default true;

reset role;
