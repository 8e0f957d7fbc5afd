-- What the first page shows and changes once a night: who held each place after each night of the window, which the
-- boards show, too, and the last night's stories. Rules 7.1, 10.6, 10.20.

create or replace function api_public.ribbon()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  with night as materialized (
    select n.last, greatest(1, n.last - engine.window_nights() + 1) as first from (select engine.last_night() as last) n

  ), seat as materialized (  -- two a place at most
    select s.day, s.slot, s.seat, s.account_id, s.via, s.points
      from night n join hill.seats s on s.day between n.first and n.last

  ), taken as materialized (
    select s.day, s.slot, jsonb_agg(jsonb_build_array(s.account_id, s.via) order by s.seat) as seats
      from seat s
     group by s.day, s.slot

  ), place as materialized (
    select p.day, p.slot, p.outcome, p.open, t.seats
      from night n
      join hill.place_results p on p.day between n.first and n.last
      left join taken t on t.day = p.day and t.slot = p.slot
  )
  select jsonb_build_object(
      'day', n.last,
      'window_nights', engine.window_nights(),
      'stories', engine.stories(n.last),
      'nights', (
        select coalesce(jsonb_agg(d.night order by d.day), '[]')
          from (select p.day,
                       jsonb_build_object(
                         'day', p.day,
                         'places', jsonb_agg(jsonb_build_object(
                             'slot', p.slot,
                             'outcome', case when p.open then p.outcome end,
                             'seats', coalesce(p.seats, '[]')) order by p.slot)) as night
                  from place p
                 group by p.day) d),
      'holders', (
        select coalesce(jsonb_agg(jsonb_build_object(
                   'accountId', i.account_id,
                   'name', i.identity -> 'name',
                   'slug', i.identity -> 'slug',
                   'house', i.identity -> 'house',
                   'seats', h.seats,
                   'points', h.points) || engine.namesake_field(i.identity ? 'namesake')
                   order by h.points desc, h.seats desc, i.account_id), '[]')
          from (select t.account_id, count(*) as seats, sum(t.points) as points from seat t group by t.account_id) h
          join engine.identities() i on i.account_id = h.account_id))
    from night n
$$;

comment on function api_public.ribbon is
'The places of the last 30 published nights (window_nights; fewer on a young hill), up to the last one (day; 0 '
'before any), and the stories of that one (see engine.stories). nights, the earliest first: day, and of each place '
'its outcome (null: not open yet) and its seats after that night, each as account and how it came to sit there. '
'holders: accountId, name, slug and house of everybody who sat anywhere, as they are called now, with how many seats '
'and points in these nights, the most points first. Rules 4.4, 7.1, 10.5, 10.6.';

grant execute on function api_public.ribbon to hill_public;
