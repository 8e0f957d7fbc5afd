-- The day under way, as everyone is told of it. Rules 9.3.

create type api_staff.tonight as (
  day integer,
  now timestamptz,
  next_bell_at timestamptz,
  last_night integer,
  moves_counted integer,
  counted_at timestamptz);

comment on type api_staff.tonight is
'The day under way. moves_counted: the public count of sealed moves at the last quarter hour (counted_at), not the '
'present one.';
comment on column api_staff.tonight.day is 'The day under way.';
comment on column api_staff.tonight.now is 'What the hill''s clock shows.';
comment on column api_staff.tonight.next_bell_at is 'When the bell of the day is due. Hill''s clock.';
comment on column api_staff.tonight.last_night is 'The last night that was resolved; 0 before the first.';
comment on column api_staff.tonight.moves_counted is 'How many moves were sealed at counted_at, as everybody is told.';
comment on column api_staff.tonight.counted_at is
'The quarter hour at which they were counted; null if they were not yet.';

create or replace function api_staff.tonight()
returns api_staff.tonight
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_day     integer := engine.today();
  v_tonight api_staff.tonight;
begin
  select v_day, engine.now(), engine.bell_at(greatest(1, v_day)), engine.last_night(),
         -- between midnight and publication the count is still that of the day before
         case when c.day = v_day then c.moves else 0 end,
         case when c.day = v_day then c.counted_at end
    into v_tonight
    from hill.sealed_counts c;
  return v_tonight;
end
$$;

comment on function api_staff.tonight is
'The day, the next bell, and how many moves are sealed as everyone is told: as of the last quarter hour. Errors: '
'INVALID_TOKEN. Rules 9.3.';

grant execute on function api_staff.tonight to hill_staff;
