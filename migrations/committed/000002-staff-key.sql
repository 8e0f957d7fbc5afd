--! Previous: sha1:71867a12f68aee7247c32f30d83ea7d8331daa14
--! Hash: sha1:a3af34866f60b02b9635638d070b19d314645810
--! Message: staff key

-- What opens the console: the hash of the one staff key. Written by the owner when the hill starts; who has the key itself may open sessions.

set local role hill_owner;

create table oauth.staff_keys (
  singleton  boolean primary key default true check (singleton),
  key_hash   bytea not null check (length(key_hash) = 32),
  set_at     timestamptz not null
);

reset role;
