-- What a night means beside the nights before it: who broke a promise, who burned whom again, whose reign ended, who is
-- back. From published nights alone, looked up by index, so that a thousand nights cost no more than thirty. House
-- accounts have no stories, and nobody is the subject of one who did nothing. Rules 10.20.

create type engine.story as (
  kind      text,
  drama     integer,      -- how much it is worth telling
  slot      smallint,     -- where it happened
  accounts  uuid[],       -- who is named, in the order of the sentence
  sentence  text,         -- with %1$s and so on for their names
  nights    integer[],    -- what it rests on: nights, and the place of each
  slots     smallint[]
);
comment on type engine.story is
'What may be told of a night, before names are in it and the best are chosen. Rules 10.20.';

-- The warriors of some places of a past night that no crowd went to war on: engine.first_warriors for many nights, with
-- less to plan. Rules 4.4.
create or replace function engine.warriors_of(day integer, slots smallint[])
returns table (slot smallint, account uuid)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan
as $$
begin
  return query
  select m.slot, m.account_id
    from hill.moves m
   where m.day = warriors_of.day and m.slot = any (warriors_of.slots) and m.move = 'WAR' and m.ended is null;
end
$$;

-- Who lost a seat on some places at the bell of a past night, to a warrior or by an own WAR that met another: days_held
-- is for how many bells it had been kept. Rules 4.6.
create or replace function engine.lost_seats(day integer, slots smallint[])
returns setof engine.night_holder
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan
as $$
declare
  v_seats engine.seat[] := (engine.published_resolution(day)).seats;
begin
  return query
  select p.slot, u.account, u.days_held
    from unnest(slots) p (slot)
   cross join lateral engine.place_unseated(engine.stored_night(day), p.slot, v_seats) u;
end
$$;

-- How many nights a run is followed back: the longest that is told.
create or replace function engine.longest_run() returns integer language sql immutable parallel safe return 100;

-- Most warriors of a burned place among whom rivals are looked for: where a crowd burns, nobody meets anybody.
create or replace function engine.duel_size() returns integer language sql immutable parallel safe return 4;

-- Who burned together on several of the last 30 nights, this one the last. Of a night's warriors (fires). Rules 10.20.
create or replace function engine.rivalries(night integer, fires engine.night_move[])
returns setof engine.story
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_past engine.night_holder[];  -- the warriors of burned places before: days_held is the night
  v_then record;
begin
  for v_then in
    select p.day, array_agg(p.slot) as slots
      from hill.place_results p
     where p.day > rivalries.night - engine.window_nights()
       and p.day < rivalries.night
       and p.outcome = 'BURN'
       and p.war_count <= engine.duel_size()
       and exists (select from unnest(rivalries.fires) f, unnest(rivalries.fires) g
                    where f.slot = g.slot and f.account <> g.account)
     group by p.day
  loop
    v_past := v_past || array(
      select row(w.slot, w.account, v_then.day)::engine.night_holder
        from engine.warriors_of(v_then.day, v_then.slots) w
       where w.account in (select f.account from unnest(rivalries.fires) f));
  end loop;

  return query
  with fires as (
    select f.account, f.slot, f.at, f.seq, rivalries.night as day from unnest(rivalries.fires) f

  ), met as (
    select f.account as one,
           g.account as other,
           f.slot,
           array_agg(p.day order by p.day) || rivalries.night as nights,
           array_agg(p.slot order by p.day, p.slot) || f.slot as slots
      from fires f
      join fires g on g.slot = f.slot and (g.at, g.seq) > (f.at, f.seq)
     cross join lateral (
       select a.days_held as day, a.slot
         from unnest(v_past) a
         join unnest(v_past) b on b.days_held = a.days_held and b.slot = a.slot
        where a.account = f.account and b.account = g.account) p
     group by f.account, g.account, f.slot
  )
  select 'rivalry',
         40 + 10 * cardinality(m.nights),
         m.slot,
         array[m.one, m.other],
         format('%%1$s v. %%2$s: the %s burn in %s nights, now %s',
           to_char(cardinality(m.nights), 'FM999th'), rivalries.night - m.nights[1] + 1, engine.told_place(m.slot)),
         m.nights,
         m.slots
    from met m;
end
$$;

-- Stories of those who went to war: broken promises, ends of reigns, seats lost to one's own war. lost: who lost a
-- seat; fires: who burned. Rules 6.3, 10.20.
create or replace function engine.war_stories(
  night integer,
  seats engine.seat[],
  lost engine.night_holder[],
  fires engine.night_move[])
returns setof engine.story
language sql stable parallel safe security invoker
begin atomic
  with lone as (  -- with those whom it threw out, the longest seated first
    select s.account,
           s.slot,
           s.days_held,
           array(select l.account from unnest(war_stories.lost) l
                  where l.slot = s.slot order by l.days_held desc, l.account) as thrown,
           (select max(l.days_held) + 1 from unnest(war_stories.lost) l where l.slot = s.slot) as after
      from unnest(war_stories.seats) s
     where s.via = 'war'

  ), promised as (
    select n.account_id as account,
           n.slot,
           case n.intention when 'PEACE' then 'promised peace ' || engine.told_place(n.slot)
                            else 'promised to stay away from ' || engine.told_slots(array[n.slot]) end as promise
      from (select l.account, l.slot from lone l
             union all
            select f.account, f.slot from unnest(war_stories.fires) f) w
     -- few warriors, perhaps a million announcements: looked up one by one
     cross join lateral (
       select n.*
         from hill.announcements n
        where n.day = war_stories.night and n.account_id = w.account and n.slot = w.slot offset 0) n
     where n.verdict = 'betrayed'
  )
  select 'betrayal',
         60 + 5 * cardinality(l.thrown) + 11 - l.slot,
         l.slot,
         l.account || l.thrown,
         '%1$s ' || p.promise || case when l.days_held > 0 then ' and kept it by war' else ' and took it by war' end
           || case cardinality(l.thrown) when 0 then '' when 1 then ' from %2$s' else ' from %2$s and %3$s' end,
         array[war_stories.night],
         array[l.slot]
    from lone l join promised p using (account, slot)
  union all
  select 'betrayal',
         55 + 11 - f.slot,
         f.slot,
         array[f.account],
         '%1$s ' || p.promise || ', went to war and burned ' || engine.told_money(f.stake_cents),
         array[war_stories.night],
         array[f.slot]
    from unnest(war_stories.fires) f join promised p on p.account = f.account and p.slot = f.slot
  union all
  select 'own_goal',
         45 + l.days_held,
         l.slot,
         array[l.account],
         format('%%1$s goes to war %s after %s there, and loses its own seat',
           engine.told_place(l.slot), engine.told_nights(l.days_held + 1)),
         array[war_stories.night - l.days_held - 1, war_stories.night],
         array[l.slot, l.slot]
    from unnest(war_stories.lost) l join unnest(war_stories.fires) f on f.account = l.account and f.slot = l.slot
  union all
  select 'reign_ends',
         30 + 3 * l.after,
         l.slot,
         array[l.account, l.thrown[1]],
         format('%%1$s takes place %s by war from %%2$s after %s', l.slot, engine.told_nights(l.after)),
         array[war_stories.night - l.after, war_stories.night],
         array[l.slot, l.slot]
    from lone l
   where l.after >= 3 and l.slot > 1;  -- that of the top is in the headline
end;

-- Who threw out the same one on several of the last 30 nights, this one the last. lost: who lost a seat. Rules 10.20.
create or replace function engine.feuds(night integer, seats engine.seat[], lost engine.night_holder[])
returns setof engine.story
language sql stable parallel safe security invoker
begin atomic
  select 'feud',
         35 + 8 * cardinality(b.nights),
         l.slot,
         array[l.account, l.other],
         format('%%1$s throws %%2$s out for the %s time in %s nights, now off %s',
           to_char(cardinality(b.nights), 'FM999th'), feuds.night - b.nights[1] + 1,
           engine.told_slots(array[l.slot])),
         b.nights,
         b.slots
    from (select s.account, s.slot, t.account as other
            from unnest(feuds.seats) s join unnest(feuds.lost) t on t.slot = s.slot
           where s.via = 'war') l
   cross join lateral (
     select array_agg(s.day order by s.day, s.slot) || feuds.night as nights,
            array_agg(s.slot order by s.day, s.slot) || l.slot as slots
       from hill.seats s
       join hill.seats h on h.day = s.day - 1 and h.slot = s.slot
      where s.account_id = l.account
        and s.day > feuds.night - engine.window_nights()
        and s.day < feuds.night
        and s.via = 'war'
        and h.account_id = l.other
        and exists (select from engine.lost_seats(s.day, array[s.slot]) e where e.account = l.other)
     having count(*) > 0) b;
end;

-- Stories of those who sit on the hill: long reigns and runs, threats that were none, first seats and comebacks. Rules
-- 6.3, 10.20.
create or replace function engine.seat_stories(night integer, seats engine.seat[])
returns setof engine.story
language sql stable parallel safe security invoker
begin atomic
  with guests as materialized (  -- and how long each was away
    select s.account, s.slot, b.before, seat_stories.night - b.before - 1 as away
      from (select s.account, min(s.slot) as slot from unnest(seat_stories.seats) s group by s.account) s
     cross join lateral (
       select max(t.day) as before
         from hill.seats t where t.account_id = s.account and t.day < seat_stories.night) b

  ), runs as (  -- on how many nights in a row, as far as it is looked back
    select g.account, g.slot, count(*)::integer as nights
      from guests g
     cross join lateral (
       select t.day, row_number() over (order by t.day desc) as turn
         from (select distinct t.day from hill.seats t
                where t.account_id = g.account
                  and t.day > seat_stories.night - engine.longest_run() - 1
                  and t.day <= seat_stories.night) t) t
     where g.away = 0 and t.day = seat_stories.night + 1 - t.turn
     group by g.account, g.slot
  )
  select 'reign',
         20 + 2 * s.days_held,
         s.slot,
         array[s.account],
         format('%%1$s holds place %s for the %s night in a row', s.slot, to_char(s.days_held + 1, 'FM999,999th')),
         array[seat_stories.night - s.days_held, seat_stories.night],
         array[s.slot, s.slot]
    from unnest(seat_stories.seats) s
   where (s.days_held + 1) % 5 = 0 and s.slot > 1  -- that of the top is in the headline
  union all
  select 'run',
         15 + r.nights,
         r.slot,
         array[r.account],
         format('%%1$s has a seat on the %s night in a row', to_char(r.nights, 'FM999th')),
         array[seat_stories.night - r.nights + 1, seat_stories.night],
         array[(select min(t.slot) from hill.seats t
                 where t.account_id = r.account and t.day = seat_stories.night - r.nights + 1), r.slot]
    from runs r
   where r.nights in (5, 10, 20, 30, 50, engine.longest_run())
  union all
  select 'bluff',
         15 + 11 - s.slot,
         s.slot,
         array[s.account],
         format('%%1$s threatened war %s and takes a seat there in peace', engine.told_place(s.slot)),
         array[seat_stories.night],
         array[s.slot]
    from unnest(seat_stories.seats) s
   cross join lateral (
     select n.*
       from hill.announcements n
      where n.day = seat_stories.night and n.account_id = s.account and n.slot = s.slot offset 0) n
   where n.verdict = 'bluffed' and n.intention = 'WAR' and s.days_held = 0 and s.via = 'peace'
  union all
  select 'first_seat',
         20 + 11 - g.slot,
         g.slot,
         array[g.account],
         '%1$s has a seat for the first time, ' || engine.told_place(g.slot),
         array[seat_stories.night],
         array[g.slot]
    from guests g
   where g.before is null
  union all
  select 'comeback',
         22 + least(30, g.away),
         g.slot,
         array[g.account],
         format('%%1$s is back on the hill after %s nights without a seat, %s', g.away, engine.told_place(g.slot)),
         array[g.before, seat_stories.night],
         array[(select min(t.slot) from hill.seats t where t.account_id = g.account and t.day = g.before), g.slot]
    from guests g
   where g.away >= 7;
end;

-- All stories of a published night, unchosen. Rules 10.20.
create or replace function engine.night_stories(night integer)
returns setof engine.story
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_seats  engine.seat[] := array(
    select s
      from unnest((engine.published_resolution(night)).seats) s
      join hill.accounts a on a.id = s.account
     where not a.house);
  v_lost   engine.night_holder[] := array(
    select l
      from engine.lost_seats(night, array(
             select p.slot
               from hill.place_results p
              where p.day = night_stories.night and p.outcome in ('WAR', 'BURN'))) l
      join hill.accounts a on a.id = l.account
     where not a.house);
  v_fires  engine.night_move[] := array(
    select w
      from engine.first_warriors(
             engine.stored_night(night),
             array(
               select p.slot
                 from hill.place_results p
                where p.day = night_stories.night
                  and p.outcome = 'BURN'
                  and p.war_count <= engine.duel_size()),
             engine.duel_size()) w);
begin
  return query select s.* from engine.war_stories(night, v_seats, v_lost, v_fires) s;
  return query select s.* from engine.feuds(night, v_seats, v_lost) s;
  return query select s.* from engine.seat_stories(night, v_seats) s;
  return query select s.* from engine.rivalries(night, v_fires) s;
end
$$;

-- The best stories of a published night, three at most, no two of one place, one account or one kind, so that none
-- tells what another has told: kind, text (at most 140 characters, names as of that night), accounts (identities of
-- those who are named), nights (the day and the place of what it rests on). Rules 10.20.
create or replace function engine.stories(night integer)
returns jsonb
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_story  engine.story;
  v_told   engine.story[] := '{}';
begin
  for v_story in select s.* from engine.night_stories(night) s order by s.drama desc, s.slot, s.kind, s.accounts loop
    continue when exists (
      select from unnest(v_told) t
       where t.slot = v_story.slot or t.kind = v_story.kind or t.accounts && v_story.accounts);
    v_told := v_told || v_story;
    exit when cardinality(v_told) = 3;
  end loop;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
               'kind', t.kind,
               'text', engine.told_sentence(
                 t.sentence,
                 array(select engine.told_name(p.name, p.slug, p.namesake)
                         from unnest(t.accounts) with ordinality a (id, turn)
                        cross join lateral engine.profile_on(a.id, stories.night) p order by a.turn),
                 140),
               'accounts', (
                 select jsonb_agg(i.identity::jsonb order by a.turn)
                   from unnest(t.accounts) with ordinality a (id, turn)
                  cross join lateral engine.identity_on(a.id, stories.night) i),
               'nights', (
                 select jsonb_agg(jsonb_build_object('day', n.day, 'slot', n.slot) order by n.turn)
                   from unnest(t.nights, t.slots) with ordinality n (day, slot, turn))) order by t.turn), '[]')
      from unnest(v_told) with ordinality t (kind, drama, slot, accounts, sentence, nights, slots, turn));
end
$$;
