-- payments/events.sql · What Stripe tells, by a signed event or when the worker asks. Rules 5.7.

create or replace function engine.take_event(event json)
returns text
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_id      text := event ->> 'id';
  v_type    text := event ->> 'type';
  v_object  json := event #> '{data,object}';
  v_sent_at timestamptz := to_timestamp((event ->> 'created')::bigint);
  v_outcome text;
begin
  if v_type !~ '^(checkout\.session\.(completed|expired)|charge\.dispute\.\w+|refund\.\w+)$' then
    return 'not asked for';
  end if;
  -- One after the other: what two of them would do to one payment at once need not be thought of.
  perform engine.lock_one('payments');
  if exists (select from hill.payment_events e where e.id = v_id) then
    return 'known';
  end if;
  v_outcome := case
    when v_type like 'checkout.%' then engine.settle_checkout(v_object)
    when v_type like 'charge.%' then engine.take_claim('dispute', v_object, v_sent_at, v_id)
    else engine.take_claim('refund', v_object, v_sent_at, v_id) end;
  insert into hill.payment_events (id, type, sent_at, taken_at, outcome)
  values (v_id, v_type, v_sent_at, clock_timestamp(), v_outcome);
  return v_outcome;
end
$$;

comment on function engine.take_event is
'Does what an event of Stripe means, once for each id. The caller has made sure that Stripe says so, and runs as the '
'owner of the tables: nobody may call this. Returns the outcome in words. Rules 5.7, 5.8.';

create or replace function engine.take_signed_event(body bytea, signature text)
returns jsonb
language plpgsql volatile parallel unsafe security definer  -- hill_owner: the only way in, besides the worker's
set search_path to pg_catalog, pg_temp
as $$
begin
  if engine.stripe_signed(body, signature) is not true then
    -- returned: anybody may send anything here, and what is raised would be a line in the server's log
    return engine.refused('SIGNATURE_REFUSED', 'This is not signed by Stripe, or was not within five minutes.');
  end if;
  return jsonb_build_object('outcome', engine.take_event(convert_from(body, 'UTF8')::json));
end
$$;

comment on function engine.take_signed_event is
'Takes an event as Stripe sends it: the bytes of the body, and the header Stripe-Signature. Returns the outcome. '
'Code: SIGNATURE_REFUSED (returned). Rules 5.7.';

create or replace function engine.take_proven_event(event text, proven_at bigint, proof text)
returns text
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.check_proof('stripe event', array[event], proven_at, proof);
  return engine.take_event(event::json);
end
$$;

comment on function engine.take_proven_event is
'Takes an event as the worker read it in Stripe''s list. Proof "stripe event": its text. Returns the outcome. Errors: '
'PROOF_REFUSED. Rules 5.7.';

create or replace function engine.take_proven_session(checkout text, proven_at bigint, proof text)
returns text
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.check_proof('stripe session', array[checkout], proven_at, proof);
  perform engine.lock_one('payments');
  return engine.settle_checkout(checkout::json);
end
$$;

comment on function engine.take_proven_session is
'Takes a session of Checkout as the worker read it at Stripe. Proof "stripe session": its text. Returns the outcome. '
'Errors: PROOF_REFUSED. Rules 5.7.';

create or replace function engine.events_since()
returns bigint
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  -- Stripe keeps its list for 30 days. An event may enter it somewhat late, hence the hour.
  select coalesce((select extract(epoch from l.listed_until)::bigint - 3600 from hill.payment_listing l), 0)
$$;

comment on function engine.events_since is
'From when on the worker reads Stripe''s list of events (seconds since 1970): an hour before where it read last.';

create or replace function engine.events_listed(until bigint)
returns void
language sql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
  insert into hill.payment_listing as l (listed_until) values (to_timestamp(events_listed.until))
  on conflict (singleton) do update set listed_until = greatest(l.listed_until, excluded.listed_until)
$$;

comment on function engine.events_listed is
'Records up to when (seconds since 1970) the worker has read Stripe''s list of events.';

grant execute on function engine.take_signed_event to hill_api_human;
grant execute on function
  engine.take_proven_event,
  engine.take_proven_session,
  engine.events_since,
  engine.events_listed
  to hill_api_worker;
