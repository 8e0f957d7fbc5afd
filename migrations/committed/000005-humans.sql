--! Previous: sha1:74361688d542ad802861107aaccc3fbbb24fb6a3
--! Hash: sha1:75ea89235cb378ee6ef25df41af7b20e6e1fe132
--! Message: humans

-- Humans: whom a provider vouched for, and what happened to the security of an account.

set local role hill_owner;

-- A verified address is one account's, whichever provider vouches for it.
create table oauth.humans (
  account_id  uuid primary key references hill.accounts,
  email       text unique check (email = lower(email) and email like '_%@_%' and char_length(email) <= 320),
  created_at  timestamptz not null
);

create table oauth.sign_ins (
  provider      text not null check (provider in ('google', 'github', 'development')),
  subject       text not null check (char_length(subject) between 1 and 255),
  account_id    uuid not null references oauth.humans,
  email         text not null check (email = lower(email)),
  created_at    timestamptz not null,
  last_used_at  timestamptz not null,
  primary key (provider, subject)
);
create index on oauth.sign_ins (account_id);

create table hill.security_events (
  id          bigint generated always as identity primary key,
  at          timestamptz not null,
  event       text not null check (event ~ '^[a-z]+(_[a-z]+)*$' and char_length(event) <= 40),
  account_id  uuid references hill.accounts,
  agent_id    uuid references hill.agents,
  details     jsonb not null default '{}'
);
create index on hill.security_events (account_id);
create index on hill.security_events (agent_id);

reset role;
