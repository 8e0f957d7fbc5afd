-- At the first bell after an account was closed its credits lapse. Rules 19.5.

-- For accounts that were closed on the day of this night or earlier, once it is settled. Rules 19.4, 19.5.
create or replace function engine.settle_closings(night integer)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  insert into hill.transfers (day, at, kind, debit_account_id, credit_code, cents, reason)
  select settle_closings.night, engine.bell_at(settle_closings.night), 'lapse', w.account_id, 'lapsed',
         w.paid_cents - late.cents, 'the account was closed'
    from hill.closings c
    join hill.wallets w on w.account_id = c.account_id
   cross join lateral (
     -- given back since midnight: none of this night's, as in trusted.take_back
     select coalesce(sum(t.cents), 0) as cents
       from hill.transfers t
      where t.credit_account_id = w.account_id
        and t.kind = 'restored'
        and t.at >= engine.bell_at(settle_closings.night)) late
   -- of earlier closings, too: Stripe may have given back what a dispute had taken
   where c.day <= settle_closings.night and w.paid_cents > 0 and w.paid_cents > late.cents
   order by c.account_id;
  perform trusted.forget_messages(c.account_id) from hill.closings c where c.day = settle_closings.night;
end
$$;
