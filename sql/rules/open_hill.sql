-- The first start, by the owner, and the settings that later starts compare with it. Rules 17.2.

-- Compares what a process was set to with what the first start wrote (day_one null: not compared). Errors:
-- SETTING_REFUSED when day one or the kind of clock differs.
create or replace function engine.check_settings(day_one date, clock text)
returns void
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_settings hill.settings;
begin
  select s.* into v_settings from hill.settings s;
  if check_settings.day_one is not null and v_settings.day_one <> check_settings.day_one then
    perform engine.refuse('SETTING_REFUSED',
      format('this hill began on %s, and its day one cannot become %s', v_settings.day_one, check_settings.day_one));
  end if;
  if v_settings.clock <> check_settings.clock then
    perform engine.refuse('SETTING_REFUSED',
      format('this database has run with the %s clock and cannot run with the %s one', v_settings.clock,
             check_settings.clock));
  end if;
end
$$;

-- Called by the owner at each start. Errors: SETTING_REFUSED when day one or the kind of clock differs from the
-- first start. The first start writes day one (null: 7 days ago, so that today is launch day) and the kind of clock;
-- later ones compare.
create or replace function engine.open_hill(day_one date, clock text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_today  date := (clock_timestamp() at time zone 'UTC')::date;
begin
  if open_hill.clock is null or open_hill.clock not in ('real', 'simulated') then
    perform engine.refuse('INVALID_ARGUMENT', 'The clock is real or simulated.');
  end if;
  set local role hill_owner;
  insert into hill.settings as s (day_one, clock, shown_at, set_at, rate, created_at)
  -- by default a newcomer's hill is on its launch day: the founders' nights before it are rung empty
  values (coalesce(open_hill.day_one, v_today - 7), open_hill.clock,
          case when open_hill.clock = 'simulated' then clock_timestamp() end,
          case when open_hill.clock = 'simulated' then clock_timestamp() end,
          case when open_hill.clock = 'simulated' then 1 end, clock_timestamp())
  on conflict (singleton) do nothing;

  perform engine.check_settings(day_one, clock);
  reset role;
end
$$;
