--! Previous: sha1:9adaff95188b3305c4148cce0a4f5707d71f4d5f
--! Hash: sha1:6a8134b23124169015fbd1775ef45a9da2d1b5d2
--! Message: commitments

-- What each deposit is committed to with in the log: rules 20.15, 20.16. Rows from before have none. No row is written
-- anew, and the lock is held for as long as the catalogue takes.

set local role hill_owner;

alter table hill.moves
  add column salt            bytea,
  add column ends            bytea,
  add column message_salt    bytea,
  add column message_hash    bytea,
  add column commitment      bytea,
  add column end_salt        bytea,
  add column end_commitment  bytea;

-- Of every name and in the same order, since it becomes a partition of the other.
alter table hill.sealed_moves
  add column salt            bytea,
  add column ends            bytea,
  add column message_salt    bytea,
  add column message_hash    bytea,
  add column commitment      bytea,
  add column end_salt        bytea,
  add column end_commitment  bytea;

-- The keys that have signed receipts. Nothing here is ever changed.
create table oauth.receipt_keys (
  kid         text primary key check (length(kid) = 43),
  public_jwk  jsonb not null,
  kept_at     timestamptz not null
);
alter table oauth.receipt_keys enable row level security, force row level security;

-- Looked at by each deposit, a constraint costs twice what the row costs; the policies ask the same.
alter table hill.log_waiting drop constraint log_waiting_entry_check;

reset role;
