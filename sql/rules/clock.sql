-- The one clock of the whole system, and the days it counts. Rules 2.1, 17.3.

-- The number of the day (UTC) that contains an instant; 0 before day one. Rules 2.1.
create or replace function engine.day_of(instant timestamptz, day_one date)
returns integer
language sql immutable parallel safe
return greatest(0, (instant at time zone 'UTC')::date - day_one + 1);

-- The instant at which a day starts, 00:00 UTC; the bell of the day before.
create or replace function engine.day_start(day integer, day_one date)
returns timestamptz
language sql immutable parallel safe
return (day_one + (day - 1))::timestamp at time zone 'UTC';

-- The instant of the bell of the last day that was closed (0 before any, for which there is none), by that day and day
-- one, as hill.settings has them.
create or replace function engine.last_bell(closed_day integer, day_one date)
returns timestamptz
language sql immutable parallel safe
return case when closed_day > 0 then engine.day_start(closed_day + 1, day_one) end;

-- The present as hill.settings has it: by the real clock or by the simulated one, whichever the database was created
-- with, and never before the bell of the last day that was closed: what was closed is over, also for a clock that was
-- set back across that bell. Rules 17.3, 20.40.
create or replace function engine.instant(
  clock text,
  shown_at timestamptz,
  set_at timestamptz,
  rate double precision,
  closed_day integer,
  day_one date)
returns timestamptz
language sql volatile parallel safe
-- not transaction time: a deposit takes its instant while it holds the day
-- in seconds, for a day of a time zone has not always 24 hours
return greatest(
  case clock when 'real' then clock_timestamp()
       else shown_at
            + make_interval(secs => extract(epoch from clock_timestamp() - set_at)::double precision * rate) end,
  engine.last_bell(closed_day, day_one));

-- The present. Rules 17.3.
create or replace function engine.now()
returns timestamptz
language sql volatile parallel safe security invoker
begin atomic
  select engine.instant(s.clock, s.shown_at, s.set_at, s.rate, s.closed_day, s.day_one) from hill.settings s;
end;

-- The present as the doors count: what a person or a program has to answer (codes, tokens, claims, limits). That of
-- engine.instant, and real time while a simulated clock runs faster than that, and always on a practice hill. Rules
-- 17.3, 17.4.
create or replace function engine.door_instant(s hill.settings)
returns timestamptz
language sql volatile parallel safe security invoker
return case when s.practice or s.rate > 1 then clock_timestamp()
            else engine.instant(s.clock, s.shown_at, s.set_at, s.rate, s.closed_day, s.day_one) end;

-- The present at the doors. Rules 17.3.
create or replace function engine.door_now()
returns timestamptz
language sql volatile parallel safe security invoker
begin atomic
  select engine.door_instant(s) from hill.settings s;
end;

-- Whether this is a practice hill. Rules 17.4.
create or replace function engine.is_practice()
returns boolean
language sql stable parallel safe security invoker
begin atomic
  select coalesce(bool_or(s.practice), false) from hill.settings s;
end;

create or replace function engine.today()
returns integer
language sql volatile parallel safe security invoker
begin atomic
  select engine.day_of(engine.now(), s.day_one) from hill.settings s;
end;

create or replace function engine.bell_at(day integer)
returns timestamptz
language sql stable parallel safe security invoker
begin atomic
  select engine.day_start(bell_at.day + 1, s.day_one) from hill.settings s;
end;

create or replace function engine.last_night()
returns integer
language sql stable parallel safe security invoker
begin atomic
  select coalesce(max(s.last_night), 0) from hill.settings s;
end;

comment on function engine.today is 'The number of the day now; 0 before day one.';
comment on function engine.bell_at is 'The nominal instant of the bell of a day: the start of the next one.';
comment on function engine.last_night is 'The last day whose bell has been resolved; 0 before any.';
