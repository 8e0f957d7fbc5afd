--! Previous: sha1:84b522ef8c377da364b86edbb7313f8aa21b227f
--! Hash: sha1:fd19a482375b3864bf7a39e9122fe326323c798d
--! Message: witnesses

set local role hill_owner;

-- What witnesses signed of checkpoints: of each the first. That the checkpoint is there is seen to by who writes it.
create table hill.log_cosignatures (
  generation  integer not null,
  size        bigint not null,
  witness     text not null check (length(witness) < 2400),
  signature   text not null check (signature ~ '^— [^[:space:]]+ [A-Za-z0-9+/]+=*$' and length(signature) < 8000),
  seen_at     timestamptz not null,
  primary key (generation, size, witness)
);
alter table hill.log_cosignatures enable row level security, force row level security;

-- When a worker last had nothing left to sign of the log. A hill that has not come so far is measured from here.
alter table hill.watch add column log_signed_at timestamptz not null default clock_timestamp();

reset role;
