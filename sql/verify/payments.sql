-- Compares the ledger with Stripe's own report: payments, disputes and refunds, line by line, in both directions. Rules
-- 5.7, 5.8.
--
--   psql -v report=balance.csv -f sql/verify/payments.sql
--   psql -v report=balance.csv -v until=2026-12-01 -f sql/verify/payments.sql
--
-- report is Stripe's report "Balance change from activity", itemised, from the first payment on, with the columns
-- payment_intent_id and source_id. What the hill has recorded from until on (UTC; default: nothing) is left out: give
-- the end of the report. Read-only. For a superuser, the database's owner, or a member of hill_dba. Needs psql 13 or
-- newer, and cat. Exits with 3 if anything differs.

\set ON_ERROR_STOP on
\if :{?report}
\else
\set report ''
\endif
\if :{?until}
\else
\set until infinity
\endif
\set content `cat :'report'`
\ir ../replay/start.sql

with cell as materialized (
  -- RFC 4180: records end at a line break outside quotation marks, fields at a comma
  select r.n, f.i,
         case when f.field[1] like '"%' then replace(substr(f.field[1], 2, length(f.field[1]) - 2), '""', '"')
              else f.field[1] end as value
    from regexp_matches(translate(:'content', E'\r\uFEFF', ''), '(?:[^"\n]|"(?:[^"]|"")*")+', 'g')
           with ordinality r (record, n)
   cross join lateral regexp_matches(r.record[1], '(?:^|,)("(?:[^"]|"")*"|[^,]*)', 'g') with ordinality f (field, i)
), head as (
  select c.i, c.value as name from cell c where c.n = 1
), line as (
  select l.n, l.value ->> 'reporting_category' as category, l.value ->> 'currency' as currency,
         round((l.value ->> 'gross')::numeric * 100)::bigint as cents,
         l.value ->> 'payment_intent_id' as payment, l.value ->> 'source_id' as source
    from (select c.n, jsonb_object_agg(h.name, c.value) as value
            from cell c
            join head h on h.i = c.i
           where c.n > 1
           group by c.n) l
), theirs as materialized (
  select 'payment' as kind, l.payment as id, sum(l.cents) as cents, bool_and(l.currency = 'usd') as usd
    from line l
   where l.category = 'charge'
   group by l.payment
   union all
  select case when l.category like 'dispute%' then 'dispute' else 'refund' end, l.source, sum(l.cents),
         bool_and(l.currency = 'usd')
    from line l
   where l.category in ('dispute', 'dispute_reversal', 'refund', 'refund_failure')
   group by 1, l.source
), returned as (
  -- what the hill never credited and was given back in full is no difference
  select l.payment
    from line l
   where l.category in ('charge', 'dispute', 'dispute_reversal', 'refund', 'refund_failure')
     and not exists (select from hill.top_ups t where t.payment = l.payment)
   group by l.payment
  having sum(l.cents) = 0
), ours as materialized (
  select 'payment' as kind, t.payment as id, r.cents::numeric, r.at < :'until'::timestamptz as counts
    from hill.top_ups t
    join hill.transfers r on r.id = t.transfer_id
   union all
  select c.kind, c.id, case when c.live then -c.cents else 0 end, c.sent_at < :'until'::timestamptz
    from hill.payment_claims c
    join hill.top_ups t on t.payment = c.payment
), compared as materialized (
  select coalesce(o.kind, t.kind) as kind, coalesce(o.id, t.id) as id, o.cents as hill_cents, t.cents as stripe_cents,
         case when o.id is null then 'not in the ledger'
              -- an inquiry has moved no money, and neither has a claim that was withdrawn before it did
              when t.id is null and o.cents <> 0 then 'not in the report'
              when not t.usd then 'not in US dollars'
              when o.cents <> t.cents then 'another amount' end as difference
    from ours o
    full join theirs t on t.kind = o.kind and t.id = o.id
   where coalesce(o.counts, true)
     and (o.id is not null
          or not exists (select from line l
                           join returned r on r.payment = l.payment
                          where (t.kind = 'payment' and l.payment = t.id) or (t.kind <> 'payment' and l.source = t.id)))
)
select (select count(*) from head h
         where h.name in ('reporting_category', 'currency', 'gross', 'payment_intent_id', 'source_id')) < 5
         as unreadable,
       (select count(*) from line) as lines,
       (select count(*) from line l
         where l.category not in ('charge', 'dispute', 'dispute_reversal', 'refund', 'refund_failure')) as others,
       (select count(*) from compared) as compared,
       (select count(*) from compared c where c.difference is not null) as wrong,
       (select count(*) from compared c where c.difference is not null) > 0 as bad,
       (select coalesce(jsonb_agg(to_jsonb(c) order by c.kind, c.id), '[]')
          from compared c
         where c.difference is not null) as differences \gset

commit;
\if :unreadable
select engine.refuse('INVALID_ARGUMENT', 'report is no CSV with the columns reporting_category, currency, gross, '
                     'payment_intent_id and source_id.');
\endif
\echo The ledger beside the report: :lines lines, of which :others are neither payments, disputes nor refunds
\echo
\if :bad
select c.kind, c.id, c.hill_cents as "cents here", c.stripe_cents as "cents at Stripe", c.difference
  from jsonb_to_recordset(:'differences')
         c (kind text, id text, hill_cents bigint, stripe_cents bigint, difference text);
select engine.refuse('VERIFICATION_FAILED', :'wrong' || ' of ' || :'compared' || ' differ.');
\endif
\echo All :compared payments, disputes and refunds agree.
