--! Previous: sha1:ddc2fe957995bc31c5aacbe294fa7f98ed23a647
--! Hash: sha1:7dc120131f5b371da93d33b270615459d40606be
--! Message: the log

-- The public log of the hill: entries with numbers, the Merkle tree over them (RFC 6962) as tiles (C2SP tlog-tiles), and
-- the root at each size that it was closed at. Nothing here is ever changed.

set local role hill_owner;

-- A log has one origin for its life. The hill begins another generation only where it cannot prove that it continues the last one.
create table hill.log_generations (
  generation  integer primary key check (generation >= 1),
  origin      text not null unique check (origin <> '' and origin !~ '[[:space:]+]'),
  began_at    timestamptz not null
);

-- What is to be numbered. at: what happened from this instant on is for a later batch, whenever it was committed.
create table hill.log_waiting (
  at     timestamptz not null,
  entry  bytea not null check (octet_length(entry) between 1 and 255)
);

-- That the generation is there follows from how entries are written, a million in one statement.
create table hill.log_entries (
  generation  integer not null references hill.log_generations not enforced,
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
  primary key (generation, size),
  foreign key (generation, size) references hill.log_heads not enforced
);

alter table hill.log_generations enable row level security, force row level security;
alter table hill.log_waiting enable row level security, force row level security;
alter table hill.log_entries enable row level security, force row level security;
alter table hill.log_tiles enable row level security, force row level security;
alter table hill.log_heads enable row level security, force row level security;
alter table hill.log_checkpoints enable row level security, force row level security;

alter table hill.locks no force row level security;
insert into hill.locks (name) values ('log');
alter table hill.locks force row level security;

reset role;
