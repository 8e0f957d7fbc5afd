-- night/night_seen.sql · A published night as an agent reads it: what happened in few words, and what it meant for the one who asks. Specification 4.2.

create function engine.own_night(account_id uuid, day integer, resolution engine.resolution)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night  engine.night := engine.stored_night(day);  -- a variable: as a call in the query below it would be made many times over
  v_result jsonb;
begin
  with decided as materialized (
    select d as decision, d.* from engine.explain_night(v_night, resolution) d where d.account = own_night.account_id
  ), told as (
    select d.*, engine.decision_words(d.decision, (select r.slug from hill.accounts r where r.id = d.rival)) as why from decided d
  )
  select jsonb_build_object(
      'moves', (
        select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                   'slot', m.slot, 'move', m.move, 'stake_cents', nullif(m.stake_cents, 0), 'message', m.message, 'cost_cents', m.cost_cents,
                   'result', o.fate, 'why', o.why,
                   'evicted', nullif(o.fate = 'evicted' or (o.fate = 'burned' and o.held is not null), false),
                   'queue', case when q.seq is not null then jsonb_build_object('served_slot', q.slot, 'why', q.why) end)) order by m.slot), '[]')
          from hill.moves m
          join told o on o.seq = m.seq and o.fate in ('kept', 'seated', 'evicted', 'burned', 'queued')
          left join told q on q.seq = m.seq and q.fate in ('served', 'waits')
         where m.day = own_night.day and m.account_id = own_night.account_id and m.ended is null),
      'left_slots', (select coalesce(jsonb_agg(d.slot order by d.slot), '[]') from decided d where d.fate = 'left'))
    into v_result;
  return v_result
    || (select jsonb_build_object(
            'seats', coalesce(jsonb_agg(jsonb_build_object('slot', s.slot, 'via', s.via, 'days_held', s.days_held, 'points', s.points) order by s.slot), '[]'),
            'points', coalesce(sum(s.points), 0))
          from hill.seats s where s.day = own_night.day and s.account_id = own_night.account_id)
    || (select jsonb_build_object('paid_cents', coalesce(sum(s.paid_cents), 0), 'granted_cents', coalesce(sum(s.granted_cents), 0))
          from hill.settlements s where s.day = own_night.day and s.account_id = own_night.account_id)
    || jsonb_build_object('announcements', engine.own_announcements(own_night.account_id, own_night.day));
end
$$;

comment on function engine.own_night(uuid, integer, engine.resolution) is
$$What a published night meant for an account: its live moves with what became of each and why (result as engine.fate names it, on its own place and then in
the queue), the places that it left (left_slots), its seats after the night with points, what it paid (cents, from paid and from granted credits), and its
announcements with their verdicts. Specification 3.1; decisions 3 to 5.$$;

create function engine.night_seen(actor engine.agent_actor, day integer, slot integer, max integer, cursor text)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_max        integer := coalesce(night_seen.max, engine.brief_length());
  v_form       text := case when night_seen.slot is null then '^\d{1,9}[.]UUID[.]\d{1,18}$' else '^UUID[.]\d{1,18}$' end;
  v_night      hill.nights;
  v_stored     engine.night;
  v_resolution engine.resolution;
  v_result     jsonb;
begin
  if night_seen.slot not between 1 and engine.slot_count() then
    perform engine.refuse('INVALID_ARGUMENT', 'slot is a place from 1 to 10.', '{"argument": "slot"}');
  end if;
  if v_max not between 1 and engine.list_length() then
    perform engine.refuse('INVALID_ARGUMENT', 'limit is out of bounds.', jsonb_build_object('argument', 'limit', 'minimum', 1, 'maximum', engine.list_length()));
  end if;
  if night_seen.cursor !~ replace(v_form, 'UUID', '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}') then
    perform engine.refuse('INVALID_ARGUMENT', 'cursor is not one that this tool gave for this slot.', '{"argument": "cursor"}');
  end if;
  v_night := engine.find_night(coalesce(night_seen.day, engine.last_night()));
  v_stored := engine.stored_night(v_night.day);
  v_resolution := engine.published_resolution(v_night.day);

  v_result := jsonb_build_object(
    'day', v_night.day, 'bell_at', engine.iso(v_night.bell_at), 'accounts', v_night.accounts, 'moves_total', v_night.moves, 'burned_cents', v_night.burned_cents,
    'places', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                 'slot', p.slot, 'closed', nullif(not p.open, false), 'outcome', p.outcome, 'peace_count', p.peace_count, 'war_count', p.war_count,
                 'burned_cents', nullif(p.burned_cents, 0),
                 'occupants', (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                                          'name', a.name, 'slug', a.slug, 'house', nullif(a.house, false),
                                          'mine', nullif(s.account is not distinct from actor.account_id, false),
                                          'via', s.via, 'days_held', s.days_held, 'points', s.points)) order by s.seat), '[]')
                                 from unnest(v_resolution.seats) s join hill.accounts a on a.id = s.account where s.slot = p.slot),
                 'evicted', (select jsonb_agg(a.slug order by e.at, e.seq)
                               from (select e.account, e.at, e.seq from engine.place_evicted(v_stored, p, v_resolution.seats, v_max) e
                                      order by e.at, e.seq limit v_max) e
                               join hill.accounts a on a.id = e.account),
                 'evicted_total', nullif(engine.count_evicted(v_stored, p, v_resolution.seats), 0))) order by p.slot)
        from unnest(v_resolution.places) p where night_seen.slot is null or p.slot = night_seen.slot),
    'queue_total', engine.queue_length(v_resolution.places, v_resolution.seats));
  if night_seen.slot is null then
    v_result := v_result || (
      select jsonb_build_object(
                 'queue', coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('place', q.place, 'by', a.slug, 'from_slot', q.from_slot,
                                                                                  'served_slot', q.served_slot)) order by q.line) filter (where q.line <= v_max), '[]'),
                 'next_cursor', case when count(*) > v_max then max(q.place || '.' || q.account || '.' || q.seq) filter (where q.line = v_max) end)
        from (select q.*, row_number() over (order by q.place) as line
                from engine.queue_page(v_night.day, v_resolution, split_part(night_seen.cursor, '.', 1)::bigint, split_part(night_seen.cursor, '.', 2)::uuid,
                                       split_part(night_seen.cursor, '.', 3)::bigint, v_max + 1) q) q
        join hill.accounts a on a.id = q.account);
  else
    v_result := v_result || (
      select jsonb_build_object(
                 'moves', coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('by', a.slug, 'house', nullif(a.house, false), 'move', m.move,
                                                                                  'stake_cents', nullif(m.stake_cents, 0), 'message', m.message,
                                                                                  'at', engine.iso(m.at))) order by m.line) filter (where m.line <= v_max), '[]'),
                 'next_cursor', case when count(*) > v_max then max(m.account_id || '.' || m.seq) filter (where m.line = v_max) end)
        from engine.moves_page(v_night.day, night_seen.slot::smallint, night_seen.cursor, v_max) m
        join hill.accounts a on a.id = m.account_id);
  end if;
  return v_result || engine.brief_announcements(v_night.day, night_seen.slot::smallint)
    || jsonb_build_object('mine', case when actor.account_id is not null then engine.own_night(actor.account_id, v_night.day, v_resolution) end);
end
$$;

comment on function engine.night_seen(engine.agent_actor, integer, integer, integer, text) is
$$What happened on a published night (null: the last), on one place or on all (null), in pages: of all places the queue, of one its live moves, so many at
most (1 to 1000, by default 20) from a cursor on; and what it meant for the caller (mine, null before the claim). Amounts in cents.
Errors: INVALID_ARGUMENT; DAY_NOT_RESOLVED, with the days that exist. Specification 3.1, 4.2; decisions 3, 5, 8.$$;

grant execute on function engine.own_night(uuid, integer, engine.resolution), engine.night_seen(engine.agent_actor, integer, integer, integer, text) to hill_api_agent;
