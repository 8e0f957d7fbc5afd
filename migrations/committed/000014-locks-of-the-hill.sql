--! Previous: sha1:346e6a18eeb4e9d838247c3c0c267920eecb6922
--! Hash: sha1:d7c7397d2b6ba5c415df994ad5607c9b312cf908
--! Message: locks of the hill

-- Locks that only the owners of the API can take: an advisory lock can be taken and watched by every login.

set local role hill_owner;

-- Without a column and without a row: it is there to be locked, as the day.
create table hill.day_lock ();

-- A row for each thing that is done by one at a time.
create table hill.locks (
  name  text primary key
);
insert into hill.locks (name) values
  ('approvals'), ('boards'), ('forgetting'), ('house'), ('reports'), ('sign-ins'), ('signing keys'), ('tournament boards'), ('tournament days');

alter table hill.day_lock enable row level security, force row level security;
alter table hill.locks enable row level security, force row level security;

-- Null for accounts that have done nothing since; the row itself is the account's lock.
alter table hill.reservations add column acted_at timestamptz;

reset role;
