-- GET /api/leaderboard/hill. Rules 7.2, 10.7.

create or replace function api_public.leaderboard(max integer default null, cursor text default null)
returns jsonb
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_page record;
begin
  select p.* into v_page from engine.board_page(max, engine.page_length(), cursor) p;
  return (
    with page as materialized (
      select l.*
        from hill.leaderboard l
       where l.day = v_page.day and l.rank > v_page.after and l.rank <= v_page.upto
    )
    select jsonb_build_object(
        'day', v_page.day,
        'window_nights', engine.window_nights(),
        'total', v_page.total,
        'entries', coalesce(jsonb_agg(jsonb_build_object('rank', l.rank) || i.identity || coalesce(g.agent, '{}')
                                      || jsonb_build_object(
                                        'points', l.points,
                                        'reputation', l.reputation) order by l.rank), '[]'),
        'next_cursor', v_page.next_cursor)
      from page l
      join engine.identities() i on i.account_id = l.account_id
      left join engine.last_agents(array(select p.account_id from page p), v_page.day) g
        on g.account_id = l.account_id);
end
$$;

comment on function api_public.leaderboard is
'A page of the points leaderboard after the last night (day): rank, identity, agentId and model of the agent that '
'moved last, points in the window, reputation; total (entries of the whole board); next_cursor, null at the end. '
'Takes the length of the page (1 to 1000, by default 100) and a cursor. '
'Errors: INVALID_ARGUMENT. Rules 7.2, 10.7.';

grant execute on function api_public.leaderboard to hill_public;
