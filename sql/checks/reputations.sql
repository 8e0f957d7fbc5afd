-- The counts behind reputations, recomputed from the moves. Rules 4.3.

-- How many live moves of each kind each account made on each of some days.
create or replace function engine.played_by_day(from_day integer, to_day integer)
returns table (account_id uuid, day integer, peace integer, war integer)
language sql stable parallel safe security invoker
begin atomic
  select m.account_id,
         m.day,
         count(*) filter (where m.move = 'PEACE')::integer,
         count(*) filter (where m.move = 'WAR')::integer
    from hill.moves m
   where m.ended is null and m.day between played_by_day.from_day and played_by_day.to_day
   group by m.account_id, m.day;
end;

create or replace function engine.check_reputations()
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  with played as materialized (
    select p.* from engine.played_by_day(1, (select engine.last_night())) p

  ), last as materialized (
    -- asked once: it would be inlined into each ring of each wallet
    select engine.last_night() as night
  )
  select 'Each wallet''s rings count the live moves of 30 nights', count(*), count(*) filter (where x.wrong),
         min(format('%s: %s PEACE and %s WAR, not %s and %s',
                    engine.account_words(x.account_id),
                    x.ring_peace, x.ring_war, x.peace, x.war)) filter (where x.wrong)
    from (select w.account_id,
                 r.peace as ring_peace,
                 r.war as ring_war,
                 coalesce(p.peace, 0) as peace,
                 coalesce(p.war, 0) as war,
                 (r.peace, r.war) is distinct from (coalesce(p.peace, 0), coalesce(p.war, 0)) as wrong
            from hill.wallets w
            left join engine.pending_settlements() m on m.account_id = w.account_id
           cross join last n
           cross join lateral (select engine.ring_count(engine.ring_at(w.peace_ring, w.ring_day, n.night))
                                        + coalesce(m.peace, 0) as peace,
                                      engine.ring_count(engine.ring_at(w.war_ring, w.ring_day, n.night))
                                        + coalesce(m.war, 0) as war) r
            left join (select p.account_id, sum(p.peace)::integer as peace, sum(p.war)::integer as war
                         from played p
                        where p.day > (select l.night from last l) - engine.window_nights()
                        group by p.account_id) p on p.account_id = w.account_id) x

   union all
  select 'Each night used the reputations of its 30 nights before', count(*), count(*) filter (where x.wrong),
         min(format('%s on day %s: %s PEACE and %s WAR, not %s and %s',
                    engine.account_words(x.account_id),
                    x.day, x.peace_count, x.war_count, x.peace, x.war)) filter (where x.wrong)
    from (select s.account_id,
                 s.day,
                 s.peace_count,
                 s.war_count,
                 p.peace,
                 p.war,
                 (s.peace_count, s.war_count) is distinct from (p.peace, p.war) as wrong
            from hill.settlements s
            left join (select p.account_id,
                              p.day,
                              coalesce(sum(p.peace) over w, 0) as peace,
                              coalesce(sum(p.war) over w, 0) as war
                         from played p
                       window w as (
                         partition by p.account_id
                         order by p.day
                         range between engine.window_nights() preceding and 1 preceding)) p
              on p.account_id = s.account_id and p.day = s.day) x

   union all
  select 'Each night used the accounts'' seniority', count(*), count(*) filter (where x.wrong),
         min(engine.account_words(x.account_id) || ' on day ' || x.day)
           filter (where x.wrong)
    from (select s.account_id,
                 s.day,
                 engine.wrong_seniority(s.since, s.day, a.created_at, a.house) as wrong
            from hill.settlements s
            left join hill.accounts a on a.id = s.account_id) x;
end;

comment on function engine.check_reputations is
'Whether the counts behind reputations, and the seniorities, match the moves of 30 nights and the accounts. '
'Rules 4.3.';
