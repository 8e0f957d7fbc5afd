-- A night file is accepted whole or refused whole, with the reason. Rules 12.3.

create type engine.malformed as (path text, reason text);

comment on type engine.malformed is
'Why a night is refused, in a few words, and the path of what is wrong in it, such as moves[3].stake_cents; empty for '
'the whole night.';

-- A reason with its path: about a list (n null), about its entry number n from 1 (field null), or about a field of it.
create or replace function engine.malformed_at(list text, n bigint, field text, reason text)
returns engine.malformed
language sql immutable parallel safe
return row(
  list || coalesce('[' || n - 1 || ']', '') || coalesce('.' || field, ''),
  list || coalesce('[' || n - 1 || ']', '') || ': ' || coalesce(field || ' ', '') || reason)::engine.malformed;

-- Whether a JSON value is a whole number within bounds; false for a missing value.
create or replace function engine.is_whole(value jsonb, lowest numeric, highest numeric)
returns boolean
language sql immutable parallel safe
return coalesce(
  case when jsonb_typeof(value) = 'number'
       then value::numeric = trunc(value::numeric) and value::numeric between lowest and highest end,
  false);

-- Whether a JSON value is a number from 0 to 1; false for a missing value.
create or replace function engine.is_reputation(value jsonb)
returns boolean
language sql immutable parallel safe
return coalesce(case when jsonb_typeof(value) = 'number' then value::numeric between 0 and 1 end, false);

-- Whether a JSON value is an ISO 8601 instant with its offset, to the microsecond at most.
create or replace function engine.is_instant(value jsonb)
returns boolean
language sql stable parallel safe
-- finer than a microsecond would be rounded, which could change an order without anybody seeing it
return coalesce(
  jsonb_typeof(value) = 'string'
    and value #>> '{}' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$'
    and pg_input_is_valid(value #>> '{}', 'timestamptz'),
  false);

-- What a field must be that engine.is_instant refuses.
create or replace function engine.instant_words()
returns text language sql immutable parallel safe
return 'is an instant such as "2026-01-01T00:00:00Z", to the microsecond at most';

-- Whether a JSON value is a text that is not empty.
create or replace function engine.is_name(value jsonb)
returns boolean
language sql immutable parallel safe
return coalesce(jsonb_typeof(value) = 'string' and value <> '""', false);

-- Why a night file is refused, with the path of the place in it; null if it is well formed. Rules 12.3.
create or replace function engine.why_malformed(night jsonb)
returns engine.malformed
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_list text;
begin
  if jsonb_typeof(night) is distinct from 'object' then
    return row('', 'a night is a JSON object')::engine.malformed;
  end if;
  if not engine.is_whole(night -> 'day', 1, 2147483647) then
    return engine.malformed_at('day', null, null, 'a whole number from 1');
  end if;
  foreach v_list in array array['open_slots', 'accounts', 'holders', 'moves'] loop
    if jsonb_typeof(night -> v_list) is distinct from 'array' then
      return engine.malformed_at(v_list, null, null, 'a list');
    end if;
  end loop;

  -- The first of these that finds something: each relies on those before it.
  return coalesce(
    (select engine.malformed_at('open_slots', null, null,
                                format('%s is not a place from 1 to %s', o.value, engine.slot_count()))
       from jsonb_array_elements(night -> 'open_slots') o (value)
      where not engine.is_whole(o.value, 1, engine.slot_count()) limit 1),
    (select engine.malformed_at('open_slots', null, null, format('place %s twice', o.value))
       from jsonb_array_elements(night -> 'open_slots') o (value)
      group by o.value having count(*) > 1 limit 1),

    (select w.malformed
       from jsonb_array_elements(night -> 'accounts') with ordinality a (value, n)
      cross join lateral (
        select case
          when jsonb_typeof(a.value) <> 'object' then engine.malformed_at('accounts', a.n, null, 'an object')
          when not engine.is_name(a.value -> 'account') then
            engine.malformed_at('accounts', a.n, 'account', 'is a text')
          when not engine.is_reputation(a.value -> 'reputation') then
            engine.malformed_at('accounts', a.n, 'reputation', 'is a number from 0 to 1')
          when not engine.is_instant(a.value -> 'since') then
            engine.malformed_at('accounts', a.n, 'since', engine.instant_words())
          when a.value ? 'house' and jsonb_typeof(a.value -> 'house') <> 'boolean' then
            engine.malformed_at('accounts', a.n, 'house', 'is true or false')
        end as malformed) w
      where (w.malformed).reason is not null
      order by a.n limit 1),
    (select engine.malformed_at('accounts', null, null, format('%s twice', a.value -> 'account'))
       from jsonb_array_elements(night -> 'accounts') a (value)
      group by a.value -> 'account' having count(*) > 1 limit 1),

    (select w.malformed
       from jsonb_array_elements(night -> 'holders') with ordinality h (value, n)
      cross join lateral (
        select case
          when jsonb_typeof(h.value) <> 'object' then engine.malformed_at('holders', h.n, null, 'an object')
          when not engine.is_whole(h.value -> 'slot', 1, engine.slot_count()) then
            engine.malformed_at('holders', h.n, 'slot', format('is a place from 1 to %s', engine.slot_count()))
          when not night -> 'open_slots' @> (h.value -> 'slot') then
            engine.malformed_at('holders', h.n, 'slot', 'is not one of open_slots')
          when not engine.is_name(h.value -> 'account') then
            engine.malformed_at('holders', h.n, 'account', 'is a text')
          when not engine.is_whole(h.value -> 'days_held', 0, 2147483646) then
            engine.malformed_at('holders', h.n, 'days_held', 'is a whole number from 0')
        end as malformed) w
      where (w.malformed).reason is not null
      order by h.n limit 1),
    (select engine.malformed_at('holders', null, null, case
              when count(*) > engine.seats_per_place()
              then format('more than %s on place %s', engine.seats_per_place(), h.value -> 'slot')
              else format('an account twice on place %s', h.value -> 'slot') end)
       from jsonb_array_elements(night -> 'holders') h (value)
      group by h.value -> 'slot'
     having count(*) > engine.seats_per_place() or count(distinct h.value -> 'account') < count(*) limit 1),

    (select w.malformed
       from jsonb_array_elements(night -> 'moves') with ordinality m (value, n)
      cross join lateral (
        select case
          when jsonb_typeof(m.value) <> 'object' then engine.malformed_at('moves', m.n, null, 'an object')
          when not engine.is_whole(m.value -> 'seq', -9223372036854775808, 9223372036854775807) then
            engine.malformed_at('moves', m.n, 'seq', 'is a whole number')
          when not engine.is_whole(m.value -> 'slot', 1, engine.slot_count()) then
            engine.malformed_at('moves', m.n, 'slot', format('is a place from 1 to %s', engine.slot_count()))
          when not night -> 'open_slots' @> (m.value -> 'slot') then
            engine.malformed_at('moves', m.n, 'slot', 'is not one of open_slots')
          when not engine.is_name(m.value -> 'account') then
            engine.malformed_at('moves', m.n, 'account', 'is a text')
          when not engine.is_instant(m.value -> 'at') then
            engine.malformed_at('moves', m.n, 'at', engine.instant_words())
          when coalesce(m.value ->> 'move', '') not in ('PEACE', 'WAR') then
            engine.malformed_at('moves', m.n, 'move', 'is PEACE or WAR')
          when m.value ->> 'move' = 'PEACE' and not engine.is_whole(coalesce(m.value -> 'stake_cents', '0'), 0, 0) then
            engine.malformed_at('moves', m.n, null, 'PEACE has no stake')
          when m.value ->> 'move' = 'WAR'
               and not engine.is_whole(m.value -> 'stake_cents', engine.war_minimum_cents(), 9223372036854775807) then
            engine.malformed_at('moves', m.n, 'stake_cents',
                                format('is a whole number of at least %s', engine.war_minimum_cents()))
        end as malformed) w
      where (w.malformed).reason is not null
      order by m.n limit 1),
    (select engine.malformed_at('moves', null, null, format('seq %s twice', m.value -> 'seq'))
       from jsonb_array_elements(night -> 'moves') m (value)
      group by m.value -> 'seq' having count(*) > 1 limit 1),
    (select engine.malformed_at('moves', null, null,
                                format('%s twice on place %s', m.value -> 'account', m.value -> 'slot'))
       from jsonb_array_elements(night -> 'moves') m (value)
      group by m.value -> 'account', m.value -> 'slot' having count(*) > 1 limit 1),
    (select engine.malformed_at('moves', null, null, format('%s is not in accounts', m.value -> 'account'))
       from jsonb_array_elements(night -> 'moves') m (value)
      where m.value -> 'account'
            not in (select a.value -> 'account' from jsonb_array_elements(night -> 'accounts') a (value)) limit 1),

    (select engine.malformed_at('holders', null, null,
                                format('the rent of %s on place %s does not fit 64 bits',
                                       h.value -> 'account', h.value -> 'slot'))
       from jsonb_array_elements(night -> 'holders') h (value)
       join jsonb_array_elements(night -> 'moves') m (value)
         on m.value -> 'account' = h.value -> 'account' and m.value -> 'slot' = h.value -> 'slot'
      where m.value ->> 'move' = 'PEACE'
        and engine.move_cents('PEACE', 0, (h.value -> 'days_held')::numeric::integer) is null limit 1));
end
$$;

-- Takes a night file apart for engine.resolve_places. Errors: INVALID_NIGHT with the reason. Rules 12.3.
create or replace function engine.parse_night(night jsonb)
returns engine.night
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_why   text := (engine.why_malformed(night)).reason;
  v_names text[];
  v_ids   jsonb;   -- name to uuid: numbered in the order of the names, so that accounts sort as their names do
begin
  if v_why is not null then
    perform engine.refuse('INVALID_NIGHT', v_why);
  end if;
  select coalesce(array_agg(n.name order by n.name collate "C"), '{}'),
         coalesce(jsonb_object_agg(n.name, lpad(to_hex(n.number), 32, '0')::uuid), '{}')
    into v_names, v_ids
    from (select d.name, row_number() over (order by d.name collate "C") as number
            from (select a.value ->> 'account' as name from jsonb_array_elements(night -> 'accounts') a (value)
                  union
                  select h.value ->> 'account' from jsonb_array_elements(night -> 'holders') h (value)) d) n;

  return row(
    (night -> 'day')::numeric::integer,
    v_names,
    (select coalesce(array_agg(o.value::numeric::smallint), '{}')
       from jsonb_array_elements(night -> 'open_slots') o (value)),
    (select coalesce(array_agg(row(
                (v_ids ->> (a.value ->> 'account'))::uuid,
                (a.value -> 'reputation')::numeric,
                (a.value ->> 'since')::timestamptz)::engine.night_account), '{}')
       from jsonb_array_elements(night -> 'accounts') a (value)),
    (select coalesce(array_agg(row(
                (h.value -> 'slot')::numeric::smallint,
                (v_ids ->> (h.value ->> 'account'))::uuid,
                (h.value -> 'days_held')::numeric::integer)::engine.night_holder), '{}')
       from jsonb_array_elements(night -> 'holders') h (value)),
    (select coalesce(array_agg(row(
                (m.value -> 'seq')::numeric::bigint,
                (v_ids ->> (m.value ->> 'account'))::uuid,
                (m.value -> 'slot')::numeric::smallint,
                (m.value ->> 'move')::hill.move,
                coalesce((m.value -> 'stake_cents')::numeric::bigint, 0),
                engine.move_cents(
                  (m.value ->> 'move')::hill.move,
                  coalesce((m.value -> 'stake_cents')::numeric::bigint, 0),
                  coalesce((h.value -> 'days_held')::numeric::integer, 0)),
                (m.value ->> 'at')::timestamptz)::engine.night_move), '{}')
       from jsonb_array_elements(night -> 'moves') m (value)
       left join jsonb_array_elements(night -> 'holders') h (value)
         on h.value -> 'account' = m.value -> 'account' and h.value -> 'slot' = m.value -> 'slot'))::engine.night;
end
$$;
