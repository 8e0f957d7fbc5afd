-- What each place came to, who held it before and who holds it now.

\echo
\echo Places
\echo
select p.slot as place,
       p.outcome::text || case when p.open then '' else ' (not open)' end as outcome,
       nullif(p.peace_count, 0) as "PEACE",
       nullif(p.war_count, 0) as "WAR",
       nullif(p.burned_cents, 0) as "burned cents",
       (select string_agg(a.slug || ' (' || h.days_held || ')', ', ' order by h.days_held desc, a.slug)
          from engine.night_holders(engine.stored_night(:day)) h
          join hill.accounts a on a.id = h.account
         where h.slot = p.slot) as "held before (days)",
       s.now as "holds it now (days)",
       s.points as "points each"
  from unnest((:'resolution'::engine.resolution).places) p
  left join lateral (
    select string_agg(
             a.slug || ' (' || s.days_held || ')' || case s.via when 'queue' then ' from the queue' else '' end,
             ', ' order by s.seat) as now,
           max(trim_scale(s.points)) as points
      from unnest((:'resolution'::engine.resolution).seats) s
      join hill.accounts a on a.id = s.account
     where s.slot = p.slot) s on true
 order by p.slot;
