--! Previous: sha1:1214745ed07ae49f902dcf83b8257338d4e98cf2
--! Hash: sha1:17cedbe06dae0f3b00451faa0f183fe1c1919330
--! Message: staff key

-- What opens the console: the hash of the one staff key. Written by the owner when the hill starts; who has the key itself may open sessions.

set local role hill_owner;

create table oauth.staff_keys (
  singleton  boolean primary key default true check (singleton),
  key_hash   bytea not null check (length(key_hash) = 32),
  set_at     timestamptz not null
);

reset role;
