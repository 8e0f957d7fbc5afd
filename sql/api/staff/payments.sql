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
comment on column api_staff.disputed_payment.account_id is 'Whose top-up.';
comment on column api_staff.disputed_payment.top_up_id is 'The top-up.';
comment on column api_staff.disputed_payment.kind is 'dispute or refund.';
comment on column api_staff.disputed_payment.status is 'How it stands, as Stripe calls it.';
comment on column api_staff.disputed_payment.cents is 'How much is asked back (cents).';
comment on column api_staff.disputed_payment.live is 'Whether it is of real money.';
comment on column api_staff.disputed_payment.at is 'When it was made.';
comment on column api_staff.disputed_payment.taken_cents is
'What was taken back from the account (cents); null as long as nothing was.';
comment on column api_staff.disputed_payment.written_off_cents is
'What had been spent by then (cents); null as long as nothing was taken.';
comment on column api_staff.disputed_payment.released_at is
'When it ended without taking anything; null if it has not.';
comment on column api_staff.disputed_payment.payment is 'What Stripe calls the payment.';

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
comment on column api_staff.waiting_payment.why is 'Why it waits: not_credited, refused, dispute or unknown.';
comment on column api_staff.waiting_payment.id is 'The event, the dispute or the top-up.';
comment on column api_staff.waiting_payment.payment is 'What Stripe calls the payment; null if it has none.';
comment on column api_staff.waiting_payment.account_id is 'Whose payment; null if that is not known.';
comment on column api_staff.waiting_payment.since is 'Since when it waits.';
comment on column api_staff.waiting_payment.about is 'The outcome of the event, or the status at Stripe.';

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
