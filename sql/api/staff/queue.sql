-- The jobs of the worker's queue. Decisions 231.

create type api_staff.job as (
  id bigint,
  task text,
  state text,
  attempts integer,
  max_attempts integer,
  run_at timestamptz,
  created_at timestamptz,
  last_error text);

comment on type api_staff.job is
'A job of the worker''s queue. state: failed (for good), retrying, running, due or waiting. last_error: what the '
'worker may say of a failure, which is never what a row held.';
comment on column api_staff.job.id is 'The job, in the queue.';
comment on column api_staff.job.task is 'What is to be done.';
comment on column api_staff.job.state is 'failed (for good), retrying, running, due or waiting.';
comment on column api_staff.job.attempts is 'How often it was tried.';
comment on column api_staff.job.max_attempts is 'How often it is tried at most.';
comment on column api_staff.job.run_at is 'From when on it may run. Real time.';
comment on column api_staff.job.created_at is 'When it came into the queue. Real time.';
comment on column api_staff.job.last_error is 'What may be said of its last failure; null if it had none.';

create or replace function api_staff.jobs()
returns setof api_staff.job
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_session text := current_setting('hill.staff_session', true);
begin
  perform engine.enter_looking();
  -- what else might run here than the tables of the queue, learns of no session
  perform set_config('hill.staff_session', '', true);
  return query
  select j.id,
         j.task,
         case when j.locked_at is not null then 'running'
              when j.attempts >= j.max_attempts then 'failed'
              when j.attempts > 0 then 'retrying'
              when j.run_at <= clock_timestamp() then 'due'
              else 'waiting' end as state,
         j.attempts,
         j.max_attempts,
         j.run_at,
         j.created_at,
         j.last_error
    from graphile_worker.show_jobs() j
   order by j.attempts >= j.max_attempts desc, j.attempts > 0 desc, j.run_at, j.id
   limit 1000;
  perform set_config('hill.staff_session', v_session, true);
end
$$;

comment on function api_staff.jobs is
'The jobs of the worker''s queue, what failed first, at most 1000. Not what they carry. Errors: INVALID_TOKEN. '
'Decisions 231.';

grant execute on function api_staff.jobs to hill_staff;
