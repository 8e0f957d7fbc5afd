-- What the worker reads at Stripe and hands on, each with a proof. Rules 5.7.

create or replace function api_worker.take_checkout()
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.take_checkout() $$;

create or replace function api_worker.take_stripe_session(checkout text, proven_at bigint, proof text)
returns text language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.take_proven_session(checkout, proven_at, proof) $$;

create or replace function api_worker.take_stripe_event(event text, proven_at bigint, proof text)
returns text language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.take_proven_event(event, proven_at, proof) $$;

create or replace function api_worker.events_since()
returns bigint
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  -- Stripe keeps its list for 30 days. An event may enter it somewhat late, hence the hour.
  select coalesce((select extract(epoch from l.listed_until)::bigint - 3600 from hill.payment_listing l), 0)
$$;

create or replace function api_worker.events_listed(until bigint)
returns void
language sql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
  insert into hill.payment_listing as l (listed_until) values (to_timestamp(events_listed.until))
  on conflict (singleton) do update set listed_until = greatest(l.listed_until, excluded.listed_until)
$$;

comment on function api_worker.take_checkout is
'trusted.take_checkout(): the pending top-up to ask Stripe about now, null if none is due.';
comment on function api_worker.take_stripe_session is
'trusted.take_proven_session(): what a session of Checkout means for its top-up. Errors: PROOF_REFUSED.';
comment on function api_worker.take_stripe_event is
'trusted.take_proven_event(): what an event of Stripe''s list means. Errors: PROOF_REFUSED.';
comment on function api_worker.events_since is
'From when on the worker reads Stripe''s list of events (seconds since 1970): an hour before where it read last.';
comment on function api_worker.events_listed is
'Records up to when (seconds since 1970) the worker has read Stripe''s list of events.';

grant execute on function
  api_worker.take_checkout,
  api_worker.take_stripe_session,
  api_worker.take_stripe_event,
  api_worker.events_since,
  api_worker.events_listed
  to hill_worker;
