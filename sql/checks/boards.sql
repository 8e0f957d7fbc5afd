-- The boards, recomputed from seats, moves and settlements. Rules 7.1.

-- What each account paid and consumed in the 30 nights up to one (cents), computed only from the settlements. Rules
-- 5.4, 5.6, 7.1.
create or replace function engine.recompute_spend(night integer)
returns table (account_id uuid, paid_cents numeric, consumed_cents numeric)
language sql stable parallel safe security invoker
begin atomic
  select s.account_id, sum(s.paid_cents), sum(s.granted_cents + s.paid_cents)
    from hill.settlements s
   where s.day > recompute_spend.night - engine.window_nights() and s.day <= recompute_spend.night
   group by s.account_id;
end;

-- An account and its figure on a board, for comparison by people.
create or replace function engine.figure_words(account uuid, figure numeric, unit text)
returns text
language sql stable parallel safe security invoker
begin atomic
  select coalesce(
           engine.account_words(figure_words.account)
             || ' with ' || trim_scale(figure_words.figure) || ' ' || figure_words.unit,
           'nobody');
end;

-- An account on the leaderboard in a few words, for comparison by people.
create or replace function engine.rank_words(account uuid, points numeric, reputation numeric)
returns text
language sql stable parallel safe security invoker
begin atomic
  select coalesce(
           engine.figure_words(rank_words.account, rank_words.points, 'points')
             || ' and reputation ' || trim_scale(rank_words.reputation),
           'nobody');
end;

create or replace function engine.check_boards()
returns setof engine.check
language sql stable parallel safe security invoker
-- how many rows the sums of many nights have is guessed far too low
set enable_nestloop to off
begin atomic
  with kept as (
    select b.day
      from hill.boards b
     where b.day in (select l.day from hill.leaderboard l) or b.day = (select engine.board_day())

  ), played as materialized (
    select p.*
      from engine.played_by_day((select min(k.day) from kept k) - engine.window_nights() + 1,
                                (select max(k.day) from kept k)) p

  ), made as materialized (
    -- of the 30 nights up to each board's
    select k.day, p.account_id, sum(p.peace)::integer as peace, sum(p.war)::integer as war
      from kept k
      join played p on p.day > k.day - engine.window_nights() and p.day <= k.day
     group by k.day, p.account_id

  ), spend as materialized (
    select s.* from engine.recompute_spend((select engine.board_day())) s

  ), leaders as materialized (
    -- the points leaderboard after a night, computed only from its moves and seats: rules 7.2
    select m.day,
           row_number() over (
             partition by m.day
             order by coalesce(p.points, 0) desc, engine.reputation(m.peace, m.war) desc, a.created_at, a.id) as rank,
           a.id as account_id,
           a.created_at,
           coalesce(p.points, 0) as points,
           engine.reputation(m.peace, m.war) as reputation,
           s.consumed_cents
      from made m
      join hill.accounts a on a.id = m.account_id and not a.house
      left join (select k.day, s.account_id, sum(s.points) as points
                   from kept k
                   join hill.seats s on s.day > k.day - engine.window_nights() and s.day <= k.day
                  group by k.day, s.account_id) p on p.day = m.day and p.account_id = m.account_id
      left join spend s on s.account_id = m.account_id and m.day = (select engine.board_day())
  )
  select 'The leaderboards are those of their nights', count(*), count(*) filter (where x.wrong),
         (array_agg(format('after day %s, rank %s: %s, not %s', x.day, x.rank, x.published, x.recomputed)
                    order by x.day, x.rank) filter (where x.wrong))[1]
    from (select coalesce(l.day, r.day) as day,
                 coalesce(l.rank, r.rank) as rank,
                 engine.rank_words(l.account_id, l.points, l.reputation) as published,
                 engine.rank_words(r.account_id, r.points, r.reputation) as recomputed,
                 (l.account_id, l.points, l.reputation)
                   is distinct from (r.account_id, r.points, r.reputation) as wrong
            from hill.leaderboard l
            full join leaders r on r.day = l.day and r.rank = l.rank) x

   union all
  select 'The windows of spending are the last 30 settlements', count(*), count(*) filter (where x.wrong),
         min(format('%s paid %s of %s, not %s of %s',
                    engine.account_words(x.account_id),
                    x.paid_cents, x.consumed_cents, x.paid, x.consumed)) filter (where x.wrong)
    from (select coalesce(w.account_id, s.account_id) as account_id,
                 w.paid_cents,
                 w.consumed_cents,
                 coalesce(s.paid_cents, 0) as paid,
                 coalesce(s.consumed_cents, 0) as consumed,
                 (coalesce(w.paid_cents, 0), coalesce(w.consumed_cents, 0))
                   is distinct from (coalesce(s.paid_cents, 0), coalesce(s.consumed_cents, 0)) as wrong
            from (select l.* from hill.leaderboard l where l.day = (select engine.board_day())) w
            full join (select s.*
                         from spend s
                        where s.account_id not in (select a.id from hill.accounts a where a.house)) s
              on s.account_id = w.account_id) x

   union all
  select 'The Wall is that of the settlements', count(*), count(*) filter (where x.wrong),
         (array_agg(format('rank %s: %s, not %s', x.rank, x.published, x.recomputed)
                    order by x.rank) filter (where x.wrong))[1]
    from (select coalesce(w.rank, r.rank) as rank,
                 engine.figure_words(w.account_id, w.spent_cents, 'cents') as published,
                 engine.figure_words(r.account_id, r.paid_cents, 'cents') as recomputed,
                 (w.account_id, w.spent_cents) is distinct from (r.account_id, r.paid_cents) as wrong
            from engine.wall() w
            full join (
              select row_number() over (
                       order by s.paid_cents desc, engine.reputation(coalesce(m.peace, 0), coalesce(m.war, 0)) desc,
                                a.created_at, a.id) as rank,
                     a.id as account_id,
                     s.paid_cents
                from spend s
                join hill.accounts a on a.id = s.account_id and not a.house
                left join made m on m.account_id = s.account_id and m.day = (select engine.board_day())
               where s.paid_cents > 0
               order by 1 limit engine.wall_size()) r on r.rank = w.rank) x

   union all
  select 'The efficiency board is that of leaderboard and settlements', count(*), count(*) filter (where x.wrong),
         (array_agg(format('rank %s: %s, not %s', x.rank, x.published, x.recomputed)
                    order by x.rank) filter (where x.wrong))[1]
    from (select coalesce(e.rank, r.rank) as rank,
                 engine.figure_words(e.account_id, e.points_per_dollar, 'points a dollar') as published,
                 engine.figure_words(r.account_id, r.shown, 'points a dollar') as recomputed,
                 (e.account_id, e.points_per_dollar) is distinct from (r.account_id, r.shown) as wrong
            from engine.efficiency() e
            full join (
              select row_number() over (
                       order by div(l.points * 1e40, l.consumed_cents) desc, l.reputation desc, l.created_at,
                                l.account_id) as rank,
                     l.account_id,
                     round(l.points * 100 / l.consumed_cents, 4) as shown
                from leaders l
               where l.day = (select engine.board_day())
                 and l.rank <= engine.efficiency_top()
                 and l.consumed_cents >= engine.efficiency_minimum_cents()) r on r.rank = e.rank) x;
end;

comment on function engine.check_boards is
'Whether the boards match a computation from scratch for the night up to which they are built. '
'Rules 7.1.';
