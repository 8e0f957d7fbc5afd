-- Disputes and refunds: they bar deposits at once, and take what is left after the next bell. Rules 5.8.

-- Bars the deposits of an account while one of its top-ups has a claim that is live and that staff have not released.
-- Rules 5.8.
create or replace function engine.set_bar(account_id uuid, now timestamptz)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_claims jsonb;
  v_barred boolean;
begin
  select jsonb_agg(jsonb_build_object('claim', c.id, 'kind', c.kind, 'status', c.status, 'cents', c.cents)
                   order by c.id),
         coalesce(bool_or(c.live and c.released_at is null), false)
    into v_claims, v_barred
    from hill.payment_claims c
    join hill.top_ups t on t.payment = c.payment
   where t.account_id = set_bar.account_id;
  update hill.accounts a
     set barred_at = case when v_barred then set_bar.now end
   where a.id = set_bar.account_id and (a.barred_at is not null) <> v_barred;
  if found then
    insert into hill.audit_log (at, staff_name, action, account_id, details, reason)
    values (
      set_bar.now,
      'Stripe',
      case when v_barred then 'bar_deposits' else 'lift_bar' end,
      set_bar.account_id,
      jsonb_build_object('claims', v_claims),
      case when v_barred then 'A top-up is disputed or refunded' else 'No claim is left that bars' end);
    if v_barred then
      perform trusted.mail(account_id, 'barred', engine.iso(set_bar.now));
    end if;
  end if;
end
$$;

-- Gives an account what a claim took, as paid credits that are spent last, and takes back what it wrote off. Rules 5.8.
create or replace function engine.give_back(claim hill.payment_claims, account_id uuid, now timestamptz)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_day      integer := (select engine.day_of(now, s.day_one) from hill.settings s);
  v_topup_id bigint := (select t.transfer_id from hill.top_ups t where t.payment = claim.payment);
begin
  with posted as (
    insert into hill.transfers (day, at, kind, debit_code, credit_account_id, credit_code, cents, reason)
    select v_day, give_back.now, p.kind, 'cash', p.credit_account_id, p.credit_code, p.cents,
           'Stripe withdrew ' || claim.id
      from (values ('restored', account_id, null, claim.taken_cents),
                   ('recovery', null, 'written_off', claim.written_off_cents))
             p (kind, credit_account_id, credit_code, cents)
     where p.cents > 0
    returning id
  )
  insert into hill.claim_transfers (transfer_id, claim_id, of_id)
  select p.id, claim.id, v_topup_id from posted p;
  update hill.payment_claims c set taken_cents = null, written_off_cents = null where c.id = claim.id;
end
$$;

-- Records a dispute or a refund as an event of Stripe tells it, unless a newer one is known, and bars the account's
-- deposits. Rules 5.8.
create or replace function engine.take_claim(kind text, object json, sent_at timestamptz, event text)
returns text
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_status  text := object ->> 'status';
  v_cents   bigint := (object ->> 'amount')::bigint;
  v_payment text := object ->> 'payment_intent';
  -- an inquiry (warning_…) has moved no money
  v_live    boolean := v_status <> all (array[
    'won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed', 'failed', 'canceled']);
  v_settled boolean := v_status = any (array[
    'won', 'lost', 'prevented', 'warning_closed', 'succeeded', 'failed', 'canceled']);
  v_account uuid;
  v_now     timestamptz;
  v_old     hill.payment_claims;
begin
  select t.account_id into v_account from hill.top_ups t where t.payment = v_payment;
  if v_account is not null and object ->> 'currency' is distinct from 'usd' then
    return 'refused: a claim in another currency';   -- how many cents it takes back is for a person to find out
  elsif v_payment is null or object ->> 'currency' <> 'usd' then
    return 'no payment of this hill';
  end if;
  if v_account is null then
    v_now := engine.now();
  else
    v_now := trusted.take_instant(v_account);
    -- the wallet before the claim, as a bell takes them
    perform from hill.wallets w where w.account_id = v_account for no key update;
  end if;
  select c.* into v_old from hill.payment_claims c where c.id = object ->> 'id' for no key update;
  -- events of one second: the one that settles the claim is the later one
  if (v_old.sent_at, v_old.settled, v_old.event) >= (take_claim.sent_at, v_settled, take_claim.event) then
    return 'older than what is known';
  end if;
  if v_old.taken_cents is not null and (not v_live or v_old.cents <> v_cents) then
    perform engine.give_back(v_old, v_account, v_now);
  end if;
  insert into hill.payment_claims as c (id, kind, payment, cents, status, live, at, sent_at, settled, event)
  values (object ->> 'id', take_claim.kind, v_payment, v_cents, v_status, v_live, v_now, take_claim.sent_at, v_settled,
          take_claim.event)
  on conflict on constraint payment_claims_pkey do update
     set cents = excluded.cents,
         status = excluded.status,
         live = excluded.live,
         at = case when c.live and excluded.live and c.cents = excluded.cents then c.at else excluded.at end,
         sent_at = excluded.sent_at,
         settled = excluded.settled,
         event = excluded.event;
  if v_account is null then
    return 'kept until its payment is known';
  end if;
  perform engine.set_bar(v_account, v_now);
  return v_status;
end
$$;

-- Takes what is left of each top-up that was disputed or refunded before the bell of a night, once the night is
-- settled, and writes off what was spent of it. Rules 5.8.
create or replace function trusted.take_back(night integer)
returns bigint
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_bell  timestamptz := engine.bell_at(night);
  v_claim record;
  v_taken bigint;
  v_all   bigint := 0;
begin
  if not exists (select from hill.payment_claims c where c.live and c.taken_cents is null and c.at < v_bell) then
    return 0;
  end if;
  -- wallets before claims, as an event takes them
  perform from hill.wallets w
    where w.account_id in (select t.account_id
                             from hill.payment_claims c
                             join hill.top_ups t on t.payment = c.payment
                            where c.live and c.taken_cents is null and c.at < v_bell)
    order by w.account_id
      for no key update;
  for v_claim in
    select c.id, c.cents, t.account_id, t.transfer_id
      from hill.payment_claims c
      join hill.top_ups t on t.payment = c.payment
      join hill.transfers p on p.id = t.transfer_id
     where c.live and c.taken_cents is null and c.at < v_bell and p.at < v_bell
       -- given back since midnight: none of this night's
       and not exists (select
                         from hill.claim_transfers k
                         join hill.transfers r on r.id = k.transfer_id
                        where k.of_id = t.transfer_id and r.kind = 'restored' and r.at >= v_bell)
     order by t.account_id, c.at, c.id
       for no key update of c
  loop
    with due as (
      select p.transfer_id,
             least(p.remaining_cents, v_claim.cents - (sum(p.remaining_cents) over w - p.remaining_cents)) as cents
        from engine.paid_credits(v_claim.account_id) p
       where p.topup_id = v_claim.transfer_id and p.remaining_cents > 0
      window w as (order by p.transfer_id)
    ), taken as (
      select d.transfer_id as of_id, d.cents, row_number() over (order by d.transfer_id) as n
        from due d
       where d.cents > 0
    ), posted as (
      insert into hill.transfers (day, at, kind, debit_account_id, credit_code, cents, reason)
      select night, v_bell, 'reversal', v_claim.account_id, 'cash', t.cents, 'Stripe took back ' || v_claim.id
        from taken t
       order by t.n
      returning id, cents
    ), linked as (
      insert into hill.claim_transfers (transfer_id, claim_id, of_id)
      select p.id, v_claim.id, t.of_id
        from (select p.id, row_number() over (order by p.id) as n from posted p) p
        join taken t on t.n = p.n
    )
    select coalesce(sum(p.cents), 0) into v_taken from posted p;
    with posted as (
      insert into hill.transfers (day, at, kind, debit_code, credit_code, cents, reason)
      select night, v_bell, 'writeoff', 'written_off', 'cash', v_claim.cents - v_taken,
             'Spent before Stripe took back ' || v_claim.id
       where v_claim.cents > v_taken
      returning id
    )
    insert into hill.claim_transfers (transfer_id, claim_id, of_id)
    select p.id, v_claim.id, v_claim.transfer_id from posted p;
    update hill.payment_claims c
       set taken_cents = v_taken, written_off_cents = v_claim.cents - v_taken
     where c.id = v_claim.id;
    v_all := v_all + v_taken;
  end loop;
  return v_all;
end
$$;

grant execute on function trusted.take_back to hill_api_worker;
