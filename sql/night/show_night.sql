-- A published night as readers see it: its results, moves, queue, messages and announcements. Rules 10.6.

-- A decision as everybody reads it, as JSON: fate, rule, the key that decided with the two values compared (value,
-- rivalValue; null where nothing was compared), the account of the rival, and why in words. Rules 4.4, 10.6;
-- decisions 360.
create or replace function engine.public_decision(decision engine.decision, rival text)
returns text
language sql stable parallel safe security invoker
return format(
  '{"key": %s, "why": %s, "fate": "%s", "rule": "%s", "rival": %s, "value": %s, "rivalValue": %s}',
  engine.json_text((decision).key),
  engine.json_text(engine.decision_words(decision, rival)),
  (decision).fate,
  (decision).rule,
  engine.json_text((decision).rival::text),
  engine.json_text((decision).own_value),
  engine.json_text((decision).rival_value));

-- The decisions about who sits on a place after a published night, one for each seat, and about the holders that left.
-- Rules 4.4, 4.5.
create or replace function engine.seating(day integer, resolution engine.resolution)
returns setof engine.decision
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night     engine.night := engine.stored_night(seating.day);
  v_accounts  uuid[] := array(
    select s.account from unnest(resolution.seats) s
    union
    select h.account from engine.night_holders(v_night) h);
begin
  return query
  select d.*
    from engine.explain_places(v_night, resolution) d
   where d.account = any (v_accounts) and d.fate in ('kept', 'seated', 'left');
  if exists (select from unnest(resolution.seats) s where s.via = 'queue') then
    return query
    select d.*
      from engine.explain_queue(v_night, resolution) d
     where d.account = any (v_accounts) and d.fate = 'served';
  end if;
end
$$;

-- The ten results of a published day, in order: day, slot, outcome, peaceCount, warCount, burnedCents, occupants (with
-- via, daysHeld and points), burned (whose stakes did) and evicted (identities, earliest deposits first, how_many a
-- place at most), evictedTotal, unseated (who held the place, moved there and lost the seat, with daysHeld). With the
-- decisions of engine.seating each occupant also has what seated it, and left has who played nothing there. Rules 4.4,
-- 4.6, 10.6.
create or replace function engine.show_results(
  day integer,
  resolution engine.resolution,
  how_many integer,
  decisions engine.decision[] default null)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  with night as (
    select p as place, engine.stored_night(show_results.day) as night, (show_results.resolution).seats
      from unnest((show_results.resolution).places) p
  )
  select coalesce(jsonb_agg(jsonb_build_object(
             'day', show_results.day,
             'slot', (n.place).slot,
             'outcome', (n.place).outcome,
             'peaceCount', (n.place).peace_count,
             'warCount', (n.place).war_count,
             'burnedCents', (n.place).burned_cents,
             'occupants', (
               select coalesce(jsonb_agg(i.identity::jsonb || jsonb_build_object(
                          'via', s.via,
                          'daysHeld', s.days_held,
                          'points', trim_scale(s.points))
                        || case when d.seq is null then '{}' else jsonb_build_object(
                          'decision', engine.public_decision(d, r.name)::jsonb) end order by s.seat), '[]')
                 from unnest(n.seats) s
                cross join lateral engine.identity_on(s.account, show_results.day) i
                 left join unnest(show_results.decisions) d on d.seq = s.seq
                 left join lateral engine.profile_on(d.rival, show_results.day) r on true
                where s.slot = (n.place).slot),
             'burned', (
               select coalesce(jsonb_agg(i.identity::jsonb order by w.at, w.seq), '[]')
                 from engine.first_wars(n.night, (n.place).slot, show_results.how_many) w
                cross join lateral engine.identity_on(w.account, show_results.day) i
                where (n.place).outcome = 'BURN'),
             'unseated', (
               select coalesce(jsonb_agg(i.identity::jsonb || jsonb_build_object('daysHeld', u.days_held)
                                         order by u.days_held desc, u.account), '[]')
                 from engine.place_unseated(n.night, (n.place).slot, n.seats) u
                cross join lateral engine.identity_on(u.account, show_results.day) i),
             'evicted', (
               select coalesce(jsonb_agg(i.identity::jsonb order by e.at, e.seq), '[]')
                 from (select e.account, e.at, e.seq
                         from engine.place_evicted(n.night, n.place, n.seats, show_results.how_many) e
                        order by e.at, e.seq limit show_results.how_many) e
                cross join lateral engine.identity_on(e.account, show_results.day) i),
             'evictedTotal', engine.count_evicted(n.night, n.place, n.seats))
           || case when show_results.decisions is null then '{}' else jsonb_build_object('left', (
               select coalesce(jsonb_agg(i.identity::jsonb order by d.account), '[]')
                 from unnest(show_results.decisions) d
                cross join lateral engine.identity_on(d.account, show_results.day) i
                where d.fate = 'left' and d.slot = (n.place).slot)) end
             order by (n.place).slot), '[]')
    from night n
$$;

-- An announcement as readers see it: occupant, slot, intention, message, at, verdict (null before the bell). Rules
-- 10.6.
create or replace function engine.announcement_json(
  identity jsonb,
  slot smallint,
  intention hill.move,
  message text,
  at timestamptz,
  verdict hill.verdict)
returns jsonb
language sql stable parallel safe security invoker
return jsonb_build_object(
  'occupant', identity,
  'slot', slot,
  'intention', intention,
  'message', message,
  'at', engine.iso(at),
  'verdict', verdict);

-- A day's announcements, latest first, how_many at most. Rules 6.1, 6.3, 10.6.
create or replace function engine.show_announcements(day integer, how_many integer)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select coalesce(
           jsonb_agg(engine.announcement_json(i.identity::jsonb, n.slot, n.intention, n.message, n.at, n.verdict)
                     order by n.at desc, n.account_id, n.slot),
           '[]')
    from (select n.* from hill.announcements n
           where n.day = show_announcements.day
           order by n.at desc, n.account_id, n.slot limit show_announcements.how_many) n
   cross join lateral engine.identity_on(n.account_id, show_announcements.day) i;
end;

-- The messages of the live moves on a place of a published day, in deposit order: occupant, move, text, day. Rules 3.3,
-- 3.9, 10.6.
create or replace function engine.show_messages(day integer, slot smallint, how_many integer)
returns jsonb
language sql stable parallel safe security invoker
set enable_sort to off  -- as for engine.moves_page
begin atomic
  select coalesce(jsonb_agg(jsonb_build_object(
             'occupant', i.identity::jsonb,
             'move', m.move,
             'text', m.message,
             'day', m.day) order by m.at, m.seq), '[]')
    from (select m.day, m.account_id, m.move, m.message, m.at, m.seq
            from hill.moves m
           where m.day = show_messages.day
             and m.slot = show_messages.slot
             and m.ended is null
             and m.message is not null
           order by m.at, m.seq limit show_messages.how_many) m
   cross join lateral engine.identity_on(m.account_id, show_messages.day) i;
end;

-- A page of the live moves of a published day (cents), on one place or on all (null), by place, PEACE before WAR, in
-- the order of their instants, with what opens them. Rules 10.9.
create or replace function engine.moves_page(day integer, place smallint, after text, how_many integer)
returns table (
  line bigint,
  account_id uuid,
  agent_id uuid,
  slot smallint,
  move hill.move,
  stake_cents bigint,
  cost_cents bigint,
  message text,
  at timestamptz,
  seq bigint,
  salt bytea,
  ends bytea,
  message_salt bytea,
  message_hash bytea)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
-- A page is read in the order of an index. The planner, which may not have statistics of the night yet, would sort all
-- of the night instead.
set enable_sort to off
as $$
declare
  v_key  record;
  v_slot smallint;
  v_rows integer;
  v_left integer := how_many + 1;
begin
  if after is null then
    select coalesce(place, 1)::smallint as slot,
           'PEACE'::hill.move as move,
           '-infinity'::timestamptz as at,
           0::bigint as seq
      into v_key;
  else
    select m.slot, m.move, m.at, m.seq into v_key
      from engine.read_move_mark(after) k
      join hill.moves m on m.day = moves_page.day and m.account_id = k.account_id and m.seq = k.seq
     where m.ended is null;
    if not found then
      return;
    end if;
  end if;

  -- Place by place, PEACE and then WAR. Under row-level security no index condition on a move is used, because
  -- comparing moves is not leakproof. So PEACE uses the index of the order by place and instant, and WAR an index that
  -- has WAR alone and is made after the bell (trusted.index_night).
  for v_slot in v_key.slot .. coalesce(place, engine.slot_count()) loop
    if v_key.move = 'PEACE' then
      return query
      select how_many + 1 - v_left + row_number() over (order by m.slot, m.move, m.at, m.seq),
             m.account_id,
             m.agent_id,
             m.slot,
             m.move,
             m.stake_cents,
             m.cost_cents,
             m.message,
             m.at,
             m.seq,
             m.salt,
             m.ends,
             m.message_salt,
             m.message_hash
        from (select m.* from hill.moves m
               where m.day = moves_page.day
                 and m.slot = v_slot
                 and m.move = 'PEACE'
                 and m.ended is null
                 and m.at >= v_key.at
                 and (m.at, m.seq) > (v_key.at, v_key.seq)
               order by m.slot, m.move, m.at, m.seq limit v_left) m;
      get diagnostics v_rows = row_count;
      v_left := v_left - v_rows;
      exit when v_left = 0;
      v_key.at := '-infinity';
      v_key.seq := 0;
    end if;

    return query
    select how_many + 1 - v_left + row_number() over (order by m.slot, m.at, m.seq),
           m.account_id,
           m.agent_id,
           m.slot,
           m.move,
           m.stake_cents,
           m.cost_cents,
           m.message,
           m.at,
           m.seq,
           m.salt,
           m.ends,
           m.message_salt,
           m.message_hash
      from (select m.* from hill.moves m
             where m.day = moves_page.day
               and m.slot = v_slot
               and m.move = 'WAR'
               and m.ended is null
               and m.at >= v_key.at
               and (m.at, m.seq) > (v_key.at, v_key.seq)
             order by m.slot, m.at, m.seq limit v_left) m;
    get diagnostics v_rows = row_count;
    v_left := v_left - v_rows;
    exit when v_left = 0;
    v_key.move := 'PEACE';
    v_key.at := '-infinity';
    v_key.seq := 0;
  end loop;
end
$$;

-- What opens the commitment to a published move, as JSON. Rules 20.15, 20.19.
create or replace function engine.move_opening(
  salt bytea,
  ends bytea,
  message_salt bytea,
  message_hash bytea)
returns text
language sql stable parallel safe security invoker
return format(
  '{"ends": "%s", "salt": "%s", "message_hash": %s, "message_salt": %s}',
  encode(ends, 'hex'),
  encode(salt, 'hex'),
  coalesce('"' || encode(message_hash, 'hex') || '"', 'null'),
  coalesce('"' || encode(message_salt, 'hex') || '"', 'null'));

-- A page of a published day's live moves, by place, PEACE before WAR, in the order of their instants, each as JSON with
-- the outcome of its place and the seat that it came to, also from the queue. Rules 4.4, 9.4, 10.5, 10.6, 10.9, 20.19.
create or replace function engine.show_moves(day integer, resolution engine.resolution, after text, how_many integer)
returns table (entries text[], next text)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set enable_seqscan to off  -- a page is looked up one by one, however small a table is
set enable_memoize to off  -- nearly all differ
as $$
  with place as materialized (
    select p as key, p.slot from engine.place_keys(engine.stored_night(show_moves.day), show_moves.resolution) p

  ), page as materialized (
    select m.*, a.reputation, a.since, d as decision, (p.key).outcome, s as seat
      from engine.moves_page(show_moves.day, null, show_moves.after, show_moves.how_many) m
      join place p on p.slot = m.slot
      left join engine.night_holders(engine.stored_night(show_moves.day)) h
             on h.slot = m.slot and h.account = m.account_id
      left join unnest((show_moves.resolution).seats) s on s.seq = m.seq
     cross join lateral (
       select a.reputation,
              a.since,
              row(m.account_id, m.seq, m.at, a.reputation, a.since)::engine.contender as own
         from engine.night_accounts(engine.stored_night(show_moves.day)) a
        where a.account = m.account_id offset 0) a
     cross join lateral engine.explain_move(p.key, a.own, m.move, h.days_held, nullif(s.via, 'queue')) d
  )
  select coalesce(
           array_agg(format(
               '{"at": "%s", "seq": %s, "move": "%s", "seat": %s, "slot": %s, "model": %s, "since": "%s", '
               '"agentId": "%s", "message": %s, %s"outcome": "%s", "decision": %s, "occupant": %s, "cost_cents": %s, '
               '"reputation": %s, "stake_cents": %s}',
               engine.iso(m.at),
               m.seq,
               m.move,
               case when (m.seat).seq is null then 'null' else format(
                 '{"via": "%s", "slot": %s, "points": %s, "daysHeld": %s}',
                 (m.seat).via, (m.seat).slot, trim_scale((m.seat).points), (m.seat).days_held) end,
               m.slot,
               engine.json_text(g.model),
               engine.iso(m.since),
               m.agent_id,
               engine.json_text(m.message),
               case when m.salt is not null then format('"opening": %s, ',
                 engine.move_opening(m.salt, m.ends, m.message_salt, m.message_hash)) end,
               m.outcome,
               engine.public_decision(m.decision, r.name),
               i.identity,
               m.cost_cents,
               m.reputation,
               m.stake_cents) order by m.line) filter (where m.line <= show_moves.how_many),
           '{}'),
         case when count(*) > show_moves.how_many then
           max(engine.move_mark(m.account_id, m.seq)) filter (where m.line = show_moves.how_many) end
    from page m
   cross join lateral engine.identity_on(m.account_id, show_moves.day) i
   cross join lateral engine.model_on(m.agent_id, show_moves.day) g
    left join lateral engine.profile_on((m.decision).rival, show_moves.day) r on true
$$;

-- A page of a published day's queue in its order, each entry as JSON. Rules 4.2, 4.5, 10.9.
create or replace function engine.show_queue(day integer, resolution engine.resolution, after text, how_many integer)
returns table (entries text[], next text)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set enable_seqscan to off  -- a page is looked up one by one, however small a table is
set enable_memoize to off  -- nearly all differ
as $$
  with offered as materialized (
    select engine.queue_offer(engine.stored_night(show_queue.day), show_queue.resolution) as offer

  ), page as materialized (
    select q.*, row_number() over (order by q.place) as line, d as decision
      from engine.queue_page(
             show_queue.day,
             show_queue.resolution,
             show_queue.after,
             show_queue.how_many + 1) q
     cross join offered o
      left join engine.night_holders(engine.stored_night(show_queue.day)) h
             on h.slot = q.from_slot and h.account = q.account
      left join (select f, (f.served).seq from offered o cross join lateral unnest((o.offer).seats) f) f
             on f.seq = q.seq
     cross join lateral (
       select row(q.account, q.seq, q.at, q.reputation, q.since)::engine.contender as own offset 0) e
     cross join lateral engine.explain_entry(
       engine.stored_night(show_queue.day), show_queue.resolution, o.offer, f.f, e.own, h.days_held) d
  )
  select coalesce(
           array_agg(format(
               '{"seq": %s, "place": %s, "decision": %s, "fromSlot": %s, "occupant": %s, "servedSlot": %s}',
               q.seq,
               q.place,
               engine.public_decision(q.decision, r.name),
               q.from_slot,
               i.identity,
               coalesce(q.served_slot::text, 'null')) order by q.line) filter (where q.line <= show_queue.how_many),
           '{}'),
         case when count(*) > show_queue.how_many then
           max(engine.queue_mark(q.place, q.account, q.seq)) filter (where q.line = show_queue.how_many) end
    from page q
   cross join lateral engine.identity_on(q.account, show_queue.day) i
    left join lateral engine.profile_on((q.decision).rival, show_queue.day) r on true
$$;
