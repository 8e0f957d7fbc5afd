--! Previous: sha1:c190e1367adc683cf5c7720e645dffa2e1087274
--! Hash: sha1:88221a554db4e545b7fe51cea5bf33dc769327d7
--! Message: webhooks and sites

-- Webhooks: who is told of what, and what is still to be delivered. Sites: whether an account's own site says that it is the account's.

set local role hill_owner;

-- Deliveries are made in real time, whatever the hill's clock says: so failing_since, busy_until and the instants of hill.deliveries are of real time.
create table hill.subscriptions (
  id             uuid primary key,
  account_id     uuid not null references hill.accounts,
  agent_id       uuid not null references hill.agents,
  url            text not null check (url ~ '^https?://' and char_length(url) <= 2048),
  events         text[] not null check (cardinality(events) between 1 and 20),
  sealed_secret  bytea not null,
  created_at     timestamptz not null,
  fuel_level     smallint not null default 0 check (fuel_level between 0 and 2),
  busy_until     timestamptz,
  delivered_at   timestamptz,
  failing_since  timestamptz,
  ended_at       timestamptz,
  ended_because  text check (ended_because in ('cancelled', 'gone', 'failing', 'agent_cut')),
  check ((ended_at is null) = (ended_because is null))
);
create unique index on hill.subscriptions (account_id, url) where ended_at is null;
create index on hill.subscriptions (account_id);
create index on hill.subscriptions (agent_id);

-- Written in the transaction of what they tell, and sent after it.
create table hill.deliveries (
  id               uuid primary key default uuidv7(),
  subscription_id  uuid not null references hill.subscriptions,
  account_id       uuid not null references hill.accounts,
  body             jsonb not null,
  due_at           timestamptz not null,
  attempts         smallint not null default 0 check (attempts >= 0),
  tried_at         timestamptz,
  outcome          text check (char_length(outcome) <= 40),
  status           smallint,
  ended_at         timestamptz,
  ended_as         text check (ended_as in ('delivered', 'given_up', 'dropped')),
  check ((ended_at is null) = (ended_as is null))
);
create index on hill.deliveries (due_at) where ended_at is null;
create index on hill.deliveries (subscription_id, id);
create index on hill.deliveries (account_id);
create index on hill.deliveries (ended_at) where ended_at is not null;

-- Checks of sites follow the hill's clock; busy_until alone is of real time.
create table hill.site_checks (
  account_id  uuid primary key references hill.accounts,
  token       text not null unique check (token ~ '^[0-9a-f]{32}$'),
  asked_at    timestamptz,
  due_at      timestamptz,
  busy_until  timestamptz,
  url         text,
  checked_at  timestamptz,
  result      text check (char_length(result) <= 40),
  status      smallint,
  failures    smallint not null default 0 check (failures >= 0),
  check ((checked_at is null) = (result is null) and (checked_at is null) = (url is null))
);
create index on hill.site_checks (due_at) where due_at is not null;

reset role;
