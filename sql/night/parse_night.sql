-- night/parse_night.sql · A night file is taken whole or refused whole, with the reason. Decisions 9.

create or replace function engine.is_whole(value jsonb, lowest numeric, highest numeric)
returns boolean
language sql immutable parallel safe
return coalesce(
  case when jsonb_typeof(value) = 'number'
       then value::numeric = trunc(value::numeric) and value::numeric between lowest and highest end,
  false);

create or replace function engine.is_instant(value jsonb)
returns boolean
language sql stable parallel safe
-- finer than a microsecond would be rounded, and change an order unseen
return coalesce(
  jsonb_typeof(value) = 'string'
    and value #>> '{}' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$'
    and pg_input_is_valid(value #>> '{}', 'timestamptz'),
  false);

create or replace function engine.is_name(value jsonb)
returns boolean
language sql immutable parallel safe
return coalesce(jsonb_typeof(value) = 'string' and value <> '""', false);

comment on function engine.is_whole is
'Whether a JSON value is a whole number within bounds; false for what is missing.';
comment on function engine.is_instant is
'Whether a JSON value is an ISO 8601 instant with its offset, to the microsecond at most.';
comment on function engine.is_name is 'Whether a JSON value is a text that is not empty.';

create or replace function engine.why_malformed(night jsonb)
returns text
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_list text;
  v_why  text;
begin
  if jsonb_typeof(night) is distinct from 'object' then
    return 'a night is a JSON object';
  end if;
  if not engine.is_whole(night -> 'day', 1, 2147483647) then
    return 'day: a whole number from 1';
  end if;
  foreach v_list in array array['open_slots', 'accounts', 'holders', 'moves'] loop
    if jsonb_typeof(night -> v_list) is distinct from 'array' then
      return v_list || ': a list';
    end if;
  end loop;

  select format('open_slots: %s is not a place from 1 to %s', o.value, engine.slot_count()) into v_why
    from jsonb_array_elements(night -> 'open_slots') o (value) where not engine.is_whole(o.value, 1, engine.slot_count()) limit 1;
  if found then return v_why; end if;
  select format('open_slots: place %s twice', o.value) into v_why
    from jsonb_array_elements(night -> 'open_slots') o (value) group by o.value having count(*) > 1 limit 1;
  if found then return v_why; end if;

  select format('accounts[%s]: ', a.n - 1) || case
           when jsonb_typeof(a.value) <> 'object' then 'an object'
           when not engine.is_name(a.value -> 'account') then 'account is a text'
           when not coalesce(jsonb_typeof(a.value -> 'reputation') = 'number' and (a.value ->> 'reputation')::numeric between 0 and 1, false)
             then 'reputation is a number from 0 to 1'
           when not engine.is_instant(a.value -> 'since') then 'since is an instant such as "2026-01-01T00:00:00Z", to the microsecond at most'
           when a.value ? 'house' and jsonb_typeof(a.value -> 'house') <> 'boolean' then 'house is true or false' end into v_why
    from jsonb_array_elements(night -> 'accounts') with ordinality a (value, n)
   where jsonb_typeof(a.value) <> 'object' or not engine.is_name(a.value -> 'account') or not engine.is_instant(a.value -> 'since')
      or not coalesce(case when jsonb_typeof(a.value -> 'reputation') = 'number' then (a.value ->> 'reputation')::numeric between 0 and 1 end, false)
      or (a.value ? 'house' and jsonb_typeof(a.value -> 'house') <> 'boolean')
   order by a.n limit 1;
  if found then return v_why; end if;
  select format('accounts: %s twice', a.value -> 'account') into v_why
    from jsonb_array_elements(night -> 'accounts') a (value) group by a.value -> 'account' having count(*) > 1 limit 1;
  if found then return v_why; end if;

  select format('holders[%s]: ', h.n - 1) || case
           when jsonb_typeof(h.value) <> 'object' then 'an object'
           when not engine.is_whole(h.value -> 'slot', 1, engine.slot_count()) then format('slot is a place from 1 to %s', engine.slot_count())
           when not night -> 'open_slots' @> (h.value -> 'slot') then 'slot is not one of open_slots'
           when not engine.is_name(h.value -> 'account') then 'account is a text'
           else 'days_held is a whole number from 0' end into v_why
    from jsonb_array_elements(night -> 'holders') with ordinality h (value, n)
   where jsonb_typeof(h.value) <> 'object' or not engine.is_whole(h.value -> 'slot', 1, engine.slot_count())
      or not night -> 'open_slots' @> (h.value -> 'slot') or not engine.is_name(h.value -> 'account')
      or not engine.is_whole(h.value -> 'days_held', 0, 2147483646)
   order by h.n limit 1;
  if found then return v_why; end if;
  select case when count(*) > engine.seats_per_place() then format('holders: more than %s on place %s', engine.seats_per_place(), h.value -> 'slot')
              else format('holders: an account twice on place %s', h.value -> 'slot') end into v_why
    from jsonb_array_elements(night -> 'holders') h (value) group by h.value -> 'slot'
  having count(*) > engine.seats_per_place() or count(distinct h.value -> 'account') < count(*) limit 1;
  if found then return v_why; end if;

  select format('moves[%s]: ', m.n - 1) || case
           when jsonb_typeof(m.value) <> 'object' then 'an object'
           when not engine.is_whole(m.value -> 'seq', -9223372036854775808, 9223372036854775807) then 'seq is a whole number'
           when not engine.is_whole(m.value -> 'slot', 1, engine.slot_count()) then format('slot is a place from 1 to %s', engine.slot_count())
           when not night -> 'open_slots' @> (m.value -> 'slot') then 'slot is not one of open_slots'
           when not engine.is_name(m.value -> 'account') then 'account is a text'
           when not engine.is_instant(m.value -> 'at') then 'at is an instant such as "2026-01-01T00:00:00Z", to the microsecond at most'
           when m.value ->> 'move' = 'WAR' then format('stake_cents is a whole number of at least %s', engine.war_minimum_cents())
           when m.value ->> 'move' = 'PEACE' then 'PEACE has no stake'
           else 'move is PEACE or WAR' end into v_why
    from jsonb_array_elements(night -> 'moves') with ordinality m (value, n)
   where jsonb_typeof(m.value) <> 'object' or not engine.is_whole(m.value -> 'seq', -9223372036854775808, 9223372036854775807)
      or not engine.is_whole(m.value -> 'slot', 1, engine.slot_count()) or not night -> 'open_slots' @> (m.value -> 'slot')
      or not engine.is_name(m.value -> 'account') or not engine.is_instant(m.value -> 'at')
      or not coalesce(case m.value -> 'move'
                        when '"WAR"' then engine.is_whole(m.value -> 'stake_cents', engine.war_minimum_cents(), 9223372036854775807)
                        when '"PEACE"' then engine.is_whole(coalesce(m.value -> 'stake_cents', '0'), 0, 0) end, false)
   order by m.n limit 1;
  if found then return v_why; end if;
  select format('moves: seq %s twice', m.value -> 'seq') into v_why
    from jsonb_array_elements(night -> 'moves') m (value) group by m.value -> 'seq' having count(*) > 1 limit 1;
  if found then return v_why; end if;
  select format('moves: %s twice on place %s', m.value -> 'account', m.value -> 'slot') into v_why
    from jsonb_array_elements(night -> 'moves') m (value) group by m.value -> 'account', m.value -> 'slot' having count(*) > 1 limit 1;
  if found then return v_why; end if;
  select format('moves: %s is not in accounts', m.value -> 'account') into v_why
    from jsonb_array_elements(night -> 'moves') m (value)
   where m.value -> 'account' not in (select a.value -> 'account' from jsonb_array_elements(night -> 'accounts') a (value)) limit 1;
  if found then return v_why; end if;
  select format('holders: the rent of %s on place %s does not fit 64 bits', h.value -> 'account', h.value -> 'slot') into v_why
    from jsonb_array_elements(night -> 'holders') h (value)
    join jsonb_array_elements(night -> 'moves') m (value) on m.value -> 'account' = h.value -> 'account' and m.value -> 'slot' = h.value -> 'slot'
   where m.value ->> 'move' = 'PEACE' and engine.move_cents('PEACE', 0, (h.value -> 'days_held')::numeric::integer) is null limit 1;
  return v_why;
end
$$;

comment on function engine.why_malformed is
'Why a night file is refused, in a few words that name the place; null where it is well formed. Decisions 9.';

create or replace function engine.parse_night(night jsonb)
returns engine.night
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_why   text := engine.why_malformed(night);
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

comment on function engine.parse_night is
'Takes a night file apart for engine.resolve_places. Errors: INVALID_NIGHT with the reason. Decisions 9.';

grant execute on function
  engine.is_whole,
  engine.is_instant,
  engine.is_name,
  engine.why_malformed,
  engine.parse_night
  to hill_api, hill_dba;
