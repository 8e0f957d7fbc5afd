-- A receipt for each payment, for the human of its account alone. Rules 5.11.

-- What a receipt shows of a top-up that was paid: amount (cents), Stripe's ids, the terms that the account had accepted
-- when it began, and its disputes and refunds. null for any other.
create or replace function engine.show_receipt(account_id uuid, top_up_id uuid)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'top_up_id', t.id,
      'account_id', t.account_id,
      'cents', t.cents,
      'paid_at', engine.iso(p.at),
      'checkout', t.checkout,
      'payment', t.payment,
      'terms', (select jsonb_build_object(
                    'operator', k.operator,
                    'version', k.version,
                    'sha256', k.terms_sha256,
                    'accepted_at', engine.iso(a.at))
                  from hill.terms_accepted a
                  join hill.terms k on k.id = a.terms_id
                 where a.account_id = t.account_id and a.at <= t.created_at
                 order by a.terms_id desc limit 1),
      'claims', (select coalesce(
                          jsonb_agg(
                            jsonb_build_object(
                              'claim_id', c.id,
                              'kind', c.kind,
                              'cents', c.cents,
                              'status', c.status,
                              'live', c.live,
                              'at', engine.iso(c.at),
                              'taken_cents', c.taken_cents)
                            order by c.at, c.id),
                          '[]')
                   from hill.payment_claims c where c.payment = t.payment))
    from hill.top_ups t
    join hill.transfers p on p.id = t.transfer_id
   where t.id = show_receipt.top_up_id and t.account_id = show_receipt.account_id;
end;

-- The payments of an account, the latest first, at most 30: those before one of them (its number), or all. earlier: the
-- number before which there are more.
create or replace function engine.list_receipts(account_id uuid, before bigint)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  with paid as (
    select t.id, t.cents, t.transfer_id, p.at, row_number() over (order by t.transfer_id desc) as n,
           exists (select from hill.payment_claims c where c.payment = t.payment and c.live) as claimed
      from hill.top_ups t
      join hill.transfers p on p.id = t.transfer_id
     where t.account_id = list_receipts.account_id
       and (list_receipts.before is null or t.transfer_id < list_receipts.before)
     order by t.transfer_id desc
     limit 31
  )
  select jsonb_build_object(
      'payments', coalesce(
        jsonb_agg(
          jsonb_build_object(
            'top_up_id', p.id,
            'cents', p.cents,
            'paid_at', engine.iso(p.at),
            'claimed', p.claimed)
          order by p.n) filter (where p.n <= 30),
        '[]'),
      'earlier', case when count(*) > 30 then min(p.transfer_id) filter (where p.n <= 30) end)
    from paid p;
end;
