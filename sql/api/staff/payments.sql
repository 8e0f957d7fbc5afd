-- Payments that were disputed, refunded or not credited. Rules 5.7, 5.8.

create type api_staff.disputed_payment as (
  account_id uuid,
  top_up_id uuid,
  kind text,
  status text,
  cents bigint,
  live boolean,
  at timestamptz,
  taken_cents bigint,
  written_off_cents bigint,
  released_at timestamptz,
  payment text);

comment on type api_staff.disputed_payment is
'A dispute or a refund (kind) of a top-up, as Stripe has it (status, payment). taken_cents: what was taken back from '
'the account; written_off_cents: what had been spent by then. Cents.';

create or replace function api_staff.disputed_payments()
returns setof api_staff.disputed_payment
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select t.account_id,
         t.id,
         c.kind,
         c.status,
         c.cents,
         c.live,
         c.at,
         c.taken_cents,
         c.written_off_cents,
         c.released_at,
         c.payment
    from hill.payment_claims c
    left join hill.top_ups t on t.payment = c.payment
   order by c.at desc, c.id
   limit 1000
$$;

comment on function api_staff.disputed_payments is
'Disputes and refunds of top-ups with the account, the latest first, at most 1000. Rules 5.8.';

create or replace function api_staff.refused_payments()
returns setof hill.payment_events
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select e.* from hill.payment_events e where e.outcome ~ '^refused' order by e.taken_at desc, e.id limit 1000
$$;

comment on function api_staff.refused_payments is
'What Stripe told and the hill did not credit, the latest first, at most 1000: money to refund at Stripe. Rules 5.7.';

create type api_staff.waiting_payment as (
  why text,
  id text,
  payment text,
  account_id uuid,
  since timestamptz,
  about text);

comment on type api_staff.waiting_payment is
'What Stripe told (id: an event, a dispute, or a top-up) that waits for a person: why is not_credited, refused, '
'dispute or unknown; about is the outcome or the status.';

create or replace function api_staff.waiting_payments()
returns setof api_staff.waiting_payment
language sql stable parallel restricted security invoker  -- reads what its caller may read
set search_path to pg_catalog, pg_temp
as $$
  select w.why, w.id, w.payment, w.account_id, w.since, w.about
    from engine.waiting_payments() w
   order by w.since, w.id
   limit 1000
$$;

comment on function api_staff.waiting_payments is
'Payments that wait for a person, the oldest first, at most 1000. Rules 5.7, 5.8.';

grant execute on function
  api_staff.disputed_payments,
  api_staff.refused_payments,
  api_staff.waiting_payments
  to hill_staff;
