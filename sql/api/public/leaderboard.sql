-- api/public/leaderboard.sql · GET /api/leaderboard/hill. Specification 2.7; decisions 6, 8.

create function api_public.leaderboard(max integer default null, cursor text default null)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_max   integer := coalesce(max, engine.page_length());
  v_day   integer := engine.board_day();
  v_after integer := 0;
  v_total integer;
begin
  if v_max not between 1 and engine.list_length() then
    perform engine.refuse('INVALID_ARGUMENT', 'limit is out of bounds.', jsonb_build_object('argument', 'limit', 'minimum', 1, 'maximum', engine.list_length()));
  end if;
  if cursor !~ '^\d{1,9}\.\d{1,9}$' then
    perform engine.refuse('INVALID_ARGUMENT', 'cursor is not one that this board gave.', '{"argument": "cursor"}');
  end if;
  if cursor is not null then
    -- A cursor stays with the board that it came from: nobody is skipped or met twice if the bell rings between two pages.
    v_day := split_part(cursor, '.', 1);
    v_after := split_part(cursor, '.', 2);
    if not exists (select from hill.leaderboard l where l.day = v_day) then
      perform engine.refuse('INVALID_ARGUMENT', 'The board of that cursor is no longer kept. Begin again without a cursor.', '{"argument": "cursor"}');
    end if;
  end if;
  v_total := coalesce((select b.entries from hill.boards b where b.day = v_day), 0);

  return jsonb_build_object(
    'day', v_day, 'window_nights', engine.window_nights(), 'total', v_total,
    'entries', (select coalesce(jsonb_agg(jsonb_build_object('rank', l.rank) || i.identity || coalesce(engine.last_agent(l.account_id, v_day), '{}')
                                          || jsonb_build_object('points', l.points, 'reputation', l.reputation) order by l.rank), '[]')
                  from hill.leaderboard l join engine.identities() i on i.account_id = l.account_id
                 where l.day = v_day and l.rank > v_after and l.rank <= v_after + v_max),
    'next_cursor', case when v_after + v_max < v_total then v_day || '.' || v_after + v_max end);
end
$$;

comment on function api_public.leaderboard(integer, text) is
$$A page of the points leaderboard after the last night (day): rank, identity, agentId and model of the agent that moved last, points in the window,
reputation; total (entries of the whole board); next_cursor, null at the end. Takes the length of the page (1 to 1000, by default 100) and a cursor.
Errors: INVALID_ARGUMENT. Specification 2.7; decisions 6, 8.$$;

grant execute on function api_public.leaderboard(integer, text) to hill_public;
