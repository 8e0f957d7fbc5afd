-- Whether the bell rings, and what the worker found wrong in the books. Decisions 118.

create type api_staff.bell_health as (
  last_night integer,
  worker text,
  silent_seconds double precision,
  bell text,
  overdue_seconds double precision,
  books text,
  delta_cents numeric,
  wrong_checks text[],
  failure text,
  failing_night integer,
  failing_since timestamptz,
  log text,
  log_signed_at timestamptz);

comment on type api_staff.bell_health is
'worker: ok, silent or none, and real seconds since one was heard of. bell: ok, overdue or unsettled, and by how many '
'real seconds. books: ok or wrong, the cents by which all balances differ from 0, and which checks are wrong. '
'failure: the code with which the bell of failing_night fails, since when; null if none does. log: ok or unsigned, '
'and when all that was due of the public log was last signed, in real time.';
comment on column api_staff.bell_health.last_night is 'The last night that was resolved.';
comment on column api_staff.bell_health.worker is 'ok, silent or none.';
comment on column api_staff.bell_health.silent_seconds is
'Real seconds since a worker was heard of; null if none ever was.';
comment on column api_staff.bell_health.bell is 'ok, overdue or unsettled.';
comment on column api_staff.bell_health.overdue_seconds is 'By how many real seconds it is overdue.';
comment on column api_staff.bell_health.books is 'ok or wrong.';
comment on column api_staff.bell_health.delta_cents is 'By how much all balances together differ from 0 (cents).';
comment on column api_staff.bell_health.wrong_checks is 'Which checks are wrong.';
comment on column api_staff.bell_health.failure is 'The code with which a bell fails; null if none does.';
comment on column api_staff.bell_health.failing_night is 'The night whose bell fails.';
comment on column api_staff.bell_health.failing_since is 'Since when it fails.';
comment on column api_staff.bell_health.log is 'ok or unsigned.';
comment on column api_staff.bell_health.log_signed_at is
'When all that was due of the public log was last signed. Real time.';

create or replace function api_staff.bell_health()
returns api_staff.bell_health
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_looking();
  v_health api_staff.bell_health;
begin
  select b.last_night, b.worker, b.silent_seconds, b.bell, b.overdue_seconds, b.books, b.delta_cents, b.wrong_checks,
         b.failure, b.failing_night, b.failing_since, b.log, b.log_signed_at
    into v_health
    from engine.bell_state() b;
  return v_health;
end
$$;

comment on function api_staff.bell_health is
'Whether the bell rings, its workers live and the books balance. Errors: INVALID_TOKEN. Decisions 118.';

create type api_staff.bell_check as (
  name text,
  compared bigint,
  wrong bigint,
  example text,
  checked_at timestamptz,
  part text);

comment on type api_staff.bell_check is
'One thing that must hold: how many were compared, how many are wrong, the first wrong one, when it was looked at, and '
'of which part it is: balances, last_night, last_seal and such (engine.check_part).';
comment on column api_staff.bell_check.name is 'What must hold, in words.';
comment on column api_staff.bell_check.compared is 'How many were compared.';
comment on column api_staff.bell_check.wrong is 'How many of them are wrong.';
comment on column api_staff.bell_check.example is 'The first wrong one; null if none is.';
comment on column api_staff.bell_check.checked_at is 'When it was looked at. Real time.';
comment on column api_staff.bell_check.part is 'Of which part it is, such as balances or last_night.';

create or replace function api_staff.bell_checks()
returns setof api_staff.bell_check
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_looking();
begin
  return query
  select c.value ->> 'name',
         (c.value ->> 'compared')::bigint,
         (c.value ->> 'wrong')::bigint,
         c.value ->> 'example',
         coalesce((c.value ->> 'checked_at')::timestamptz, b.checked_at),
         coalesce(c.value ->> 'part', 'balances')
    from hill.watch b
   cross join lateral jsonb_array_elements(b.checks) with ordinality c (value, n)
   order by (c.value ->> 'wrong')::bigint > 0 desc,
            array_position('{last_night,last_seal}'::text[] || engine.check_parts(), c.value ->> 'part'),
            c.n;
end
$$;

comment on function api_staff.bell_checks is
'What workers compared when they last looked whether all holds that must, what is wrong first: balances and the last '
'night each hour, the rest after each bell. Empty before the first look. '
'Errors: INVALID_TOKEN. Decisions 118.';

grant execute on function api_staff.bell_health, api_staff.bell_checks to hill_staff;
