-- ledger/read_balances.sql · Any balance at the end of any day, and where each charge was paid from. Decisions 4.

create function engine.entries(account_id uuid)
returns table (day integer, at timestamptz, kind text, granted_cents bigint, paid_cents bigint, reason text)
language sql stable parallel safe security invoker
begin atomic
  select t.day, t.at, t.kind,
         case t.kind when 'grant' then t.cents when 'expiry' then -t.cents else 0 end,
         case t.kind when 'topup' then t.cents else 0 end, t.reason
    from hill.transfers t
   where entries.account_id in (t.debit_account_id, t.credit_account_id)
  union all
  select s.day, n.bell_at, 'night', -s.granted_cents, -s.paid_cents, 'the moves of day ' || s.day
    from hill.settlements s join hill.nights n on n.day = s.day
   where s.account_id = entries.account_id;
end;

comment on function engine.entries(uuid) is
$$Every entry of an account's wallet, in cents: negative where it pays. A night is one entry, the sum of its charges; an expiry belongs to
the day at whose bell it happened. Their sum is the wallet. Decisions 4.$$;

create function engine.balance_after(account_id uuid, day integer)
returns table (granted_cents bigint, paid_cents bigint)
language sql stable parallel safe security invoker
begin atomic
  select coalesce(sum(e.granted_cents), 0)::bigint, coalesce(sum(e.paid_cents), 0)::bigint
    from engine.entries(balance_after.account_id) e
   where e.day <= balance_after.day;
end;

comment on function engine.balance_after(uuid, integer) is 'Granted and paid credits of an account (cents) after the bell of a day, from its entries.';

create function engine.charge_sources(account_id uuid, day integer)
returns table (slot integer, seq bigint, move hill.move, cents bigint, lot_id bigint)
language sql stable parallel safe security invoker
begin atomic
  -- Charges in the order of slot and seq and sources in the order of lots (soonest expiry first), then paid credits, are two cuts of one
  -- line of cents: a charge was paid from each source whose stretch overlaps its own.
  with charges as (
    select m.slot, m.seq, m.move, sum(m.cost_cents) over w - m.cost_cents as from_cent, sum(m.cost_cents) over w as to_cent
      from hill.moves m
     where m.day = charge_sources.day and m.account_id = charge_sources.account_id and m.ended is null
    window w as (order by m.slot, m.seq)
  ), drawn as (
    select d.lot_id, d.cents, row_number() over (order by l.expires_at, l.id) as place
      from hill.lot_draws d join hill.lots l on l.id = d.lot_id
     where d.day = charge_sources.day and d.account_id = charge_sources.account_id
    union all
    select null, s.paid_cents, null
      from hill.settlements s
     where s.day = charge_sources.day and s.account_id = charge_sources.account_id and s.paid_cents > 0
  ), sources as (
    select d.lot_id, sum(d.cents) over w - d.cents as from_cent, sum(d.cents) over w as to_cent
      from drawn d
    window w as (order by d.place nulls last)
  )
  select c.slot, c.seq, c.move, (least(c.to_cent, s.to_cent) - greatest(c.from_cent, s.from_cent))::bigint, s.lot_id
    from charges c join sources s on s.from_cent < c.to_cent and c.from_cent < s.to_cent
   order by c.slot, c.seq, s.from_cent;
end;

comment on function engine.charge_sources(uuid, integer) is
$$What each charge of an account's night was paid from: cents by lot, or by paid credits where lot_id is null. Granted first, soonest expiry first.
The cents of one night add up to its settlement. Decisions 4.$$;

grant execute on function engine.entries(uuid), engine.balance_after(uuid, integer), engine.charge_sources(uuid, integer)
  to hill_api_human, hill_api_agent, hill_dba;
