-- GET /api/leaderboard/hill and /api/leaderboard/efficiency after a night that is over. Rules 7.2, 7.4, 10.7.

create or replace function api_public.past_leaderboard(
  day integer,
  max integer default null,
  cursor text default null)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_day   integer := (engine.find_night(past_leaderboard.day)).day;
  v_max   integer := coalesce(past_leaderboard.max, engine.page_length());
  v_after integer;
begin
  if v_max not between 1 and engine.list_length() then
    perform engine.refuse('INVALID_ARGUMENT', 'limit is out of bounds.', jsonb_build_object(
      'argument', 'limit',
      'minimum', 1,
      'maximum', engine.list_length()));
  end if;
  v_after := coalesce((engine.read_rank_cursor(cursor, 'the board of that day', v_day)).after, 0);
  return (
    select jsonb_build_object(
        'day', v_day,
        'window_nights', engine.window_nights(),
        'total', count(*),
        'entries', coalesce(
          jsonb_agg(
            jsonb_build_object('rank', b.rank) || i.identity || g.agent
              || jsonb_build_object('points', trim_scale(b.points), 'reputation', b.reputation) order by b.rank)
            filter (where g.agent is not null),
          '[]'),
        'next_cursor', case when v_after + v_max < count(*) then engine.rank_cursor(v_day, v_after + v_max) end)
      from engine.past_board(v_day) b
      join engine.identities() i on i.account_id = b.account_id
      left join lateral (
        select a.agent from engine.agent_of_window(b.account_id, v_day) a
         where b.rank > v_after and b.rank <= v_after + v_max) g on true);
end
$$;

comment on function api_public.past_leaderboard is
'api_public.leaderboard as it was after the night of a day, of those who had points: see engine.past_board. '
'Errors: DAY_NOT_RESOLVED, INVALID_ARGUMENT. Rules 7.2, 10.7.';

create or replace function api_public.past_efficiency(day integer)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_day integer := (engine.find_night(past_efficiency.day)).day;
begin
  return (
    select jsonb_build_object(
        'day', v_day,
        'window_nights', engine.window_nights(),
        'eligibility_top_n', engine.efficiency_top(),
        'min_spend_cents', engine.efficiency_minimum_cents(),
        'entries', coalesce(
          jsonb_agg(
            jsonb_build_object('rank', e.rank) || i.identity || g.agent
              || jsonb_build_object(
                'points', trim_scale(e.points),
                'consumed_cents', e.consumed_cents,
                'points_per_dollar', e.points_per_dollar,
                'nights', e.nights) order by e.rank),
          '[]'))
      from engine.past_efficiency(v_day) e
      join engine.identities() i on i.account_id = e.account_id
     cross join lateral engine.agent_of_window(e.account_id, v_day) g);
end
$$;

comment on function api_public.past_efficiency is
'api_public.efficiency as it was after the night of a day, of those who had points: see engine.past_efficiency. '
'Errors: DAY_NOT_RESOLVED. Rules 7.4, 10.7.';

grant execute on function api_public.past_leaderboard, api_public.past_efficiency to hill_public;
