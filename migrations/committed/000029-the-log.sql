--! Previous: sha1:ddc2fe957995bc31c5aacbe294fa7f98ed23a647
--! Hash: sha1:76c1f46170e0882b9cba326b0f7784b18b0d4cee
--! Message: the log

-- The public log of the hill: entries with numbers, the Merkle tree over them (RFC 6962) as tiles (C2SP tlog-tiles), and
-- the root at each size that it was closed at. Nothing here is ever changed.

set local role hill_owner;

-- A log has one origin for its life. The hill begins another generation only where it cannot prove that it continues the last one.
create table hill.log_generations (
  generation  integer primary key check (generation >= 1),
  origin      text not null unique check (origin <> '' and origin !~ '[[:space:]+]'),
  keys        text[] not null,
  began_at    timestamptz not null
);

-- What is to be numbered. at: what happened from this instant on is for a later batch, whenever it was committed. How long an
-- entry is, the policies ask: a constraint would cost each deposit twice what the row costs.
create table hill.log_waiting (
  at     timestamptz not null,
  entry  bytea not null
);

-- That the generation is there follows from how entries are written, a million in one statement. (No foreign key that is not enforced, here and below: truncate,
-- and so a restore, refuses tables with such ones.)
create table hill.log_entries (
  generation  integer not null,
  index       bigint not null check (index >= 0),
  entry       bytea not null check (octet_length(entry) between 1 and 255),
  primary key (generation, index)
);

-- Full tiles: 256 hashes of one level, and the hash over them, which stands in the level above. Partial tiles are made of those hashes.
create table hill.log_tiles (
  generation  integer not null references hill.log_generations,
  level       smallint not null check (level between 0 and 7),
  tile        bigint not null check (tile >= 0),
  hashes      bytea not null check (octet_length(hashes) = 8192),
  root        bytea not null check (octet_length(root) = 32),
  primary key (generation, level, tile)
);
-- Hashes do not compress.
alter table hill.log_tiles alter column hashes set storage external;

-- The size is a key: there are never two roots of one size.
create table hill.log_heads (
  generation  integer not null references hill.log_generations,
  size        bigint not null check (size >= 0),
  root        bytea not null check (octet_length(root) = 32),
  at          timestamptz not null,
  primary key (generation, size)
);

-- What was signed of a head, as it is served: the first one stays. That the head is there is seen to by who writes it.
create table hill.log_checkpoints (
  generation  integer not null,
  size        bigint not null,
  note        text not null,
  signed_at   timestamptz not null,
  primary key (generation, size)
);

-- The sources that sql/ was last loaded from, as one file. Whoever loads them writes it, in the same transaction.
create table hill.loaded_engine (
  one        boolean primary key default true check (one),
  sha256     bytea not null check (octet_length(sha256) = 32),
  source     bytea not null,
  loaded_at  timestamptz not null
);

-- Those that resolved a night, from the first one on.
create table hill.engines (
  sha256  bytea primary key check (octet_length(sha256) = 32),
  source  bytea not null,
  day     integer not null
);

-- What the log says of each night: what resolved it and what came of it, at its bell; its night file, when that was first made. Nights from before the log have
-- no engine. That night and engine are there follows from who writes this.
create table hill.logged_nights (
  day     integer primary key,
  engine  bytea,
  result  bytea check (octet_length(result) = 32),
  file    bytea check (octet_length(file) = 32),
  check ((engine is null) = (result is null))
);

alter table hill.log_generations enable row level security, force row level security;
alter table hill.log_waiting enable row level security, force row level security;
alter table hill.log_entries enable row level security, force row level security;
alter table hill.log_tiles enable row level security, force row level security;
alter table hill.log_heads enable row level security, force row level security;
alter table hill.log_checkpoints enable row level security, force row level security;

alter table hill.loaded_engine enable row level security, force row level security;
alter table hill.engines enable row level security, force row level security;
alter table hill.logged_nights enable row level security, force row level security;

alter table hill.locks no force row level security;
insert into hill.locks (name) values ('log');
alter table hill.locks force row level security;

reset role;
