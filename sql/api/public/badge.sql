-- What a badge shows of an identity. Rules 11.2.

create or replace function api_public.badge(slug text)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_id uuid := (select s.account_id from engine.account_of_slug(lower(badge.slug)) s);
begin
  if v_id is null then
    perform engine.refuse('NOT_FOUND', 'No identity has that slug.', '{"argument": "slug"}');
  end if;
  return (
    select jsonb_build_object(
             'slug', a.slug,
             'name', a.name,
             'rank', (
               select l.rank from hill.leaderboard l where l.account_id = a.id and l.day = engine.board_day()),
             'places', (
               select coalesce(jsonb_agg(s.slot order by s.slot), '[]')
                 from hill.seats s
                where s.day = engine.last_night() and s.account_id = a.id))
      from hill.accounts a
     where a.id = v_id);
end
$$;

comment on function api_public.badge is
'What a badge shows of an identity, by its slug or one that it left behind: slug, name, rank on the points leaderboard '
'(null: not on it) and the places it holds since the last night. Errors: NOT_FOUND. Rules 7.2, 11.2.';

grant execute on function api_public.badge to hill_public;
