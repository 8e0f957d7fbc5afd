--! Previous: sha1:d12407396c5abef5fa355c995e4298ce48b1f6ab
--! Hash: sha1:6a3c5e96314858d70fb7c4de6d55b6caf07e561d
--! Message: staff key

-- What opens the console: the hash of the one staff key. Written by the owner when the hill starts; who has the key itself may open sessions.

set local role hill_owner;

create table oauth.staff_keys (
  singleton  boolean primary key default true check (singleton),
  key_hash   bytea not null check (length(key_hash) = 32),
  set_at     timestamptz not null
);

reset role;
