-- What an account paid, for what, from which money, and what it had before and after. Rules 5.3, 5.4, 5.5.

-- Every entry of an account's wallet (engine.entries) with the granted and paid credits before and after it, in cents.
-- Rules 5.5.
create or replace function engine.wallet_history(account_id uuid)
returns setof api_staff.history_entry
language sql stable parallel safe security invoker
begin atomic
  select wallet_history.account_id,
         e.day,
         e.at,
         e.kind,
         e.reason,
         e.transfer_id,
         e.granted_cents,
         e.paid_cents,
         (sum(e.granted_cents) over w - e.granted_cents)::bigint,
         (sum(e.paid_cents) over w - e.paid_cents)::bigint,
         (sum(e.granted_cents) over w)::bigint,
         (sum(e.paid_cents) over w)::bigint
    from engine.entries(wallet_history.account_id) e
   -- a day's own entries, then its night, then what its bell takes
  window w as (
    order by e.day,
             case when e.kind = 'night' then 1 when e.at >= engine.bell_at(e.day) then 2 else 0 end,
             e.transfer_id)
   order by e.day desc,
            case when e.kind = 'night' then 1 when e.at >= engine.bell_at(e.day) then 2 else 0 end desc,
            e.transfer_id desc;
end;

-- What an account's night cost: each charge by what paid it (engine.charge_sources), a lot of granted credits with its
-- expiry or paid credits, and the credits before and after, in cents. Rules 5.3, 5.4, 5.5.
create or replace function engine.explain_night_money(account_id uuid, day integer)
returns setof api_staff.charge
language sql stable parallel safe security invoker
begin atomic
  with before as (
    select h.granted_before_cents + h.paid_before_cents as cents
      from engine.wallet_history(explain_night_money.account_id) h
     where h.kind = 'night' and h.day = explain_night_money.day
  ), charged as (
    select c.slot,
           c.seq,
           c.move,
           p.outcome,
           c.cents,
           c.lot_id,
           l.expires_at,
           m.stake_cents,
           sum(c.cents) over (order by c.slot, c.seq, c.lot_id nulls last) as so_far
      from engine.charge_sources(explain_night_money.account_id, explain_night_money.day) c
      join hill.place_results p on p.day = explain_night_money.day and p.slot = c.slot
      join hill.moves m
        on m.day = explain_night_money.day and m.account_id = explain_night_money.account_id and m.seq = c.seq
      left join hill.lots l on l.id = c.lot_id
  )
  select explain_night_money.day,
         c.slot,
         c.move,
         c.seq,
         c.outcome,
         case when c.move = 'PEACE' then format('Rent of a PEACE on place %s', c.slot)
              when c.outcome = 'BURN' then format('Stake of a WAR on place %s, burned', c.slot)
              else format('Stake of a WAR on place %s', c.slot) end,
         c.cents,
         case when c.lot_id is null then 'paid' else 'granted' end,
         c.lot_id,
         c.expires_at,
         (b.cents - c.so_far + c.cents)::bigint,
         (b.cents - c.so_far)::bigint
    from charged c
   cross join before b
   order by c.slot, c.seq, c.lot_id nulls last;
end;

-- An id from which all transfers of a day on are found, by halving.
create or replace function engine.first_transfer(day integer)
returns bigint
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_low  bigint := coalesce((select min(t.id) from hill.transfers t), 1);
  v_high bigint := coalesce((select max(t.id) from hill.transfers t), 0) + 1;
  v_mid  bigint;
  v_day  integer;
begin
  while v_low < v_high loop
    v_mid := (v_low + v_high) / 2;
    select t.day into v_day from hill.transfers t where t.id >= v_mid order by t.id limit 1;
    if v_day < first_transfer.day then
      v_low := v_mid + 1;
    else
      v_high := v_mid;
    end if;
  end loop;
  return v_low;
end
$$;

-- What came in and went out on each day of a range, the latest first, in cents. Rules 5.5.
create or replace function engine.money_by_day(first_day integer, last_day integer)
returns setof api_staff.day_of_money
language sql stable parallel safe security invoker
begin atomic
  with moved as (
    select t.day,
           sum(t.cents) filter (where t.kind in ('topup', 'restored')) as paid_in,
           sum(t.cents) filter (where t.kind = 'reversal') as taken_back,
           sum(t.cents) filter (where t.kind = 'grant') as granted,
           sum(t.cents) filter (where t.kind = 'expiry') as expired,
           sum(t.cents) filter (where t.kind = 'lapse') as lapsed,
           sum(t.cents) filter (where t.kind = 'revocation') as revoked
      from hill.transfers t
     where t.id >= (select engine.first_transfer(money_by_day.first_day - 1))
       and t.day between money_by_day.first_day and money_by_day.last_day
     group by t.day
  )
  select d.day,
         coalesce(m.paid_in, 0)::bigint,
         coalesce(m.taken_back, 0)::bigint,
         coalesce(m.granted, 0)::bigint,
         coalesce(n.rent_cents, 0),
         coalesce(n.stakes_cents, 0),
         coalesce(n.burned_cents, 0),
         coalesce(n.granted_cents, 0),
         coalesce(n.paid_cents, 0),
         coalesce(m.expired, 0)::bigint,
         coalesce(m.lapsed, 0)::bigint,
         coalesce(m.revoked, 0)::bigint
    from generate_series(money_by_day.first_day, money_by_day.last_day) d (day)
    left join moved m on m.day = d.day
    left join hill.nights n on n.day = d.day
   order by d.day desc;
end;

-- what an account reads of its own money (ledger/read_balances.sql)
