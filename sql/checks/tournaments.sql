-- The boards of tournaments, recomputed from seats, moves, settlements and verdicts. Rules 8.4, 10.7.

-- The standings of a tournament after a night, computed only from its nights. Rules 8.4, 10.7.
create or replace function engine.recompute_standings(tournament hill.tournaments, night integer)
returns table (
  account_id uuid,
  points_rank bigint,
  efficiency_rank bigint,
  record_rank bigint,
  points numeric,
  consumed_cents numeric,
  kept bigint,
  betrayed bigint)
language sql stable parallel safe security invoker
begin atomic
  with figures as (
    select a.id,
           a.created_at,
           n.nights,
           coalesce(t.points, 0) as points,
           coalesce(n.cents, 0) as cents,
           engine.reputation(m.peace, m.war) as reputation,
           v.announced,
           v.kept,
           v.betrayed
      from hill.tournament_entries e
      join hill.accounts a on a.id = e.account_id and not a.house
     cross join lateral (
       select sum(s.points) as points
         from hill.seats s
        where s.account_id = a.id
          and s.day between (recompute_standings.tournament).starts_day and recompute_standings.night) t
     cross join lateral (
       select count(*) as nights, sum(s.granted_cents + s.paid_cents) as cents
         from hill.settlements s
        where s.account_id = a.id
          and s.day between (recompute_standings.tournament).starts_day and recompute_standings.night) n
     cross join lateral (
       select count(*) as announced,
              count(*) filter (where n.verdict = 'kept') as kept,
              count(*) filter (where n.verdict = 'betrayed') as betrayed
         from hill.announcements n
        where n.account_id = a.id
          and n.day between (recompute_standings.tournament).starts_day and recompute_standings.night) v
     cross join lateral (
       select count(*) filter (where m.move = 'PEACE')::integer as peace,
              count(*) filter (where m.move = 'WAR')::integer as war
         from hill.moves m
        where m.account_id = a.id
          and m.ended is null
          and m.day > recompute_standings.night - engine.window_nights()
          and m.day <= recompute_standings.night) m
     where e.tournament_id = (recompute_standings.tournament).id

  ), by_points as (
    select f.id, row_number() over (order by f.points desc, f.reputation desc, f.created_at, f.id) as rank
      from figures f
     where f.nights > 0

  ), by_ratio as (
    select f.id,
           row_number() over (
             order by div(f.points * 1e40, f.cents) desc, f.reputation desc, f.created_at, f.id) as rank
      from figures f
      join by_points p on p.id = f.id
     where p.rank <= engine.efficiency_top() and f.cents >= engine.efficiency_minimum_cents()

  ), by_record as (
    select f.id,
           row_number() over (order by f.kept desc, f.betrayed, f.reputation desc, f.created_at, f.id) as rank
      from figures f
     where f.announced > 0
  )
  select f.id, p.rank, r.rank, w.rank, f.points, f.cents, f.kept, f.betrayed
    from figures f
    left join by_points p on p.id = f.id
    left join by_ratio r on r.id = f.id
    left join by_record w on w.id = f.id
   where p.rank is not null or w.rank is not null;
end;

-- Where an account is on a board of a tournament and where it should be, for comparison by people.
create or replace function engine.rank_words_of(
  account uuid,
  rank bigint,
  rank_now bigint,
  figure numeric,
  figure_now numeric,
  unit text)
returns text
language sql stable parallel safe security invoker
begin atomic
  select format('%s is on rank %s with %s %s, not on rank %s with %s',
                engine.account_words(rank_words_of.account),
                coalesce(rank_words_of.rank::text, 'none'),
                coalesce(trim_scale(rank_words_of.figure), 0),
                rank_words_of.unit,
                coalesce(rank_words_of.rank_now::text, 'none'),
                coalesce(trim_scale(rank_words_of.figure_now), 0));
end;

create or replace function engine.check_tournaments()
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  with compared as materialized (
    select k.slug,
           k.day,
           coalesce(s.account_id, r.account_id) as account_id,
           s.points_rank,
           r.points_rank as points_rank_now,
           s.points,
           r.points as points_now,
           s.efficiency_rank,
           r.efficiency_rank as efficiency_rank_now,
           s.consumed_cents,
           r.consumed_cents as consumed_cents_now,
           s.record_rank,
           r.record_rank as record_rank_now,
           s.kept,
           r.kept as kept_now,
           s.betrayed,
           r.betrayed as betrayed_now
      from (select t as tournament, t.id, t.slug, engine.tournament_board_day(t) as day from hill.tournaments t) k
     cross join lateral engine.recompute_standings(k.tournament, k.day) r
      left join hill.tournament_standings s
        on s.tournament_id = k.id and s.day = k.day and s.account_id = r.account_id
     where k.day >= (k.tournament).starts_day
    union all   -- and accounts that are on a board without a reason
    select t.slug,
           s.day,
           s.account_id,
           s.points_rank,
           null,
           s.points,
           null,
           s.efficiency_rank,
           null,
           s.consumed_cents,
           null,
           s.record_rank,
           null,
           s.kept,
           null,
           s.betrayed,
           null
      from hill.tournaments t
      join hill.tournament_standings s on s.tournament_id = t.id and s.day = engine.tournament_board_day(t)
     where s.account_id not in (select r.account_id from engine.recompute_standings(t, s.day) r)
  )
  select 'The points boards of tournaments are those of their nights', count(*), count(*) filter (where x.wrong),
         (array_agg(format('%s after day %s: %s', x.slug, x.day,
                           engine.rank_words_of(
                             x.account_id, x.points_rank, x.points_rank_now, x.points, x.points_now, 'points'))
                    order by x.slug, x.points_rank_now, x.account_id) filter (where x.wrong))[1]
    from (select c.*, (c.points_rank, c.points) is distinct from (c.points_rank_now, c.points_now) as wrong
            from compared c) x

   union all
  select 'The efficiency boards of tournaments are those of their nights', count(*), count(*) filter (where x.wrong),
         (array_agg(format('%s after day %s: %s', x.slug, x.day,
                           engine.rank_words_of(
                             x.account_id, x.efficiency_rank, x.efficiency_rank_now, x.consumed_cents,
                             x.consumed_cents_now, 'cents'))
                    order by x.slug, x.efficiency_rank_now, x.account_id) filter (where x.wrong))[1]
    from (select c.*,
                 (c.efficiency_rank, c.consumed_cents)
                   is distinct from (c.efficiency_rank_now, c.consumed_cents_now) as wrong
            from compared c) x

   union all
  select 'The record boards of tournaments are those of their verdicts', count(*), count(*) filter (where x.wrong),
         (array_agg(format('%s after day %s: %s', x.slug, x.day,
                           engine.rank_words_of(
                             x.account_id, x.record_rank, x.record_rank_now, x.kept, x.kept_now, 'kept'))
                    order by x.slug, x.record_rank_now, x.account_id) filter (where x.wrong))[1]
    from (select c.*,
                 (c.record_rank, c.kept, c.betrayed)
                   is distinct from (c.record_rank_now, c.kept_now, c.betrayed_now) as wrong
            from compared c) x

   union all
  select 'Tournaments count the accounts that signed up', count(*), count(*) filter (where t.entries <> e.entries),
         (array_agg(format('%s counts %s, not %s', t.slug, t.entries, e.entries) order by t.slug)
            filter (where t.entries <> e.entries))[1]
    from hill.tournaments t
   cross join lateral (select count(*) as entries from hill.tournament_entries e where e.tournament_id = t.id) e;
end;

comment on function engine.check_tournaments is
'Whether the boards of tournaments match a computation from scratch for the night up to which they are built, and '
'their entries are counted. Rules 8.4, 10.7.';
