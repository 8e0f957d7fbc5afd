-- The ledger, recomputed from its append-only records. Rules 5.5.

create or replace function engine.wallet_lines()
returns table (
  account_id uuid,
  kind text,
  day integer,
  granted_cents bigint,
  paid_cents bigint,
  granted_before numeric,
  paid_before numeric,
  place bigint)
language sql stable parallel safe security invoker
begin atomic
  select e.account_id,
         e.kind,
         e.day,
         e.granted_cents,
         e.paid_cents,
         sum(e.granted_cents) over w - e.granted_cents,
         sum(e.paid_cents) over w - e.paid_cents,
         row_number() over w
    from (select coalesce(t.credit_account_id, t.debit_account_id) as account_id,
                 t.kind,
                 t.day,
                 t.at,
                 t.id,
                 -- told anew, and not by engine.wallet_effect, which every balance was made with
                 case when t.kind = 'grant' then t.cents when t.kind in ('expiry', 'revocation') then -t.cents
                      else 0 end as granted_cents,
                 case when t.kind in ('topup', 'restored') then t.cents
                      when t.kind in ('reversal', 'lapse') then -t.cents else 0 end as paid_cents
            from hill.transfers t
           where t.kind not in ('writeoff', 'recovery')   -- between two accounts of the service
           union all
          select s.account_id,
                 'night',
                 s.day,
                 engine.day_start(s.day + 1, h.day_one),
                 null,
                 -s.granted_cents,
                 -s.paid_cents
            from hill.settlements s
           cross join hill.settings h) e
  -- at the instant of a bell: first its night, then what expires or is taken back, then what comes in
  window w as (
    partition by e.account_id
    order by e.at,
             case when e.kind = 'night' then 1
                  when e.kind in ('expiry', 'revocation', 'reversal', 'lapse') then 2 else 3 end,
             e.id
    rows between unbounded preceding and current row);
end;

comment on function engine.wallet_lines is
'Every entry of every wallet in the order in which it counts, with the balances before it (cents). A night counts at '
'the nominal instant of its bell, even if the bell rang late. Rules 5.5.';

create or replace function engine.check_balances()
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  with line as materialized (select l.* from engine.wallet_lines() l),
  pending as materialized (select p.* from engine.pending_settlements() p)
  select 'All balances add up to 0',
         count(*),
         (sum(b.cents) <> 0)::integer::bigint,
         'they add up to ' || sum(b.cents) || ' cents'
    from (select w.granted_cents + w.paid_cents as cents from hill.wallets w
          union all
          select -p.granted_cents - p.paid_cents from pending p
          union all
          select a.balance_cents from hill.ledger_accounts a) b

   union all
  -- less what it does not show yet of a night that was just published
  select 'Each wallet is the sum of its entries', count(*), count(*) filter (where x.wrong),
         min(format('%s has %s granted and %s paid, its entries %s and %s',
                    engine.account_words(x.account_id),
                    x.granted_cents, x.paid_cents, x.entries_granted, x.entries_paid)) filter (where x.wrong)
    from (select coalesce(w.account_id, e.account_id) as account_id,
                 w.granted_cents - coalesce(p.granted_cents, 0) as granted_cents,
                 w.paid_cents - coalesce(p.paid_cents, 0) as paid_cents,
                 coalesce(e.granted_cents, 0) as entries_granted,
                 coalesce(e.paid_cents, 0) as entries_paid,
                 (w.granted_cents - coalesce(p.granted_cents, 0), w.paid_cents - coalesce(p.paid_cents, 0))
                   is distinct from (coalesce(e.granted_cents, 0), coalesce(e.paid_cents, 0)) as wrong
            from hill.wallets w
            left join pending p on p.account_id = w.account_id
            full join (select l.account_id, sum(l.granted_cents) as granted_cents, sum(l.paid_cents) as paid_cents
                         from line l
                        group by l.account_id) e on e.account_id = w.account_id) x

   union all
  select 'No wallet was ever below 0', count(*), count(*) filter (where x.wrong),
         min(format('%s on day %s: %s granted and %s paid cents', engine.account_words(x.account_id), x.day,
                    x.granted, x.paid)) filter (where x.wrong)
    from (select l.account_id,
                 l.day,
                 l.granted_before + l.granted_cents as granted,
                 l.paid_before + l.paid_cents as paid,
                 l.granted_before + l.granted_cents < 0 or l.paid_before + l.paid_cents < 0 as wrong
            from line l) x

   union all
  select 'A closed account has nothing left after its bell, and nobody else''s credits lapse',
         count(*),
         count(*) filter (where x.wrong),
         min(format('%s on day %s: %s cents', engine.account_words(x.account_id), x.day,
                    x.cents)) filter (where x.wrong)
    from (select c.account_id, c.day, sum(l.granted_cents + l.paid_cents) as cents,
                 coalesce(sum(l.granted_cents + l.paid_cents), 0) <> 0 as wrong
            from hill.closings c
            left join line l on l.account_id = c.account_id and l.day <= (select engine.last_night())
           where c.day <= (select engine.last_night())
           group by c.account_id, c.day
           union all
          select t.debit_account_id, t.day, t.cents, c.account_id is null
            from hill.transfers t
            left join hill.closings c on c.account_id = t.debit_account_id and c.day <= t.day
           where t.kind = 'lapse') x

   union all
  select 'Each night took granted credits first', count(*), count(*) filter (where x.wrong),
         min(format('%s on day %s: %s granted of %s, with %s to spend',
                    engine.account_words(x.account_id),
                    x.day, x.granted, x.due, x.before)) filter (where x.wrong)
    from (select l.account_id,
                 l.day,
                 -l.granted_cents as granted,
                 -l.granted_cents - l.paid_cents as due,
                 l.granted_before as before,
                 -l.granted_cents <> least(-l.granted_cents - l.paid_cents, l.granted_before) as wrong
            from line l
           where l.kind = 'night') x

   union all
  select 'Each account of the service is the sum of its entries',
         count(*),
         count(*) filter (where x.balance_cents <> x.cents),
         min(format('%s has %s, its entries %s', x.code, x.balance_cents, x.cents))
           filter (where x.balance_cents <> x.cents)
    from (select a.code,
                 a.balance_cents,
                 case a.code when 'rent' then n.rent when 'stakes' then n.stakes when 'burned' then n.burned else 0 end
                   + coalesce((select sum(case when t.credit_code = a.code then t.cents else -t.cents end)
                                 from hill.transfers t
                                where a.code in (t.credit_code, t.debit_code)), 0) as cents
            from hill.ledger_accounts a
           cross join (select coalesce(sum(n.rent_cents), 0) as rent,
                              coalesce(sum(n.stakes_cents), 0) as stakes,
                              coalesce(sum(n.burned_cents), 0) as burned
                         from hill.nights n) n) x;
end;

comment on function engine.check_balances is
'Whether every balance is the sum of its entries, now and at every moment before. Rules 5.5.';

create or replace function engine.check_settlements()
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  with due as materialized (
    select x.account_id, x.day, max(x.to_cents) as to_cents
      from (select l.account_id,
                   -- those of a closed account at the bell of the day on which it was closed
                   least(engine.day_of(l.expires_at - interval '1 microsecond', s.day_one), c.day) as day,
                   l.from_cents + l.cents as to_cents
              from hill.lots l
              left join hill.closings c on c.account_id = l.account_id
             cross join hill.settings s) x
     -- those of the last night while wallets do not show it: see engine.unexpired
     where x.day <= (select s.settled_night from hill.settings s)
     group by 1, 2
  )
  select 'Each night''s settlements are what its live moves cost', count(*), count(*) filter (where x.wrong),
         (array_agg(format('%s on day %s %s, its moves cost %s cents',
                           engine.account_words(x.account_id), x.day,
                           coalesce('paid ' || x.paid || ' cents', 'has no settlement'), coalesce(x.cost, 0))
                    order by x.day, x.account_id) filter (where x.wrong))[1]
    from (select coalesce(s.account_id, m.account_id) as account_id,
                 coalesce(s.day, m.day) as day,
                 s.granted_cents + s.paid_cents as paid,
                 m.cents as cost,
                 (s.granted_cents + s.paid_cents, s.peace_tonight, s.war_tonight)
                   is distinct from (m.cents, m.peace, m.war) as wrong
            from hill.settlements s
            full join (select m.account_id,
                              m.day,
                              sum(m.cost_cents) as cents,
                              count(*) filter (where m.move = 'PEACE') as peace,
                              count(*) filter (where m.move = 'WAR') as war
                         from hill.moves m
                        where m.ended is null
                        group by m.account_id, m.day) m on m.account_id = s.account_id and m.day = s.day) x

   union all
  select 'Each night''s totals are its settlements and expiries', count(*), count(*) filter (where x.wrong),
         (array_agg(format('day %s: %s accounts paid %s granted and %s paid cents, and %s expired; '
                           'its settlements and expiries say %s, %s, %s and %s',
                           x.day, x.accounts, x.granted_cents, x.paid_cents,
                           coalesce(x.expired_cents::text, 'none yet'),
                           x.accounts_settled, x.granted, x.paid, x.expired) order by x.day) filter (where x.wrong))[1]
    from (select n.day, n.accounts, n.granted_cents, n.paid_cents, n.expired_cents,
                 coalesce(s.accounts, 0) as accounts_settled, coalesce(s.granted, 0) as granted,
                 coalesce(s.paid, 0) as paid, coalesce(t.cents, 0) as expired,
                 (n.accounts, n.granted_cents, n.paid_cents,
                  case when n.day = engine.unsettled_night() then coalesce(t.cents, 0) else n.expired_cents end)
                   is distinct from (coalesce(s.accounts, 0),
                                     coalesce(s.granted, 0),
                                     coalesce(s.paid, 0),
                                     coalesce(t.cents, 0)) as wrong
            from hill.nights n
            left join (select s.day, count(*) as accounts, sum(s.granted_cents) as granted, sum(s.paid_cents) as paid
                         from hill.settlements s
                        group by s.day) s on s.day = n.day
            left join (select t.day, sum(t.cents) as cents
                         from hill.transfers t
                        where t.kind = 'expiry'
                        group by t.day) t on t.day = n.day) x

   union all
  select 'Each settlement is of a night that was published', count(*), count(*) filter (where n.day is null),
         (array_agg(format('%s on day %s: %s cents', engine.account_words(s.account_id), s.day,
                           s.granted_cents + s.paid_cents) order by s.day, s.account_id)
            filter (where n.day is null))[1]
    from hill.settlements s
    left join hill.nights n on n.day = s.day

   union all
  -- two of these foreign keys are not enforced: what expires would be checked row by row at the bell
  select 'Each transfer is between accounts that there are', count(*), count(*) filter (where x.wrong),
         (array_agg(format('transfer %s of day %s (%s), %s cents: from %s to %s', x.id, x.day, x.kind, x.cents,
                           x.debit, x.credit) order by x.id) filter (where x.wrong))[1]
    from (select t.id, t.day, t.kind, t.cents,
                 coalesce(t.debit_code, t.debit_account_id::text, 'nobody') as debit,
                 coalesce(t.credit_code, t.credit_account_id::text, 'nobody') as credit,
                 (d.id is null, e.code is null, c.id is null, k.code is null)
                   is distinct from (t.debit_account_id is null,
                                     t.debit_code is null,
                                     t.credit_account_id is null,
                                     t.credit_code is null) as wrong
            from hill.transfers t
            left join hill.accounts d on d.id = t.debit_account_id
            left join hill.ledger_accounts e on e.code = t.debit_code
            left join hill.accounts c on c.id = t.credit_account_id
            left join hill.ledger_accounts k on k.code = t.credit_code) x

   union all
  select 'Each grant has its lot, and each lot its grant', count(*), count(*) filter (where x.wrong),
         min(format('%s of %s: %s cents, granted %s', x.what, engine.account_words(x.account_id), coalesce(x.cents, 0),
                    coalesce(x.granted, 0))) filter (where x.wrong)
    from (select coalesce('lot ' || l.id, 'transfer ' || t.id) as what,
                 coalesce(l.account_id, t.credit_account_id) as account_id, l.cents, t.cents as granted,
                 (l.account_id, l.cents, l.granted_at, l.expires_at)
                   is distinct from (t.credit_account_id,
                                     t.cents,
                                     t.at,
                                     t.at + make_interval(hours => 24 * engine.granted_credits_days())) as wrong
            from (select t.* from hill.transfers t where t.kind = 'grant') t
            full join hill.lots l on l.transfer_id = t.id) x

   union all
  select 'What staff took back is left of its lot, and has its transfer', count(*), count(*) filter (where x.wrong),
         min(format('%s of %s: %s cents taken back, %s moved', x.what, engine.account_words(x.account_id),
                    coalesce(x.taken_cents, 0), coalesce(x.cents, 0))) filter (where x.wrong)
    from (select coalesce('lot ' || r.lot_id, 'transfer ' || t.id) as what,
                 coalesce(r.account_id, t.debit_account_id) as account_id, r.taken_cents, t.cents,
                 (r.account_id, r.taken_cents) is distinct from (t.debit_account_id, t.cents)
                   or r.account_id <> l.account_id
                   or r.taken_cents > l.cents
                   or r.kept_at is not null as wrong
            from (select r.* from hill.lot_revocations r where r.taken_cents > 0) r
            full join (select t.* from hill.transfers t where t.kind = 'revocation') t on t.id = r.transfer_id
            left join hill.lots l on l.id = r.lot_id) x

   union all
  select 'Each account''s lots lie end to end, in the order of expiry', count(*), count(*) filter (where x.wrong),
         (array_agg(format('lot %s of %s: its %s cents begin at %s', x.id, engine.account_words(x.account_id), x.cents,
                           x.from_cents) order by x.id) filter (where x.wrong))[1]
    from (select l.id, l.account_id, l.cents, l.from_cents,
                 l.from_cents <> sum(l.cents) over w - l.cents or l.expires_at < max(l.expires_at) over w as wrong
            from hill.lots l
          window w as (
            partition by l.account_id
            order by l.from_cents, l.id
            rows between unbounded preceding and current row)) x

   union all
  -- When lots expire at a bell, the account's spending position has to be at their end afterwards, and no further
  -- because of them.
  select 'Lots expired when they had to, with what was left of them', count(*), count(*) filter (where x.wrong),
         min(format('%s on day %s: %s cents, not %s',
                    engine.account_words(x.account_id),
                    x.day, x.expired, x.due)) filter (where x.wrong)
    from (select v.account_id,
                 v.day,
                 v.expired,
                 greatest(0, v.to_cents - coalesce(v.spent, 0) - coalesce(v.gone, 0)) as due,
                 v.expired <> greatest(0, v.to_cents - coalesce(v.spent, 0) - coalesce(v.gone, 0)) as wrong
            from (select u.account_id, u.day, u.is_due, u.expired, u.to_cents,
                         sum(u.granted_cents) over (
                           partition by u.account_id order by u.day
                           range between unbounded preceding and current row) as spent,
                         sum(u.taken_cents) over (
                           partition by u.account_id order by u.day
                           range between unbounded preceding and 1 preceding) as gone
                    from (select coalesce(d.account_id, e.account_id) as account_id,
                                 coalesce(d.day, e.day) as day,
                                 true as is_due,
                                 coalesce(e.cents, 0) as expired,
                                 coalesce(d.to_cents, 0) as to_cents,
                                 null::bigint as granted_cents,
                                 null::bigint as taken_cents
                            from due d
                            full join (select t.debit_account_id as account_id, t.day, sum(t.cents) as cents
                                         from hill.transfers t
                                        where t.kind = 'expiry' and t.day is distinct from engine.unsettled_night()
                                        group by 1, 2) e on e.account_id = d.account_id and e.day = d.day
                           union all
                          select s.account_id, s.day, false, null, null, s.granted_cents, null
                            from hill.settlements s
                           where s.granted_cents > 0
                           union all
                          select t.debit_account_id, t.day, false, null, null, null, t.cents
                            from hill.transfers t
                           where t.kind in ('expiry', 'revocation')) u) v
           where v.is_due) x;
end;

comment on function engine.check_settlements is
'Whether each night took what its live moves cost, and lots were granted, spent and expired as they should. '
'Rules 5.3, 5.4, 5.6.';
