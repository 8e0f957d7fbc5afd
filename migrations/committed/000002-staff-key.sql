--! Previous: sha1:a6df611a0d2f1cd4b0c5cc569be8f177793ae390
--! Hash: sha1:fdc86b17ea5d721d72c0454efa8369d5142cc6b4
--! Message: staff key

-- What opens the console: the hash of the one staff key. Written by the owner when the hill starts; who has the key itself may open sessions.

set local role hill_owner;

create table oauth.staff_keys (
  singleton  boolean primary key default true check (singleton),
  key_hash   bytea not null check (length(key_hash) = 32),
  set_at     timestamptz not null
);

reset role;
