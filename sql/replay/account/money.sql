-- What each move was paid from, and the balances of the day.

select exists (select from hill.settlements s where s.day = :day and s.account_id = :'account_id') as paid \gset
\echo Paid from, in cents
\echo
\if :paid
select c.slot as place,
       c.seq as deposit,
       c.move,
       c.cents,
       coalesce(
         'granted: lot ' || c.lot_id || ' of ' || to_char(l.granted_at, 'YYYY-MM-DD')
           || ', expires ' || to_char(l.expires_at, 'YYYY-MM-DD HH24:MI'),
         'paid credits') as credits
  from engine.charge_sources(:'account_id', :day) c
  left join hill.lots l on l.id = c.lot_id
 order by c.slot, c.seq, c.lot_id nulls last;
\else
\echo Nothing.
\echo
\endif

\echo Balance, in cents
\echo
with entry as (
  select null::timestamptz as at,
         'after day ' || :day - 1 as entry,
         b.granted_cents,
         b.paid_cents,
         0 as kind
    from engine.balance_after(:'account_id', :day - 1) b
   union all
  select e.at,
         case e.kind
           when 'topup' then 'top-up: ' || e.reason
           when 'grant' then 'granted: ' || e.reason
           when 'night' then 'the night'
           when 'reversal' then 'taken back: ' || e.reason
           when 'restored' then 'given back: ' || e.reason
           else e.reason end,
         e.granted_cents,
         e.paid_cents,
         case when e.kind = 'night' then 2
              when e.kind in ('expiry', 'revocation', 'reversal', 'lapse') then 3 else 1 end
    from engine.entries(:'account_id') e
   where e.day = :day

), line as (
  -- a night is settled before lots expire at the same instant
  select e.*,
         row_number() over (
           order by e.at nulls first, e.kind, e.entry, e.granted_cents, e.paid_cents) as number
    from entry e
)
select coalesce(to_char(l.at, 'YYYY-MM-DD HH24:MI:SS'), '') as at,
       l.entry,
       l.granted_cents as granted,
       l.paid_cents as paid,
       sum(l.granted_cents + l.paid_cents) over (order by l.number) as balance
  from line l order by l.number;
