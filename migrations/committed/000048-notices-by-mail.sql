--! Previous: sha1:e3f7654dec8b0428a1c2c05d36aeba276e5f4521
--! Hash: sha1:18b991fc507349126fee8492e822c1475dd343ba
--! Message: notices by mail

-- Notices by mail: to which address those of an account go, once its bearer has confirmed it, and what is to be sent.
-- Protocol 5.6.

set local role hill_owner;

create table oauth.mail_addresses (
  account_id       uuid primary key references hill.accounts,
  -- where notices go
  id               uuid,
  address          text check (char_length(address) <= 254),
  stop_hash        bytea unique check (octet_length(stop_hash) = 32),
  nightly          boolean not null,
  confirmed_at     timestamptz,
  stopped_at       timestamptz,
  stopped_because  text check (stopped_because in ('unsubscribed', 'refused', 'secret_lost')),
  told             jsonb not null default '{}',
  digest_night     integer,
  -- where they are to go from its confirmation on
  asked_id         uuid,
  asked_address    text check (char_length(asked_address) <= 254),
  asked_hash       bytea unique check (octet_length(asked_hash) = 32),
  asked_stop_hash  bytea check (octet_length(asked_stop_hash) = 32),
  asked_at         timestamptz,
  check ((stopped_at is null) = (stopped_because is null)),
  check (num_nulls(id, address, stop_hash, confirmed_at, digest_night) in (0, 5)),
  check (num_nulls(asked_id, asked_hash, asked_stop_hash) in (0, 3))
);
create index on oauth.mail_addresses (digest_night) where stopped_at is null;

-- Written in the transaction of what they tell, and sent after it. All instants are of real time.
create table hill.mails (
  id          uuid primary key default uuidv7(),
  account_id  uuid not null references hill.accounts,
  address_id  uuid not null,
  kind        text not null check (char_length(kind) <= 20),
  about       text not null check (char_length(about) <= 400),
  facts       jsonb not null default '{}',
  made_at     timestamptz not null,
  until       timestamptz not null,
  due_at      timestamptz not null,
  attempts    smallint not null default 0 check (attempts >= 0),
  unsure      smallint not null default 0 check (unsure >= 0),
  tried_at    timestamptz,
  outcome     text check (char_length(outcome) <= 40),
  status      smallint,
  ended_at    timestamptz,
  ended_as    text check (ended_as in ('sent', 'refused', 'given_up', 'dropped')),
  check ((ended_at is null) = (ended_as is null)),
  unique (account_id, kind, about)
);
create index on hill.mails (due_at) where ended_at is null;
create index on hill.mails (ended_at) where ended_at is not null;

reset role;
