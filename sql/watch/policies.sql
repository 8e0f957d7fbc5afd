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
comment on column hill.bell_failures.night is
'The night that did not balance; with any other code, the last one that was resolved before.';
comment on column hill.bell_failures.code is 'What failed, such as NIGHT_DOES_NOT_BALANCE.';
comment on column hill.bell_failures.first_at is 'When it failed first. Real clock.';
comment on column hill.bell_failures.last_at is 'When it failed last. Real clock.';
comment on column hill.bell_failures.times is 'How often it failed.';
comment on table hill.watch is
'When a worker was last heard of, by how much all balances together differ from 0 (cents), and what else was checked '
'of the books, when last. log_signed_at: when all that was due of the log was last signed. Decisions 118, 418.';
comment on column hill.watch.singleton is 'Always true: there is one row.';
comment on column hill.watch.beat_at is 'When a worker last said that it is there; null if none has yet. Real clock.';
comment on column hill.watch.delta_cents is
'By how many cents all balances differed from 0 at counted_at; anything but 0 is wrong.';
comment on column hill.watch.counted_at is 'When the balances were last added up; null if they never were. Real clock.';
comment on column hill.watch.checks is
'What was found of each part that must hold (engine.check_part), with when it was looked at, as JSON.';
comment on column hill.watch.checked_at is
'When balances were last checked against their entries; null if they never were. Real clock.';
comment on column hill.watch.log_signed_at is
'When all that was due of the log was last signed. Rules 20.34. Real clock.';
