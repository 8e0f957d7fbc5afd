--! Previous: sha1:68e89852c28c02cd7de1b935c6e621a4da2e144a
--! Hash: sha1:4c679f8b1fc63412bc01d44d4c5194c41468b2a9
--! Message: staff key

-- What opens the console: the hash of the one staff key. Written by the owner when the hill starts; who has the key itself may open sessions.

set local role hill_owner;

create table oauth.staff_keys (
  singleton  boolean primary key default true check (singleton),
  key_hash   bytea not null check (length(key_hash) = 32),
  set_at     timestamptz not null
);

reset role;
