-- What is whose in the worker's queue. Its tables and functions belong to hill_queue, of which no login is a member:
-- the worker writes rows, and staff see the jobs without what they carry. Decisions 231.

set local role hill_queue;
grant usage on schema graphile_worker to hill_worker, hill_api_staff;
grant select on graphile_worker.migrations, graphile_worker.jobs to hill_worker;
grant select, insert, update, delete on
  graphile_worker._private_tasks,
  graphile_worker._private_jobs,
  graphile_worker._private_job_queues,
  graphile_worker._private_known_crontabs
  to hill_worker;
create policy worker_works on graphile_worker._private_tasks to hill_worker using (true) with check (true);
create policy worker_works on graphile_worker._private_jobs to hill_worker using (true) with check (true);
create policy worker_works on graphile_worker._private_job_queues to hill_worker using (true) with check (true);
create policy worker_works on graphile_worker._private_known_crontabs to hill_worker using (true) with check (true);

create or replace function graphile_worker.show_jobs()
returns table (
  id bigint,
  task text,
  attempts integer,
  max_attempts integer,
  run_at timestamptz,
  created_at timestamptz,
  locked_at timestamptz,
  last_error text)
language sql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
  select j.id, t.identifier, j.attempts::integer, j.max_attempts::integer, j.run_at, j.created_at, j.locked_at,
         left(j.last_error, 300)
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
$$;

comment on function graphile_worker.show_jobs is
'For api_staff.jobs: the jobs, without what they carry. Runs as hill_queue, which has no right but on the queue, so '
'that whatever these tables had been made of could do nothing else. Decisions 231.';

revoke execute on function graphile_worker.show_jobs from public;
grant execute on function graphile_worker.show_jobs to hill_api_staff;
set local role hill_owner;
