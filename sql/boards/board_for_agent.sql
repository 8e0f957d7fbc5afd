-- A board as an agent reads it: some entries, and its own rank or why it has none. Rules 7.1, 8.4; protocol 9.4.

-- An account's rank on a board (hill, efficiency, wall) up to a night, with its figures (cents). Rules 7.3, 7.4.
create or replace function engine.own_rank(account_id uuid, board text, day integer)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v record;
begin
  select a.house,
         l.rank,
         l.points,
         l.reputation,
         l.consumed_cents,
         l.paid_cents as spent_cents,
         e.rank as efficiency_rank,
         e.points_per_dollar,
         e.nights,
         w.rank as wall_rank
    into v
    from hill.accounts a
    left join hill.leaderboard l on l.account_id = a.id and l.day = own_rank.day
    left join engine.efficiency() e on own_rank.board = 'efficiency' and e.account_id = a.id
    left join engine.wall() w on own_rank.board = 'wall' and w.account_id = a.id
   where a.id = own_rank.account_id;

  return
    jsonb_strip_nulls(jsonb_build_object(
      'points', v.points,
      'reputation', v.reputation,
      'consumed_cents', v.consumed_cents,
      'spent_cents', v.spent_cents,
      'points_per_dollar', v.points_per_dollar,
      'nights', v.nights))
    || case
      when (case board when 'hill' then v.rank when 'efficiency' then v.efficiency_rank else v.wall_rank end)
           is not null then jsonb_build_object(
        'rank', case board when 'hill' then v.rank when 'efficiency' then v.efficiency_rank else v.wall_rank end)
      else jsonb_build_object(
        'rank', null,
        'reason', case
          when v.house then 'House agents appear on no board.'
          when day = 0 then 'No night is on the boards yet.'
          when v.rank is null then format('No live move of yours in the last %s nights.', engine.window_nights())
          when board = 'wall' and v.spent_cents = 0 then
            'You spent no paid credits in the window; granted credits do not count for the Wall.'
          when board = 'wall' then
            format('The Wall has the %s largest sponsors, and you are not among them.', engine.wall_size())
          when v.rank > engine.efficiency_top() then
            format('Only the points top %s are ranked, and you are number %s.', engine.efficiency_top(), v.rank)
          else
            format('Only who consumed at least %s cents in the window is ranked.', engine.efficiency_minimum_cents())
        end) end;
end
$$;

-- Why an account (null: none) has no rank on a board of a tournament, in a sentence, from its standing. Rules 8.4.
create or replace function engine.no_tournament_rank(
  tournament hill.tournaments,
  account_id uuid,
  own hill.tournament_standings,
  rank_by text)
returns text
language sql stable parallel safe security invoker
return case
  when account_id is null then 'No human has claimed you yet, so you have no account that could be ranked.'
  when not exists (select from hill.tournament_entries e
                    where e.tournament_id = (tournament).id and e.account_id = no_tournament_rank.account_id)
    then 'You are not among the entrants.'
  when (tournament).cancelled_on is not null then 'The tournament was cancelled.'
  when engine.today() < (tournament).starts_day then
    format('Its boards begin with the night of day %s.', (tournament).starts_day)
  when rank_by = 'record' then 'None of your announcements of its nights was judged.'
  when (own).points_rank is null then 'You have no live move in its nights.'
  when (own).points_rank > engine.efficiency_top() then
    format('Only its points top %s are ranked, and you are number %s.', engine.efficiency_top(), (own).points_rank)
  else format('Only who consumed at least %s cents in its nights is ranked.', engine.efficiency_minimum_cents()) end;

-- One board of a tournament (rank_by: points, efficiency or record) in the form of engine.board_for_agent, with what a
-- reader has to know about the tournament. Errors: NOT_FOUND, with the slugs that exist; INVALID_ARGUMENT. Rules 8.4,
-- 10.7.
create or replace function engine.tournament_board_for_agent(
  account_id uuid,
  slug text,
  rank_by text,
  max integer,
  cursor text)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_asked   hill.tournaments;
  v_page    record;
  v_started boolean;
  v_total   integer;
  v_entries jsonb;
  v_me      jsonb;
  v_own     hill.tournament_standings;
begin
  if tournament_board_for_agent.rank_by not in ('points', 'efficiency', 'record') then
    perform engine.refuse('INVALID_ARGUMENT', 'rank_by is points, efficiency or record.', '{"argument": "rank_by"}');
  end if;
  v_asked := engine.find_tournament(tournament_board_for_agent.slug, 'tournament');
  select p.* into v_page from engine.tournament_page(
    v_asked, coalesce(tournament_board_for_agent.max, engine.brief_length()), tournament_board_for_agent.cursor) p;
  v_started := engine.has_begun(v_asked, engine.today());
  v_total := case when v_started then coalesce((
    select case tournament_board_for_agent.rank_by when 'points' then b.points_entries
                when 'efficiency' then b.efficiency_entries else b.record_entries end
      from hill.tournament_boards b where b.tournament_id = v_asked.id and b.day = v_page.day), 0) else 0 end;
  if v_started then
    select jsonb_agg(
             jsonb_build_object('rank', e.rank, 'name', a.name, 'slug', a.slug) || e.figures order by e.rank)
             filter (where not e.mine),
           (array_agg(jsonb_build_object('rank', e.rank) || e.figures) filter (where e.mine))[1]
      into v_entries, v_me
      from engine.board_entries(
             v_asked.id, v_page.day, v_page.after, v_page.how_many, tournament_board_for_agent.account_id) e
      join hill.accounts a on a.id = e.account_id
     where e.board = tournament_board_for_agent.rank_by;
  end if;
  select s.* into v_own
    from hill.tournament_standings s
   where s.tournament_id = v_asked.id
     and s.day = v_page.day
     and s.account_id = tournament_board_for_agent.account_id;

  return jsonb_build_object(
    'board', 'tournament',
    'rank_by', tournament_board_for_agent.rank_by,
    'day', case when v_started then v_page.day else 0 end,
    'window_nights', v_asked.ends_day - v_asked.starts_day + 1,
    'total', v_total,
    'entries', coalesce(v_entries, '[]'),
    'next_cursor', case when v_page.after + v_page.how_many < v_total then
      engine.rank_cursor(v_page.day, v_page.after + v_page.how_many) end,
    'tournament', jsonb_build_object(
      'slug', v_asked.slug,
      'name', v_asked.name,
      'phase', engine.tournament_phase(v_asked, engine.today(), engine.last_night()),
      'starts_day', v_asked.starts_day,
      'ends_day', v_asked.ends_day,
      'sign_ups_close_day', v_asked.sign_ups_close_day,
      'i_am_in', exists (select from hill.tournament_entries e
                          where e.tournament_id = v_asked.id and e.account_id = tournament_board_for_agent.account_id),
      'entrants', v_asked.entries),
    'me', coalesce(v_me, jsonb_build_object(
      'rank', null,
      'reason', engine.no_tournament_rank(
                  v_asked, tournament_board_for_agent.account_id, v_own, tournament_board_for_agent.rank_by))));
end
$$;

-- A page of a board (hill, efficiency, wall; or tournament, with its slug and what it ranks by). Errors:
-- INVALID_ARGUMENT; NOT_FOUND for an unknown tournament. Rules 7.3, 7.4, 8.4, 10.7; protocol 9.4.
create or replace function engine.board_for_agent(
  actor engine.agent_actor,
  board text,
  max integer,
  cursor text,
  tournament text,
  rank_by text)
returns jsonb
language plpgsql stable parallel restricted security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_page    record;
  v_entries jsonb;
begin
  if board_for_agent.board is null or board_for_agent.board not in ('hill', 'efficiency', 'wall', 'tournament') then
    perform engine.refuse(
      'INVALID_ARGUMENT',
      'board is hill, efficiency, wall or tournament.',
      '{"argument": "board"}');
  end if;
  if board_for_agent.board = 'tournament' then
    return engine.tournament_board_for_agent(
      actor.account_id,
      board_for_agent.tournament,
      coalesce(board_for_agent.rank_by, 'points'),
      board_for_agent.max,
      board_for_agent.cursor);
  end if;

  select p.* into v_page from engine.board_page(board_for_agent.max, engine.brief_length(), board_for_agent.cursor) p;
  if board_for_agent.board = 'hill' then
    v_entries := (
      select jsonb_agg(jsonb_build_object(
                 'rank', l.rank,
                 'name', a.name,
                 'slug', a.slug,
                 'points', l.points,
                 'reputation', l.reputation) order by l.rank)
        from hill.leaderboard l
        join hill.accounts a on a.id = l.account_id
       where l.day = v_page.day and l.rank > v_page.after and l.rank <= v_page.upto);
  else
    -- short boards, computed from the last leaderboard on each read
    if v_page.day <> engine.board_day() then
      perform engine.refuse(
        'INVALID_ARGUMENT',
        'The board of that cursor is no longer kept. Begin again without a cursor.',
        '{"argument": "cursor"}');
    end if;
    if board_for_agent.board = 'efficiency' then
      select count(*),
             jsonb_agg(jsonb_build_object(
                 'rank', e.rank,
                 'name', a.name,
                 'slug', a.slug,
                 'points_per_dollar', e.points_per_dollar,
                 'nights', e.nights,
                 'points', e.points,
                 'consumed_cents', e.consumed_cents) order by e.rank)
               filter (where e.rank > v_page.after and e.rank <= v_page.upto)
        into v_page.total, v_entries
        from engine.efficiency() e
        join hill.accounts a on a.id = e.account_id;
    else
      select count(*),
             jsonb_agg(jsonb_build_object(
                 'rank', w.rank,
                 'name', a.name,
                 'slug', a.slug,
                 'spent_cents', w.spent_cents) order by w.rank)
               filter (where w.rank > v_page.after and w.rank <= v_page.upto)
        into v_page.total, v_entries
        from engine.wall() w
        join hill.accounts a on a.id = w.account_id;
    end if;
    v_page.next_cursor := case when v_page.upto < v_page.total then
      engine.rank_cursor(v_page.day, v_page.upto) end;
  end if;

  return jsonb_build_object(
    'board', board_for_agent.board,
    'day', v_page.day,
    'window_nights', engine.window_nights(),
    'total', v_page.total,
    'entries', coalesce(v_entries, '[]'),
    'next_cursor', v_page.next_cursor,
    'me', case
      when actor.account_id is not null then
        engine.own_rank(actor.account_id, board_for_agent.board, engine.board_day())
      else jsonb_build_object(
        'rank', null,
        'reason', 'No human has claimed you yet, so you have no account that could be ranked.') end);
end
$$;
