-- watch/workers.sql · What workers say of themselves: that they live, and that a bell failed. Decisions 118.

create or replace function engine.beat()
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  update hill.watch w set beat_at = clock_timestamp();
end;

create or replace function engine.note_log_signed()
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  update hill.watch w set log_signed_at = clock_timestamp();
end;

comment on function engine.beat is 'Says that a worker lives. Decisions 118.';

comment on function engine.note_log_signed is
'Says that all that was due of the log is signed. Rules 20.34.';

create or replace function engine.note_bell_failure(code text)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.bell_failures (night, code, first_at, last_at)
  select n.last + case when note_bell_failure.code = 'NIGHT_DOES_NOT_BALANCE' then 1 else 0 end,
         note_bell_failure.code,
         clock_timestamp(),
         clock_timestamp()
    from (select engine.last_night() as last) n
      on conflict on constraint bell_failures_pkey
      do update set last_at = excluded.last_at, times = bell_failures.times + 1;
end;

comment on function engine.note_bell_failure is
'Notes that a bell failed: NIGHT_DOES_NOT_BALANCE of the night that is due, VERIFICATION_FAILED of the last one. '
'What was found is in the worker''s log; it may tell of a night that is not published. Decisions 118.';

create or replace function engine.probe_writes()
returns bigint
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
set work_mem to '64kB'
as $$
declare
  v_bytes bigint;
begin
  perform engine.beat();
  -- A row that is there finds room on its page even on a full disk, and a deposit does not. This wants eight megabytes
  -- of the disk, in a file that is gone at once.
  with filler as materialized (
    select repeat(md5(g::text), 32) as text from generate_series(1, 8192) g
  )
  select sum(length(f.text)) into v_bytes from filler f;
  return v_bytes;
end
$$;

comment on function engine.probe_writes is
'Writes a row, and eight megabytes of a temporary file: fails as deposits do where the database''s disk is full, or '
'where it takes no writes. Returns the bytes.';

grant execute on function
  engine.beat,
  engine.note_log_signed,
  engine.note_bell_failure,
  engine.probe_writes
  to hill_api_worker;
