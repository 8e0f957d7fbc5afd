-- The last nights in few words, for feeds; those of a tournament for its own. Rules 10.17.

create or replace function api_public.recent_nights(tournament text default null)
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  -- its boards are not shown in a feed: one entry of each is the least there is
  with asked as materialized (
    select t as tournament, t.starts_day, t.ends_day
      from engine.find_tournament(recent_nights.tournament) t where recent_nights.tournament is not null
  )
  select jsonb_build_object(
      'tournament', (select engine.tournament_record(t.tournament, null, 1) from asked t),
      'nights', (
        select coalesce(jsonb_agg(engine.night_brief(n.day, true) order by n.day desc), '[]')
          from (select n.day
                  from hill.nights n
                  left join asked t on true
                 where recent_nights.tournament is null
                    or n.day between t.starts_day and t.ends_day
                 order by n.day desc
                 limit engine.window_nights()) n))
$$;

comment on function api_public.recent_nights is
'The last 30 nights, the latest first (see engine.night_brief); of a tournament, by its slug, those of its own that '
'are over, with the tournament (see engine.tournament_record; otherwise null). Errors: NOT_FOUND. Rules 10.17.';

grant execute on function api_public.recent_nights to hill_public;
