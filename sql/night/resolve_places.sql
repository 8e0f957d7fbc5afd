-- The rules of a night: what each place comes to and who sits there. Rules 4.4, 4.5, 4.9. The bell, the replay, the
-- what-if and the night file all use it, and these rules are nowhere else.

-- The ten places of a night in order, with outcome, counts and what was played there (cents). Rules 4.4.
create or replace function engine.tally_places(night engine.night)
returns setof engine.place_result
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  -- One pass over the moves, in parallel if there are many. PL/pgSQL runs RETURN QUERY in parallel, but not an
  -- assignment.
  return query
  with tally as (
    select m.slot,
           count(*) filter (where m.move = 'PEACE')::integer as peace_count,
           count(*) filter (where m.move = 'WAR')::integer as war_count,
           sum(m.cost_cents) filter (where m.move = 'PEACE') as rent_cents,
           sum(m.stake_cents) filter (where m.move = 'WAR') as stakes_cents
      from engine.night_moves(tally_places.night) m
     group by m.slot
  )
  select p.slot,
         p.slot in (select o from engine.night_open_slots(tally_places.night) o),
         case when t.slot is null then 'VACANT'
              when t.war_count = 0 then 'PEACE'
              when t.war_count = 1 then 'WAR'
              else 'BURN' end::hill.outcome,
         coalesce(t.peace_count, 0),
         coalesce(t.war_count, 0),
         coalesce(t.rent_cents, 0),
         case when t.war_count = 1 then t.stakes_cents else 0 end,
         case when t.war_count > 1 then t.stakes_cents else 0 end
    from (select g::smallint as slot from generate_series(1, engine.slot_count()) g) p
    left join tally t using (slot)
   order by p.slot;
end
$$;

-- Who sits on a place by its own move there: the lone warrior; else holders at peace, then PEACE in deposit order.
-- Rules 4.2, 4.4, 4.8.
create or replace function engine.seat_own_moves(night engine.night, places engine.place_result[])
returns engine.seat[]
language sql stable parallel safe security invoker
begin atomic
  with holders as materialized (  -- who held a place and moved on it
    select h.slot, h.account, h.days_held, m.seq, m.move, m.at
      from engine.night_holders(seat_own_moves.night) h
     cross join lateral (select m.seq, m.move, m.at from engine.night_moves(seat_own_moves.night) m
                          where m.account = h.account and m.slot = h.slot offset 0) m

  ), candidates as (
    select h.slot, h.account, h.seq, h.at, h.days_held + 1 as days_held, 'holder'::hill.seat_source as via
      from unnest(seat_own_moves.places) p
      join holders h using (slot)
     where p.outcome in ('PEACE', 'BURN') and h.move = 'PEACE'
    union all
    -- the earliest challengers: at least as many as there are seats, even once holders are left out
    select p.slot, c.account, c.seq, c.at, 0, 'peace'
      from unnest(seat_own_moves.places) p
     cross join lateral engine.first_peace(seat_own_moves.night, p.slot, 2 * engine.seats_per_place()) c
     where p.outcome in ('PEACE', 'BURN')
       and p.peace_count > 0
       and not exists (select from holders h where h.slot = p.slot and h.account = c.account)
    union all
    select p.slot,
           m.account,
           m.seq,
           m.at,
           coalesce((select h.days_held + 1 from holders h where h.slot = p.slot and h.account = m.account), 0),
           'war'
      from unnest(seat_own_moves.places) p
     cross join lateral engine.lone_warrior(seat_own_moves.night, p.slot) m
     where p.outcome = 'WAR'

  ), ranked as (
    select c.*,
           row_number() over (partition by c.slot order by c.via, c.at, a.reputation desc, a.since, c.seq) as seat
      from candidates c
     -- few candidates, perhaps a million accounts: looked up one by one
     cross join lateral (select a.reputation, a.since from engine.night_accounts(seat_own_moves.night) a
                          where a.account = c.account offset 0) a
  )
  select coalesce(
           array_agg(row(r.slot, r.seat, r.account, r.seq, r.days_held, r.via, null)::engine.seat
                     order by r.slot, r.seat),
           '{}')
    from ranked r
   where r.seat <= engine.seats_per_place();
end;

create or replace function engine.queue_length(places engine.place_result[], seats engine.seat[])
returns bigint
language sql immutable parallel safe
return (select sum(p.peace_count) from unnest(places) p)
  - (select count(*) from unnest(seats) s where s.via in ('holder', 'peace'));

comment on function engine.queue_length is
'How many PEACE moves found no seat on their own place and are in the queue.';

-- Adds those whom the cooperators' queue seats. Rules 4.2, 4.5.
create or replace function engine.serve_queue(night engine.night, places engine.place_result[], seats engine.seat[])
returns engine.seat[]
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_seats    engine.seat[] := seats;
  v_burned   smallint[] := (select array_agg(p.slot order by p.slot) from unnest(places) p where p.outcome = 'BURN');
  v_free     integer := engine.seats_per_place() * coalesce(cardinality(v_burned), 0)
                        - (select count(*) from unnest(seats) s where s.slot = any (v_burned));
  v_length   bigint := engine.queue_length(places, seats);
  v_accounts integer := 64;   -- how many accounts to look at, in the queue's order
  v_entries  engine.night_move[];
  v_wars     engine.night_move[];   -- theirs, on any place
  v_slot     smallint;
  v_seat     smallint;
  v_entry    engine.night_move;
begin
  if v_free = 0 or v_length = 0 then
    return v_seats;
  end if;

  -- Seats are few, so the head of the queue fills them. The queue is ordered by account first, so the first accounts
  -- have its head.
  loop
    v_seats := seats;
    with heads as materialized (
      select h.account, h.reputation, h.since
        from engine.queue_heads(night, v_accounts) h

    ), theirs as (
      select m as move, engine.queue_order(h.reputation, h.since, m.at, m.seq) as place
        from heads h
        join engine.night_moves(night) m on m.account = h.account
    )
    select array_agg(t.move order by t.place)
             filter (where (t.move).move = 'PEACE'
                       and not exists (select from unnest(seats) s
                                        where s.slot = (t.move).slot and s.account = (t.move).account)),
           array_agg(t.move) filter (where (t.move).move = 'WAR')
      into v_entries, v_wars
      from theirs t;

    <<serving>>
    foreach v_slot in array v_burned loop
      for v_seat in (select count(*) + 1 from unnest(seats) s where s.slot = v_slot) .. engine.seats_per_place() loop
        -- an entry is served once, an account has one seat on a place, and none where it went to war
        select e.* into v_entry
          from unnest(v_entries) with ordinality e (seq, account, slot, move, stake_cents, cost_cents, at, place)
         where not exists (select from unnest(v_seats) s where s.via = 'queue' and s.seq = e.seq)
           and not exists (select from unnest(v_seats) s where s.slot = v_slot and s.account = e.account)
           and not exists (select from unnest(v_wars) w where w.account = e.account and w.slot = v_slot)
         order by e.place limit 1;
        exit when not found;
        v_seats := v_seats || row(v_slot, v_seat, v_entry.account, v_entry.seq, 0, 'queue', null)::engine.seat;
      end loop;
    end loop;

    -- If a seat is still free and the queue was not read to its end, more of it has to be read.
    exit when cardinality(v_seats) - cardinality(seats) = v_free or coalesce(cardinality(v_entries), 0) = v_length;
    v_accounts := v_accounts * 16;
  end loop;
  return v_seats;
end
$$;

create or replace function engine.resolve_places(night engine.night)
returns engine.resolution
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_places engine.place_result[] := array(select t from engine.tally_places(night) t);
  v_seats  engine.seat[] := engine.serve_queue(night, v_places, engine.seat_own_moves(night, v_places));
begin
  return row(v_places, (
    select coalesce(
             array_agg(row(s.slot, s.seat, s.account, s.seq, s.days_held, s.via,
                           engine.points(s.slot, o.occupants::integer))::engine.seat order by s.slot, s.seat),
             '{}')
      from (select s.*, count(*) over (partition by s.slot) as occupants from unnest(v_seats) s) s
     cross join lateral (select s.occupants) o))::engine.resolution;
end
$$;

comment on function engine.resolve_places is
'Resolves a night: from its live moves, holders, reputations and seniorities, and from nothing else, to ten places '
'and the seats on them, with points. The same night gives the same result for ever. '
'Rules 4.3, 4.5, 4.8.';
