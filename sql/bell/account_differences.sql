-- Compares what an account is shown of its night with the night resolved again, and with itself. Rules 4.9, 5.

create or replace function engine.account_differences(account_id uuid, night integer, replayed engine.resolution)
returns table (subject text, slot smallint, seq bigint, published text, recomputed text)
language sql stable parallel safe security invoker
begin atomic
  with own as (  -- the places where it moved or sat
    select m.slot
      from hill.moves m
     where m.day = account_differences.night
       and m.account_id = account_differences.account_id
       and m.ended is null
    union
    select s.slot
      from hill.seats s
     where s.day between account_differences.night - 1 and account_differences.night
       and s.account_id = account_differences.account_id

  ), settled as (
    select s.*
      from hill.settlements s
     where s.day = account_differences.night and s.account_id = account_differences.account_id
  )
  select d.subject, d.slot, d.seq, d.published, d.recomputed
    from engine.night_differences(account_differences.night, account_differences.replayed) d
   where d.account = account_differences.account_id or (d.subject = 'places' and d.slot in (select o.slot from own o))

   union all
  select 'seats', coalesce(p.slot, r.slot), coalesce(p.seq, r.seq),
         'seat ' || p.seat || ' '
           || engine.seat_words(p.account_id, p.agent_id, p.days_held, p.via, p.points, p.seq),
         'seat ' || r.seat || ' '
           || engine.seat_words(r.account, r.agent_id, r.days_held, r.via, r.points, r.seq)
    from (select s.*
            from hill.seats s
           where s.day = account_differences.night and s.account_id = account_differences.account_id) p
    full join (select s.*, m.agent_id
                 from unnest((account_differences.replayed).seats) s
                 left join hill.moves m
                   on m.day = account_differences.night and m.account_id = s.account and m.seq = s.seq
                where s.account = account_differences.account_id) r on r.slot = p.slot
   where (p.seat, p.agent_id, p.days_held, p.via, p.points, p.seq)
         is distinct from (r.seat, r.agent_id, r.days_held, r.via, r.points, r.seq)

   union all
  select 'reputation', null, null,
         s.peace_count || ' PEACE and ' || s.war_count || ' WAR',
         m.peace || ' PEACE and ' || m.war || ' WAR'
    from settled s
   cross join lateral (select count(*) filter (where m.move = 'PEACE') as peace,
                              count(*) filter (where m.move = 'WAR') as war
                         from hill.moves m
                        where m.account_id = s.account_id
                          and m.ended is null
                          and m.day between s.day - engine.window_nights() and s.day - 1) m
   where (s.peace_count, s.war_count) is distinct from (m.peace, m.war)

   union all
  select 'seniority', null, null, engine.iso(s.since), engine.iso(a.created_at)
    from settled s
    join hill.accounts a on a.id = s.account_id
   where engine.wrong_seniority(s.since, s.day, a.created_at, a.house)

   union all
  select 'sources', null, null, c.cents || ' cents', s.granted_cents + s.paid_cents || ' cents'
    from settled s
   cross join lateral (select coalesce(sum(c.cents), 0) as cents
                         from engine.charge_sources(s.account_id, s.day) c) c
   where c.cents <> s.granted_cents + s.paid_cents

   union all
  select 'balance', null, null,
         w.granted_cents || ' cents granted, ' || w.paid_cents || ' paid',
         e.granted || ' cents granted, ' || e.paid || ' paid'
    from engine.credits_of(account_differences.account_id) w
   cross join (select coalesce(sum(e.granted_cents), 0) as granted, coalesce(sum(e.paid_cents), 0) as paid
                 from engine.entries(account_differences.account_id) e) e
   where (w.granted_cents, w.paid_cents) is distinct from (e.granted, e.paid);
end;

comment on function engine.account_differences is
'Where what an account is shown of its night contradicts the night resolved again (replayed), or itself: its places, '
'seats, queue, evictions, verdicts, charges and settlement as in engine.night_differences; the reputation and '
'seniority that were used; whether the sources of its charges add up to its settlement; and whether its entries add '
'up to its wallet as it is now (cents). No rows: no contradiction. Rules 4, 5.4, 5.5.';
