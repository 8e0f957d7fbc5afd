--! Previous: sha1:9d74544cb720b2db5d1dd128ddfe740d46f182bf
--! Hash: sha1:8b54c93d8f9de701a377c1ae7c31e600514309af
--! Message: closed accounts

-- Accounts that their humans closed, the slugs that nobody gets again, and where the credits of a closed account go.

set local role hill_owner;

-- An account that was closed stays: its moves, points and entries are the hill's. day: the bell that takes what is left.
create table hill.closings (
  account_id  uuid primary key references hill.accounts,
  day         integer not null check (day >= 1),
  closed_at   timestamptz not null
);
create index on hill.closings (day);

-- By hash and without an account: what a closed account was called is neither given to somebody else nor kept.
create table hill.retired_slugs (
  slug_hash  bytea primary key check (length(slug_hash) = 32)
);

alter table hill.closings enable row level security, force row level security;
alter table hill.retired_slugs enable row level security, force row level security;

insert into hill.ledger_accounts (code, meaning) values
  ('lapsed', 'Paid credits that lapsed with the account that they belonged to.');

-- Rows from before satisfy both: they satisfied the narrower one.
alter table hill.transfers
  drop constraint transfers_kind_check,
  add constraint transfers_kind_check check (kind in ('topup', 'grant', 'expiry', 'lapse')) not valid,
  add constraint transfers_lapse_check
    check (kind <> 'lapse' or (debit_account_id is not null and credit_code = 'lapsed')) not valid;

reset role;
