-- Everything that the front page shows, in one call.

create or replace function api_public.front(top integer)
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'hill', api_public.hill(),
      'headline', engine.headline(t.last_night),
      'worked', case when not exists (select from hill.leaderboard l where l.day = engine.board_day()) then
                  engine.worked_nights() end,
      'announced_total', (select count(*) from hill.announcements n where n.day = t.today),
      'leaderboard', api_public.leaderboard(front.top),
      'ranked_before', (
        select coalesce(jsonb_object_agg(b.account_id, b.rank), '{}')
          from hill.leaderboard l
          join hill.leaderboard b on b.account_id = l.account_id and b.day = engine.board_day() - 1
         where l.day = engine.board_day() and l.rank <= front.top),
      'wall', api_public.wall(),
      'efficiency', api_public.efficiency(),
      'points', api_public.rules() -> 'hill' -> 'example_points',
      'closed', (
        select coalesce(jsonb_agg(p.slot order by p.slot), '[]')
          from hill.places p where p.opens_day > t.today),
      'earned', (
        select coalesce(jsonb_object_agg(s.slot, s.points), '{}')
          from hill.seats s where s.day = t.last_night and s.seat = 1),
      'counted_at', (
        select engine.iso(c.counted_at) from hill.sealed_counts c where c.day = t.today),
      'tournaments', (  -- with as many leaders as are named
        select coalesce(jsonb_agg(engine.tournament_record(o, null, 3) order by o.starts_day, o.id), '[]')
          from hill.tournaments o
         where engine.tournament_phase(o, t.today, t.last_night) in ('open', 'running')))
    -- once: today is volatile, and would be asked for each row that was ever announced
    from (select engine.today() as today, engine.last_night() as last_night offset 0) t
$$;

comment on function api_public.front is
'The hill and the boards of one snapshot: hill, headline (of the last night; null before any), worked '
'(engine.worked_nights, while no guest is on the board; else null), announced_total (of today), leaderboard (its '
'first entries, as many as asked for), ranked_before (their ranks a night earlier, by account; absent if it had '
'none), wall, efficiency; the points of each place for one occupant; the places that are not open yet (closed); what '
'each occupant of a place got for the last night (earned); the quarter hour of which sealedTonight is (counted_at; '
'null: not counted yet); and the tournaments that run or take sign-ups. '
'Errors: INVALID_ARGUMENT. Rules 4.8, 8.6, 9.3.';

grant execute on function api_public.front to hill_public;
