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

-- Compares what a process is for with what the hill is for. Errors: SETTING_REFUSED when one of them is practice. Rules
-- 17.4.
create or replace function engine.check_use(practice boolean)
returns void
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  -- none has been written before the first start
  if exists (select from hill.settings s where s.practice <> check_use.practice) then
    perform engine.refuse('SETTING_REFUSED',
      case when practice
           then 'this database is of a hill that is not for practice: give HILL_ENV=practice one of its own'
           else 'this database is of a practice hill, and only HILL_ENV=practice serves it' end);
  end if;
end
$$;

-- Called by the owner at each start. Errors: SETTING_REFUSED when day one, the kind of clock or practice differs from
-- the first start. The first start writes day one (null: 7 days ago, so that today is launch day) and these; later ones
-- compare. day_seconds: how long a day takes on a practice hill, null elsewhere. The clock of one begins where its
-- bells ring at the multiples of that.
create or replace function engine.open_hill(day_one date, clock text, day_seconds integer default null)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now    timestamptz := clock_timestamp();
  v_today  date := (v_now at time zone 'UTC')::date;
  v_rate   double precision := 86400.0 / coalesce(day_seconds, 86400);
  v_shown  timestamptz := case when day_seconds is null then v_now
                               else v_today::timestamp at time zone 'UTC'
                                    + make_interval(secs => v_rate * (extract(epoch from v_now) % day_seconds)) end;
begin
  if open_hill.clock is null or open_hill.clock not in ('real', 'simulated') then
    perform engine.refuse('INVALID_ARGUMENT', 'The clock is real or simulated.');
  end if;
  set local role hill_owner;
  insert into hill.settings as s (day_one, clock, shown_at, set_at, rate, practice, created_at)
  -- by default a newcomer's hill is on its launch day: the founders' nights before it are rung empty
  values (coalesce(open_hill.day_one, v_today - 7), open_hill.clock,
          case when open_hill.clock = 'simulated' then v_shown end,
          case when open_hill.clock = 'simulated' then v_now end,
          case when open_hill.clock = 'simulated' then v_rate end, day_seconds is not null, v_now)
  on conflict (singleton) do nothing;

  perform engine.check_use(day_seconds is not null), engine.check_settings(day_one, clock);
  -- days of another length from now on, and a clock that stood still while the hill was full goes on
  update hill.settings s set shown_at = engine.now(), set_at = clock_timestamp(), rate = v_rate
   where s.practice and s.rate <> v_rate;
  reset role;
end
$$;
