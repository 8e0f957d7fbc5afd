-- The worker writes; the public, staff and the worker are told through functions.

alter table hill.bell_failures enable row level security, force row level security;
create policy worker_notes on hill.bell_failures to hill_api_worker using (true) with check (true);
create policy all_read on hill.bell_failures for select to hill_api_public, hill_api_staff using (true);
grant select, insert, update on hill.bell_failures to hill_api_worker;
grant select on hill.bell_failures to hill_api_public, hill_api_staff;

alter table hill.watch enable row level security, force row level security;
create policy worker_watches on hill.watch to hill_api_worker using (true) with check (true);
create policy all_read on hill.watch for select to hill_api_public, hill_api_staff using (true);
grant select, update on hill.watch to hill_api_worker;
grant select on hill.watch to hill_api_public, hill_api_staff;

comment on table hill.bell_failures is
'Nights at which a bell failed in a way that a person has to look into: the code, when, how often. Decisions 118.';
comment on table hill.watch is
'When a worker was last heard of, by how much all balances together differ from 0 (cents), and what else was checked '
'of the books, when last. log_signed_at: when all that was due of the log was last signed. Decisions 118, 418.';
