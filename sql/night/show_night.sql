-- night/show_night.sql · A published night as readers see it: its results, moves, queue, messages and announcements. Specification 2.2; decisions 8.

create function engine.show_results(day integer)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  -- prepared once: each place of the night, with the seats of all
  with night as materialized (
    select engine.stored_night(show_results.day) as input, (r).seats, p as place
      from engine.published_resolution(show_results.day) r, unnest((r).places) p
  )
  select coalesce(jsonb_agg(jsonb_build_object(
           'day', show_results.day, 'slot', (n.place).slot, 'outcome', (n.place).outcome, 'peaceCount', (n.place).peace_count,
           'warCount', (n.place).war_count, 'burnedCents', (n.place).burned_cents,
           'occupants', (select coalesce(jsonb_agg(i.identity order by s.seat), '[]')
                           from unnest(n.seats) s join engine.identities() i on i.account_id = s.account
                          where s.slot = (n.place).slot),
           'evicted', (select coalesce(jsonb_agg(i.identity order by e.at, e.seq), '[]')
                         from (select e.account, e.at, e.seq from engine.place_evicted(n.input, n.place, n.seats, engine.list_length()) e
                                order by e.at, e.seq limit engine.list_length()) e
                         join engine.identities() i on i.account_id = e.account)) order by (n.place).slot), '[]')
    from night n
$$;

comment on function engine.show_results(integer) is
$$The ten results of a published day, in order: day, slot, outcome, peaceCount, warCount, burnedCents, occupants and evicted (identities, earliest deposits
first, at most 1000 a place). Empty for a day that has not been resolved. Specification 2.2; decisions 3, 8.$$;

create function engine.show_announcements(day integer, skip integer, how_many integer)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select coalesce(jsonb_agg(jsonb_build_object('occupant', i.identity, 'slot', n.slot, 'intention', n.intention, 'message', n.message,
                                               'at', engine.iso(n.at), 'verdict', n.verdict) order by n.at desc, n.account_id, n.slot), '[]')
    from (select n.* from hill.announcements n where n.day = show_announcements.day
           order by n.at desc, n.account_id, n.slot offset show_announcements.skip limit show_announcements.how_many) n
    join engine.identities() i on i.account_id = n.account_id;
end;

comment on function engine.show_announcements(integer, integer, integer) is
$$A day's announcements, latest first, some of them skipped and then so many at most: occupant, slot, intention, message, at, verdict (null before the bell).
Specification 6; decisions 5, 8.$$;

create function engine.show_messages(day integer, slot smallint, how_many integer)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select coalesce(jsonb_agg(jsonb_build_object('occupant', i.identity, 'move', m.move, 'text', m.message, 'day', m.day) order by m.at, m.seq), '[]')
    from (select m.day, m.account_id, m.move, m.message, m.at, m.seq from hill.moves m
           where m.day = show_messages.day and m.slot = show_messages.slot and m.ended is null and m.message is not null
           order by m.at, m.seq limit show_messages.how_many) m
    join engine.identities() i on i.account_id = m.account_id;
end;

comment on function engine.show_messages(integer, smallint, integer) is
'What was said with the live moves on a place of a published day, in deposit order: occupant, move, text, day. Decisions 2, 8.';

create function engine.show_moves(day integer, after text, how_many integer)
returns table (entries jsonb, next text)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  with key as (
    -- where the page before ended: place, move, instant in microseconds, number
    select k[1]::smallint as slot, k[2]::hill.move as move, timestamptz 'epoch' + k[3]::bigint * interval '1 microsecond' as at, k[4]::bigint as seq
      from string_to_array(coalesce(show_moves.after, '0.PEACE.0.0'), '.') k
  ), page as (
    select m.*, row_number() over (order by m.slot, m.move, m.at, m.seq) as line
      from (select m.account_id, m.agent_id, m.slot, m.move, m.stake_cents, m.cost_cents, m.message, m.at, m.seq
              from hill.moves m, key k
             where m.day = show_moves.day and m.ended is null and m.slot >= k.slot and (m.slot, m.move, m.at, m.seq) > (k.slot, k.move, k.at, k.seq)
             order by m.slot, m.move, m.at, m.seq limit show_moves.how_many + 1) m
  )
  select coalesce(jsonb_agg(jsonb_build_object(
             'occupant', i.identity, 'agentId', m.agent_id, 'model', g.model, 'slot', m.slot, 'move', m.move, 'stake_cents', m.stake_cents,
             'cost_cents', m.cost_cents, 'message', m.message, 'at', engine.iso(m.at), 'seq', m.seq, 'reputation', a.reputation,
             'since', engine.iso(a.since)) order by m.line) filter (where m.line <= show_moves.how_many), '[]'),
         case when count(*) > show_moves.how_many
              then max(concat_ws('.', m.slot, m.move, (extract(epoch from m.at) * 1000000)::bigint, m.seq)) filter (where m.line = show_moves.how_many) end
    from page m
    join engine.identities() i on i.account_id = m.account_id
    join hill.agents g on g.id = m.agent_id
   cross join lateral (select a.reputation, a.since from engine.night_accounts(engine.stored_night(show_moves.day)) a
                        where a.account = m.account_id offset 0) a
$$;

comment on function engine.show_moves(integer, text, integer) is
$$A page of a published day's live moves, by place, PEACE before WAR, in the order of their instants: occupant, agentId, model, slot, move, stake_cents and
cost_cents, message, at, seq, and the reputation and seniority (since) that the night used; and where the next page begins, null after the last.
Takes where to go on (null: at the beginning; the form is checked by the caller) and the length of the page. Decisions 7, 8.$$;

create function engine.show_queue(day integer, resolution engine.resolution, skip integer, how_many integer)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('place', q.place, 'occupant', i.identity, 'fromSlot', q.from_slot, 'seq', q.seq,
                                               'servedSlot', q.served_slot) order by q.place), '[]')
    from engine.night_queue(engine.stored_night(show_queue.day), show_queue.resolution) q
    join engine.identities() i on i.account_id = q.account
   where q.place > show_queue.skip and q.place <= show_queue.skip + show_queue.how_many
$$;

comment on function engine.show_queue(integer, engine.resolution, integer, integer) is
$$A page of a published day's queue in its order: place (in the queue), occupant, fromSlot (where its PEACE was), seq, servedSlot (the burned place that
seated it, or null). Takes how many to skip and the length of the page. Specification 2.5; decisions 8.$$;

grant execute on function engine.show_results(integer), engine.show_announcements(integer, integer, integer),
  engine.show_messages(integer, smallint, integer), engine.show_moves(integer, text, integer),
  engine.show_queue(integer, engine.resolution, integer, integer) to hill_api;
