--! Previous: sha1:49d4489c29ea9ba9fb3af089b0a542b44c100a18
--! Hash: sha1:de18730b50d21ba71075241295e8b98364c1447d
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
