-- tournaments/standings.sql · The boards of a tournament after a night: the public boards' figures and order, restricted to its entrants and its nights.
-- Specification 2.3, 2.7; decisions 6, 8.

create function engine.reputation_after(account_id uuid, peace_ring bigint, war_ring bigint, ring_day integer, night integer)
returns numeric
language sql stable parallel safe security invoker
begin atomic
  -- a wallet that a later night has written no longer knows the oldest nights of this window: then the moves do
  select case when reputation_after.ring_day <= reputation_after.night
              then engine.reputation_tonight(reputation_after.peace_ring, reputation_after.war_ring, reputation_after.ring_day, reputation_after.night)
              else (select engine.reputation(count(*) filter (where m.move = 'PEACE')::integer, count(*) filter (where m.move = 'WAR')::integer)
                      from hill.moves m
                     where m.account_id = reputation_after.account_id and m.ended is null and m.day > reputation_after.night - engine.window_nights()
                       and m.day <= reputation_after.night) end;
end;

comment on function engine.reputation_after(uuid, bigint, bigint, integer, integer) is
'An account''s reputation as it counts at the bell after a night, from its wallet''s rings, or from its moves if later nights have been written there. Decisions 3, 6.';

create function engine.tournament_figures(tournament hill.tournaments, before integer, night integer)
returns table (account_id uuid, agent_id uuid, since timestamptz, points numeric, consumed_cents bigint, reputation numeric, nights integer, kept integer,
               betrayed integer, bluffed integer, ghosted integer)
language sql stable parallel safe security invoker
begin atomic
  select e.account_id, coalesce(m.agent_id, p.agent_id, e.agent_id), w.since, coalesce(p.points, 0) + coalesce(t.points, 0),
         (coalesce(p.consumed_cents, 0) + coalesce(c.cents, 0))::bigint,
         engine.reputation_after(e.account_id, w.peace_ring, w.war_ring, w.ring_day, tournament_figures.night),
         (coalesce(p.nights, 0) + coalesce(c.nights, 0))::integer, (coalesce(p.kept, 0) + coalesce(n.kept, 0))::integer,
         (coalesce(p.betrayed, 0) + coalesce(n.betrayed, 0))::integer, (coalesce(p.bluffed, 0) + coalesce(n.bluffed, 0))::integer,
         (coalesce(p.ghosted, 0) + coalesce(n.ghosted, 0))::integer
    from hill.tournament_entries e
    join hill.wallets w on w.account_id = e.account_id
    left join hill.tournament_standings p
           on p.tournament_id = e.tournament_id and p.day = tournament_figures.before and p.account_id = e.account_id
    left join (select s.account_id, sum(s.points) as points from hill.seats s
                where s.day > tournament_figures.before and s.day <= tournament_figures.night group by s.account_id) t on t.account_id = e.account_id
    -- by the entrants: a few are looked up, however many played; many are met in one pass
    left join (select s.account_id, sum(s.granted_cents + s.paid_cents) as cents, count(*) as nights
                 from hill.tournament_entries x join hill.settlements s on s.account_id = x.account_id
                where x.tournament_id = (tournament_figures.tournament).id and s.day > tournament_figures.before and s.day <= tournament_figures.night
                group by s.account_id) c on c.account_id = e.account_id
    left join (select a.account_id, count(*) filter (where a.verdict = 'kept') as kept, count(*) filter (where a.verdict = 'betrayed') as betrayed,
                      count(*) filter (where a.verdict = 'bluffed') as bluffed, count(*) filter (where a.verdict = 'ghosted') as ghosted
                 from hill.tournament_entries x join hill.announcements a on a.account_id = x.account_id
                where x.tournament_id = (tournament_figures.tournament).id and a.day > tournament_figures.before and a.day <= tournament_figures.night group by a.account_id) n on n.account_id = e.account_id
    left join lateral (select m.agent_id from hill.moves m
                        where c.nights > 0 and m.account_id = e.account_id and m.day > tournament_figures.before and m.day <= tournament_figures.night
                          and m.ended is null order by m.seq desc limit 1) m on true
   where e.tournament_id = (tournament_figures.tournament).id
     and (p.account_id is not null or c.nights > 0 or n.account_id is not null);
end;

comment on function engine.tournament_figures(hill.tournaments, integer, integer) is
$$What the entrants of a tournament that moved or announced have come to after a night: the standings after an earlier night (or none, before its first) and the
nights since. points, cents consumed, nights with a live move, verdicts; the agent that moved last, reputation as it counts tonight. Specification 2.3.$$;

create function engine.rank_tournament(tournament hill.tournaments, before integer, night integer)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.tournament_standings (tournament_id, day, account_id, agent_id, points, consumed_cents, reputation, nights, kept, betrayed, bluffed, ghosted,
                                         points_rank, efficiency_rank, record_rank)
  select (rank_tournament.tournament).id, rank_tournament.night, r.account_id, r.agent_id, r.points, r.consumed_cents, r.reputation, r.nights, r.kept, r.betrayed,
         r.bluffed, r.ghosted, r.points_rank,
         case when r.thrifty then row_number() over (partition by r.thrifty order by div(r.points * 1e40, nullif(r.consumed_cents, 0)) desc nulls last,  -- as in engine.efficiency
                                                                                     r.reputation desc, r.since, r.account_id) end,
         r.record_rank
    from (select x.*, coalesce(x.points_rank <= engine.efficiency_top() and x.consumed_cents >= engine.efficiency_minimum_cents(), false) as thrifty
            from (select f.*,
                         case when f.nights > 0 then row_number() over (partition by f.nights > 0 order by f.points desc, f.reputation desc, f.since, f.account_id) end
                           as points_rank,
                         case when f.kept + f.betrayed + f.bluffed + f.ghosted > 0
                              then row_number() over (partition by f.kept + f.betrayed + f.bluffed + f.ghosted > 0
                                                      order by f.kept desc, f.betrayed, f.reputation desc, f.since, f.account_id) end as record_rank
                    from engine.tournament_figures(rank_tournament.tournament, rank_tournament.before, rank_tournament.night) f) x) r;
  insert into hill.tournament_boards (tournament_id, day, built_at, points_entries, efficiency_entries, record_entries)
  select (rank_tournament.tournament).id, rank_tournament.night, engine.now(), count(s.points_rank), count(s.efficiency_rank), count(s.record_rank)
    from hill.tournament_standings s
   where s.tournament_id = (rank_tournament.tournament).id and s.day = rank_tournament.night;
end;

comment on function engine.rank_tournament(hill.tournaments, integer, integer) is
$$Writes the standings of a tournament after a night, from those after an earlier one: points as the leaderboard ranks them, points per dollar as the efficiency
board does, the record by kept, then fewest betrayed; ties by reputation, seniority, account. Specification 2.3, 2.7; decisions 6, 8.$$;

create function engine.forget_standings(tournament_id integer, before integer)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  delete from hill.tournament_standings s where s.tournament_id = forget_standings.tournament_id and s.day < forget_standings.before
$$;

comment on function engine.forget_standings(integer, integer) is
'Drops the standings of a tournament of nights before one: they are in those that were built on them.';

create function engine.tournament_board_day(tournament hill.tournaments)
returns integer
language sql stable parallel safe security invoker
begin atomic
  select coalesce(max(b.day), (tournament_board_day.tournament).starts_day - 1)
    from hill.tournament_boards b where b.tournament_id = (tournament_board_day.tournament).id;
end;

comment on function engine.tournament_board_day(hill.tournaments) is 'The night after which the boards of a tournament stand; the one before its first while it has none.';

create function engine.rank_tournaments()
returns integer
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_last       integer := engine.last_night();
  v_tournament hill.tournaments;
  v_before     integer;
  v_built      integer := 0;
begin
  for v_tournament in
    select t.* from hill.tournaments t
     where t.starts_day <= v_last and engine.tournament_board_day(t) < least(v_last, t.ends_day) order by t.id
  loop
    v_before := engine.tournament_board_day(v_tournament);
    perform engine.rank_tournament(v_tournament, v_before, least(v_last, v_tournament.ends_day));
    perform engine.forget_standings(v_tournament.id, v_before);   -- those before stay, for whoever is paging through them
    v_built := v_built + 1;
  end loop;
  return v_built;
end
$$;

comment on function engine.rank_tournaments() is
$$Brings the boards of every tournament to the last night, or to its own last. Returns how many were built. Called where the hill's boards are built, and only
there: two at once would write the same rows. Specification 2.3.$$;

grant execute on function engine.reputation_after(uuid, bigint, bigint, integer, integer), engine.tournament_figures(hill.tournaments, integer, integer),
  engine.rank_tournament(hill.tournaments, integer, integer), engine.forget_standings(integer, integer), engine.rank_tournaments() to hill_api_worker;
grant execute on function engine.tournament_board_day(hill.tournaments) to hill_api;
