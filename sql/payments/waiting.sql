-- Payments that wait for a person: nobody else can find out what is to become of the money. Rules 5.7, 5.8.

-- Payments that wait for a person (why).
create or replace function engine.waiting_payments()
returns table (why text, id text, payment text, account_id uuid, since timestamptz, about text)
language sql stable parallel safe security invoker
begin atomic
  -- until it was returned, or credited after all
  select 'not_credited', min(e.id), e.payment, null::uuid, min(e.taken_at), min(e.outcome)
    from hill.payment_events e
   where e.outcome like 'refused%' and e.type like 'checkout.%' and e.payment is not null
     and not exists (select from hill.payment_claims c where c.payment = e.payment and c.live)
     and not exists (select from hill.top_ups t where t.payment = e.payment)
   group by e.payment

   union all
  -- a dispute in another currency, what could not be read, a test card: for a week, since nothing tells when it is done
  select 'refused', e.id, e.payment, t.account_id, e.taken_at, e.outcome
    from hill.payment_events e
    left join hill.top_ups t on t.payment = e.payment
   where e.outcome like 'refused%' and (e.type not like 'checkout.%' or e.payment is null)
     and e.taken_at > clock_timestamp() - interval '7 days'

   union all
  select 'dispute', c.id, c.payment, t.account_id, c.at, c.status
    from hill.payment_claims c
    join hill.top_ups t on t.payment = c.payment
   where c.kind = 'dispute' and c.status like '%needs_response' and c.released_at is null

   union all
  -- Stripe ends a session after an hour
  select 'unknown', t.id::text, null, t.account_id, t.started_at, 'pending: ' || t.checkout
    from hill.top_ups t
   where t.look_at is not null and t.checkout is not null
     and t.started_at < clock_timestamp() - interval '3 hours';
end;

-- How many engine.waiting_payments there are, by why.
create or replace function trusted.count_waiting_payments()
returns jsonb
language sql stable parallel safe security definer  -- hill_owner: the worker reads no payments
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_object_agg(k.why, (select count(*) from engine.waiting_payments() w where w.why = k.why))
    from unnest(array['not_credited', 'refused', 'dispute', 'unknown']) k (why)
$$;

grant execute on function trusted.count_waiting_payments to hill_api_worker;
