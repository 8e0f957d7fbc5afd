--! Previous: sha1:64744d4fdd740813359279310a2aedd23d9a63b9
--! Hash: sha1:00369c81e622bd5afaba51ee84edb11989e4198f
--! Message: device codes

-- Device codes (RFC 8628): what a client without a browser polls with until its human has typed the other code.

set local role hill_owner;

-- user_hash is of what the web process derives from the code that the human types: a hash of eight letters alone would
-- tell them.
create table oauth.device_codes (
  device_hash    bytea primary key check (length(device_hash) = 32),
  user_hash      bytea not null unique check (length(user_hash) = 32),
  client_id      text not null references oauth.clients,
  scopes         text[] not null,
  audience       text not null,
  status         text not null default 'pending' check (status in ('pending', 'approved', 'refused')),
  grant_id       uuid references oauth.grants,
  poll_interval  interval not null default '5 s',
  polled_at      timestamptz,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  decided_at     timestamptz,
  issued_at      timestamptz,
  check ((status = 'approved') = (grant_id is not null)),
  check ((status = 'pending') = (decided_at is null)),
  check (issued_at is null or status = 'approved')
);
create index on oauth.device_codes (client_id);
create index on oauth.device_codes (grant_id) where grant_id is not null;
create index on oauth.device_codes (expires_at);

alter table oauth.device_codes enable row level security, force row level security;

reset role;
