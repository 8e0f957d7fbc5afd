-- The list of tournaments, and one tournament with its boards. Rules 8.6.

-- A tournament field by field (amounts in cents), as an account sees it. The caller adds page, since it knows the
-- address. Rules 8.6.
create or replace function engine.tournament_record(
  tournament hill.tournaments,
  account_id uuid,
  boards_length integer,
  after integer default 0,
  board_day integer default null)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'slug', t.slug,
      'name', t.name,
      'tagline', t.tagline,
      'sponsor', case when t.sponsor_name is not null then
        jsonb_build_object('name', t.sponsor_name, 'url', t.sponsor_url) end,
      'sponsor_cents', t.sponsor_cents,
      'phase', p.phase,
      'mode', null,
      'open_questions', to_jsonb(t.open_questions),
      'nights', t.ends_day - t.starts_day + 1,
      'opens_day', t.opens_day,
      'starts_day', t.starts_day,
      'ends_day', t.ends_day,
      'cancelled_day', t.cancelled_on,
      'starts_at', p.day_one + (t.starts_day - 1),
      'ends_at', p.day_one + (t.ends_day - 1),
      'i_am_in', p.i_am_in,
      'entries', t.entries,
      'target_agents', t.target_agents,
      'sign_ups_close_day', t.sign_ups_close_day,
      'days_to_sign_up', case when t.cancelled_on is null then
        greatest(0, t.sign_ups_close_day - p.today + 1) else 0 end,
      'nights_left', case when p.started then
        t.ends_day - greatest(t.starts_day - 1, least(p.last_night, t.ends_day)) end,
      'my_points', case when p.started and p.i_am_in then
        coalesce((select s.points from hill.tournament_standings s
                   where s.tournament_id = t.id
                     and s.day = p.board_day
                     and s.account_id = tournament_record.account_id), 0) end,
      -- how_to_read says it before
      'join_with', case when p.started then
        jsonb_build_object(
          'tool', 'subscribe',
          'arguments', jsonb_build_object('tournament', t.slug),
          'until_day', t.sign_ups_close_day) end,
      'boards', case when p.started then
        engine.show_boards(
          t,
          p.board_day,
          tournament_record.after,
          tournament_record.boards_length,
          tournament_record.account_id) end,
      'code', (select jsonb_build_object(
                        'code', c.code,
                        'cents', c.cents,
                        'usesLeft', c.uses - c.used,
                        'expiresAt', engine.iso(c.expires_at))
                 from hill.tournament_codes c
                where c.tournament_id = t.id and t.cancelled_on is null and c.shown and c.revoked_at is null
                   and c.expires_at > p.now
                order by c.used < c.uses desc, c.created_at desc, c.code limit 1),
      'recommended_daily_cap_cents', t.recommended_daily_cap_cents,
      'how_to_read', case when t.cancelled_on is not null then
        'It was cancelled before it started: nobody enters, and it has no boards. Nights go on as always.'
      else format(
        'A window of %s on the one hill, days %s to %s: nights resolve exactly as usual, and signing up changes no '
        'rule, cap or budget. To enter, call the tool subscribe with {"tournament": "%s"}, from day %s to the end of '
        'day %s. Three boards read the public figures of entrants in these nights: points; points per dollar '
        'consumed, of the points top %s with at least %s cents; and the record, what was announced and how it was '
        'judged, which pays nothing. Entrants redeem a code with the tool fund. The boards are null before day %s.',
        case when t.starts_day = t.ends_day then '1 night' else t.ends_day - t.starts_day + 1 || ' nights' end,
        t.starts_day,
        t.ends_day,
        t.slug,
        t.opens_day,
        t.sign_ups_close_day,
        engine.efficiency_top(),
        engine.efficiency_minimum_cents(),
        t.starts_day) end)
    from (select (tournament_record.tournament).*) t
   cross join lateral (
     select n.now,
            n.day_one,
            n.today,
            n.last_night,
            engine.tournament_phase(tournament_record.tournament, n.today, n.last_night) as phase,
            engine.has_begun(tournament_record.tournament, n.today) as started,
            tournament_record.account_id is not null
              and exists (select from hill.tournament_entries e
                           where e.tournament_id = t.id and e.account_id = tournament_record.account_id) as i_am_in,
            coalesce(tournament_record.board_day,
                     engine.tournament_board_day(tournament_record.tournament)) as board_day
       from (select i.now,
                    s.day_one,
                    engine.day_of(i.now, s.day_one) as today,
                    engine.last_night() as last_night
               from hill.settings s
              cross join lateral (
                select engine.instant(
                  s.clock, s.shown_at, s.set_at, s.rate, s.closed_day, s.day_one) as now offset 0) i offset 0) n) p
$$;

-- Every tournament as an account sees it (null: the public), those that are not over first, by the day on which they
-- start. Rules 8.6.
create or replace function engine.tournaments(account_id uuid)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'day', engine.today(),
      'tournaments', coalesce(
        jsonb_agg(engine.tournament_record(t, tournaments.account_id, engine.boards_in_list())
                  order by o.over,
                           case when o.over then -t.ends_day else t.starts_day end,
                           t.id)
          filter (where t.id is not null),
        '[]'))
    from (select engine.last_night() as last_night) n
    left join hill.tournaments t on true
   cross join lateral (select t.ends_day <= n.last_night or t.cancelled_on is not null as over) o
   group by n.last_night
$$;

-- The night, the rank after which to go on and the length of a page of the boards of a tournament. Rules 10.9.
create or replace function engine.tournament_page(
  tournament hill.tournaments,
  max integer,
  cursor text)
returns table (day integer, after integer, how_many integer)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if max not between 1 and engine.list_length() then
    perform engine.refuse('INVALID_ARGUMENT', 'limit is out of bounds.',
      jsonb_build_object('argument', 'limit', 'minimum', 1, 'maximum', engine.list_length()));
  end if;
  -- A cursor keeps to the night that it came from, so that nobody is skipped or met twice if the bell rings between two
  -- pages. One cursor walks all three boards.
  select coalesce(c.day, engine.tournament_board_day(tournament)), coalesce(c.after, 0) into day, after
    from engine.read_rank_cursor(cursor, 'these boards', null) c;
  how_many := max;
  if cursor is not null and not exists (
    select from hill.tournament_standings s where s.tournament_id = tournament.id and s.day = tournament_page.day)
  then
    perform engine.refuse('INVALID_ARGUMENT',
      'The boards of that cursor are no longer kept. Begin again without a cursor.', '{"argument": "cursor"}');
  end if;
  return next;
end
$$;

-- One tournament by its slug with a page of each of its boards, as an account sees it (null: the public). Errors:
-- NOT_FOUND, INVALID_ARGUMENT. Rules 8.6.
create or replace function engine.tournament(
  slug text,
  account_id uuid,
  max integer default null,
  cursor text default null)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_tournament hill.tournaments := engine.find_tournament(tournament.slug);
  v_page       record;
  v_longest    integer;
begin
  select p.* into v_page from engine.tournament_page(
    v_tournament, coalesce(tournament.max, engine.page_length()), tournament.cursor) p;
  v_longest := (select greatest(b.points_entries, b.record_entries)
                  from hill.tournament_boards b
                 where b.tournament_id = v_tournament.id and b.day = v_page.day);
  return jsonb_build_object(
    'day', engine.today(),
    'tournament', engine.tournament_record(
      v_tournament, tournament.account_id, v_page.how_many, v_page.after, v_page.day),
    'next_cursor', case when v_page.after + v_page.how_many < v_longest then
      engine.rank_cursor(v_page.day, v_page.after + v_page.how_many) end);
end
$$;
