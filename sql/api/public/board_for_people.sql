-- What a page of a board shows besides its record: ranks of the night before, and points night by night. Rules 7.1,
-- 7.2.

create or replace function api_public.board_told(
  board text,
  max integer default null,
  cursor text default null,
  day integer default null)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_past     boolean := board_told.day is not null;
  v_record   jsonb := case when board = 'points' and v_past then api_public.past_leaderboard(day, max, cursor)
                           when board = 'points' then api_public.leaderboard(max, cursor)
                           when board = 'efficiency' and v_past then api_public.past_efficiency(day)
                           when board = 'efficiency' then api_public.efficiency()
                           else api_public.wall() end;
  v_day      integer := v_record ->> 'day';
  v_accounts uuid[] := array(select (e ->> 'accountId')::uuid from jsonb_array_elements(v_record -> 'entries') e);
begin
  return jsonb_build_object(
    'board', v_record,
    'nights', engine.points_by_night(v_accounts, v_day),
    'before', case
      when v_past and board <> 'wall' and v_day > 1 then (
        select coalesce(jsonb_object_agg(b.account_id, b.rank), '{}')
          from (select p.account_id, p.rank from engine.past_board(v_day - 1) p where board = 'points'
                union all
                select e.account_id, e.rank from engine.past_efficiency(v_day - 1) e where board = 'efficiency') b
         where b.account_id = any (v_accounts))
      -- the boards of the last two nights are kept; of nights that were caught up with, only the last has any
      when not v_past and board <> 'wall' and exists (select from hill.leaderboard l where l.day = v_day - 1) then (
        select coalesce(jsonb_object_agg(b.account_id, b.rank), '{}')
          from (select l.account_id, l.rank
                  from hill.leaderboard l
                 where board = 'points' and l.day = v_day - 1 and l.account_id = any (v_accounts)
                union all
                select e.account_id, e.rank from engine.efficiency(v_day - 1) e where board = 'efficiency') b) end);
end
$$;

comment on function api_public.board_told is
'A board for people: board (points: see api_public.leaderboard, which takes max and cursor; efficiency; wall), that of '
'the last night, or of points and efficiency as it was after the night of a day (see api_public.past_leaderboard); '
'nights, the points of its entries night by night (see engine.points_by_night); and before, the ranks on the same '
'board of the night before, by account: without those who were not on it, and null where there is none, where the last '
'but one is not kept, and for the Wall. Errors: DAY_NOT_RESOLVED, INVALID_ARGUMENT. Rules 7.1, 7.2, 7.4, 10.7; '
'decisions 305.';

grant execute on function api_public.board_told to hill_public;
