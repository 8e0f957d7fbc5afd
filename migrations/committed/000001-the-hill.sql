--! Previous: -
--! Hash: sha1:d12407396c5abef5fa355c995e4298ce48b1f6ab
--! Message: the hill

-- The hill: roles, schemas and tables. Functions, views, policies, grants and comments are in sql/, which is loaded anew whenever it changes.

-- Roles belong to the cluster, not to the database, so another hill beside this one may have made them already.
do $$
declare
  v_role text;
begin
  foreach v_role in array array[
    'hill_owner',                                                                 -- owns the tables; row-level security is forced on it too
    'hill_api',                                                                   -- the group of the API schemas' owners: may call engine.*
    'hill_api_public', 'hill_api_agent', 'hill_api_human', 'hill_api_staff', 'hill_api_worker',  -- one owner for each API schema
    'hill_public', 'hill_agent', 'hill_human', 'hill_staff', 'hill_worker',       -- callers: EXECUTE on their schema and nothing else
    'hill_dba',                                                                   -- reads what the bell has published, for replays in psql
    'hill_queue'                                                                  -- owns graphile-worker's tables
  ] loop
    begin
      execute format('create role %I nologin noinherit', v_role);
    exception when duplicate_object or unique_violation then null;
    end;
    if not pg_has_role(current_user, v_role, 'SET') then
      execute format('grant %I to current_user', v_role);
    end if;
  end loop;
  grant hill_api to hill_api_public, hill_api_agent, hill_api_human, hill_api_staff, hill_api_worker with inherit true, set false;
end
$$;

revoke all on schema public from public;
do $$ begin execute format('revoke all on database %I from public', current_database()); end $$;

create schema hill authorization hill_owner;
create schema oauth authorization hill_owner;
create schema graphile_worker authorization hill_queue;

set local role hill_owner;

-- ---------------------------------------------------------------------------------------------------------------------------------
-- The hill itself

create table hill.settings (
  singleton      boolean primary key default true check (singleton),
  day_one        date not null,
  founders_total integer not null default 7 check (founders_total >= 0),
  clock          text not null check (clock in ('real', 'simulated')),
  shown_at       timestamptz,
  set_at         timestamptz,
  rate           double precision check (rate >= 0),
  created_at     timestamptz not null,
  check ((clock = 'simulated') = (shown_at is not null and set_at is not null and rate is not null))
);

create table hill.places (
  slot       smallint primary key check (slot >= 1),
  opens_day  integer not null default 1 check (opens_day >= 1)
);
insert into hill.places (slot) select generate_series(1, 10);

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Identity

create table hill.accounts (
  id            uuid primary key default uuidv7(),
  name          text not null check (char_length(name) between 1 and 60),
  slug          text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 60),
  url           text check (url ~ '^https?://' and char_length(url) <= 300),
  verified      boolean not null default false,
  badge         boolean not null default false,
  icon          boolean not null default false,
  house         boolean not null default false,
  founder       boolean not null default false,
  suspended_at  timestamptz,
  created_at    timestamptz not null
);
create index on hill.accounts (id) where house;

create table hill.agents (
  id          uuid primary key default uuidv7(),
  account_id  uuid not null references hill.accounts,
  name        text not null check (char_length(name) between 1 and 60),
  model       text not null default '' check (char_length(model) <= 100),
  created_at  timestamptz not null,
  cut_at      timestamptz
);
create index on hill.agents (account_id);

create table hill.identity_counters (
  account_id  uuid primary key references hill.accounts,
  views       bigint not null default 0 check (views >= 0),
  clicks      bigint not null default 0 check (clicks >= 0),
  agents      bigint not null default 0 check (agents >= 0)
);

create table oauth.access_tokens (
  token_hash  bytea primary key,
  agent_id    uuid not null references hill.agents,
  scopes      text[] not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  revoked_at  timestamptz
);
create index on oauth.access_tokens (agent_id);

create table oauth.human_sessions (
  token_hash  bytea primary key,
  account_id  uuid not null references hill.accounts,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  revoked_at  timestamptz
);
create index on oauth.human_sessions (account_id);

create table oauth.staff_sessions (
  token_hash  bytea primary key,
  staff_name  text not null check (char_length(staff_name) between 1 and 60),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  revoked_at  timestamptz
);

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Mandate and money

create table hill.mandates (
  account_id       uuid primary key references hill.accounts,
  daily_cap_cents  bigint not null default 1000 check (daily_cap_cents >= 0),
  max_stake_cents  bigint not null default 1500 check (max_stake_cents >= 0),
  updated_at       timestamptz not null
);

-- One narrow row for all that a bell changes for an account that moved: its settled balances and its 30-night counts of moves. The
-- counts are rings of 30 nights of 2 bits each (00, 01, 11: at most two live moves a night), shifted by the nights since ring_day and
-- summed by bit_count, so that nothing has to be expired. No index on a column that changes, and room in each page: updates stay HOT.
create table hill.wallets (
  account_id     uuid primary key references hill.accounts,
  since          timestamptz not null,
  paid_cents     bigint not null default 0 check (paid_cents >= 0),
  granted_cents  bigint not null default 0 check (granted_cents >= 0),
  peace_ring     bigint not null default 0 check (peace_ring >= 0),
  war_ring       bigint not null default 0 check (war_ring >= 0),
  ring_day       integer not null default 0 check (ring_day >= 0)
) with (fillfactor = 48);

-- What tonight has promised so far. Apart from the wallets, because it is sealed with the moves: only their account may read it.
-- A row of an earlier day stands for nothing, so no bell has to reset it.
create table hill.reservations (
  account_id  uuid primary key references hill.accounts,
  day         integer not null default 0,
  cents       bigint not null default 0,
  peace       smallint not null default 0,
  war         smallint not null default 0,
  moves       smallint not null default 0,
  check (cents >= 0 and peace >= 0 and war >= 0 and moves >= 0)
) with (fillfactor = 48);

create table hill.ledger_accounts (
  code           text primary key,
  meaning        text not null,
  balance_cents  bigint not null default 0
);
insert into hill.ledger_accounts (code, meaning) values
  ('cash',     'Where paid credits come from: what humans have paid in. Negative: the wallets hold it.'),
  ('grants',   'Where granted credits come from: what the service has given. Negative likewise.'),
  ('rent',     'Rents of PEACE moves, taken at the bells.'),
  ('stakes',   'Stakes of lone WAR moves, taken at the bells.'),
  ('burned',   'Stakes that burned.'),
  ('expired',  'Granted credits that expired unspent.');

create table hill.transfers (
  id                bigint generated always as identity primary key,
  day               integer not null,
  at                timestamptz not null,
  kind              text not null check (kind in ('topup', 'grant', 'expiry')),
  debit_account_id  uuid references hill.accounts,
  debit_code        text references hill.ledger_accounts,
  credit_account_id uuid references hill.accounts,
  credit_code       text references hill.ledger_accounts,
  cents             bigint not null check (cents > 0),
  reason            text not null check (char_length(reason) between 1 and 300),
  check (num_nonnulls(debit_account_id, debit_code) = 1 and num_nonnulls(credit_account_id, credit_code) = 1),
  check (case kind
           when 'topup'  then debit_code = 'cash'   and credit_account_id is not null
           when 'grant'  then debit_code = 'grants' and credit_account_id is not null
           when 'expiry' then debit_account_id is not null and credit_code = 'expired'
         end)
);
create index on hill.transfers (debit_account_id, day) where debit_account_id is not null;
create index on hill.transfers (credit_account_id, day) where credit_account_id is not null;

-- Granted credits are spent and expire in the order in which they were granted, so an account's lots lie end to end on one line of cents, and one
-- number, how much of the line is gone, says what is left of each: the bell need not touch them.
create table hill.lots (
  id           bigint generated always as identity primary key,
  account_id   uuid not null references hill.accounts,
  transfer_id  bigint not null unique references hill.transfers,
  from_cents   bigint not null check (from_cents >= 0),
  cents        bigint not null check (cents > 0),
  granted_at   timestamptz not null,
  expires_at   timestamptz not null,
  unique (account_id, from_cents),
  check (expires_at > granted_at)
);
create index on hill.lots (expires_at);

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Moves and nights

create type hill.move as enum ('PEACE', 'WAR', 'PASS');
create type hill.outcome as enum ('VACANT', 'PEACE', 'WAR', 'BURN');
create type hill.verdict as enum ('kept', 'betrayed', 'bluffed', 'ghosted');
create type hill.seat_source as enum ('holder', 'peace', 'war', 'queue');
create type hill.deposit_end as enum ('replaced', 'withdrawn', 'pass');

create sequence hill.deposit_seq as bigint;

create table hill.nights (
  day            integer primary key check (day >= 1),
  bell_at        timestamptz not null,
  resolved_at    timestamptz not null,
  accounts       integer not null,
  moves          integer not null,
  rent_cents     bigint not null check (rent_cents >= 0),
  stakes_cents   bigint not null check (stakes_cents >= 0),
  burned_cents   bigint not null check (burned_cents >= 0),
  granted_cents  bigint not null check (granted_cents >= 0),
  paid_cents     bigint not null check (paid_cents >= 0),
  expired_cents  bigint not null check (expired_cents >= 0),
  check (rent_cents + stakes_cents + burned_cents = granted_cents + paid_cents)
);

-- The moves of nights that are over, one partition a day. Live moves have ended null and are public.
create table hill.moves (
  day         integer not null,
  seq         bigint not null default nextval('hill.deposit_seq'),
  account_id  uuid not null,
  agent_id    uuid not null,
  at          timestamptz not null,
  ended_at    timestamptz,
  stake_cents bigint not null default 0,
  cost_cents  bigint not null,
  slot        smallint not null,
  move        hill.move not null,
  ended       hill.deposit_end,
  message     text,
  -- No foreign keys on the partitions of a night: attaching one would lock accounts and agents for as long as the bell takes.
  primary key (account_id, seq, day),
  -- one check, not four: each is read anew for every deposit
  constraint moves_form check ((ended is null) = (ended_at is null) and (move <> 'PASS' or ended = 'pass')
                               and (move = 'WAR') = (stake_cents > 0) and cost_cents >= 0)
) partition by list (day);

-- The moves of the day that is under way: a table of its own, so that what is sealed and what is public never share a grant or a policy.
-- The bell renames it, attaches it to hill.moves and makes a new one (engine.unseal_day). Live moves are found by account and place, and in
-- deposit order by place and move.
create table hill.sealed_moves (like hill.moves including defaults including constraints);
alter table hill.sealed_moves
  add constraint sealed_day check (day = 1),
  add primary key (account_id, seq, day);
create unique index sealed_moves_live on hill.sealed_moves (account_id, slot) where ended is null;
create index sealed_moves_order on hill.sealed_moves (slot, move, at) where ended is null;

create table hill.place_results (
  day           integer not null references hill.nights deferrable initially deferred,
  slot          smallint not null references hill.places,
  outcome       hill.outcome not null,
  open          boolean not null,
  peace_count   integer not null,
  war_count     integer not null,
  burned_cents  bigint not null,
  primary key (day, slot)
);

create table hill.seats (
  day         integer not null references hill.nights deferrable initially deferred,
  slot        smallint not null references hill.places,
  seat        smallint not null check (seat >= 1),
  account_id  uuid not null references hill.accounts,
  agent_id    uuid not null references hill.agents,
  seq         bigint not null,
  days_held   integer not null check (days_held >= 0),
  via         hill.seat_source not null,
  points      numeric(4,1) not null,
  primary key (day, slot, seat),
  unique (day, slot, account_id)
);
create index on hill.seats (account_id, day);

-- What each account that moved brought to the night and paid for it, one partition a day.
create table hill.settlements (
  account_id     uuid not null,
  since          timestamptz not null,
  granted_cents  bigint not null,
  paid_cents     bigint not null,
  day            integer not null,
  peace_count    smallint not null,
  war_count      smallint not null,
  peace_tonight  smallint not null,
  war_tonight    smallint not null,
  primary key (account_id, day)
) partition by list (day);

create table hill.announcements (
  day         integer not null,
  account_id  uuid not null references hill.accounts,
  slot        smallint not null references hill.places,
  agent_id    uuid not null references hill.agents,
  intention   hill.move not null,
  message     text,
  at          timestamptz not null,
  verdict     hill.verdict,
  primary key (day, account_id, slot)
) with (fillfactor = 80);

create table hill.sealed_counts (
  singleton   boolean primary key default true check (singleton),
  day         integer not null default 0,
  counted_at  timestamptz,
  moves       integer not null default 0
);
insert into hill.sealed_counts default values;

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Boards

create table hill.boards (
  day       integer primary key references hill.nights,
  built_at  timestamptz not null,
  entries   integer not null
);

create table hill.leaderboard (
  day             integer not null,
  rank            integer not null,
  account_id      uuid not null,
  points          numeric not null,
  reputation      numeric not null,
  paid_cents      bigint not null,
  consumed_cents  bigint not null,
  primary key (day, rank)
) partition by list (day);
create index on hill.leaderboard (account_id);
create index on hill.leaderboard (paid_cents) where paid_cents > 0;

-- ---------------------------------------------------------------------------------------------------------------------------------
-- Staff

create table hill.audit_log (
  id          bigint generated always as identity primary key,
  at          timestamptz not null,
  staff_name  text not null,
  action      text not null,
  account_id  uuid references hill.accounts,
  slot        smallint references hill.places,
  details     jsonb not null default '{}',
  reason      text not null check (char_length(reason) between 3 and 500)
);
create index on hill.audit_log (account_id);

reset role;
