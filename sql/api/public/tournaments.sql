-- GET /api/tournaments and /api/tournaments/{slug}. Rules 8.6.

create or replace function api_public.tournaments()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.tournaments(null) $$;

create or replace function api_public.tournament(slug text, max integer default null, cursor text default null)
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.tournament(tournament.slug, null, tournament.max, tournament.cursor) $$;

comment on function api_public.tournaments is 'The tournaments as anybody sees them: see engine.tournaments.';
comment on function api_public.tournament is
'One tournament with its boards as anybody sees it: see engine.tournament. Errors: NOT_FOUND, INVALID_ARGUMENT.';

grant execute on function api_public.tournaments, api_public.tournament to hill_public;
