--! Previous: sha1:db6ae9f7ed77b762bcb4ea1efe8457b2f50f34cd
--! Hash: sha1:e59b6a10bbb110f801ff929c960353fc5326b40c
--! Message: credit orders

-- Credits that staff order, within limits and some with a second member's approval, and lots that they take back.
-- Rules 18.6, 18.7.

set local role hill_owner;

create table hill.staff_limits (
  role         text primary key check (role in ('support', 'manager', 'owner')),
  order_cents  bigint not null check (order_cents >= 0),
  day_cents    bigint not null check (day_cents >= 0),
  alone_cents  bigint not null check (alone_cents >= 0)
);

create table hill.credit_orders (
  id                     bigint generated always as identity primary key,
  day                    integer not null,
  ordered_at             timestamptz not null,
  ordered_by             text not null,
  ordered_by_account_id  uuid references hill.accounts,
  key                    text not null check (char_length(key) between 1 and 100),
  account_id             uuid references hill.accounts,
  tournament_id          integer references hill.tournaments,
  cents                  integer not null check (cents > 0),
  uses                   integer not null check (uses > 0),
  wished_code            text,
  expires_at             timestamptz,
  shown                  boolean,
  state                  text not null check (state in ('waiting', 'made', 'declined')),
  decided_at             timestamptz,
  decided_by             text,
  decided_by_account_id  uuid references hill.accounts,
  lot_id                 bigint unique references hill.lots,
  code                   text unique references hill.tournament_codes,
  unique nulls not distinct (ordered_by_account_id, key),
  check (case when account_id is not null then tournament_id is null and uses = 1
              else num_nonnulls(tournament_id, expires_at, shown) = 3 end),
  check (case state when 'made' then num_nonnulls(lot_id, code) = 1 else num_nonnulls(lot_id, code) = 0 end)
);
create index on hill.credit_orders (account_id);
create index on hill.credit_orders (tournament_id);
create index on hill.credit_orders (day);
create index on hill.credit_orders (decided_by_account_id);
create index on hill.credit_orders (id) where state = 'waiting';

create table hill.lot_revocations (
  lot_id       bigint primary key references hill.lots,
  account_id   uuid not null references hill.accounts,
  day          integer not null,
  at           timestamptz not null,
  kept_at      timestamptz,
  taken_cents  bigint check (taken_cents >= 0),
  transfer_id  bigint unique references hill.transfers,
  check ((transfer_id is not null) = (coalesce(taken_cents, 0) > 0))
);
create index on hill.lot_revocations (account_id);
create index on hill.lot_revocations (day) where taken_cents is null and kept_at is null;

alter table hill.staff_limits enable row level security, force row level security;
alter table hill.credit_orders enable row level security, force row level security;
alter table hill.lot_revocations enable row level security, force row level security;

-- Not valid, so that no row is looked at: those that are there were held to a stricter constraint.
alter table hill.transfers
  drop constraint transfers_kinds,
  add constraint transfers_kinds check ((case kind
    when 'topup'      then debit_code = 'cash' and credit_account_id is not null
    when 'grant'      then debit_code = 'grants' and credit_account_id is not null
    when 'expiry'     then debit_account_id is not null and credit_code = 'expired'
    when 'revocation' then debit_account_id is not null and credit_code = 'grants'
    when 'lapse'      then debit_account_id is not null and credit_code = 'lapsed'
    when 'reversal'   then debit_account_id is not null and credit_code = 'cash'
    when 'restored'   then debit_code = 'cash' and credit_account_id is not null
    when 'writeoff'   then debit_code = 'written_off' and credit_code = 'cash'
    when 'recovery'   then debit_code = 'cash' and credit_code = 'written_off'
  end) is true) not valid;

reset role;
