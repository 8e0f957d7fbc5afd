--! Previous: sha1:7dc120131f5b371da93d33b270615459d40606be
--! Hash: sha1:1aa2b5bfb0808960bb2d5f40cd51e5d7506074aa
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

-- Looked at by each deposit, a constraint costs twice what the row costs; the policies ask the same.
alter table hill.log_waiting drop constraint log_waiting_entry_check;

reset role;
