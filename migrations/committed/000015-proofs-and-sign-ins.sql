--! Previous: sha1:d7c7397d2b6ba5c415df994ad5607c9b312cf908
--! Hash: sha1:fe9062890b49a415a2722b9f921920ecb3962d3d
--! Message: proofs and sign ins

-- What the web process says of the world outside is believed with a proof only: the key that proofs are made with. And sign-ins that share an account.

set local role hill_owner;

-- HMAC-SHA256 (RFC 2104) by its two padded blocks, so that plain SQL can compute it. Written by the owner when the hill starts.
create table oauth.proof_keys (
  singleton    boolean primary key default true check (singleton),
  inner_block  bytea not null check (length(inner_block) = 64),
  outer_block  bytea not null check (length(outer_block) = 64),
  set_at       timestamptz not null
);

-- Each payment is credited once, whoever repeats it.
create table hill.payments (
  reference    text primary key check (char_length(reference) between 1 and 200),
  transfer_id  bigint not null unique references hill.transfers,
  at           timestamptz not null
);

-- null: somebody else was vouched for by that address since.
alter table oauth.sign_ins alter column email drop not null;

reset role;
