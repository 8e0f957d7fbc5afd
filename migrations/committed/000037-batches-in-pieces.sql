--! Previous: sha1:49d4489c29ea9ba9fb3af089b0a542b44c100a18
--! Hash: sha1:7976bd1687f2260eed62ae3fe9e58721570f0e10
--! Message: batches in pieces

-- A batch of the log that is numbered in several transactions: each of them writes a head.

set local role hill_owner;

-- false: more of its batch follows. Older code numbers a batch at once.
alter table hill.log_heads add column whole boolean not null default true;

reset role;
