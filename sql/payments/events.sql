-- What Stripe tells, by a signed event or when the worker asks. Rules 5.7.

-- Why what Stripe tells with this livemode means nothing here; null if it is of the mode that the owner has set.
create or replace function engine.refused_mode(livemode text)
returns text
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select case when livemode is not distinct from engine.stripe_live()::text then null
              when livemode = 'true' then 'refused: real money, and this hill takes test cards'
              when livemode = 'false' then 'refused: a test card'
              else 'refused: neither of real money nor of a test card' end
$$;

-- Does what an event of a type means, in words.
create or replace function engine.act_on_event(type text, object json, sent_at timestamptz, id text)
returns text
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_state text;
  v_where text;
begin
  if json_typeof(object -> 'payment_intent') = 'object' then
    return 'refused: unreadable (payment_intent)';
  end if;
  return case
    when type like 'checkout.%' then engine.settle_checkout(object)
    when type like 'charge.%' then engine.take_claim('dispute', object, sent_at, id)
    else engine.take_claim('refund', object, sent_at, id) end;
exception when data_exception or integrity_constraint_violation then
  -- What it says cannot be stored, today or tomorrow. Anything else, such as a lock that was not free, is tried again.
  get stacked diagnostics v_state = returned_sqlstate, v_where = column_name;
  return format('refused: unreadable (%s)', concat_ws(' ', v_state, nullif(v_where, '')));
end
$$;

-- Does what an event of Stripe means, once for each id. The caller has made sure that Stripe says so, and runs as
-- the owner of the tables: nobody may call this. Rules 5.7, 5.8.
create or replace function engine.take_event(event json)
returns text
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_id      text := event ->> 'id';
  v_type    text := event ->> 'type';
  v_object  json := event #> '{data,object}';
  v_created text := event ->> 'created';
  v_sent_at timestamptz;
  v_wrong   text;
  v_outcome text;
begin
  if v_type is null or v_type !~ '^(checkout\.session\.(completed|expired)|charge\.dispute\.\w+|refund\.\w+)$' then
    return 'not asked for';
  elsif engine.stripe_live() is null then
    raise object_not_in_prerequisite_state using message = 'whether real money is paid here is not known yet';
  elsif v_id is null or char_length(v_id) not between 1 and 200 then
    return 'refused: unreadable (id)';
  end if;
  if v_created ~ '^\d{1,11}$' then
    v_sent_at := to_timestamp(v_created::bigint);
  end if;
  -- One after the other: what two of them would do to one payment at once need not be thought of.
  perform trusted.lock_one('payments');
  if exists (select from hill.payment_events e where e.id = v_id) then
    return 'known';
  end if;
  v_wrong := engine.refused_mode(event ->> 'livemode');
  v_outcome := case when v_wrong is not null then v_wrong
                    when v_sent_at is null then 'refused: unreadable (created)'
                    else engine.act_on_event(v_type, v_object, v_sent_at, v_id) end;
  insert into hill.payment_events (id, type, sent_at, taken_at, outcome, payment)
  values (v_id, v_type, coalesce(v_sent_at, clock_timestamp()), clock_timestamp(), v_outcome,
          -- a test card has paid nothing
          case when event ->> 'livemode' = 'true' or v_wrong is null then left(v_object ->> 'payment_intent', 200) end);
  return v_outcome;
end
$$;

-- Takes an event as Stripe sends it: the bytes of the body, and the header Stripe-Signature. Code: SIGNATURE_REFUSED
-- (returned). Rules 5.7.
create or replace function trusted.take_signed_event(body bytea, signature text)
returns jsonb
language plpgsql volatile parallel unsafe security definer  -- hill_owner: the only way in, besides the worker's
set search_path to pg_catalog, pg_temp
as $$
declare
  v_event json;
begin
  if engine.stripe_signed(body, signature) is not true then
    -- returned: anybody may send anything here, and what is raised would be a line in the server's log
    return engine.refused('SIGNATURE_REFUSED', 'This is not signed by Stripe, or was not within five minutes.');
  end if;
  v_event := convert_from(body, 'UTF8')::json;
  return jsonb_build_object('outcome', engine.take_event(v_event), 'id', v_event ->> 'id', 'type', v_event ->> 'type');
end
$$;

-- Takes an event as the worker read it in Stripe's list. Errors: PROOF_REFUSED. Rules 5.7.
create or replace function trusted.take_proven_event(event text, proven_at bigint, proof text)
returns text
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.check_proof('stripe event', array[event], proven_at, proof);
  return engine.take_event(event::json);
end
$$;

-- Takes a session of Checkout as the worker read it at Stripe. Errors: PROOF_REFUSED. Rules 5.7.
create or replace function trusted.take_proven_session(checkout text, proven_at bigint, proof text)
returns text
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_told    json := checkout::json;
  v_wrong   text;
  v_outcome text;
begin
  perform engine.check_proof('stripe session', array[checkout], proven_at, proof);
  if engine.stripe_live() is null then
    raise object_not_in_prerequisite_state using message = 'whether real money is paid here is not known yet';
  end if;
  perform trusted.lock_one('payments');
  v_wrong := engine.refused_mode(v_told ->> 'livemode');
  v_outcome := coalesce(v_wrong, engine.act_on_event('checkout.session', v_told, null, null));
  if v_outcome like 'refused%' then
    insert into hill.payment_events (id, type, sent_at, taken_at, outcome, payment)
    values (v_told ->> 'id', 'checkout.session', clock_timestamp(), clock_timestamp(), v_outcome,
            case when v_told ->> 'livemode' = 'true' or v_wrong is null
                 then left(v_told ->> 'payment_intent', 200) end)
    on conflict (id) do nothing;
    -- Stripe will not tell anything else of it.
    update hill.top_ups t set look_at = null where t.checkout = v_told ->> 'id';
  end if;
  return v_outcome;
end
$$;

grant execute on function trusted.take_signed_event to hill_api_human;
grant execute on function trusted.take_proven_event, trusted.take_proven_session to hill_api_worker;
