-- What the night took, from whom and from which credits; and the points that it gave.

select :accounts > 0 as moved, cardinality((:'resolution'::engine.resolution).seats) > 0 as seated \gset

\echo Money, in cents
\echo
select n.rent_cents as rents,
       n.stakes_cents as stakes,
       n.burned_cents as "stakes burned",
       n.rent_cents + n.stakes_cents + n.burned_cents as "all taken",
       n.granted_cents as "of it granted",
       n.paid_cents as "of it paid",
       n.expired_cents as "expired at this bell"
  from hill.nights n where n.day = :day;

\if :moved
select a.slug as account,
       s.granted_cents + s.paid_cents as taken,
       s.granted_cents as "of it granted",
       s.paid_cents as "of it paid",
       b.granted_cents as "granted left",
       b.paid_cents as "paid left"
  from (select s.*
          from hill.settlements s
         where s.day = :day
         order by s.granted_cents + s.paid_cents desc, s.since, s.account_id limit :rows) s
  join hill.accounts a on a.id = s.account_id
 cross join lateral engine.balance_after(s.account_id, :day) b
 order by taken desc, s.since, a.slug;
select n.accounts > :rows as cut, n.accounts - :rows as unseen from hill.nights n where n.day = :day \gset
\if :cut
\echo ... and :unseen more (-v rows=N shows more).
\echo
\endif
\endif

\echo Points
\echo
\if :seated
select a.slug as account, trim_scale(sum(s.points)) as points, string_agg(s.slot::text, ', ' order by s.slot) as places
  from unnest((:'resolution'::engine.resolution).seats) s join hill.accounts a on a.id = s.account
 group by a.slug order by points desc, a.slug;
\else
\echo Nobody holds a place.
\echo
\endif
