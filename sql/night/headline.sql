-- A night in one line, made from what the bell published: who has the top, and what burned or went to warriors. Rules
-- 10.14.

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

-- A resolved night in one line of at most 90 characters, or another length (names are clipped for it), such as "Raider
-- Rita takes the top. Rules 10.14.
create or replace function engine.night_headline(
  night engine.night,
  resolution engine.resolution,
  names jsonb,
  length integer default 90)
returns text
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  -- what stands in the place of a name is not told as one
  v_nameless jsonb := jsonb_build_object(
    engine.closed_name(), 'a closed account',
    'Hidden by staff', 'a hidden account');
  v_places  engine.place_result[] := array(select p from unnest(resolution.places) p order by p.slot);
  v_burned  numeric := (select sum(p.burned_cents) from unnest(v_places) p where p.outcome = 'BURN');
  v_burns   smallint[] := array(select p.slot from unnest(v_places) p where p.outcome = 'BURN');
  v_wars    smallint[] := array(select p.slot from unnest(v_places) p where p.outcome = 'WAR');
  v_slot    smallint := (select min(s.slot) from unnest(resolution.seats) s);
  -- those on the highest place that is held: who stayed before who came
  v_seats   engine.seat[] := array(
    select s from unnest(resolution.seats) s where s.slot = v_slot order by s.days_held desc, s.seat);
  v_held    integer := (v_seats[1]).days_held;
  v_by_war  boolean := coalesce((v_seats[1]).via = 'war', false);
  v_first   text := names ->> (v_seats[1]).account::text;
  v_second  text := names ->> (v_seats[2]).account::text;
  v_before  engine.night_holder[];
  v_told    text;  -- with %1$s and %2$s for the names
  v_since   text := '';
  v_end     text;
  v_budget  integer;
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
    v_told := case when (v_seats[2]).days_held > 0 then '%1$s and %2$s still share the top'
                   when v_held > 0 then '%2$s joins %1$s at the top'
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
      and exists (select from engine.night_moves(night) m  -- it did not leave
                   where m.account = (v_before[1]).account and m.slot = 1) then
      -- No name stands before a figure: those of Arabic letters would turn it around.
      v_since := format(' from %%2$s after %s nights', (v_before[1]).days_held + 1);
    end if;
  end if;
  if v_by_war then
    v_wars := array_remove(v_wars, v_slot);  -- it is told
  end if;

  v_end := case
    when v_burns <> '{}' then format(
      '%s burns %s',
      '$' || to_char(v_burned / 100, 'FM999,999,999,999,999,999,999,999,990.00'),
      case when v_burns = array[v_slot] then 'there' else 'on ' || engine.told_slots(v_burns) end)
    when cardinality(v_wars) = 1
      then case when v_by_war then 'another' else 'a' end || ' warrior takes ' || engine.told_slots(v_wars)
    when v_wars <> '{}' then 'warriors take ' || engine.told_slots(v_wars)
    when not exists (select from unnest(v_places) p where p.outcome <> 'VACANT' and p.slot <> v_slot)
      then 'the rest stands empty'
    when v_by_war then 'peace elsewhere'
    else 'peace everywhere' end;
  -- What leaves too little for the names is left out.
  if char_length(format(v_told || v_since || '; ' || v_end, '', '')) > length - 24 then
    v_since := '';
  end if;
  if v_since like '%\%2$s%' then
    v_second := names ->> (v_before[1]).account::text;
  end if;
  v_told := v_told || v_since || '; ' || v_end;

  if v_first = v_second and v_nameless ? v_first and v_told ~ '^%1\$s and %2\$s ' then
    v_told := regexp_replace(v_told, '^%1\$s and %2\$s', format('Two%ss', substr(v_nameless ->> v_first, 2)));
  end if;
  v_first := coalesce(v_nameless ->> v_first, v_first);
  v_second := coalesce(v_nameless ->> v_second, v_second);

  -- What the names may take, where both are told half of it, or what the other leaves.
  v_budget := greatest(20, length - char_length(format(v_told, '', '')));
  if v_told like '%\%2$s%' then
    v_first := engine.clipped(v_first, greatest(v_budget / 2, v_budget - char_length(v_second)));
    v_second := engine.clipped(v_second, v_budget - char_length(v_first));
  else
    v_first := engine.clipped(v_first, v_budget);
  end if;
  v_told := format(v_told, v_first, v_second);
  return case when v_told ~ '^a (closed|hidden) account ' then 'A' || substr(v_told, 2) else v_told end;
end
$$;

-- The headline of a published night; null for a day that has not been resolved. Rules 10.14, 20.43.
create or replace function engine.headline(day integer)
returns text
language sql stable parallel safe security invoker
begin atomic
  select u.mark || engine.night_headline(
           engine.stored_night(headline.day),
           engine.published_resolution(headline.day),
           (select coalesce(jsonb_object_agg(s.account_id, p.name), '{}')
              from hill.seats s
             cross join lateral engine.profile_on(s.account_id, headline.day) p
             where s.day in (headline.day - 1, headline.day)),
           90 - char_length(u.mark))
    from hill.nights n
   cross join (select case when trusted.unsealed(headline.day) is null then '' else 'UNSEALED: ' end as mark) u
   where n.day = headline.day;
end;
