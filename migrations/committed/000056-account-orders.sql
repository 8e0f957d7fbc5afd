--! Previous: sha1:1deb1c99f01d5310feef56b4bcc02ca5afe1e8b4
--! Hash: sha1:d7a6a29cbb66f220478b8787b313f6859581a49f
--! Message: account orders

-- What staff do for a human who cannot sign in: move the account to another sign-in, or close it.

set local role hill_owner;

create table hill.account_orders (
  id                      bigint generated always as identity primary key,
  account_id              uuid not null references hill.accounts,
  what                    text not null check (what in ('move_sign_in', 'close_account_for')),
  state                   text not null check (state in ('begun', 'approved', 'done', 'stopped')),
  key                     text not null check (char_length(key) between 1 and 100),
  begun_at                timestamptz not null,
  begun_by                text not null,
  begun_by_account_id     uuid not null references hill.accounts,
  code                    text,
  provider                text,
  subject                 text,
  email                   text,
  proven_at               timestamptz,
  approved_at             timestamptz,
  approved_by             text,
  approved_by_account_id  uuid references hill.accounts check (approved_by_account_id <> begun_by_account_id),
  day                     integer,
  ended_at                timestamptz,
  ended_by                text,
  check (state not in ('approved', 'done') or num_nonnulls(approved_at, approved_by, approved_by_account_id, day) = 4),
  check ((state in ('done', 'stopped')) = (ended_at is not null)),
  -- what leads to a human is not kept once it has ended
  check (ended_at is null or num_nonnulls(code, subject, email) = 0),
  check (what = 'move_sign_in' or num_nonnulls(code, provider, subject, email, proven_at) = 0),
  check (what <> 'move_sign_in' or state <> 'approved' or num_nonnulls(provider, subject, email, proven_at) = 4)
);
create index on hill.account_orders (account_id);
-- Indexes, not constraints: staff look none of these up.
create unique index on hill.account_orders (begun_by_account_id, key);
create unique index on hill.account_orders (code) where code is not null;
create unique index on hill.account_orders (provider, subject) where subject is not null;
create unique index on hill.account_orders (account_id) where ended_at is null;
create index on hill.account_orders (approved_by_account_id);
create index on hill.account_orders (id) where ended_at is null;

alter table hill.account_orders enable row level security, force row level security;

reset role;
