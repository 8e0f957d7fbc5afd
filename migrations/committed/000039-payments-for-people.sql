--! Previous: sha1:7ee0a0d8f096a79fedf55ec60d781a3f4d538771
--! Hash: sha1:aa314307c13adb700c7e2e560933bbf154ba3c9f
--! Message: payments for people

-- Whether real money is paid here, and which payments an event that needs a person is about.

set local role hill_owner;

-- Written by the owner when the hill starts: whether Stripe tells of real money (live), or of test cards.
create table oauth.stripe_modes (
  singleton  boolean primary key default true check (singleton),
  live       boolean not null,
  set_at     timestamptz not null
);
alter table oauth.stripe_modes enable row level security, force row level security;

-- What an event is about, to see later whether it was returned.
alter table hill.payment_events add column payment text;

reset role;
