-- What would happen if: nights that nobody has played, resolved by the bell's own functions from public facts. Rules
-- 12.1; protocol 9.4.

-- What was announced for a day and may change a night: all that the house says, and of the first thousand of guests the
-- first of each place and intention, PASS only of who sits there. believed: the account did not break more than it
-- kept of what the window judged. Bounded: agents ask all day. Rules 1.3, 6.1.
create or replace function engine.announced_moves(day integer, last_night integer)
returns table (
  account_id uuid, slot smallint, intention hill.move, house boolean, kept bigint, judged bigint, believed boolean)
language sql stable parallel safe security invoker
begin atomic
  with house as materialized (
    select a.id from hill.accounts a where a.house

  ), earliest as materialized (
    select n.account_id, n.slot, n.intention, n.at
      from hill.announcements n
     where n.day = announced_moves.day
     order by n.at
     limit engine.list_length()

  ), said as (
    select n.account_id, n.slot, n.intention, true as house, 1 as nth
      from house h join hill.announcements n on n.day = announced_moves.day and n.account_id = h.id
     union all
    select n.account_id, n.slot, n.intention, false,
           row_number() over (partition by n.slot, n.intention order by n.at, n.account_id)
      from earliest n
     where n.account_id <> all (array(select h.id from house h))
       and (n.intention <> 'PASS' or exists (
         select from hill.seats s
          where s.day = announced_moves.last_night and s.slot = n.slot and s.account_id = n.account_id))
  )
  select n.account_id, n.slot, n.intention, n.house, r.kept, r.judged, n.house or 2 * r.kept >= r.judged
    from said n
   cross join lateral (
     select count(*) filter (where p.verdict = 'kept') as kept, count(p.verdict) as judged
       from generate_series(greatest(1, announced_moves.last_night - engine.window_nights() + 1),
                            announced_moves.last_night) d (day)
       join hill.announcements p on p.day = d.day and p.account_id = n.account_id) r
   where n.nth <= engine.seats_per_place() + 1;  -- more change nothing for whoever asks
end;

-- The night to come as far as it is public: the open places and who holds them, with reputation and seniority, and of
-- moves what was announced and is believed; PASS, too, of who leaves a place. Guests come before whoever asks, the
-- house comes in the last minute. Rules 1.3, 6.1, 9.4.
create or replace function engine.public_night(day integer, last_night integer)
returns engine.night
language sql stable parallel safe security invoker
begin atomic
  with said as materialized (
    select n.account_id, n.slot, n.intention, n.house, row_number() over (order by n.slot, n.account_id) as n
      from engine.announced_moves(public_night.day, public_night.last_night) n
     where n.believed
  )
  -- names is not null, so the engine does not read this night from the tables
  select row(
    public_night.day,
    '{}'::text[],
    (select coalesce(array_agg(p.slot order by p.slot), '{}')
       from hill.places p
      where p.opens_day <= public_night.day),
    (select coalesce(array_agg(row(r.account, r.reputation, r.since)::engine.night_account), '{}')
       from engine.reputations(
              array(select s.account_id from hill.seats s where s.day = public_night.last_night
                     union
                    select n.account_id from said n),
              public_night.day) r),
    (select coalesce(
              array_agg(row(s.slot, s.account_id, s.days_held)::engine.night_holder order by s.slot, s.seat),
              '{}')
       from hill.seats s
      where s.day = public_night.last_night),
    (select coalesce(
              array_agg(row(n.n, n.account_id, n.slot, n.intention,
                            case n.intention when 'WAR' then engine.war_minimum_cents() else 0 end, 0,
                            'epoch'::timestamptz + case when n.house then interval '2 seconds' else interval '0' end)
                        ::engine.night_move order by n.n),
              '{}')
       from said n))::engine.night;
end;

-- A night in which one account makes the same move on each of some places (PASS: none) and nobody else moves, or
-- holders stay at peace and announcers do as they said.
create or replace function engine.supposed_night(
  night engine.night,
  account engine.night_account,
  move hill.move,
  slots smallint[],
  holders_stay boolean)
returns engine.night
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night engine.night := night;
  v_house boolean := exists (
    select from unnest(night.moves) m join hill.accounts a on a.id = m.account where a.house);
begin
  if not exists (select from unnest(v_night.accounts) a where a.account = supposed_night.account.account) then
    v_night.accounts := v_night.accounts || supposed_night.account;
  end if;

  v_night.moves := array(
    select row(
             row_number() over (order by x.own, x.slot, x.account),
             x.account,
             x.slot,
             x.move,
             case x.move when 'WAR' then engine.war_minimum_cents() else 0 end,
             0,
             x.at)::engine.night_move
      from (select true as own, supposed_night.account.account, o.slot, supposed_night.move,
                   'epoch'::timestamptz + interval '1 second' as at
              from unnest(supposed_night.slots) o (slot)
             where supposed_night.move <> 'PASS'
            union all
            select false, h.account, h.slot, 'PEACE', 'epoch'
              from unnest(v_night.holders) h join hill.accounts a on a.id = h.account
             where holders_stay
               and h.account <> supposed_night.account.account
               -- a house that has spoken, and not of this place, leaves it
               and not (a.house and v_house)
               and not exists (select from unnest(night.moves) m where m.account = h.account and m.slot = h.slot)
            union all
            select false, m.account, m.slot, m.move, m.at
              from unnest(night.moves) m
             where holders_stay and m.move <> 'PASS' and m.account <> supposed_night.account.account) x);
  return v_night;
end
$$;

create type engine.supposition as (slots smallint[], night engine.night, resolution engine.resolution);

comment on type engine.supposition is 'A night in which one account moves on some places, and what these come to.';

-- Nights that tell what one account's move would lead to on each open place of a night.
create or replace function engine.suppose(
  night engine.night,
  account engine.night_account,
  move hill.move,
  holders_stay boolean)
returns setof engine.supposition
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  -- Places that do not burn are independent of one another: one night can have the move on each of them.
  v_night      engine.night := engine.supposed_night(night, account, move, night.open_slots, holders_stay);
  v_resolution engine.resolution := engine.resolve_places(v_night);
  v_burned     smallint[] := case move when 'PEACE' then array(
    select p.slot from unnest((v_resolution).places) p where p.outcome = 'BURN') else '{}' end;
  v_slot       smallint;
begin
  return next row(array(select unnest(night.open_slots) except select unnest(v_burned)), v_night, v_resolution)
              ::engine.supposition;
  -- A burned place takes in who was turned away elsewhere. By all of the moves that may be others than by this one.
  foreach v_slot in array v_burned loop
    v_night := engine.supposed_night(night, account, move, array[v_slot], holders_stay);
    return next row(array[v_slot], v_night, engine.resolve_places(v_night))::engine.supposition;
  end loop;
end
$$;

-- What one account's move would lead to on each open place of a night, by place.
create or replace function engine.suppose_moves(
  night engine.night,
  account engine.night_account,
  move hill.move,
  holders_stay boolean)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_object_agg(p.slot, jsonb_build_object(
           'outcome', p.outcome,
           'i_sit', s.slot is not null,
           'occupants', o.occupants,
           'days_held', s.days_held,
           'points', coalesce(trim_scale(s.points), 0),
           'rule', d.rule,
           'why', case when d.rule is not null then engine.decision_words(d.decision, '@' || r.slug) end))
    from (select x.slots, (x.resolution).*, array(
                   select e from engine.explain_places(x.night, x.resolution) e
                    where e.account = (suppose_moves.account).account) as decisions
            from engine.suppose(suppose_moves.night, suppose_moves.account, suppose_moves.move,
                                suppose_moves.holders_stay) x
          offset 0) x  -- explained once, not for each place
    join lateral unnest(x.places) p on p.slot = any (x.slots)
    left join lateral unnest(x.seats) s on s.slot = p.slot and s.account = (suppose_moves.account).account
   cross join lateral (select count(*) as occupants from unnest(x.seats) n where n.slot = p.slot) o
    left join lateral (select d.slot, d.rule, d.rival, d as decision from unnest(x.decisions) d) d on d.slot = p.slot
    left join hill.accounts r on r.id = d.rival;
end;

-- An agent before its claim, as a night would take it: younger than all accounts.
create or replace function engine.newcomer(today integer)
returns engine.night_account
language sql stable parallel safe security invoker
return row('00000000-0000-0000-0000-000000000000', 0, engine.bell_at(today))::engine.night_account;

create type engine.prospect as (slot smallint, peace_points numeric, war_points numeric);

comment on type engine.prospect is 'What a PEACE, and a WAR, would earn on a place: see engine.prospects.';

-- What one account's move would earn it on each open place, if every other holder stayed at peace, announcers did as
-- they said, and nobody else moved.
create or replace function engine.prospects(night engine.night, account engine.night_account)
returns setof engine.prospect
language sql stable parallel safe security invoker
begin atomic
  select o.slot,
         coalesce(trim_scale(max(s.points) filter (where m.move = 'PEACE')), 0),
         coalesce(trim_scale(max(s.points) filter (where m.move = 'WAR')), 0)
    from unnest(array['PEACE', 'WAR']::hill.move[]) m (move)
   cross join lateral engine.suppose(prospects.night, prospects.account, m.move, true) x
   cross join lateral unnest(x.slots) o (slot)
    left join lateral unnest((x.resolution).seats) s on s.slot = o.slot and s.account = (prospects.account).account
   group by o.slot;
end;

-- Whether hill.prospects and hill.prospects_of_holders have every open place of a day, and all that was announced.
create or replace function engine.prospects_kept(day integer)
returns boolean
language sql stable parallel safe security invoker
begin atomic
  select not exists (
    select from hill.places o
      left join hill.prospects p on p.day = prospects_kept.day and p.slot = o.slot
     where o.opens_day <= prospects_kept.day and p.slot is null)
    and not exists (
    select from hill.seats s
     cross join hill.places o
      left join hill.prospects_of_holders p
        on p.held_slot = s.slot and p.held_seat = s.seat and p.slot = o.slot and p.day = prospects_kept.day
     where s.day = prospects_kept.day - 1 and o.opens_day <= prospects_kept.day and p.slot is null)
    and (select coalesce(sum(p.announced), 0) from hill.prospects p where p.day = prospects_kept.day)
      = (select count(*) from hill.announcements n where n.day = prospects_kept.day);
end;

-- Keeps what moves of a day would earn each holder, and a newcomer, if holders stay, and what else is public of the
-- places, unless that is kept as it is now. askers: of the holders, these alone; null: all.
create or replace function engine.keep_prospects(day integer, askers uuid[] default null)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.prospects_of_holders as kept (held_slot, held_seat, slot, day, peace_points, war_points)
  select s.slot, s.seat, p.slot, keep_prospects.day, p.peace_points, p.war_points
    from (select engine.public_night(keep_prospects.day, keep_prospects.day - 1) as night offset 0) n
   cross join lateral unnest((n.night).accounts) a
   cross join lateral engine.prospects(n.night, a) p
    join hill.seats s on s.day = keep_prospects.day - 1 and s.account_id = a.account
   where not engine.prospects_kept(keep_prospects.day)
     and (askers is null or a.account = any (askers))
      on conflict (held_slot, held_seat, slot) do update
     set day = excluded.day, peace_points = excluded.peace_points, war_points = excluded.war_points
   where kept.day <= excluded.day;

  with announced as materialized (
    select n.slot,
           count(*) as total,
           count(*) filter (where n.intention = 'PEACE' and not a.house) as peace,
           count(*) filter (where n.intention = 'WAR' and not a.house) as war
      from hill.announcements n join hill.accounts a on a.id = n.account_id
     where n.day = keep_prospects.day
     group by n.slot

  ), records as materialized (
    select n.slot, sum(n.kept) as kept, sum(n.judged) as judged
      from engine.announced_moves(keep_prospects.day, keep_prospects.day - 1) n
     where not n.house and n.intention <> 'PASS'
     group by n.slot
  )
  insert into hill.prospects as kept
    (slot, day, peace_points, war_points, announced, peace_announced, war_announced, announcers_kept,
     announcers_judged, lone_wars, seated_at)
  select p.slot, keep_prospects.day, p.peace_points, p.war_points,
         coalesce(a.total, 0), coalesce(a.peace, 0), coalesce(a.war, 0),
         coalesce(k.kept, 0), coalesce(k.judged, 0),
         (select count(*) from hill.place_results r
           where r.slot = p.slot and r.outcome = 'WAR'
             and r.day > keep_prospects.day - 1 - engine.lone_war_nights() and r.day < keep_prospects.day),
         (select max(m.at)
            from hill.seats s
            join hill.moves m
              on m.day = s.day and m.account_id = s.account_id and m.slot = s.slot and m.ended is null
            join hill.accounts a on a.id = s.account_id
           where s.day = keep_prospects.day - 1 and s.slot = p.slot and s.via = 'peace' and not a.house)
    from (select engine.public_night(keep_prospects.day, keep_prospects.day - 1) as night offset 0) n
   cross join lateral engine.prospects(n.night, engine.newcomer(keep_prospects.day)) p
    left join announced a on a.slot = p.slot
    left join records k on k.slot = p.slot
   where not engine.prospects_kept(keep_prospects.day)
      on conflict (slot) do update
     set day = excluded.day, peace_points = excluded.peace_points, war_points = excluded.war_points,
         announced = excluded.announced, peace_announced = excluded.peace_announced,
         war_announced = excluded.war_announced, announcers_kept = excluded.announcers_kept,
         announcers_judged = excluded.announcers_judged, lone_wars = excluded.lone_wars, seated_at = excluded.seated_at
   where kept.day <= excluded.day;
end;

-- engine.prospects of an account on a day, as the worker kept them: one row, null unless there is one for each open
-- place; null of who announced something and holds none, for the newcomers' count that as somebody else's.
create or replace function engine.kept_prospects(account_id uuid, day integer)
returns table (prospects engine.prospect[])
-- inlined into engine.status
language sql stable parallel safe security invoker
begin atomic
  select case when cardinality(k.prospects) = (
                select count(*) from hill.places o where o.opens_day <= kept_prospects.day)
              then k.prospects end
    from (
      select case when h.slot is null and exists (
                    select from hill.announcements n
                     where n.day = kept_prospects.day and n.account_id = kept_prospects.account_id) then null
                  when h.slot is null then (
                    select array_agg(row(p.slot, p.peace_points, p.war_points)::engine.prospect)
                      from hill.prospects p where p.day = kept_prospects.day)
                  else (
                    select array_agg(row(p.slot, p.peace_points, p.war_points)::engine.prospect)
                      from hill.prospects_of_holders p
                     where p.held_slot = h.slot and p.held_seat = h.seat and p.day = kept_prospects.day)
                  end as prospects
        from (values (1)) one
        left join lateral (select s.slot, s.seat
                             from hill.seats s
                            where s.account_id = kept_prospects.account_id and s.day = kept_prospects.day - 1
                            limit 1) h on true
    offset 0) k;
end;

create policy agents_read on hill.prospects for select to hill_api_agent using (true);
create policy bell_keeps on hill.prospects to hill_api_worker using (true) with check (true);
grant select on hill.prospects to hill_api_agent, hill_api_worker;
grant insert, update on hill.prospects to hill_api_worker;

comment on table hill.prospects is
'What a PEACE and a WAR would earn tonight on each open place, for who holds no seat there, if holders stay, '
'announcers do as they said, and nobody else moves; how much was announced, what by guests, and what these kept of '
'what was judged; nights on which one WAR took it; when the last guest got a free seat. All public, of one day. Rules '
'6.1.';
comment on column hill.prospects.slot is 'The open place.';
comment on column hill.prospects.day is 'The day that the row is of; of another day it counts for nothing.';
comment on column hill.prospects.peace_points is 'What a PEACE would earn there.';
comment on column hill.prospects.war_points is 'What a WAR would earn there.';
comment on column hill.prospects.announced is 'Announcements on the place that day, the house''s too.';
comment on column hill.prospects.peace_announced is 'Of these, PEACE by guests.';
comment on column hill.prospects.war_announced is 'Of these, WAR by guests.';
comment on column hill.prospects.announcers_kept is
'Of what those guests announced before and was judged, how much was kept.';
comment on column hill.prospects.announcers_judged is 'How much of it was judged.';
comment on column hill.prospects.lone_wars is
'On how many recent nights (engine.lone_war_nights) one WAR took the place.';
comment on column hill.prospects.seated_at is
'Deposit of the last guest who got a free seat there the night before; null if none did. Hill''s clock.';

create policy agents_read on hill.prospects_of_holders for select to hill_api_agent using (true);
create policy bell_keeps on hill.prospects_of_holders to hill_api_worker using (true) with check (true);
grant select on hill.prospects_of_holders to hill_api_agent, hill_api_worker;
grant insert, update on hill.prospects_of_holders to hill_api_worker;

comment on table hill.prospects_of_holders is
'As hill.prospects, for who holds a seat since the last published night (held_slot, held_seat). Decisions 465.';
comment on column hill.prospects_of_holders.held_slot is 'The place that is held.';
comment on column hill.prospects_of_holders.held_seat is 'Which of its seats (hill.seats).';
comment on column hill.prospects_of_holders.slot is 'The open place that its holder may move on.';
comment on column hill.prospects_of_holders.day is 'The day that the row is of.';
comment on column hill.prospects_of_holders.peace_points is 'What a PEACE of the holder would earn there.';
comment on column hill.prospects_of_holders.war_points is 'What a WAR of the holder would earn there.';
