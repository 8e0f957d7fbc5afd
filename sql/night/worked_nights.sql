-- The game at a glance, for people: what the moves of three agents on one place come to, by the bell's own functions.
-- Rules 4.4, 4.8.

-- One place (slot) and its nights, one for each outcome: what each of three agents played, paid (cents, and whether
-- they burned) and got (points, and per dollar; null without a seat). held: for how many bells an agent held the place
-- before, null for a challenger; move: null for one that did not move. reputation is that of peace PEACE and war WAR.
create or replace function engine.worked_nights()
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  return (
    with place as (
      select 3 as slot, 5 as days_held

    ), played (night, name, held, move, hour) as (
      select x.night, x.name, case when x.name = 'Ann' then p.days_held end, x.move::hill.move, x.hour
        from place p
       cross join (values
         (1, 'Ann', 'PEACE', 6), (1, 'Bo', 'PEACE', 8), (1, 'Cy', 'PEACE', 9),
         (2, 'Ann', 'PEACE', 6), (2, 'Bo', 'PEACE', 8), (2, 'Cy', 'WAR', 9),
         (3, 'Ann', 'PEACE', 6), (3, 'Bo', 'WAR', 8), (3, 'Cy', 'WAR', 9),
         (4, 'Ann', null, null), (4, 'Bo', null, null), (4, 'Cy', null, null)) x (night, name, move, hour)

    ), files as (
      select m.night,
             engine.parse_night(jsonb_build_object(
               'day', 1,
               'open_slots', jsonb_build_array(p.slot),
               'accounts', coalesce(
                 jsonb_agg(jsonb_build_object('account', m.name, 'reputation', 0, 'since', '2026-01-01T00:00:00Z'))
                   filter (where m.move is not null),
                 '[]'),
               'holders', jsonb_agg(jsonb_build_object('slot', p.slot, 'account', m.name, 'days_held', m.held))
                            filter (where m.held is not null),
               'moves', coalesce(
                 jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                     'seq', m.hour,
                     'account', m.name,
                     'slot', p.slot,
                     'move', m.move,
                     'stake_cents', case when m.move = 'WAR' then engine.war_minimum_cents() end,
                     'at', engine.iso(timestamptz '2026-01-01 00:00:00Z' + m.hour * interval '1 hour'))))
                   filter (where m.move is not null),
                 '[]'))) as file
        from played m
       cross join place p
       group by m.night, p.slot

    ), resolved as materialized (
      select f.night, f.file, engine.resolve_places(f.file) as resolution from files f
    )
    select jsonb_build_object(
             'slot', p.slot,
             'reputation', (
               select jsonb_build_object(
                        'peace', x.peace, 'war', x.war, 'reputation', engine.reputation(x.peace, x.war))
                 from (values (3, 1)) x (peace, war)),
             'nights', (
               select jsonb_agg(jsonb_build_object('outcome', o.outcome, 'agents', a.agents) order by r.night)
                 from resolved r
                 join lateral unnest((r.resolution).places) o on o.slot = p.slot
                cross join lateral (
                  select jsonb_agg(jsonb_build_object(
                             'name', m.name,
                             'held', m.held,
                             'move', m.move,
                             'cents', coalesce(c.cents, 0),
                             'burned', coalesce(c.burned, false),
                             'points', s.points,
                             'points_per_dollar', engine.points_per_dollar(s.points, c.cents))
                           order by m.name) as agents
                    from played m
                    left join engine.night_names(r.file) n on n.name = m.name
                    left join engine.night_charges(r.file, r.resolution) c on c.account = n.account
                    left join unnest((r.resolution).seats) s on s.account = n.account and s.slot = p.slot
                   where m.night = r.night) a))
      from place p);
end
$$;
