--! Previous: sha1:680fc8160448c9223df9ddb40f8bac9512720b27
--! Hash: sha1:c323355bda691c809e317913fb0a86846462f2b4
--! Message: closing

-- A day is closed before its night is resolved: a state of the day, which no clock undoes.

set local role hill_owner;

-- Once closed, a day takes no deposit. generation and size: the head of the log that has all deposits of the day; null where no log had begun.
create table hill.closed_days (
  day         integer primary key check (day >= 1),
  closed_at   timestamptz not null,
  generation  integer,
  size        bigint check (size >= 0),
  check ((generation is null) = (size is null))
);

-- Of each night whose bell rang after its closing was signed: what was signed by then, and by which witnesses.
create table hill.sealed_nights (
  day         integer primary key,
  generation  integer not null,
  size        bigint not null,
  witnesses   text[] not null
);

-- Days whose bell staff let ring although nobody has signed the closing.
create table hill.unsealed_days (
  day         integer primary key,
  allowed_at  timestamptz not null,
  reason      text not null check (reason ~ '[^[:space:]]')
);

alter table hill.closed_days enable row level security, force row level security;
alter table hill.sealed_nights enable row level security, force row level security;
alter table hill.unsealed_days enable row level security, force row level security;

-- As last_night: see 000028.
alter table hill.settings add column closed_day integer not null default 0;

reset role;
