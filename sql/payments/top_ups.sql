-- A top-up: asked for by a human, paid for at Stripe, credited once. Rules 5.2, 5.7.

-- How many top-ups an account may begin in an hour. Rules 5.7.
create or replace function engine.topups_per_hour()
returns integer language sql immutable parallel safe return 10;

-- How many minutes of real time a top-up can be paid for, from when it began. Rules 5.7.
create or replace function engine.checkout_minutes()
returns integer language sql immutable parallel safe return 60;

-- Whether a top-up can still be paid for: it is pending, and has a session at Stripe or could still get one.
create or replace function engine.payable(top_up hill.top_ups)
returns boolean
language sql volatile parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  -- Stripe takes no session that ends in less than 30 minutes
  select top_up.transfer_id is null and top_up.failed_at is null
         and (top_up.checkout is not null
              or top_up.started_at > clock_timestamp()
                                     - (engine.checkout_minutes() - 31) * interval '1 minute')
$$;

-- What Stripe is asked for to have a top-up paid.
create or replace function engine.show_checkout(account_id uuid, top_up_id uuid)
returns jsonb
language sql volatile parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'top_up_id', t.id,
      'account_id', t.account_id,
      'cents', t.cents,
      'checkout', t.checkout,
      -- real time, in whole seconds: the same whenever it is asked for
      'expires_at', floor(extract(epoch from t.started_at))::bigint + engine.checkout_minutes() * 60)
    from hill.top_ups t
   where t.id = show_checkout.top_up_id
     and t.account_id = show_checkout.account_id
     and engine.payable(t);
end;

-- An account's paid credits in the order in which they are spent. Rules 5.7.
create or replace function engine.paid_credits(account_id uuid)
returns table (transfer_id bigint, topup_id bigint, cents bigint, remaining_cents bigint)
language sql stable parallel safe security invoker
begin atomic
  -- Paid credits are spent in the order in which they came, so they lie on a line like lots. What a claim took is out
  -- of the line: it was the unspent end of its stretch, so nothing before it or after it moves.
  with credit as (
    select t.id, coalesce(k.of_id, t.id) as topup_id, t.cents,
           t.cents - coalesce((select sum(r.cents)
                                 from hill.claim_transfers c
                                 join hill.transfers r on r.id = c.transfer_id and r.kind = 'reversal'
                                where c.of_id = t.id), 0) as kept
      from hill.transfers t
      left join hill.claim_transfers k on k.transfer_id = t.id
     where t.credit_account_id = paid_credits.account_id and t.kind in ('topup', 'restored')
  )
  select c.id, c.topup_id, c.cents,
         greatest(0, least(c.kept, sum(c.kept) over (order by c.id) - (sum(c.kept) over () - w.paid_cents)))::bigint
    from credit c
   cross join engine.credits_of(paid_credits.account_id) w
   order by c.id;
end;

-- The 20 latest top-ups of an account (cents). Rules 5.7, 5.8.
create or replace function engine.show_top_ups(account_id uuid)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
             'top_up_id', t.id,
             'cents', t.cents,
             'created_at', engine.iso(t.created_at),
             'state', case
               when t.transfer_id is null then case when t.payable then 'pending' else 'failed' end
               when c.disputed then 'disputed'
               when c.refunded then 'refunded'
               else 'paid' end,
             'remaining_cents', case when t.transfer_id is not null then p.cents end,
             'taken_cents', nullif(c.taken_cents, 0),
             'written_off_cents', nullif(c.written_off_cents, 0))) order by t.started_at desc, t.id), '[]')
    from (select t.*, engine.payable(t) as payable
            from hill.top_ups t
           where t.account_id = show_top_ups.account_id
           order by t.started_at desc, t.id
           limit 20) t
    left join (select p.topup_id, sum(p.remaining_cents) as cents
                 from engine.paid_credits(show_top_ups.account_id) p
                group by p.topup_id) p on p.topup_id = t.transfer_id
   cross join lateral (
     select coalesce(bool_or(c.live and c.kind = 'dispute'), false) as disputed,
            coalesce(bool_or(c.live and c.kind = 'refund'), false) as refunded,
            sum(c.taken_cents) as taken_cents,
            sum(c.written_off_cents) as written_off_cents
       from hill.payment_claims c
      where c.payment = t.payment) c;
end;

-- What a session of Stripe's Checkout, as Stripe tells it, means for its top-up. Rules 5.7.
create or replace function engine.settle_checkout(told json)
returns text
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_reference text := told ->> 'client_reference_id';
  v_top_up    hill.top_ups;
  v_now       timestamptz;
begin
  select t.* into v_top_up
    from hill.top_ups t
   where t.id = case when pg_input_is_valid(v_reference, 'uuid') then v_reference::uuid end;
  if not found then
    return 'no top-up of this hill';
  end if;
  if v_top_up.transfer_id is not null then
    return case when told ->> 'payment_status' = 'paid' and told ->> 'payment_intent' is distinct from v_top_up.payment
                then 'refused: paid twice' else 'credited before' end;
  end if;
  v_now := trusted.take_instant(v_top_up.account_id);
  if told ->> 'payment_status' is distinct from 'paid' then
    if told ->> 'status' is distinct from 'expired' then
      return 'not paid yet';
    end if;
    update hill.top_ups t set failed_at = coalesce(t.failed_at, v_now), look_at = null where t.id = v_top_up.id;
    return 'failed';
  end if;
  -- what was paid is what was asked for, or nothing is credited
  if exists (select from hill.closings c where c.account_id = v_top_up.account_id) then
    update hill.top_ups t set failed_at = coalesce(t.failed_at, v_now), look_at = null where t.id = v_top_up.id;
    return 'refused: the account is closed';
  elsif told ->> 'amount_total' is distinct from v_top_up.cents::text then
    return 'refused: another amount';
  elsif told ->> 'currency' is distinct from 'usd' then
    return 'refused: another currency';
  elsif told #>> '{metadata,account_id}' is distinct from v_top_up.account_id::text then
    return 'refused: another account';
  elsif v_top_up.checkout is not null and told ->> 'id' is distinct from v_top_up.checkout then
    return 'refused: another session';
  elsif coalesce(told ->> 'payment_intent', '') = ''
        or exists (select from hill.top_ups t where t.payment = told ->> 'payment_intent') then
    return 'refused: no payment of its own';
  end if;
  with posted as (
    insert into hill.transfers (day, at, kind, debit_code, credit_account_id, cents, reason)
    select engine.day_of(v_now, s.day_one), v_now, 'topup', 'cash', v_top_up.account_id, v_top_up.cents,
           'Stripe payment ' || (told ->> 'payment_intent')
      from hill.settings s
    returning id
  )
  update hill.top_ups t
     set transfer_id = p.id, payment = told ->> 'payment_intent', failed_at = null, look_at = null
    from posted p
   where t.id = v_top_up.id;
  perform engine.set_bar(v_top_up.account_id, v_now);   -- a claim may have been told before
  return 'credited';
end
$$;

-- A pending top-up about whose session Stripe is to be asked now, and again in ten minutes; null if none is due. Rules
-- 5.7.
create or replace function trusted.take_checkout()
returns jsonb
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_top_up hill.top_ups;
begin
  select t.* into v_top_up
    from hill.top_ups t
   where t.look_at <= clock_timestamp()
   order by t.look_at
   limit 1
     for no key update skip locked;
  if not found then
    return null;
  end if;
  -- The session is unknown if a process died while it was being made. If it is paid all the same, it is credited.
  if not engine.payable(v_top_up) then
    update hill.top_ups t set failed_at = engine.now(), look_at = null where t.id = v_top_up.id;
  else
    update hill.top_ups t set look_at = clock_timestamp() + interval '600 seconds' where t.id = v_top_up.id;
  end if;
  return jsonb_build_object('top_up_id', v_top_up.id, 'checkout', v_top_up.checkout);
end
$$;

grant execute on function trusted.take_checkout to hill_api_worker;
