--! Previous: sha1:346e6a18eeb4e9d838247c3c0c267920eecb6922
--! Hash: sha1:6dd858bc735e44c2bb5afa4c4c34f23071f22b2f
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
create index on oauth.sign_ins (email);

reset role;
