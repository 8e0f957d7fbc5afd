-- Any balance at the end of any day, and where each charge was paid from. Rules 5.5.

create or replace function engine.entries(account_id uuid)
returns table (
  day integer,
  at timestamptz,
  kind text,
  granted_cents bigint,
  paid_cents bigint,
  transfer_id bigint,
  reason text)
language sql stable parallel safe security invoker
begin atomic
  select t.day, t.at, t.kind, e.granted_cents, e.paid_cents, t.id, t.reason
    from hill.transfers t cross join engine.wallet_effect(t.kind, t.cents) e
   where entries.account_id in (t.debit_account_id, t.credit_account_id)
  union all
  select s.day, n.bell_at, 'night', -s.granted_cents, -s.paid_cents, null, 'the moves of day ' || s.day
    from hill.settlements s join hill.nights n on n.day = s.day
   where s.account_id = entries.account_id
  union all
  -- what expired at the last bell, until a transfer takes it from the wallet
  select n.day, n.bell_at, 'expiry', c.granted_cents - x.granted_cents, 0, null, 'expired, not yet written'
    from hill.settings h
    join hill.nights n on n.day = h.last_night
    join hill.wallets w on w.account_id = entries.account_id
    left join lateral engine.pending(w.account_id, w.ring_day) p on true
   cross join lateral (select w.granted_cents - coalesce(p.granted_cents, 0) as granted_cents) x
   cross join engine.credits_of(entries.account_id) c
   where h.settled_night < h.last_night and c.granted_cents < x.granted_cents;
end;

comment on function engine.entries is
'Every entry of an account''s wallet, in cents: negative where it pays. A night is one entry, the sum of its charges, '
'and has no transfer; an expiry belongs to the day at whose bell it happened. Their sum is engine.credits_of. '
'Rules 5.5.';

create or replace function engine.balance_after(account_id uuid, day integer)
returns table (granted_cents bigint, paid_cents bigint)
language sql stable parallel safe security invoker
begin atomic
  select coalesce(sum(e.granted_cents), 0)::bigint, coalesce(sum(e.paid_cents), 0)::bigint
    from engine.entries(balance_after.account_id) e
   where e.day <= balance_after.day;
end;

comment on function engine.balance_after is
'Granted and paid credits of an account (cents) after the bell of a day, from its entries.';

-- An account's lots of granted credits in the order in which they are spent, and what is left of each (cents). Rules
-- 5.5.
create or replace function engine.account_lots(account_id uuid)
returns table (lot_id bigint, cents bigint, remaining_cents bigint, granted_at timestamptz, expires_at timestamptz)
language sql stable parallel safe security invoker
begin atomic
  select l.id, l.cents,
         greatest(0, least(l.cents, l.from_cents + l.cents - (g.granted_cents - c.granted_cents))),
         l.granted_at, l.expires_at
    from hill.lots l
   cross join engine.credits_of(account_lots.account_id) c
   cross join (select max(e.from_cents + e.cents) as granted_cents
                 from hill.lots e where e.account_id = account_lots.account_id) g
   where l.account_id = account_lots.account_id
   order by l.from_cents;
end;

create or replace function engine.charge_sources(account_id uuid, day integer)
returns table (slot integer, seq bigint, move hill.move, cents bigint, lot_id bigint)
language sql stable parallel safe security invoker
begin atomic
  -- Charges in the order of slot and seq and sources in the order of lots (soonest expiry first), then paid credits,
  -- are two cuts of one line of cents: a charge was paid from each source whose stretch overlaps its own.
  with charges as (
    select m.slot, m.seq, m.move,
           sum(m.cost_cents) over w - m.cost_cents as from_cent, sum(m.cost_cents) over w as to_cent
      from hill.moves m
     where m.day = charge_sources.day and m.account_id = charge_sources.account_id and m.ended is null
    window w as (order by m.slot, m.seq)
  ), gone as (
    -- from the front of the account's line of lots before this night: what earlier nights took, what expired, and what
    -- staff took back
    select coalesce((select sum(s.granted_cents) from hill.settlements s
                      where s.account_id = charge_sources.account_id and s.day < charge_sources.day), 0)
         + coalesce((select -sum(e.granted_cents)
                     from hill.transfers t cross join engine.wallet_effect(t.kind, t.cents) e
                    where t.debit_account_id = charge_sources.account_id and t.day < charge_sources.day), 0) as cents
  ), drawn as (
    select l.id as lot_id,
           least(l.from_cents + l.cents, g.cents + s.granted_cents) - greatest(l.from_cents, g.cents) as cents,
           l.from_cents as place
      from gone g
      join hill.settlements s on s.day = charge_sources.day and s.account_id = charge_sources.account_id
      join hill.lots l
        on l.account_id = s.account_id and l.from_cents < g.cents + s.granted_cents
       and g.cents < l.from_cents + l.cents
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

comment on function engine.charge_sources is
'What each charge of an account''s night was paid from: cents by lot, or by paid credits where lot_id is null. '
'Granted first, soonest expiry first. The cents of one night add up to its settlement. Rules 5.5.';
