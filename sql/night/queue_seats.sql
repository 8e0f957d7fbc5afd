-- The seats that a night's queue was offered, in the order in which they were filled, with who was next in line. Rules
-- 4.5.

create type engine.queue_seat as (slot smallint, seat smallint, served engine.contender, next engine.contender);

comment on type engine.queue_seat is
'A free seat of a burned place: who was served with it (null: nobody could be), and who would have been served '
'otherwise (null: nobody).';

-- Some moves of a night with the keys that order them.
create or replace function engine.contenders(night engine.night, moves engine.night_move[])
returns setof engine.contender
language sql stable parallel safe security invoker
begin atomic
  select m.account, m.seq, m.at, a.reputation, a.since
    from unnest(contenders.moves) m
   -- few moves, perhaps a million accounts: looked up one by one
   cross join lateral (select a.reputation, a.since from engine.night_accounts(contenders.night) a
                        where a.account = m.account offset 0) a;
end;

create or replace function engine.queue_seats(night engine.night, resolution engine.resolution)
returns setof engine.queue_seat
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_seats    engine.seat[] := (resolution).seats;
  v_length   bigint := engine.queue_length((resolution).places, v_seats);
  v_free     engine.queue_seat[];
  v_accounts integer := 64;   -- how many accounts to look at, in the queue's order
  v_seen     bigint;
begin
  select array_agg(row(p.slot, n.seat, c.contender, null)::engine.queue_seat order by p.slot, n.seat) into v_free
    from unnest((resolution).places) p
   cross join generate_series(1, engine.seats_per_place()) n (seat)
    left join unnest(v_seats) s on s.slot = p.slot and s.seat = n.seat
    left join lateral (
      select (select c from engine.contenders(night, array[m.move]) c) as contender
        from (select m as move from engine.night_moves(night) m
               where m.account = s.account and m.seq = s.seq offset 0) m
       where s.via = 'queue') c on true
   where p.outcome = 'BURN' and (s.via is null or s.via = 'queue');
  if v_free is null then
    return;
  end if;

  -- Who is next is close behind who was served, so the first accounts in the queue's order are enough to look at.
  while exists (select from unnest(v_free) f where (f.served).seq is not null and (f.next).seq is null) loop
    with heads as (
      select a.account, a.reputation, a.since
        from engine.queue_heads(night, v_accounts) a

    ), entries as materialized (
      select m.account,
             m.seq,
             m.at,
             h.reputation,
             h.since,
             engine.queue_order(h.reputation, h.since, m.at, m.seq) as place
        from heads h
        join engine.night_moves(night) m on m.account = h.account
       where m.move = 'PEACE'
         and not exists (select from unnest(v_seats) s
                          where s.slot = m.slot and s.account = m.account and s.via in ('holder', 'peace'))
    )
    select array_agg(row(f.slot, f.seat, f.served, n.next)::engine.queue_seat order by f.slot, f.seat),
           (select count(*) from entries)
      into v_free, v_seen
      from unnest(v_free) f
      left join lateral (
        select row(e.account, e.seq, e.at, e.reputation, e.since)::engine.contender as next
          from entries e
         where e.place
               > engine.queue_order((f.served).reputation, (f.served).since, (f.served).at, (f.served).seq)
           and not exists (select from unnest(v_seats) s
                            where s.via = 'queue' and s.seq = e.seq and (s.slot, s.seat) < (f.slot, f.seat))
           and not exists (select from unnest(v_seats) s
                            where s.slot = f.slot and s.account = e.account and s.seat < f.seat)
           and not exists (select from engine.night_moves(night) w
                            where w.account = e.account and w.slot = f.slot and w.move = 'WAR')
         order by e.place limit 1) n on true;
    exit when v_seen = v_length;
    v_accounts := v_accounts * 16;
  end loop;
  return query select f.* from unnest(v_free) f;
end
$$;

comment on function engine.queue_seats is
'The free seats of a night''s burned places in the order in which the queue filled them (places 1 to 10, all seats of '
'one before the next), with who was served and who was next: the first behind it in queue order that was still '
'waiting and may sit there. Rules 4.5.';
