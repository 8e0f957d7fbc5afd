-- Why a night came out as it did: for each move the rule that decided, the key, and against whom. Rules 4.2, 4.4. It
-- decides nothing: it takes the resolution and says where in the order each move was. SQL without a search_path, so
-- that it is inlined and a caller that asks for a few accounts does not pay for all.

create type engine.place_key as (
  slot         smallint,
  outcome      hill.outcome,
  warrior      engine.contender,   -- the one WAR where there was one
  last_holder  engine.contender,   -- the last holder, and the last challenger, who got a seat by its PEACE there
  last_in      engine.contender,
  first_out    engine.contender,   -- the first PEACE that did not get one
  first_war    engine.contender,   -- of a place that burned, the two earliest
  next_war     engine.contender
);

comment on type engine.place_key is
'What decided on a place: the moves that any other one there is compared with. Null: there was none. Rules 4.4.';

-- What decided on each place of a night. The same for all moves on it: work it out once.
create or replace function engine.place_keys(night engine.night, resolution engine.resolution)
returns setof engine.place_key
language sql stable parallel safe security invoker
begin atomic
  with seat as materialized (
    select s.slot, s.seat, s.account, s.via, c as contender
      from unnest((place_keys.resolution).seats) s
     cross join lateral (select m as move from engine.night_moves(place_keys.night) m
                          where m.account = s.account and m.seq = s.seq offset 0) m
     cross join lateral engine.contenders(place_keys.night, array[m.move]) c
     where s.via <> 'queue'
  )
  select p.slot,
         p.outcome,
         (select s.contender from seat s where s.slot = p.slot and s.via = 'war'),
         (select s.contender
            from seat s
           where s.slot = p.slot and s.via = 'holder'
           order by s.seat desc limit 1),
         (select s.contender
            from seat s
           where s.slot = p.slot and s.via = 'peace'
           order by s.seat desc limit 1),
         (select row(f.account, f.seq, f.at, a.reputation, a.since)::engine.contender
            from engine.first_peace(place_keys.night, p.slot, engine.seats_per_place() + 1) f
           cross join lateral (select a.reputation, a.since from engine.night_accounts(place_keys.night) a
                                where a.account = f.account offset 0) a
           where p.outcome in ('PEACE', 'BURN')
             and not exists (select from seat s where s.slot = p.slot and s.account = f.account)
           order by f.at, a.reputation desc, a.since, f.seq limit 1),
         w.wars[1],
         w.wars[2]
    from unnest((place_keys.resolution).places) p
   cross join lateral (
     select array(select row(f.account, f.seq, f.at, null, null)::engine.contender
                    from engine.first_wars(place_keys.night, p.slot, 2) f
                   where p.outcome = 'BURN'
                   order by f.at, f.seq limit 2) as wars
     offset 0) w;
end;

-- What became of a live move on its own place: kept, seated, evicted, burned or queued. Rules 4.4.
create or replace function engine.explain_move(
  place engine.place_key,
  own engine.contender,
  move hill.move,
  held integer,
  via hill.seat_source)
returns setof engine.decision
language sql stable parallel safe security invoker
begin atomic
  select (explain_move.place).slot,
         (explain_move.own).account,
         (explain_move.own).seq,
         explain_move.move,
         explain_move.held,
         d.fate,
         d.rule,
         k.key,
         case when d.fate in ('evicted', 'burned') or (d.fate = 'queued' and d.rule = 'holder_first')
              then (r.rival).seq else (explain_move.own).seq end,
         case when d.rule = 'deposit_order' then engine.key_value(explain_move.own, k.key) end,
         (r.rival).account,
         (r.rival).seq,
         case when d.rule = 'deposit_order' then engine.key_value(r.rival, k.key) end
    -- offset 0: what a row comes to is worked out once, not wherever it is used
    from (
     select engine.own_fate(
              explain_move.move,
              (explain_move.place).outcome,
              explain_move.held is not null,
              explain_move.via is not null) as fate,
            case when (explain_move.place).outcome = 'WAR' then 'lone_war'
                 when explain_move.move = 'WAR' then 'burn'
                 when explain_move.via = 'holder'
                   or (explain_move.via is null and ((explain_move.place).last_in).seq is null) then 'holder_first'
                 when explain_move.via = 'peace' and ((explain_move.place).first_out).seq is null then 'free_seat'
                 else 'deposit_order' end as rule
     offset 0) d
   cross join lateral (
     select case when d.fate = 'evicted' then (explain_move.place).warrior
                 when d.fate = 'burned' then
                   case when ((explain_move.place).first_war).seq = (explain_move.own).seq
                        then (explain_move.place).next_war else (explain_move.place).first_war end
                 when d.rule in ('lone_war', 'free_seat') then null
                 when explain_move.via is not null then (explain_move.place).first_out
                 when d.rule = 'holder_first' then (explain_move.place).last_holder
                 else (explain_move.place).last_in end as rival
     offset 0) r
   cross join lateral (
     select case d.rule when 'holder_first' then 'holders'
                        when 'deposit_order' then engine.deciding_key(true, explain_move.own, r.rival)
                        else 'move' end as key
     offset 0) k;
end;

create or replace function engine.explain_places(night engine.night, resolution engine.resolution)
returns setof engine.decision
language sql stable parallel safe security invoker
begin atomic
  with place as materialized (
    select p as key, p.slot from engine.place_keys(explain_places.night, explain_places.resolution) p
  )
  -- account and seq are those of the table, so that a caller's condition on them reaches it
  select m.slot, m.account, m.seq, m.move, h.days_held, d.fate, d.rule, d.key, d.key_seq, d.own_value,
         d.rival, d.rival_seq, d.rival_value
    from engine.night_moves(explain_places.night) m
    join place p on p.slot = m.slot
    left join engine.night_holders(explain_places.night) h on h.slot = m.slot and h.account = m.account
    left join unnest((explain_places.resolution).seats) s
           on s.slot = m.slot and s.account = m.account and s.via <> 'queue'
   cross join lateral (
     select row(m.account, m.seq, m.at, a.reputation, a.since)::engine.contender as own
       from engine.night_accounts(explain_places.night) a
      where a.account = m.account offset 0) o
   cross join lateral engine.explain_move(p.key, o.own, m.move, h.days_held, s.via) d

   union all
  select h.slot, h.account, null, null, h.days_held, 'left', 'abandoned', 'move', null, null, null, null, null
    from engine.night_holders(explain_places.night) h
   where not exists (select from engine.night_moves(explain_places.night) m
                      where m.account = h.account and m.slot = h.slot);
end;

comment on function engine.explain_places is
'What became of each live move of a night on its own place, and of each holder that did not move: kept, seated, '
'evicted, burned, queued or left. Rules 4.4.';

-- Why the queue may not give an account a seat, with the move that bars it: one row, or none if it may. Rules 4.5.
create or replace function engine.bar_to_seat(
  night engine.night,
  resolution engine.resolution,
  account uuid,
  slot smallint,
  seat smallint)
returns table (rule text, seq bigint)
language sql stable parallel safe security invoker
begin atomic
  select 'warred_there', w.seq
    from engine.night_moves(bar_to_seat.night) w
   where w.account = bar_to_seat.account and w.slot = bar_to_seat.slot and w.move = 'WAR'
   union all
  select 'sits_there', s.seq
    from unnest((bar_to_seat.resolution).seats) s
   where s.slot = bar_to_seat.slot and s.account = bar_to_seat.account and s.seat < bar_to_seat.seat;
end;

create type engine.queue_offer as (seats engine.queue_seat[], last engine.contender);

comment on type engine.queue_offer is
'The free seats that a night''s queue was offered, in the order in which they were filled, and the last in queue order '
'of those who were served. Null: there was none.';

-- What a night's queue was offered. The same for all entries: work it out once. Rules 4.5.
create or replace function engine.queue_offer(night engine.night, resolution engine.resolution)
returns engine.queue_offer
language sql stable parallel safe security invoker
begin atomic
  with free as materialized (
    select f, f.slot, f.seat, f.served from engine.queue_seats(queue_offer.night, queue_offer.resolution) f
  )
  select row(
    array(select f.f from free f order by f.slot, f.seat),
    (select f.served
       from free f
      where (f.served).seq is not null
      order by engine.queue_order(
        (f.served).reputation, (f.served).since, (f.served).at, (f.served).seq) desc limit 1))::engine.queue_offer;
end;

-- Whether there may be a free seat that an account may not have: most have no such seat, and need no
-- engine.bar_to_seat.
create or replace function engine.may_be_barred(
  night engine.night,
  resolution engine.resolution,
  offer engine.queue_offer,
  account uuid)
returns table (barred boolean)
language sql stable parallel safe security invoker
begin atomic
  -- offset 0 here and below: what a row comes to is worked out once, not wherever it is used
  select cardinality((may_be_barred.offer).seats) > 0
         and (may_be_barred.account in (select s.account from unnest((may_be_barred.resolution).seats) s)
              or exists (select from engine.night_moves(may_be_barred.night) w
                          where w.account = may_be_barred.account
                            and w.move = 'WAR'
                            and w.slot in (select f.slot from unnest((may_be_barred.offer).seats) f)))
  offset 0;
end;

-- What became of an entry of a night's queue: served or waits. Rules 4.5.
create or replace function engine.explain_entry(
  night engine.night,
  resolution engine.resolution,
  offer engine.queue_offer,
  served engine.queue_seat,
  own engine.contender,
  held integer)
returns setof engine.decision
language sql stable parallel safe security invoker
begin atomic
  select (explain_entry.served).slot,
         (explain_entry.own).account,
         (explain_entry.own).seq,
         'PEACE'::hill.move,
         explain_entry.held,
         case when (explain_entry.served).slot is null then 'waits'::engine.fate else 'served'::engine.fate end,
         d.rule,
         k.key,
         case d.rule when 'queue_order' then (explain_entry.own).seq else b.seq end,
         engine.key_value(explain_entry.own, k.key),
         (d.rival).account,
         (d.rival).seq,
         engine.key_value(d.rival, k.key)
    from engine.may_be_barred(
           explain_entry.night, explain_entry.resolution, explain_entry.offer, (explain_entry.own).account) m
    left join lateral (  -- the last in queue order of those who were served where this one might have been
      select f.served
        from unnest((explain_entry.offer).seats) f
       where m.barred
         and (explain_entry.served).slot is null
         and (f.served).seq is not null
         and not exists (select from engine.bar_to_seat(
                                       explain_entry.night,
                                       explain_entry.resolution,
                                       (explain_entry.own).account,
                                       f.slot,
                                       f.seat))
       order by engine.queue_order(
         (f.served).reputation, (f.served).since, (f.served).at, (f.served).seq) desc limit 1) l on true
    left join lateral (
      select x.rule, x.seq
        from unnest((explain_entry.offer).seats) f
       cross join lateral engine.bar_to_seat(
         explain_entry.night, explain_entry.resolution, (explain_entry.own).account, f.slot, f.seat) x
       where m.barred and (explain_entry.served).slot is null
       order by f.slot, f.seat limit 1) b on true
   cross join lateral (
     select case when (explain_entry.served).slot is not null then (explain_entry.served).next
                 when m.barred then l.served
                 else (explain_entry.offer).last end as rival
     offset 0) r
   cross join lateral (
     select r.rival,
            case when (explain_entry.served).slot is not null or (r.rival).seq is not null then 'queue_order'
                 else coalesce(b.rule, 'nothing_to_serve') end as rule
     offset 0) d
   cross join lateral (
     select case when d.rule = 'nothing_to_serve' then null
                 when (d.rival).seq is not null then engine.deciding_key(false, explain_entry.own, d.rival)
                 else 'move' end as key
     offset 0) k;
end;

create or replace function engine.explain_queue(night engine.night, resolution engine.resolution)
returns setof engine.decision
language sql stable parallel safe security invoker
begin atomic
  with offered as materialized (
    select engine.queue_offer(explain_queue.night, explain_queue.resolution) as offer

  ), free as materialized (
    select f, f.slot, f.seat, f.served from offered o cross join lateral unnest((o.offer).seats) f

  ), entry as not materialized (
    select row(e.account, e.seq, e.at, e.reputation, e.since)::engine.contender as own,
           e.account,
           e.seq,
           h.days_held,
           f.f as served
      from engine.queue_entries(explain_queue.night, explain_queue.resolution) e
      left join engine.night_holders(explain_queue.night) h on h.slot = e.from_slot and h.account = e.account
      left join free f on (f.served).seq = e.seq
  )
  select d.slot, e.account, e.seq, d.move, e.days_held, d.fate, d.rule, d.key, d.key_seq, d.own_value,
         d.rival, d.rival_seq, d.rival_value
    from entry e
   cross join offered o
   cross join lateral engine.explain_entry(
     explain_queue.night, explain_queue.resolution, o.offer, e.served, e.own, e.days_held) d

   union all
  select s.slot, e.account, e.seq, 'PEACE', null, 'skipped', s.rule, 'move', s.seq, null,
         (s.served).account, (s.served).seq, null
    from entry e
   cross join offered o
   cross join lateral engine.may_be_barred(explain_queue.night, explain_queue.resolution, o.offer, e.account) b
   cross join lateral (
     select distinct on (f.slot) f.slot, f.served, x.rule, x.seq
       from free f
      cross join lateral
            engine.bar_to_seat(explain_queue.night, explain_queue.resolution, e.account, f.slot, f.seat) x
      where b.barred
        and ((e.served).slot is null or (f.slot, f.seat) < ((e.served).slot, (e.served).seat))
        and ((f.served).seq is null
             or engine.queue_order((f.served).reputation, (f.served).since, (f.served).at, (f.served).seq)
                > engine.queue_order((e.own).reputation, (e.own).since, (e.own).at, (e.own).seq))
      order by f.slot, f.seat) s;
end;

comment on function engine.explain_queue is
'What became of each entry of a night''s queue: served or waits; and skipped for each burned place with a seat for '
'which it was first in line but not eligible. Rules 4.5.';

create or replace function engine.explain_night(night engine.night, resolution engine.resolution)
returns setof engine.decision
language sql stable parallel safe security invoker
begin atomic
  select p.* from engine.explain_places(explain_night.night, explain_night.resolution) p
   union all
  select q.* from engine.explain_queue(explain_night.night, explain_night.resolution) q;
end;

comment on function engine.explain_night is
'Why a night came out as it did: one decision for each live move on its own place and each holder that left, and for '
'each PEACE that found no seat what the queue did with it. Pass both arguments as values or variables: a call in '
'their place would be evaluated many times. Rules 4.4, 4.5.';
