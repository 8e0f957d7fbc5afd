-- api/public/front.sql · Everything that the front page shows, in one call.

create or replace function api_public.front(top integer)
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'hill', api_public.hill(),
      'headline', engine.headline(engine.last_night()),
      'announced_total', (select count(*) from hill.announcements n where n.day = engine.today()),
      'leaderboard', api_public.leaderboard(front.top),
      'wall', api_public.wall(),
      'efficiency', api_public.efficiency(),
      'points', api_public.rules() -> 'hill' -> 'example_points',
      'closed', (
        select coalesce(jsonb_agg(p.slot order by p.slot), '[]')
          from hill.places p where p.opens_day > engine.today()))
$$;

comment on function api_public.front is
'The hill and the boards of one snapshot: hill, headline (of the last night; null before any), announced_total (of '
'today), leaderboard (its first entries, as many as asked for), wall, efficiency; the points of each place for one '
'occupant; and the places that are not open yet. '
'Errors: INVALID_ARGUMENT.';

grant execute on function api_public.front to hill_public;
