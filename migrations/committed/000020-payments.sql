--! Previous: sha1:1dab1acfb3fe34b82dd8bb76a9b4c01a34aadd30
--! Hash: sha1:64744d4fdd740813359279310a2aedd23d9a63b9
--! Message: payments

-- Top-ups that are paid for at Stripe, its disputes and refunds, and what they take back.

set local role hill_owner;

-- Written by the owner when the hill starts: the secret with which Stripe signs its events, as the two padded blocks of HMAC.
create table oauth.stripe_keys (
  singleton    boolean primary key default true check (singleton),
  inner_block  bytea not null check (length(inner_block) = 64),
  outer_block  bytea not null check (length(outer_block) = 64),
  set_at       timestamptz not null
);

-- started_at and look_at are of the real clock, by which Stripe lives. look_at: when the worker asks Stripe about it; null once that is known.
create table hill.top_ups (
  id           uuid primary key default gen_random_uuid(),
  account_id   uuid not null references hill.accounts,
  cents        bigint not null check (cents > 0),
  created_at   timestamptz not null,
  started_at   timestamptz not null,
  look_at      timestamptz,
  checkout     text unique check (char_length(checkout) between 1 and 200),
  payment      text unique check (char_length(payment) between 1 and 200),
  transfer_id  bigint unique references hill.transfers,
  failed_at    timestamptz,
  check ((transfer_id is null) = (payment is null))
);
create index on hill.top_ups (account_id);
create index on hill.top_ups (look_at) where look_at is not null;

-- What Stripe told, each event once.
create table hill.payment_events (
  id        text primary key check (char_length(id) between 1 and 200),
  type      text not null,
  sent_at   timestamptz not null,
  taken_at  timestamptz not null,
  outcome   text not null
);

-- A dispute or a refund. It may be told before its payment is, so payment is no foreign key. sent_at, settled and event say which of its events is the newest.
create table hill.payment_claims (
  id                 text primary key check (char_length(id) between 1 and 200),
  kind               text not null check (kind in ('dispute', 'refund')),
  payment            text not null check (char_length(payment) between 1 and 200),
  cents              bigint not null check (cents > 0),
  status             text not null check (char_length(status) between 1 and 100),
  live               boolean not null,
  at                 timestamptz not null,
  taken_cents        bigint check (taken_cents >= 0),
  written_off_cents  bigint check (written_off_cents >= 0),
  released_at        timestamptz,
  sent_at            timestamptz not null,
  settled            boolean not null,
  event              text not null,
  check ((taken_cents is null) = (written_off_cents is null)),
  check (taken_cents + written_off_cents = cents),
  check (live or taken_cents is null)
);
create index on hill.payment_claims (payment);
create index on hill.payment_claims (at) where live and taken_cents is null;

-- The transfers that a claim made. of_id: the credit from which one takes, or of whose top-up it gives back.
create table hill.claim_transfers (
  transfer_id  bigint primary key references hill.transfers,
  claim_id     text not null references hill.payment_claims,
  of_id        bigint not null references hill.transfers
);
create index on hill.claim_transfers (claim_id);
create index on hill.claim_transfers (of_id);

-- Up to when the worker has read the list of Stripe's events.
create table hill.payment_listing (
  singleton     boolean primary key default true check (singleton),
  listed_until  timestamptz not null
);

alter table oauth.stripe_keys enable row level security, force row level security;
alter table hill.top_ups enable row level security, force row level security;
alter table hill.payment_events enable row level security, force row level security;
alter table hill.payment_claims enable row level security, force row level security;
alter table hill.claim_transfers enable row level security, force row level security;
alter table hill.payment_listing enable row level security, force row level security;

-- No deposits since: a top-up of the account is disputed or refunded.
alter table hill.accounts add column barred_at timestamptz;

-- Not valid, so that no row is looked at: those that are there were held to stricter constraints.
alter table hill.transfers
  drop constraint transfers_kind_check,
  drop constraint transfers_check1,
  drop constraint transfers_lapse_check,
  add constraint transfers_kinds check ((case kind
    when 'topup'    then debit_code = 'cash' and credit_account_id is not null
    when 'grant'    then debit_code = 'grants' and credit_account_id is not null
    when 'expiry'   then debit_account_id is not null and credit_code = 'expired'
    when 'lapse'    then debit_account_id is not null and credit_code = 'lapsed'
    when 'reversal' then debit_account_id is not null and credit_code = 'cash'
    when 'restored' then debit_code = 'cash' and credit_account_id is not null
    when 'writeoff' then debit_code = 'written_off' and credit_code = 'cash'
    when 'recovery' then debit_code = 'cash' and credit_code = 'written_off'
  end) is true) not valid;

insert into hill.ledger_accounts (code, meaning)
values ('written_off', 'What was taken back at Stripe after it had been spent. Negative: the service has lost it.');

-- Its policies let nobody write, the owner included.
alter table hill.locks no force row level security;
insert into hill.locks (name) values ('payments');
alter table hill.locks force row level security;

reset role;
