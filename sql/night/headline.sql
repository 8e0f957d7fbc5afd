-- A night in one line, made from what the bell published: who has the top, and who burned or what went to warriors.
-- Rules 10.14.

-- A text of at most so many characters: a longer one ends in an ellipsis.
create or replace function engine.clipped(text text, how_many integer)
returns text
language sql immutable parallel safe
return case when char_length(text) <= how_many then text
            -- not between the parts of an emoji
            else rtrim(left(text, how_many - 1), ' ' || chr(8205)) || '…' end;

-- Places as a headline names them, in order: "the top", "place 4", "4 and 6", "5 places".
create or replace function engine.told_slots(slots smallint[])
returns text
language sql immutable parallel safe
-- three are named, more are counted
return case when cardinality(slots) > 3 then cardinality(slots) || ' places'
            when slots = '{1}' then 'the top'
            when cardinality(slots) = 1 then 'place ' || slots[1]
            else regexp_replace(array_to_string(slots, ', '), ', (\d+)$', ' and \1') end;

-- Where something happened: "at the top", "on place 4".
create or replace function engine.told_place(slot smallint)
returns text
language sql immutable parallel safe
return case slot when 1 then 'at the top' else 'on place ' || slot end;

create or replace function engine.told_money(cents numeric)
returns text
language sql immutable parallel safe
return '$' || to_char(cents / 100, 'FM999,999,999,999,999,999,999,999,990.00');

create or replace function engine.told_nights(how_many integer)
returns text
language sql immutable parallel safe
return to_char(how_many, 'FM999,999,999') || case how_many when 1 then ' night' else ' nights' end;

-- Names as a sentence has them: what stands in the place of a name is not told as one, and the second of its kind is
-- "another". Rules 10.14, 19.4.
create or replace function engine.told_names(names text[])
returns text[]
language sql immutable parallel safe
return array(
  select case when t.name is null or t.instead is null then t.name
              when row_number() over (partition by t.name order by t.turn) > 1 then 'another'
              else t.instead end
    from (select n.name,
                 n.turn,
                 case n.name when engine.closed_name() then 'a closed account'
                             when 'Hidden by staff' then 'a hidden account' end as instead
            from unnest(told_names.names) with ordinality n (name, turn)) t
   order by t.turn);

-- A sentence of at most so many characters, in which %1$s and so on stand for names, which are clipped for it, the
-- longest first. Null where that would leave less than at_least of one of them.
create or replace function engine.told_sentence(sentence text, names text[], length integer, at_least integer default 1)
returns text
language sql immutable parallel safe
begin atomic
  with told as (
    select n.names,
           told_sentence.length
             - char_length(format(told_sentence.sentence, variadic array_fill(''::text, array[cardinality(n.names)])))
             as room
      from engine.told_names(told_sentence.names) n (names)

  ), clipped as (
    select array(select engine.clipped(n.name, s.share)
                   from unnest(t.names) with ordinality n (name, turn) order by n.turn) as names,
           s.share >= told_sentence.at_least
             or s.share >= all (select char_length(n) from unnest(t.names) n where n is not null) as whole
      from told t
     cross join lateral (
       select greatest(max(g), 10) as share
         from generate_series(1, told_sentence.length) g
        where (select sum(least(char_length(n), g)) from unnest(t.names) n where n is not null) <= t.room) s
  )
  select regexp_replace(format(told_sentence.sentence, variadic c.names), '^a (?=(closed|hidden) account )', 'A ')
    from clipped c
   where c.whole;
end;

-- The first warriors of some places, how_many of each. Planned for that night alone, as all that reads moves of single
-- nights should be: a plan for any night would have the moves of all. Rules 4.2, 4.4.
create or replace function engine.first_warriors(night engine.night, slots smallint[], how_many integer)
returns setof engine.night_move
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan
as $$
begin
  return query
  select w.*
    from unnest(slots) p (slot)
   cross join lateral engine.first_wars(night, p.slot, how_many) w
   order by w.slot, w.at, w.seq;
end
$$;

-- Whether an account moved on a place. Planned as engine.first_warriors is.
create or replace function engine.has_moved(night engine.night, account uuid, slot smallint)
returns boolean
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan
as $$
begin
  return exists (
    select from engine.night_moves(night) m where m.account = has_moved.account and m.slot = has_moved.slot);
end
$$;

-- A resolved night in one line of at most 120 characters, or another length (names are clipped for it), such as "Raider
-- Rita takes the top; Old Bob and Cyd burn $16.00 on place 4". names has those of all who may be told, by account.
-- Rules 10.14.
create or replace function engine.night_headline(
  night engine.night,
  resolution engine.resolution,
  names jsonb,
  length integer default 120)
returns text
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_places  engine.place_result[] := array(select p from unnest(resolution.places) p order by p.slot);
  v_burns   engine.place_result[] := array(select p from unnest(v_places) p where p.outcome = 'BURN');
  v_burned  smallint[] := array(select b.slot from unnest(v_burns) b);
  v_wars    smallint[] := array(select p.slot from unnest(v_places) p where p.outcome = 'WAR');
  v_slot    smallint := (select min(s.slot) from unnest(resolution.seats) s);
  -- those on the highest place that is held: who stayed before who came
  v_seats   engine.seat[] := array(
    select s from unnest(resolution.seats) s where s.slot = v_slot order by s.days_held desc, s.seat);
  v_held    integer := (v_seats[1]).days_held;
  v_by_war  boolean := coalesce((v_seats[1]).via = 'war', false);
  -- the first warriors of each burned place, those of the highest before all others; and how many more there were,
  -- which for several places is none, one, or any number
  v_fires   uuid[] := array(
    select w.account from engine.first_warriors(night, v_burned, 3) w order by w.slot, w.at, w.seq);
  v_others  bigint := greatest(
    (select max(b.war_count) - 2 from unnest(v_burns) b),
    (select count(distinct f) from unnest(v_fires) f where f <> all (v_fires[:2])));
  v_before  engine.night_holder[];
  v_told    text;  -- with %1$s and %2$s for the names of who sits there, %3$s and %4$s of who burned
  v_since   text := '';
  v_end     text;
  v_money   text;
  v_where   text;
  v_brief   text;  -- instead of v_end, where names are too long
  v_names   text[];
begin
  if not exists (select from unnest(v_places) p where p.outcome <> 'VACANT') then
    return case when exists (select from engine.night_holders(night))
                then 'Nobody moves, and everybody has left the hill'
                else 'Nobody moves: the hill stands empty' end;
  end if;

  if v_slot is null then
    v_told := 'Nobody is left on the hill';
  elsif v_slot > 1 and v_by_war then
    v_told := case when v_held > 0 then '%1$s holds' else '%1$s takes' end
      || format(' place %s by war and sits highest', v_slot);
  elsif v_slot > 1 then
    v_told := case when cardinality(v_seats) = 1 then '%1$s sits' else '%1$s and %2$s sit' end
      || ' highest, on place ' || v_slot;
  elsif cardinality(v_seats) = 2 then
    if v_held > 0 and (v_seats[2]).days_held = 0 then
      v_seats := array[v_seats[2], v_seats[1]];  -- in the order of the sentence
    end if;
    v_told := case when (v_seats[1]).days_held > 0 then '%1$s and %2$s still share the top'
                   when v_held > 0 then '%1$s joins %2$s at the top'
                   when 'queue' = all (array[(v_seats[1]).via, (v_seats[2]).via])
                     then '%1$s and %2$s rise to the top from the queue'
                   else '%1$s and %2$s take the top' end;
  else
    v_told := case when v_held > 0 then '%1$s holds the top'
                   when (v_seats[1]).via = 'queue' then '%1$s rises to the top from the queue'
                   else '%1$s takes the top' end
      || case when v_by_war then ' by war' else '' end;
    v_before := array(select h from engine.night_holders(night) h where h.slot = 1);
    if v_held > 0 then
      v_since := to_char(v_held + 1, '" for the "FM999,999,999th" night"');
    elsif cardinality(v_before) = 1
      and (v_before[1]).days_held >= 2
      and (v_seats[1]).via <> 'queue'
      and (v_before[1]).account <> (v_seats[1]).account
      and engine.has_moved(night, (v_before[1]).account, 1::smallint) then  -- it did not leave
      -- No name stands before a figure: those of Arabic letters would turn it around.
      v_since := format(' from %%2$s after %s nights', (v_before[1]).days_held + 1);
    end if;
  end if;
  if v_by_war then
    v_wars := array_remove(v_wars, v_slot);  -- it is told
  end if;

  if v_burns <> '{}' then
    v_money := engine.told_money((select sum(b.burned_cents) from unnest(v_burns) b));
    v_where := case when v_burned = array[v_slot] then 'there'
                    when v_burned = '{1}' then 'at the top'
                    else 'on ' || engine.told_slots(v_burned) end;
    v_brief := v_money || ' burns ' || v_where;
    v_end := case when v_others = 0 then '%3$s and %4$s'
                  when v_others = 1 then '%3$s, %4$s and another'
                  when cardinality(v_burns) > 1 then '%3$s, %4$s and others'
                  else '%3$s, %4$s and ' || to_char(v_others, 'FM999,999,999') || ' others' end
      || ' burn ' || v_money || ' ' || v_where;
  else
    v_end := case
      when cardinality(v_wars) = 1
        then case when v_by_war then 'another' else 'a' end || ' warrior takes ' || engine.told_slots(v_wars)
      when v_wars <> '{}' then 'warriors take ' || engine.told_slots(v_wars)
      when not exists (select from unnest(v_places) p where p.outcome <> 'VACANT' and p.slot <> v_slot)
        then 'the rest stands empty'
      when v_by_war then 'peace elsewhere'
      else 'peace everywhere' end;
  end if;

  v_names := array(
    select names ->> n.account::text
      from unnest(array[(v_seats[1]).account,
                        case when v_since like '%\%2$s%' then (v_before[1]).account else (v_seats[2]).account end,
                        v_fires[1],
                        v_fires[2]]) with ordinality n (account, turn) order by n.turn);
  -- What leaves too little for the names is left out.
  return coalesce(
    engine.told_sentence(v_told || v_since || '; ' || v_end, v_names, length, 12),
    engine.told_sentence(v_told || '; ' || v_end, v_names, length, 12),
    engine.told_sentence(v_told || '; ' || coalesce(v_brief, v_end), v_names[:2], length));
end
$$;

-- How accounts are told in the sentences of a night, by their ids. Rules 10.10.
create or replace function engine.names_on(accounts uuid[], day integer)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select coalesce(jsonb_object_agg(a.id, engine.told_name(p.name, p.slug, p.namesake)), '{}')
    from (select distinct a.id from unnest(names_on.accounts) a (id)) a
   cross join lateral engine.profile_on(a.id, names_on.day) p;
end;

-- The headline of a published night; null for a day that has not been resolved. Rules 10.14, 20.43.
create or replace function engine.headline(day integer)
returns text
language sql stable parallel safe security invoker
begin atomic
  select u.mark || engine.night_headline(
           engine.stored_night(headline.day),
           engine.published_resolution(headline.day),
           engine.names_on(
             array(select s.account_id from hill.seats s where s.day in (headline.day - 1, headline.day))
               || array(select w.account
                          from (select min(p.slot) as slot
                                  from hill.place_results p
                                 where p.day = headline.day and p.outcome = 'BURN') p
                         cross join lateral engine.first_warriors(
                           engine.stored_night(headline.day), array[p.slot], 2) w
                         where p.slot is not null),
             headline.day),
           120 - char_length(u.mark))
    from hill.nights n
   cross join (select case when trusted.unsealed(headline.day) is null then '' else 'UNSEALED: ' end as mark) u
   where n.day = headline.day;
end;
