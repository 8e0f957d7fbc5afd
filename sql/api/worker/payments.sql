-- api/worker/payments.sql · What the worker reads at Stripe and hands on, each with a proof. Rules 5.7.

create or replace function api_worker.take_checkout()
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.take_checkout() $$;

create or replace function api_worker.take_stripe_session(checkout text, proven_at bigint, proof text)
returns text language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.take_proven_session(checkout, proven_at, proof) $$;

create or replace function api_worker.take_stripe_event(event text, proven_at bigint, proof text)
returns text language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.take_proven_event(event, proven_at, proof) $$;

create or replace function api_worker.events_since()
returns bigint language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.events_since() $$;

create or replace function api_worker.events_listed(until bigint)
returns void language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.events_listed(until) $$;

comment on function api_worker.take_checkout is
'engine.take_checkout(): the pending top-up to ask Stripe about now, null if none is due.';
comment on function api_worker.take_stripe_session is
'engine.take_proven_session(): what a session of Checkout means for its top-up. Errors: PROOF_REFUSED.';
comment on function api_worker.take_stripe_event is
'engine.take_proven_event(): what an event of Stripe''s list means. Errors: PROOF_REFUSED.';
comment on function api_worker.events_since is 'engine.events_since(): from when on to read that list.';
comment on function api_worker.events_listed is 'engine.events_listed(): up to when it was read.';

grant execute on function
  api_worker.take_checkout,
  api_worker.take_stripe_session,
  api_worker.take_stripe_event,
  api_worker.events_since,
  api_worker.events_listed
  to hill_worker;
