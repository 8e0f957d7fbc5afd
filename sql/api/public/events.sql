-- What happened between two positions: for those who read along at /api/events. Rules 10.16.

create or replace function api_public.events(after integer[] default null, upto integer[] default null)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_last  integer := engine.last_night();
  v_today integer := engine.today();
  v_said  integer := (select count(*) from hill.announcements n where n.day = v_today);
  v_upto  integer[];
  -- announcements that are newer than upto; and how many up to there are told
  v_newer integer;
  v_new   integer;
begin
  if (events.after is not null and (cardinality(events.after) <> 6 or array_position(events.after, null) is not null))
     or (events.upto is not null and (cardinality(events.upto) <> 6 or array_position(events.upto, null) is not null))
  then
    perform engine.refuse('INVALID_ARGUMENT', 'A position has six numbers.', '{"argument": "Last-Event-ID"}');
  end if;
  v_upto := coalesce(events.upto, array[
    v_last,
    engine.board_day(),
    v_today,
    coalesce((select max(t.id) from hill.tournaments t), 0),
    -- the night up to which every tournament has its boards
    coalesce((select min(engine.tournament_board_day(t)) from hill.tournaments t
               where engine.has_begun(t, v_last)
                 and engine.tournament_board_day(t) < least(v_last, t.ends_day)), v_last),
    v_said]);
  if events.after is null then
    return jsonb_build_object('position', v_upto);
  end if;
  v_newer := case when v_upto[3] = v_today then greatest(0, v_said - v_upto[6]) else 0 end;
  v_new := least(
    engine.brief_length(),
    v_upto[6] - case when events.after[3] = v_upto[3] then events.after[6] else 0 end);
  return jsonb_build_object(
    'position', v_upto,
    'bells', (
      -- each reader asks for its own: stories with the last night, the news, and with those before it none
      select coalesce(jsonb_agg(engine.night_brief(n.day, n.day = v_last) order by n.day), '[]')
        from hill.nights n
       where n.day > greatest(events.after[1], v_upto[1] - engine.window_nights()) and n.day <= v_upto[1]),
    'boards', case when v_upto[2] > events.after[2] then v_upto[2] end,
    'tournaments', engine.tournaments_since(events.after, v_upto),
    'announcements', (
      select coalesce(jsonb_agg(
                 jsonb_build_object('day', v_upto[3], 'total', v_upto[6])
                   || engine.announcement_json(i.identity, a.slot, a.intention, a.message, a.at, a.verdict)
                 order by a.turn desc), '[]')
        from (select n.*, min(n.at) filter (where n.turn <= v_new) over () as since
                from (select n.*, row_number() over (order by n.at desc, n.account_id, n.slot) as turn
                        from (select n.* from hill.announcements n
                               where n.day = v_upto[3] and v_new > 0
                               order by n.at desc, n.account_id, n.slot
                              offset v_newer
                               limit v_new + engine.brief_length()) n) n) a
        join engine.identities() i on i.account_id = a.account_id
       -- an earlier one may have been committed later, and be the one that is counted now
       where a.at >= a.since - interval '10 seconds'));
end
$$;

comment on function api_public.events is
'What was published after one position and up to another (null: the present). A position is six numbers, each counting '
'something that is published: the last night; the night of the boards; the day; the newest tournament; the night up to '
'which every tournament has its boards; the announcements of that day. Gives position (the second one) and, unless '
'after is null: bells (see engine.night_brief; the last 30), boards (their night; null: not built anew), tournaments '
'(at most 20 that are new, in another phase, or with new boards) and announcements of the day, with their total: the '
'newest 20, and those of the 10 seconds before them, which may have been committed later and are told again. '
'Errors: INVALID_ARGUMENT. Rules 10.16.';

grant execute on function api_public.events to hill_public;
