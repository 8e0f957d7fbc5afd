-- The pages of the site for crawlers, in parts. Rules 10.2.

create or replace function api_public.site_map(kind text default null, part integer default 1)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_length integer := 10000;
  v_last   integer := engine.last_night();
  v_board  integer := engine.board_day();
  v_played integer := (
    select coalesce(max(b.entries), 0) from hill.boards b where b.day = v_board);
  v_first  integer := (site_map.part - 1) * v_length;
begin
  if site_map.kind is null then
    return jsonb_build_object('last_night', v_last, 'identities', v_played, 'entries', '[]'::jsonb);
  end if;
  if site_map.part not between 1 and 200000
     or not coalesce(v_first < case site_map.kind
          when 'pages' then 1 when 'nights' then v_last when 'identities' then v_played end, false)
  then
    perform engine.refuse('NOT_FOUND', 'The site map has no such part.', '{"argument": "part"}');
  end if;
  return jsonb_build_object('last_night', v_last, 'identities', v_played, 'entries', (
    select coalesce(jsonb_agg(jsonb_build_object('path', e.path, 'lastmod', e.lastmod) order by e.turn), '[]')
      from (
        select p.path, engine.iso(n.resolved_at) as lastmod, p.turn
          from (values ('/', 1), ('/boards/points', 2), ('/boards/efficiency', 3), ('/boards/wall', 4), ('/rules', 5),
                       ('/tournaments', 6), ('/links', 7), ('/source', 8), ('/errors', 9), ('/log', 10), ('/bring', 11),
                       ('/changelog', 12), ('/compatibility', 13), ('/nights', 14),
                       ('/announced', 15)) p (path, turn)
          left join hill.nights n on n.day = v_last and p.turn in (1, 2, 3, 4, 6, 14)
         where site_map.kind = 'pages'
        union all
        select '/tournaments/' || t.slug, null, 100 + t.id
          from hill.tournaments t where site_map.kind = 'pages'
        union all
        select '/day/' || n.day, engine.iso(n.resolved_at), n.day
          from hill.nights n
         where site_map.kind = 'nights' and n.day > v_first and n.day <= v_first + v_length
        union all
        -- those on the board: who has not played for 30 nights has an empty page
        select '/identity/' || a.slug, engine.iso(b.built_at), l.rank::integer
          from hill.leaderboard l
          join hill.accounts a on a.id = l.account_id
          join hill.boards b on b.day = l.day
         where site_map.kind = 'identities' and l.day = v_board
           and l.rank > v_first and l.rank <= v_first + v_length) e));
end
$$;

comment on function api_public.site_map is
'The pages of the site: last_night and identities (how many are on the board), and of a kind (pages, nights, '
'identities) the entries of a part of 10,000: path and lastmod (null: unknown). Errors: NOT_FOUND. Rules 10.2.';

grant execute on function api_public.site_map to hill_public;
