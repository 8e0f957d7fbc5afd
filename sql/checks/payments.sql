-- Top-ups, and what disputes and refunds took, recomputed. Rules 5.7, 5.8.

create or replace function engine.check_payments()
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  select 'Each payment credited what was asked for, once', count(*), count(*) filter (where x.wrong),
         min(format('top-up %s of %s: %s cents, credited %s', x.id, engine.account_words(x.account_id), x.cents,
                    coalesce(x.credited, 0))) filter (where x.wrong)
    from (select t.id, t.account_id, t.cents, r.cents as credited,
                 (r.kind, r.credit_account_id, r.cents) is distinct from ('topup', t.account_id, t.cents) as wrong
            from hill.top_ups t
            left join hill.transfers r on r.id = t.transfer_id
           where t.transfer_id is not null) x

   union all
  select 'Each claim took or wrote off all that Stripe took back', count(*), count(*) filter (where x.wrong),
         min(format('claim %s on %s: %s cents, of which %s were taken and %s written off', x.id,
                    coalesce(engine.account_words(x.account_id), 'no top-up'), x.cents, x.taken, x.written_off))
           filter (where x.wrong)
    from (select c.id, c.cents, r.taken_cents as taken, r.written_off_cents as written_off,
                 (select t.account_id from hill.top_ups t where t.payment = c.payment) as account_id,
                 (coalesce(c.taken_cents, 0), coalesce(c.written_off_cents, 0))
                   is distinct from (r.taken_cents, r.written_off_cents)
                 or (c.taken_cents is not null and c.taken_cents + c.written_off_cents <> c.cents) as wrong
            from hill.payment_claims c
           cross join lateral (
             select coalesce(sum(case r.kind when 'reversal' then r.cents when 'restored' then -r.cents end), 0)
                      as taken_cents,
                    coalesce(sum(case r.kind when 'writeoff' then r.cents when 'recovery' then -r.cents end), 0)
                      as written_off_cents
               from hill.claim_transfers k
               join hill.transfers r on r.id = k.transfer_id
              where k.claim_id = c.id) r) x

   union all
  select 'Each transfer of a claim is its own, and of the account whose top-up it is',
         count(*), count(*) filter (where x.wrong),
         min(format('transfer %s of day %s: %s cents%s', x.id, x.day, x.cents,
                    coalesce(' of ' || engine.account_words(x.account_id), ''))) filter (where x.wrong)
    from (select r.id, r.day, r.cents, coalesce(r.debit_account_id, r.credit_account_id) as account_id,
                 k.transfer_id is null
                 or (r.kind in ('reversal', 'restored')
                     and coalesce(r.debit_account_id, r.credit_account_id) is distinct from t.account_id) as wrong
            from (select r.* from hill.transfers r
                   where r.kind in ('reversal', 'restored', 'writeoff', 'recovery')) r
            left join hill.claim_transfers k on k.transfer_id = r.id
            left join hill.payment_claims c on c.id = k.claim_id
            left join hill.top_ups t on t.payment = c.payment) x

   union all
  select 'What is left of an account''s top-ups is its paid credits', count(*), count(*) filter (where x.wrong),
         min(format('%s has %s paid cents, %s are left of its top-ups', engine.account_words(x.account_id),
                    x.paid_cents, x.remaining)) filter (where x.wrong)
    from (select w.account_id, c.paid_cents, r.remaining, c.paid_cents <> r.remaining as wrong
            from hill.wallets w
           cross join lateral engine.credits_of(w.account_id) c
           cross join lateral (select coalesce(sum(p.remaining_cents), 0) as remaining
                                 from engine.paid_credits(w.account_id) p) r
           where w.account_id in (select t.account_id from hill.top_ups t)) x

   union all
  select 'Accounts are barred for live claims alone', count(*), count(*) filter (where x.wrong),
         min(engine.account_words(x.id) || case when x.barred then ' is barred' else ' is not barred' end)
           filter (where x.wrong)
    from (select a.id, a.barred_at is not null as barred,
                 (a.barred_at is not null)
                   <> exists (select from hill.payment_claims c
                                join hill.top_ups t on t.payment = c.payment
                               where t.account_id = a.id and c.live and c.released_at is null) as wrong
            from hill.accounts a) x;
end;

comment on function engine.check_payments is
'Whether top-ups were credited, and what Stripe took back was taken or written off, as the transfers say. '
'Rules 5.7, 5.8.';
