-- GET /api/leaderboard/efficiency. Rules 7.4, 10.7.

create or replace function api_public.efficiency()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  with board as materialized (select e.* from engine.efficiency() e)
  select jsonb_build_object(
      'day', b.day,
      'window_nights', engine.window_nights(),
      'eligibility_top_n', engine.efficiency_top(),
      'min_spend_cents', engine.efficiency_minimum_cents(),
      'entries', (select coalesce(jsonb_agg(jsonb_build_object('rank', e.rank) || i.identity || coalesce(g.agent, '{}')
                                            || jsonb_build_object(
                                              'points', e.points,
                                              'consumed_cents', e.consumed_cents,
                                              'points_per_dollar', e.points_per_dollar,
                                              'nights', e.nights) order by e.rank), '[]')
                    from board e
                    join engine.identities() i on i.account_id = e.account_id
                    left join engine.last_agents(array(select x.account_id from board x), b.day) g
                      on g.account_id = e.account_id))
    from (select engine.board_day() as day) b
$$;

comment on function api_public.efficiency is
'The efficiency board after the last night (day): rank, identity, agentId and model of the agent that moved last, '
'points, consumed_cents (cents, granted credits included), points_per_dollar, nights (with points). Rules 7.4, 10.7.';

grant execute on function api_public.efficiency to hill_public;
