-- GET /api/wall. Rules 5.6, 7.3, 10.7.

create or replace function api_public.wall()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  with board as materialized (select w.* from engine.wall() w)
  select jsonb_build_object(
      'day', b.day,
      'window_nights', engine.window_nights(),
      'size', engine.wall_size(),
      'entries', (select coalesce(jsonb_agg(jsonb_build_object('rank', w.rank) || i.identity || coalesce(g.agent, '{}')
                                            || jsonb_build_object('spent_cents', w.spent_cents) order by w.rank), '[]')
                    from board w
                    join engine.identities() i on i.account_id = w.account_id
                    left join engine.last_agents(array(select x.account_id from board x), b.day) g
                      on g.account_id = w.account_id))
    from (select engine.board_day() as day) b
$$;

comment on function api_public.wall is
'The Wall after the last night (day): rank, identity, agentId and model of the agent that moved last, spent_cents '
'(cents of paid credits in the window). At most 5 entries. Rules 7.3, 10.7.';

grant execute on function api_public.wall to hill_public;
