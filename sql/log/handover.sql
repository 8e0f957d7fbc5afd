-- A log that follows another, with the word of that one's key. Rules 20.2.

-- Begins a log as trusted.begin_log does, and keeps the note with which the key of the log before it names the keys of
-- this one. Errors: 23505. Rules 20.2.
create or replace function trusted.hand_log_over(
  origin text,
  old_origin text,
  old_size bigint,
  old_root bytea,
  keys text[],
  note text)
returns integer
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_generation integer := trusted.begin_log(origin, old_origin, old_size, old_root, keys);
begin
  insert into hill.log_handovers (generation, note) values (v_generation, hand_log_over.note);
  return v_generation;
end
$$;

create policy owner_reads on hill.log_handovers for select to hill_owner using (true);
create policy owner_keeps on hill.log_handovers for insert to hill_owner with check (true);
revoke update, delete, truncate on hill.log_handovers from hill_owner;
create or replace trigger written_once before update or delete or truncate on hill.log_handovers
  for each statement execute function engine.guard_log();

comment on table hill.log_handovers is
'Of each log that another handed over: the note in which the key of that one names the key of this one. Never changed. '
'Rules 20.2.';
comment on column hill.log_handovers.generation is 'The log that began (hill.log_generations).';
comment on column hill.log_handovers.note is
'A C2SP signed-note by the Ed25519 key of the log before it. Its text: hill log handover, the origin of that log, and '
'the verifier key of this one, each on a line.';

grant execute on function trusted.hand_log_over to hill_api_worker;
