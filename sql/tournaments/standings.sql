-- The boards of a tournament after a night: the figures and the order of the public boards, for its entrants and its
-- nights only. Rules 7, 8.4, 10.7.

-- The figures, after a night, of those entrants of a tournament that moved or announced, house accounts excluded. Rules
-- 8.4.
create or replace function engine.tournament_figures(tournament hill.tournaments, before integer, night integer)
returns table (
  account_id uuid,
  agent_id uuid,
  since timestamptz,
  points numeric,
  consumed_cents bigint,
  reputation numeric,
  nights integer,
  kept integer,
  betrayed integer,
  bluffed integer,
  ghosted integer)
language sql stable parallel safe security invoker
begin atomic
  -- Each entrant is looked up in each night: the cost grows with the entrants and the nights, not with the hill,
  -- whatever the planner knows of them.
  select e.account_id,
         coalesce(m.agent_id, p.agent_id, e.agent_id),
         w.since,
         coalesce(p.points, 0) + coalesce(t.points, 0),
         (coalesce(p.consumed_cents, 0) + coalesce(c.cents, 0))::bigint,
         -- a wallet that a later night has written has lost the oldest nights of this window; their settlements still
         -- have them
         case
           when w.ring_day <= tournament_figures.night
             then engine.reputation_tonight(w.peace_ring, w.war_ring, w.ring_day, tournament_figures.night)
           else (select engine.reputation(
                          coalesce(sum(s.peace_tonight), 0)::integer,
                          coalesce(sum(s.war_tonight), 0)::integer)
                   from hill.settlements s
                  where s.account_id = e.account_id
                    and s.day > tournament_figures.night - engine.window_nights()
                    and s.day <= tournament_figures.night)
         end,
         (coalesce(p.nights, 0) + c.nights)::integer,
         (coalesce(p.kept, 0) + n.kept)::integer,
         (coalesce(p.betrayed, 0) + n.betrayed)::integer,
         (coalesce(p.bluffed, 0) + n.bluffed)::integer,
         (coalesce(p.ghosted, 0) + n.ghosted)::integer
    from hill.tournament_entries e
   cross join lateral engine.record_of(e.account_id) w
    left join lateral (select s.*
                         from hill.tournament_standings s
                        where s.tournament_id = e.tournament_id
                          and s.day = tournament_figures.before
                          and s.account_id = e.account_id
                       offset 0) p on true
   cross join lateral (select count(*) as nights, sum(s.granted_cents + s.paid_cents) as cents, max(s.day) as last_day
                         from hill.settlements s
                        where s.account_id = e.account_id
                          and s.day > tournament_figures.before
                          and s.day <= tournament_figures.night) c
   cross join lateral (select sum(s.points) as points
                         from hill.seats s
                        where s.account_id = e.account_id
                          and s.day > tournament_figures.before
                          and s.day <= tournament_figures.night) t
   cross join lateral (select count(*) filter (where a.verdict = 'kept') as kept,
                              count(*) filter (where a.verdict = 'betrayed') as betrayed,
                              count(*) filter (where a.verdict = 'bluffed') as bluffed,
                              count(*) filter (where a.verdict = 'ghosted') as ghosted,
                              count(*) as judged
                         from hill.announcements a
                        where a.account_id = e.account_id
                          and a.day = any (array(
                                select generate_series(tournament_figures.before + 1, tournament_figures.night)))) n
    left join lateral (select m.agent_id from hill.moves m
                        where m.account_id = e.account_id
                          and m.day = c.last_day
                          and m.day > tournament_figures.before
                          and m.day <= tournament_figures.night
                          and m.ended is null order by m.seq desc limit 1) m on true
   where e.tournament_id = (tournament_figures.tournament).id
     and (p.account_id is not null or c.nights > 0 or n.judged > 0)
     and e.account_id not in (select a.id from hill.accounts a where a.house);
end;

-- Writes the standings of a tournament after a night, from those after an earlier one. Rules 7.1, 7.2, 7.4, 8.4, 10.7.
create or replace function engine.rank_tournament(tournament hill.tournaments, before integer, night integer)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.tournament_standings (
    tournament_id,
    day,
    account_id,
    agent_id,
    points,
    consumed_cents,
    reputation,
    nights,
    kept,
    betrayed,
    bluffed,
    ghosted,
    points_rank,
    efficiency_rank,
    record_rank)
  select (rank_tournament.tournament).id,
         rank_tournament.night,
         r.account_id,
         r.agent_id,
         r.points,
         r.consumed_cents,
         r.reputation,
         r.nights,
         r.kept,
         r.betrayed,
         r.bluffed,
         r.ghosted,
         r.points_rank,
         case when r.thrifty then row_number() over (
           partition by r.thrifty
           order by engine.efficiency_order(r.points, r.consumed_cents) desc nulls last, r.ties) end,
         r.record_rank
    from (select x.*,
                 coalesce(x.points_rank <= engine.efficiency_top()
                          and x.consumed_cents >= engine.efficiency_minimum_cents(), false) as thrifty
            from (select f.*,
                         t.ties,
                         case when f.nights > 0 then row_number() over (
                           partition by f.nights > 0
                           order by f.points desc, t.ties) end as points_rank,
                         case when f.kept + f.betrayed + f.bluffed + f.ghosted > 0 then row_number() over (
                           partition by f.kept + f.betrayed + f.bluffed + f.ghosted > 0
                           order by f.kept desc, f.betrayed, t.ties) end
                           as record_rank
                    from engine.tournament_figures(
                           rank_tournament.tournament,
                           rank_tournament.before,
                           rank_tournament.night) f
                   cross join lateral (
                     select engine.tie_order(f.reputation, f.since, f.account_id) as ties) t) x) r;
  insert into hill.tournament_boards (tournament_id, day, built_at, points_entries, efficiency_entries, record_entries)
  select (rank_tournament.tournament).id,
         rank_tournament.night,
         engine.now(),
         count(s.points_rank),
         count(s.efficiency_rank),
         count(s.record_rank)
    from hill.tournament_standings s
   where s.tournament_id = (rank_tournament.tournament).id and s.day = rank_tournament.night;
end;

-- Deletes the standings of a tournament of nights before one: later standings include them.
create or replace function trusted.forget_standings(tournament_id integer, before integer)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  delete from hill.tournament_standings s
   where s.tournament_id = forget_standings.tournament_id and s.day < forget_standings.before
$$;

-- The night after which the boards of a tournament stand; while it has none, the night before its first.
create or replace function engine.tournament_board_day(tournament hill.tournaments)
returns integer
language sql stable parallel safe security invoker
begin atomic
  select coalesce(max(b.day), (tournament_board_day.tournament).starts_day - 1)
    from hill.tournament_boards b where b.tournament_id = (tournament_board_day.tournament).id;
end;

grant execute on function trusted.forget_standings to hill_api_worker;
