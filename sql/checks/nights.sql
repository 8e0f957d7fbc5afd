-- What must hold for every night, whatever its moves. Whether a night is what its moves come to is for
-- engine.replay_nights to check.

create or replace function engine.check_nights()
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  select 'Nights follow one another without a gap', count(*), count(*) filter (where x.wrong),
         (array_agg(case when x.missing then 'night ' || x.day || ' is missing'
                         else 'night ' || x.day || ' has another bell' end order by x.day) filter (where x.wrong))[1]
    from (select r.day, r.missing, r.missing or n.bell_at <> engine.bell_at(r.day) as wrong
            from engine.rung_nights(1, 999999999) r
            left join hill.nights n on n.day = r.day) x

   union all
  select 'What was published is of a night that rang', count(*), count(*) filter (where x.wrong),
         (array_agg(format('%s of day %s: %s', x.what, x.day, x.words) order by x.day, x.what, x.words)
            filter (where x.wrong))[1]
    from (select p.what, p.day, p.words, n.day is null or p.day > (select engine.last_night()) as wrong
            from (select 'place ' || r.slot as what, r.day, r.outcome::text as words from hill.place_results r
                  union all
                  select 'seat on place ' || s.slot, s.day, engine.account_words(s.account_id) from hill.seats s) p
            left join hill.nights n on n.day = p.day) x

   union all
  select 'Tonight follows the last night', count(*), count(*) filter (where x.wrong),
         'day ' || min(x.last_night) filter (where x.wrong)
    from (select s.last_night, s.last_night <> coalesce((select max(n.day) from hill.nights n), 0) as wrong
            from hill.settings s) x

   union all
  select 'Tonight has the opening days of the places', count(*), count(*) filter (where x.wrong),
         'place ' || min(x.slot) filter (where x.wrong)
    from (select coalesce(p.slot, t.slot) as slot, p.opens_day is distinct from t.opens_day as wrong
            from hill.places p
            full join (select t.opens_day, t.slot
                         from hill.settings s cross join unnest(s.opens_days) with ordinality t (opens_day, slot)) t
              on t.slot = p.slot) x

   union all
  select 'Each night has ten places', count(*), count(*) filter (where x.wrong),
         (array_agg(format('place %s is missing on day %s', x.slot, x.day) order by x.day, x.slot)
            filter (where x.wrong))[1]
    from (select n.day, s.slot, p.slot is null as wrong
            from hill.nights n
           cross join generate_series(1, engine.slot_count()) s (slot)
            left join hill.place_results p on p.day = n.day and p.slot = s.slot) x

   union all
  select 'At most two sit on a place, each once, and only where it is open', count(*), count(*) filter (where x.wrong),
         (array_agg(format('place %s on day %s', x.slot, x.day) order by x.day, x.slot) filter (where x.wrong))[1]
    from (select s.day,
                 s.slot,
                 count(*) > engine.seats_per_place()
                   or count(distinct s.account_id) < count(*)
                   or bool_or(p.open is distinct from true)
                   or max(s.seat) > count(*) as wrong
            from hill.seats s
            left join hill.place_results p on p.day = s.day and p.slot = s.slot
           group by s.day, s.slot) x

   union all
  select 'Points are 11 less the place, divided by who sits there', count(*),
         count(*) filter (where x.points <> x.due),
         (array_agg(format('%s on place %s, day %s: %s points, not %s', engine.account_words(x.account_id), x.slot,
                           x.day, trim_scale(x.points), trim_scale(x.due)) order by x.day, x.slot)
            filter (where x.points <> x.due))[1]
    from (select s.day,
                 s.slot,
                 s.account_id,
                 s.points,
                 engine.points(s.slot, (count(*) over (partition by s.day, s.slot))::integer) as due
            from hill.seats s) x

   union all
  select 'Each seat is of a live move, and of its agent', count(*), count(*) filter (where x.wrong),
         (array_agg(format('%s on place %s, day %s', engine.account_words(x.account_id), x.slot, x.day)
                    order by x.day, x.slot) filter (where x.wrong))[1]
    from (select s.day,
                 s.slot,
                 s.account_id,
                 m.seq is null or m.agent_id <> s.agent_id or (s.via <> 'queue' and m.slot <> s.slot) as wrong
            from hill.seats s
            left join hill.moves m
              on m.day = s.day and m.account_id = s.account_id and m.seq = s.seq and m.ended is null) x

   union all
  select 'Days held go on from the night before', count(*), count(*) filter (where x.wrong),
         (array_agg(format('%s on place %s, day %s: held %s nights, not %s', engine.account_words(x.account_id), x.slot,
                           x.day, x.days_held, x.due) order by x.day, x.slot) filter (where x.wrong))[1]
    from (select y.*, y.days_held <> y.due as wrong
            from (select s.day, s.slot, s.account_id, s.days_held,
                         case when s.via = 'queue' or h.days_held is null then 0 else h.days_held + 1 end as due
                    from hill.seats s
                    left join hill.seats h
                      on h.day = s.day - 1 and h.slot = s.slot and h.account_id = s.account_id) y) x

   union all
  select 'Each move was deposited on its day, on an open place', count(*), count(*) filter (where x.wrong),
         (array_agg(format('deposit %s%s of day %s', x.seq, coalesce(' of ' || engine.account_words(x.account_id), ''),
                           x.day) order by x.seq) filter (where x.wrong))[1]
    from (select m.seq,
                 case when m.ended is null then m.account_id end as account_id,
                 m.day,
                 m.at < engine.day_start(m.day, s.day_one)
                   or m.at >= engine.day_start(m.day + 1, s.day_one)
                   or p.opens_day > m.day as wrong
            from hill.moves m
           cross join hill.settings s
            join hill.places p on p.slot = m.slot) x

   union all
  select 'No account had more than two live moves a night, or two on a place',
         count(*),
         count(*) filter (where x.wrong),
         min(engine.account_words(x.account_id) || ' on day ' || x.day)
           filter (where x.wrong)
    from (select m.account_id,
                 m.day,
                 count(*) > engine.places_per_day()
                   or bit_count(bit_or(1 << m.slot)::bit(32)) < count(*) as wrong
            from hill.moves m
           where m.ended is null
           group by m.account_id, m.day) x

   union all
  select 'Each announcement of a past day is judged, and none of a day to come',
         count(*),
         count(*) filter (where x.wrong),
         min(format('%s on place %s, day %s',
                    engine.account_words(x.account_id), x.slot, x.day))
           filter (where x.wrong)
    from (select n.account_id,
                 n.slot,
                 n.day,
                 (n.verdict is null) <> (n.day > (select engine.last_night())) as wrong
            from hill.announcements n) x

   union all
  select 'Each verdict is what was announced beside what was played', count(*),
         count(*) filter (where x.verdict <> x.due),
         min(format('%s on place %s, day %s: %s, not %s', engine.account_words(x.account_id), x.slot, x.day, x.verdict,
                    x.due)) filter (where x.verdict <> x.due)
    from (select n.account_id, n.slot, n.day, n.verdict, engine.verdict(n.intention, m.move) as due
            from hill.announcements n
            left join hill.moves m
              on m.day = n.day and m.account_id = n.account_id and m.slot = n.slot and m.ended is null
           where n.verdict is not null) x;
end;

comment on function engine.check_nights is
'Whether every night is within the bounds that the rules set for all nights. '
'Rules 1.1, 2, 3, 4, 6, 13.1.';
