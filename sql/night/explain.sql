-- night/explain.sql · Why a night came out as it did: for each move the rule that decided, the key, and against whom.
-- Rules 4.2, 4.4. It decides nothing: it takes the resolution and says where in the order each move was. SQL
-- without a search_path, so that it is inlined and a caller that asks for a few accounts does not pay for all.

create or replace function engine.explain_places(night engine.night, resolution engine.resolution)
returns setof engine.decision
language sql stable parallel safe security invoker
begin atomic
  with seat as materialized (
    select s.slot, s.seat, s.seq, s.account, s.via, c as contender
      from unnest((explain_places.resolution).seats) s
     cross join lateral (select m as move from engine.night_moves(explain_places.night) m
                          where m.account = s.account and m.seq = s.seq offset 0) m
     cross join lateral engine.contenders(explain_places.night, array[m.move]) c
     where s.via <> 'queue'

  ), place as materialized (  -- the last who got a seat on each place, and the first who did not
    select p.slot,
           p.outcome,
           (select s.contender from seat s where s.slot = p.slot and s.via = 'war') as warrior,
           (select s.contender
              from seat s
             where s.slot = p.slot and s.via = 'holder'
             order by s.seat desc limit 1) as last_holder,
           (select s.contender
              from seat s
             where s.slot = p.slot and s.via = 'peace'
             order by s.seat desc limit 1) as last_in,
           (select c
              from engine.contenders(
                     explain_places.night,
                     array(select f
                             from engine.first_peace(explain_places.night, p.slot, engine.seats_per_place() + 1) f)) c
             where p.outcome in ('PEACE', 'BURN')
               and not exists (select from seat s where s.slot = p.slot and s.account = c.account)
             order by c.at, c.reputation desc, c.since, c.seq limit 1) as first_out,
           array(select row(w.account, w.seq, w.at, null, null)::engine.contender
                   from engine.first_wars(explain_places.night, p.slot, 2) w
                  where p.outcome = 'BURN'
                  order by w.at, w.seq limit 2) as first_wars
      from unnest((explain_places.resolution).places) p
  )
  select m.slot,
         m.account,
         m.seq,
         m.move,
         h.days_held,
         d.fate,
         d.rule,
         k.key,
         case when d.fate in ('evicted', 'burned') or (d.fate = 'queued' and d.rule = 'holder_first')
              then (r.rival).seq else m.seq end,
         case when d.rule = 'deposit_order' then engine.key_value(o.own, k.key) end,
         (r.rival).account,
         (r.rival).seq,
         case when d.rule = 'deposit_order' then engine.key_value(r.rival, k.key) end
    from engine.night_moves(explain_places.night) m
    join place p on p.slot = m.slot
    left join engine.night_holders(explain_places.night) h on h.slot = m.slot and h.account = m.account
    left join seat s on s.slot = m.slot and s.account = m.account
   -- offset 0 here and below: what a row comes to is worked out once, not wherever it is used
   cross join lateral (
     select row(m.account, m.seq, m.at, a.reputation, a.since)::engine.contender as own
       from engine.night_accounts(explain_places.night) a
      where a.account = m.account offset 0) o
   cross join lateral (
     select engine.own_fate(m.move, p.outcome, h.slot is not null, s.via is not null) as fate,
            case when p.outcome = 'WAR' then 'lone_war'
                 when m.move = 'WAR' then 'burn'
                 when s.via = 'holder' or (s.via is null and (p.last_in).seq is null) then 'holder_first'
                 when s.via = 'peace' and (p.first_out).seq is null then 'free_seat'
                 else 'deposit_order' end as rule
     offset 0) d
   cross join lateral (
     select case when d.fate = 'evicted' then p.warrior
                 when d.fate = 'burned' then
                   (select w from unnest(p.first_wars) w where w.seq <> m.seq order by w.at, w.seq limit 1)
                 when d.rule in ('lone_war', 'free_seat') then null
                 when s.via is not null then p.first_out
                 when d.rule = 'holder_first' then p.last_holder
                 else p.last_in end as rival
     offset 0) r
   cross join lateral (
     select case d.rule when 'holder_first' then 'holders'
                        when 'deposit_order' then engine.deciding_key(true, o.own, r.rival)
                        else 'move' end as key
     offset 0) k

   union all
  select h.slot, h.account, null, null, h.days_held, 'left', 'abandoned', 'move', null, null, null, null, null
    from engine.night_holders(explain_places.night) h
   where not exists (select from engine.night_moves(explain_places.night) m
                      where m.account = h.account and m.slot = h.slot);
end;

comment on function engine.explain_places is
'What became of each live move of a night on its own place, and of each holder that did not move: kept, seated, '
'evicted, burned, queued or left. Rules 4.4.';

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

comment on function engine.bar_to_seat is
'Why the queue may not give an account a seat, with the move that bars it: one row, or none if it may. '
'Rules 4.5.';

create or replace function engine.explain_queue(night engine.night, resolution engine.resolution)
returns setof engine.decision
language sql stable parallel safe security invoker
begin atomic
  with free as materialized (
    select f.slot,
           f.seat,
           f.served,
           f.next,
           row_number() over (
             order by engine.queue_order(
               (f.served).reputation, (f.served).since, (f.served).at, (f.served).seq)) as rank
      from engine.queue_seats(explain_queue.night, explain_queue.resolution) f

  ), entry as not materialized (
    select m.account,
           m.seq,
           m.slot,
           m.move,
           h.days_held,
           o.own,
           f.slot as served_slot,
           f.seat as served_seat,
           f.next,
           b.barred
      from engine.night_moves(explain_queue.night) m
      left join engine.night_holders(explain_queue.night) h on h.slot = m.slot and h.account = m.account
      left join free f on (f.served).seq = m.seq
     -- offset 0 here and below: what a row comes to is worked out once, not wherever it is used
     cross join lateral (
       select row(m.account, m.seq, m.at, a.reputation, a.since)::engine.contender as own
         from engine.night_accounts(explain_queue.night) a
        where a.account = m.account offset 0) o
     cross join lateral (  -- whether there may be a seat that it may not have: most entries have no such seat
       select exists (select from free)
              and (m.account in (select s.account from unnest((explain_queue.resolution).seats) s)
                   or exists (select from engine.night_moves(explain_queue.night) w
                               where w.account = m.account
                                 and w.move = 'WAR'
                                 and w.slot in (select f.slot from free f))) as barred
       offset 0) b
     where m.move = 'PEACE'
       and not exists (select from unnest((explain_queue.resolution).seats) s
                        where s.slot = m.slot and s.account = m.account and s.via in ('holder', 'peace'))
  )
  select e.served_slot,
         e.account,
         e.seq,
         e.move,
         e.days_held,
         case when e.served_slot is null then 'waits'::engine.fate else 'served'::engine.fate end,
         d.rule,
         k.key,
         case d.rule when 'queue_order' then e.seq else b.seq end,
         engine.key_value(e.own, k.key),
         (d.rival).account,
         (d.rival).seq,
         engine.key_value(d.rival, k.key)
    from entry e
    left join lateral (  -- the last in queue order of those who were served where this one might have been
      select f.served
        from free f
       where e.served_slot is null
         and (f.served).seq is not null
         and not (e.barred and exists (
           select from engine.bar_to_seat(explain_queue.night, explain_queue.resolution, e.account, f.slot, f.seat)))
       order by f.rank desc limit 1) l on true
    left join lateral (
      select x.rule, x.seq
        from free f
       cross join lateral
             engine.bar_to_seat(explain_queue.night, explain_queue.resolution, e.account, f.slot, f.seat) x
       where e.served_slot is null and e.barred
       order by f.slot, f.seat limit 1) b on true
   cross join lateral (
     select case when e.served_slot is not null or (l.served).seq is not null then 'queue_order'
                 else coalesce(b.rule, 'nothing_to_serve') end as rule,
            case when e.served_slot is not null then e.next else l.served end as rival
     offset 0) d
   cross join lateral (
     select case when d.rule = 'nothing_to_serve' then null
                 when (d.rival).seq is not null then engine.deciding_key(false, e.own, d.rival)
                 else 'move' end as key
     offset 0) k

   union all
  select s.slot, e.account, e.seq, e.move, null, 'skipped', s.rule, 'move', s.seq, null,
         (s.served).account, (s.served).seq, null
    from entry e
   cross join lateral (
     select distinct on (f.slot) f.slot, f.served, x.rule, x.seq
       from free f
      cross join lateral
            engine.bar_to_seat(explain_queue.night, explain_queue.resolution, e.account, f.slot, f.seat) x
      where e.barred
        and (e.served_slot is null or (f.slot, f.seat) < (e.served_slot, e.served_seat))
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

grant execute on function
  engine.explain_places,
  engine.explain_queue,
  engine.explain_night,
  engine.bar_to_seat
  to hill_api, hill_dba;
