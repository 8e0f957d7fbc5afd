--! Previous: sha1:f81447547410d48c977375f00599882da28875ce
--! Hash: sha1:1deb1c99f01d5310feef56b4bcc02ca5afe1e8b4
--! Message: audit chain and caps set

-- The chain of hashes over the audit log, and the history of the caps that humans set. Rows are only ever added; the
-- triggers of sql/staff/audit_chain.sql and sql/mandate/caps.sql add them, whichever version of Hill acts.

set local role hill_owner;

create table hill.audit_chain (
  position  bigint primary key check (position > 0),
  entry_id  bigint not null unique,
  hash      bytea not null check (length(hash) = 32)
);
alter table hill.audit_chain enable row level security, force row level security;

create table hill.audit_waiting (entry_id bigint primary key);
alter table hill.audit_waiting enable row level security, force row level security;

create table hill.caps_set (
  id                bigint generated always as identity primary key,
  account_id        uuid not null,
  at                timestamptz not null,
  daily_cap_cents   bigint not null,
  max_stake_cents   bigint not null,
  weekly_cap_cents  bigint
);
create index on hill.caps_set (account_id, id);
alter table hill.caps_set enable row level security, force row level security;

alter table hill.locks no force row level security;
insert into hill.locks (name) values ('audit');
alter table hill.locks force row level security;

reset role;
