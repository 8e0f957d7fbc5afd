-- looking/queue.sql · Who sees the jobs of the worker's queue: staff, without what they carry. Decisions 231.

set local role hill_queue;
grant usage on schema graphile_worker to hill_staff;
grant select (id, identifier) on graphile_worker._private_tasks to hill_staff;
grant select (id, task_id, key, created_at, run_at, attempts, max_attempts, last_error, locked_at)
  on graphile_worker._private_jobs to hill_staff;
create policy staff_read on graphile_worker._private_tasks for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy staff_read on graphile_worker._private_jobs for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
set local role hill_owner;
