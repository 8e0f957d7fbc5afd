-- A published night as an agent reads it: what happened, in brief, and what it meant for the caller. Protocol 9.4.

-- What a published night meant for an account. Rules 4.5, 4.8, 5.3, 6.3.
create or replace function engine.own_night(account_id uuid, day integer)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  with held as (
    select h.slot from engine.night_holders(engine.stored_night(own_night.day)) h where h.account = own_night.account_id

  ), seat as (
    select s.slot, s.seq, s.via, s.days_held, s.points
      from hill.seats s
     where s.day = own_night.day and s.account_id = own_night.account_id

  ), moved as (  -- each with the seat that it took, on its own place or by the queue
    select m.slot,
           m.seq,
           m.move,
           m.stake_cents,
           m.message,
           m.cost_cents,
           s.slot as seat_slot,
           p.outcome,
           s.via is distinct from 'queue' and s.slot is not null as seated,
           exists (select from held h where h.slot = m.slot) as held,
           exists (select from seat t where t.slot = m.slot) as sits_there
      from hill.moves m
      join hill.place_results p on p.day = m.day and p.slot = m.slot
      left join seat s on s.seq = m.seq
     where m.day = own_night.day and m.account_id = own_night.account_id and m.ended is null
  )
  select jsonb_build_object(
      'moves', (
        select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                   'slot', m.slot,
                   'move', m.move,
                   'stake_cents', nullif(m.stake_cents, 0),
                   'message', m.message,
                   'cost_cents', m.cost_cents,
                   'result', engine.own_fate(m.move, m.outcome, m.held, m.seated),
                   -- as engine.place_evicted has it
                   'evicted', nullif(
                     case when m.outcome = 'WAR' then m.move = 'PEACE' else m.held and not m.sits_there end, false),
                   'queue', case when m.move = 'PEACE' and not m.seated
                                 then jsonb_strip_nulls(jsonb_build_object('served_slot', m.seat_slot)) end))
                 order by m.slot), '[]')
          from moved m),
      'left_slots', (
        select coalesce(jsonb_agg(h.slot order by h.slot), '[]')
          from held h
         where not exists (select from moved m where m.slot = h.slot)),
      'seats', (
        select coalesce(jsonb_agg(jsonb_build_object(
                   'slot', s.slot,
                   'via', s.via,
                   'days_held', s.days_held,
                   'points', s.points) order by s.slot), '[]')
          from seat s),
      'points', (select coalesce(sum(s.points), 0) from seat s),
      'paid_cents', coalesce(n.paid_cents, 0),
      'granted_cents', coalesce(n.granted_cents, 0),
      'announcements', engine.own_announcements(own_night.account_id, own_night.day))
    from (values (true)) v
    left join hill.settlements n on n.day = own_night.day and n.account_id = own_night.account_id
$$;

-- A page of a published day's queue in brief (engine.show_queue shows it in full). Rules 10.9.
create or replace function engine.brief_queue(day integer, resolution engine.resolution, after text, how_many integer)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'queue', coalesce(
        jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
            'place', q.place,
            'by', a.slug,
            'from_slot', q.from_slot,
            'served_slot', q.served_slot)) order by q.line) filter (where q.line <= brief_queue.how_many),
        '[]'),
      'next_cursor', case when count(*) > brief_queue.how_many then
        max(engine.queue_mark(q.place, q.account, q.seq)) filter (where q.line = brief_queue.how_many) end)
    from (select q.*, row_number() over (order by q.place) as line
            from engine.queue_page(
                   brief_queue.day,
                   brief_queue.resolution,
                   brief_queue.after,
                   brief_queue.how_many + 1) q) q
   cross join lateral engine.profile_on(q.account, brief_queue.day) a
$$;

-- A page of the live moves on one place of a published day in brief. Rules 10.9.
create or replace function engine.brief_moves(day integer, slot smallint, after text, how_many integer)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'moves', coalesce(
        jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
            'by', a.slug,
            'house', nullif(a.house, false),
            'move', m.move,
            'stake_cents', nullif(m.stake_cents, 0),
            'message', m.message,
            'at', engine.iso(m.at))) order by m.line) filter (where m.line <= brief_moves.how_many),
        '[]'),
      'next_cursor', case when count(*) > brief_moves.how_many then
        max(engine.move_mark(m.account_id, m.seq)) filter (where m.line = brief_moves.how_many) end)
    from engine.moves_page(brief_moves.day, brief_moves.slot, brief_moves.after, brief_moves.how_many) m
   cross join lateral engine.profile_on(m.account_id, brief_moves.day) a
$$;

-- What happened on a published night (null: the last), on one place or on all (null). Errors: INVALID_ARGUMENT;
-- DAY_NOT_RESOLVED, with the days that exist. Rules 4.4, 4.5, 4.6, 6.3, 10.9; protocol 9.4.
create or replace function engine.night_for_agent(
  actor engine.agent_actor,
  day integer,
  slot integer,
  queue boolean,
  max integer,
  cursor text)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_max        integer := coalesce(night_for_agent.max, engine.brief_length());
  v_queue      boolean := coalesce(night_for_agent.queue, false);
  v_list       text := case when v_queue then 'queue' when night_for_agent.slot is not null then 'moves' end;
  v_night      hill.nights;
  v_stored     engine.night;
  v_resolution engine.resolution;
  v_result     jsonb;
begin
  if night_for_agent.slot not between 1 and engine.slot_count() then
    perform engine.refuse('INVALID_ARGUMENT', 'slot is a place from 1 to 10.', '{"argument": "slot"}');
  end if;
  if v_queue and night_for_agent.slot is not null then
    perform engine.refuse('INVALID_ARGUMENT', 'queue is of all places: leave slot out.', '{"argument": "slot"}');
  end if;
  if v_max not between 1 and engine.list_length() then
    perform engine.refuse(
      'INVALID_ARGUMENT',
      'limit is out of bounds.',
      jsonb_build_object('argument', 'limit', 'minimum', 1, 'maximum', engine.list_length()));
  end if;
  if night_for_agent.cursor !~ format('^%s$', engine.mark_form(v_list)) then
    perform engine.refuse(
      'INVALID_ARGUMENT',
      'cursor is not one that this tool gave for this list.',
      '{"argument": "cursor"}');
  end if;

  v_night := engine.find_night(coalesce(night_for_agent.day, engine.last_night()));
  v_stored := engine.stored_night(v_night.day);
  v_resolution := engine.published_resolution(v_night.day);

  v_result := jsonb_build_object(
    'day', v_night.day,
    'bell_at', engine.iso(v_night.bell_at),
    'accounts', v_night.accounts,
    'moves_total', v_night.moves,
    'burned_cents', v_night.burned_cents,
    'places', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                 'slot', p.slot,
                 'closed', nullif(not p.open, false),
                 'outcome', p.outcome,
                 'peace_count', p.peace_count,
                 'war_count', p.war_count,
                 'burned_cents', nullif(p.burned_cents, 0),
                 'occupants', (
                   select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                              'name', a.name,
                              'slug', a.slug,
                              'house', nullif(a.house, false),
                              'mine', nullif(s.account is not distinct from actor.account_id, false),
                              'via', s.via,
                              'days_held', s.days_held,
                              'points', s.points)) order by s.seat), '[]')
                     from unnest(v_resolution.seats) s
                    cross join lateral engine.profile_on(s.account, v_night.day) a
                    where s.slot = p.slot),
                 'evicted', (
                   select jsonb_agg(a.slug order by e.at, e.seq)
                     from (select e.account, e.at, e.seq
                             from engine.place_evicted(v_stored, p, v_resolution.seats, v_max) e
                            order by e.at, e.seq limit v_max) e
                    cross join lateral engine.profile_on(e.account, v_night.day) a),
                 'evicted_total', nullif(engine.count_evicted(v_stored, p, v_resolution.seats), 0))) order by p.slot)
        from unnest(v_resolution.places) p
       where night_for_agent.slot is null or p.slot = night_for_agent.slot),
    'queue_total', engine.queue_length(v_resolution.places, v_resolution.seats),
    'queue_served', (
      select coalesce(jsonb_agg(jsonb_build_object(
                 'by', a.slug,
                 'from_slot', m.slot,
                 'served_slot', s.slot) order by s.slot, s.seat), '[]')
        from unnest(v_resolution.seats) s
       cross join lateral engine.profile_on(s.account, v_night.day) a
        join hill.moves m on m.day = v_night.day and m.account_id = s.account and m.seq = s.seq
       where s.via = 'queue'));

  v_result := v_result || case
    when v_queue then engine.brief_queue(v_night.day, v_resolution, night_for_agent.cursor, v_max)
    when night_for_agent.slot is not null then
      engine.brief_moves(v_night.day, night_for_agent.slot::smallint, night_for_agent.cursor, v_max)
    else '{"next_cursor": null}' end;
  return v_result
    || engine.brief_announcements(v_night.day, night_for_agent.slot::smallint)
    || jsonb_build_object(
         'mine', case when actor.account_id is not null then engine.own_night(actor.account_id, v_night.day) end);
end
$$;
