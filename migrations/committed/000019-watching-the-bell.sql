--! Previous: sha1:52304b71734c0b1466752282bf0bac8fe5d5f8a2
--! Hash: sha1:1dab1acfb3fe34b82dd8bb76a9b4c01a34aadd30
--! Message: watching the bell

-- What tells people that the bell needs one of them: when a worker was last heard of, which bells failed, and whether the books balance.

set local role hill_owner;

create table hill.bell_failures (
  night     integer not null check (night >= 0),
  code      text not null check (char_length(code) <= 40),
  first_at  timestamptz not null,
  last_at   timestamptz not null,
  times     integer not null default 1 check (times >= 1),
  primary key (night, code)
);

-- One row. beat_at is in real time: workers that have not been heard of for long do not ring.
create table hill.watch (
  singleton    boolean primary key default true check (singleton),
  beat_at      timestamptz,
  delta_cents  numeric not null default 0,
  counted_at   timestamptz,
  checks       jsonb not null default '[]' check (jsonb_typeof(checks) = 'array'),
  checked_at   timestamptz
) with (fillfactor = 50);
insert into hill.watch default values;

alter table hill.bell_failures enable row level security, force row level security;
alter table hill.watch enable row level security, force row level security;

reset role;
