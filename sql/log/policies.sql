-- What is in the log is there for good: its tables are written to and read, and never changed, by nobody. Only its
-- owner's functions write them. Rules 20.1.

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
create policy owner_reads on hill.log_cosignatures for select to hill_owner using (true);
create policy owner_keeps on hill.log_cosignatures for insert to hill_owner with check (true);
-- The only one whose rows leave: for the entries.
create policy owner_takes on hill.log_waiting to hill_owner
  using (true) with check (octet_length(entry) between 1 and 255);
create policy owner_loads on hill.loaded_engine to hill_owner using (true) with check (true);
create policy owner_reads on hill.engines for select to hill_owner using (true);
create policy owner_keeps on hill.engines for insert to hill_owner with check (true);
create policy owner_reads on hill.logged_nights for select to hill_owner using (true);
create policy owner_logs on hill.logged_nights for insert to hill_owner with check (true);
-- A file is written once.
create policy owner_adds on hill.logged_nights for update to hill_owner using (file is null) with check (true);

-- The right to update generations stays: the foreign keys lock their rows with it. No policy lets anybody use it.
revoke delete, truncate on hill.log_generations from hill_owner;
revoke update, delete, truncate
  on hill.log_entries, hill.log_tiles, hill.log_heads, hill.log_checkpoints, hill.log_cosignatures, hill.engines
  from hill_owner;
revoke delete, truncate on hill.logged_nights from hill_owner;
revoke update on hill.logged_nights from hill_owner;
grant update (file) on hill.logged_nights to hill_owner;

-- Trigger: refuses every change of what is in the log, whoever makes it, superusers too. Errors: LOG_GUARD. Rules 20.1.
create or replace function engine.guard_log()
returns trigger
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.refuse('LOG_GUARD', 'What is in the log cannot be changed or removed.');
end
$$;

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
create or replace trigger written_once before update or delete or truncate on hill.log_cosignatures
  for each statement execute function engine.guard_log();
create or replace trigger written_once before update or delete or truncate on hill.engines
  for each statement execute function engine.guard_log();
create or replace trigger written_once before update of day, engine, result or delete or truncate on hill.logged_nights
  for each statement execute function engine.guard_log();

comment on table hill.log_generations is
'The logs of the hill, one after the other: each has an origin, and the keys that sign it as clients are told of them '
'(C2SP signed-note), Ed25519 first. The last one is continued. Rules 20.2.';
comment on column hill.log_generations.generation is 'Number of the log, from 1.';
comment on column hill.log_generations.origin is 'Its name in checkpoints, such as hill.example/log/2.';
comment on column hill.log_generations.keys is 'Its verifier keys (C2SP signed-note), Ed25519 first.';
comment on column hill.log_generations.began_at is 'When it began. Hill''s clock.';
comment on table hill.log_waiting is
'Entries that have no number yet. trusted.number_log takes them; what was committed late is taken later. Rules 20.3.';
comment on column hill.log_waiting.at is
'The instant of what it tells (hill''s clock); -infinity puts it into the next batch, whichever that is.';
comment on column hill.log_waiting.entry is 'The entry as it will be in the log. Rules 20.8.';
comment on table hill.log_entries is
'The entries of each log by their number, from 0. Never changed. Rules 20.1, 20.3.';
comment on column hill.log_entries.generation is 'Which log it is in.';
comment on column hill.log_entries.index is 'Its number in that log, from 0.';
comment on column hill.log_entries.entry is 'The entry, one line of ASCII. Rules 20.8.';
comment on table hill.log_tiles is
'Full tiles of each log (C2SP tlog-tiles): 256 hashes, and the hash over them. Never changed. Rules 20.4.';
comment on column hill.log_tiles.generation is 'Which log it is of.';
comment on column hill.log_tiles.level is
'Level of the tile: 0 has hashes of entries, each other one roots of 256 tiles of the level below.';
comment on column hill.log_tiles.tile is 'Number of the tile on its level, from 0.';
comment on column hill.log_tiles.hashes is 'Its 256 hashes of 32 bytes.';
comment on column hill.log_tiles.root is 'The hash over them.';
comment on table hill.log_heads is
'The root of the tree at each size at which a batch ended, written in the transaction of that batch. Rules 20.4.';
comment on column hill.log_heads.generation is 'Which log it is of.';
comment on column hill.log_heads.size is 'How many entries the tree has.';
comment on column hill.log_heads.root is 'The root of that tree.';
comment on column hill.log_heads.at is
'The log has all that waited from before this instant (hill''s clock); -infinity: what it began with.';
comment on column hill.log_heads.whole is
'Whether a batch ends here. If not, it is a piece of one, which is not signed. Rules 20.3.';
comment on table hill.log_checkpoints is
'What was signed of heads: one text for a size, the first, which is the one that is served. Never changed. Rules 20.7.';
comment on column hill.log_checkpoints.generation is 'Which log was signed.';
comment on column hill.log_checkpoints.size is 'How many entries it had.';
comment on column hill.log_checkpoints.note is
'The checkpoint with the log''s own signatures (C2SP signed-note). Rules 20.6.';
comment on column hill.log_checkpoints.signed_at is 'When it was kept here. Hill''s clock.';
comment on table hill.log_cosignatures is
'What witnesses signed of checkpoints, by the verifier key of each: the line that stands behind the note, and when the '
'witness says that it saw it, by its own clock. Never changed. Rules 20.30.';
comment on column hill.log_cosignatures.generation is 'The log of the checkpoint.';
comment on column hill.log_cosignatures.size is 'The size of the checkpoint.';
comment on column hill.log_cosignatures.witness is 'Verifier key of the witness.';
comment on column hill.log_cosignatures.signature is 'Its line behind the note.';
comment on column hill.log_cosignatures.seen_at is 'When the witness says that it saw it, by its own clock.';
comment on table hill.loaded_engine is
'The sources of what is loaded now, and their SHA-256. Rules 20.9.';
comment on column hill.loaded_engine.one is 'Always true: there is one row.';
comment on column hill.loaded_engine.sha256 is 'SHA-256 of source; the next bell is resolved by it.';
comment on column hill.loaded_engine.source is 'A tar file of sql/ and the migrations.';
comment on column hill.loaded_engine.loaded_at is 'When it was loaded. Real clock.';
comment on table hill.engines is
'The sources of each engine that ever resolved a night, and the first of these nights. Never changed. Rules 20.9.';
comment on column hill.engines.sha256 is 'SHA-256 of source, by which nights name it.';
comment on column hill.engines.source is 'A tar file of sql/ and the migrations, served at /source/.';
comment on column hill.engines.day is 'The first night that it resolved.';
comment on table hill.logged_nights is
'What the log has of each night, as SHA-256: the engine that resolved it, its result, and its night file as it was '
'first made. engine and result are null of nights from before the log, file until it is made. Rules 20.10.';
comment on column hill.logged_nights.day is 'The night.';
comment on column hill.logged_nights.engine is
'SHA-256 of the engine that resolved it (hill.engines); null from before the log.';
comment on column hill.logged_nights.result is 'SHA-256 of its result (rules 20.10); null from before the log.';
comment on column hill.logged_nights.file is 'SHA-256 of its night file as it was first made; null until then.';
