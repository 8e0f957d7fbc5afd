-- api/staff/queue.sql · The jobs of the worker's queue. Decisions 231.

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

create or replace function api_staff.enter_queue()
returns void
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.enter_looking();
  if current_setting('transaction_read_only') <> 'on' then
    perform engine.refuse('NOT_ALLOWED', 'The queue is read in a transaction that reads only.');
  end if;
end
$$;

comment on function api_staff.enter_queue is
'For api_staff.jobs: lets staff by, in a transaction that cannot write. Errors: INVALID_TOKEN, NOT_ALLOWED. '
'Decisions 231.';

create or replace function api_staff.jobs()
returns setof api_staff.job
-- Runs as hill_staff: what else runs here than the tables of the queue is up to whoever owns them. Decisions 231.
language plpgsql stable parallel restricted security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform api_staff.enter_queue();
  return query
  select j.id,
         t.identifier,
         case when j.locked_at is not null then 'running'
              when j.attempts >= j.max_attempts then 'failed'
              when j.attempts > 0 then 'retrying'
              when j.run_at <= clock_timestamp() then 'due'
              else 'waiting' end as state,
         j.attempts::integer,
         j.max_attempts::integer,
         j.run_at,
         j.created_at,
         left(j.last_error, 300)
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
   order by j.attempts >= j.max_attempts desc, j.attempts > 0 desc, j.run_at, j.id
   limit 1000;
end
$$;

comment on function api_staff.jobs is
'The jobs of the worker''s queue, what failed first, at most 1000. Not what they carry. Errors: INVALID_TOKEN; '
'NOT_ALLOWED in a transaction that may write. Decisions 231.';

grant execute on function api_staff.enter_queue, api_staff.jobs to hill_staff;
