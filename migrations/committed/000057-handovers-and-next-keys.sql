--! Previous: sha1:d7a6a29cbb66f220478b8787b313f6859581a49f
--! Hash: sha1:0cc0d0c99fb4068bf5990fac9cf242a2eec71a52
--! Message: handovers-and-next-keys

-- How a log names the one after it; a second key of proofs, while another signing secret takes the place of the first;
-- and what a worker writes to see whether the hill's own address leads to this database.

set local role hill_owner;

create table hill.log_handovers (
  generation  integer primary key references hill.log_generations,
  note        text not null check (octet_length(note) <= 2000)
);
alter table hill.log_handovers enable row level security, force row level security;

create table hill.address_questions (
  question  text primary key check (question ~ '^[0-9a-f]{64}$'),
  answer    text not null check (answer ~ '^[0-9a-f]{64}$'),
  asked_at  timestamptz not null default clock_timestamp()
);
alter table hill.address_questions enable row level security, force row level security;

create table oauth.next_proof_keys (
  singleton    boolean primary key default true check (singleton),
  inner_block  bytea not null check (octet_length(inner_block) = 64),
  outer_block  bytea not null check (octet_length(outer_block) = 64),
  set_at       timestamptz not null
);
alter table oauth.next_proof_keys enable row level security, force row level security;

reset role;
