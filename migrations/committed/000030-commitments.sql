--! Previous: sha1:76c1f46170e0882b9cba326b0f7784b18b0d4cee
--! Hash: sha1:84b522ef8c377da364b86edbb7313f8aa21b227f
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

reset role;
