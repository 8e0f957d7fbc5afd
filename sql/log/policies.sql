-- log/policies.sql · What is in the log is there for good: its tables are written to and read, and never changed, by
-- nobody. Only its owner's functions write them. Rules 20.1.

create policy owner_reads on hill.log_generations for select to hill_owner using (true);
create policy owner_begins on hill.log_generations for insert to hill_owner with check (true);
create policy owner_reads on hill.log_entries for select to hill_owner using (true);
create policy owner_numbers on hill.log_entries for insert to hill_owner with check (true);
create policy owner_reads on hill.log_tiles for select to hill_owner using (true);
create policy owner_hashes on hill.log_tiles for insert to hill_owner with check (true);
create policy owner_reads on hill.log_heads for select to hill_owner using (true);
create policy owner_closes on hill.log_heads for insert to hill_owner with check (true);
create policy owner_reads on hill.log_checkpoints for select to hill_owner using (true);
create policy owner_keeps on hill.log_checkpoints for insert to hill_owner with check (true);
-- The only one whose rows leave: for the entries.
create policy owner_takes on hill.log_waiting to hill_owner
  using (true) with check (octet_length(entry) between 1 and 255);

-- The right to update generations stays: the foreign keys lock their rows with it. No policy lets anybody use it.
revoke delete, truncate on hill.log_generations from hill_owner;
revoke update, delete, truncate on hill.log_entries, hill.log_tiles, hill.log_heads, hill.log_checkpoints
  from hill_owner;

create or replace function engine.guard_log()
returns trigger
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  raise exception using errcode = 'insufficient_privilege',
    message = 'What is in the log cannot be changed or removed.',
    hint = 'Log what is so now as another entry.';
end
$$;

comment on function engine.guard_log is
'Trigger: refuses every change of what is in the log, whoever makes it, superusers too. Errors: 42501. Rules 20.1.';

create or replace trigger written_once before update or delete or truncate on hill.log_generations
  for each statement execute function engine.guard_log();
create or replace trigger written_once before update or delete or truncate on hill.log_entries
  for each statement execute function engine.guard_log();
create or replace trigger written_once before update or delete or truncate on hill.log_tiles
  for each statement execute function engine.guard_log();
create or replace trigger written_once before update or delete or truncate on hill.log_heads
  for each statement execute function engine.guard_log();
create or replace trigger written_once before update or delete or truncate on hill.log_checkpoints
  for each statement execute function engine.guard_log();

comment on table hill.log_generations is
'The logs of the hill, one after the other: each has an origin. The last one is continued. Rules 20.2.';
comment on table hill.log_waiting is
'Entries that have no number yet. engine.number_log takes them; what was committed late is taken later. Rules 20.3.';
comment on table hill.log_entries is
'The entries of each log by their number, from 0. Never changed. Rules 20.1, 20.3.';
comment on table hill.log_tiles is
'Full tiles of each log (C2SP tlog-tiles): 256 hashes, and the hash over them. Never changed. Rules 20.4.';
comment on table hill.log_heads is
'The root of the tree at each size at which a batch ended, written in the transaction of that batch. Rules 20.4.';
comment on table hill.log_checkpoints is
'What was signed of heads: one text for a size, the first, which is the one that is served. Never changed. Rules 20.7.';
