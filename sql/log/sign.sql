-- What is to be signed of the log, and what was. Rules 20.7.

-- Where the log is: generation, origin, keys, size, root (base64), origins of the logs that have ended, the last
-- checkpoint that was signed of it (null if none was) and whether that is of this size (signed). continues. Rules 20.7.
create or replace function trusted.log_head(size bigint default null, root bytea default null)
returns jsonb
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'generation', h.generation,
      'origin', (select g.origin from hill.log_generations g where g.generation = h.generation),
      'keys', (select g.keys from hill.log_generations g where g.generation = h.generation),
      'size', h.size,
      'root', encode(h.root, 'base64'),
      'ended', (select coalesce(jsonb_agg(g.origin), '[]')
                  from hill.log_generations g where g.generation < h.generation),
      'checkpoint', (select c.note from hill.log_checkpoints c
                      where c.generation = h.generation order by c.size desc limit 1),
      'signed', exists (select from hill.log_checkpoints c where c.generation = h.generation and c.size = h.size),
      'continues', case when log_head.size <= h.size then
        engine.log_root(h.generation, log_head.size) = log_head.root else log_head.size is null end)
    from (select * from hill.log_heads order by generation desc, size desc limit 1) h
$$;

-- Keeps what was signed of the last head, and returns what is kept of that head. Errors: READ_COMMITTED_ONLY. Rules
-- 20.7.
create or replace function trusted.keep_checkpoint(generation integer, size bigint, root bytea, note text)
returns text
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_note text;
begin
  perform trusted.lock_one('log');
  -- The commit, and so whoever reads it, waits for the standbys that a failover goes to.
  perform set_config('synchronous_commit', 'on', true);
  insert into hill.log_checkpoints (generation, size, note, signed_at)
  select h.generation, h.size, keep_checkpoint.note, engine.now()
    from (select * from hill.log_heads order by generation desc, size desc limit 1) h
    join hill.log_generations g on g.generation = h.generation
   where h.whole and (h.generation, h.size, h.root)
         = (keep_checkpoint.generation, keep_checkpoint.size, keep_checkpoint.root)
     -- whoever reads it later has to find this head in it, or would take this log for one that was lost
     and starts_with(
           keep_checkpoint.note,
           format(e'%s\n%s\n%s\n\n\u2014 %1$s ', g.origin, h.size, encode(h.root, 'base64')))
  on conflict do nothing;
  if found then
    perform trusted.note_change('log');
  end if;
  select c.note into v_note
    from hill.log_checkpoints c
    join hill.log_heads h using (generation, size)
   where c.generation = keep_checkpoint.generation and c.size = keep_checkpoint.size and h.root = keep_checkpoint.root;
  return v_note;
end
$$;

-- Names this database of this cluster: a SHA-256 (hexadecimal). Rules 20.7.
create or replace function trusted.database_identity()
returns text
language plpgsql stable parallel safe security definer  -- hill_owner: the control data are closed to others
set search_path to pg_catalog, pg_temp
as $$
begin
  return (
    select encode(sha256(convert_to(format('hill database %s %s', c.system_identifier, d.oid), 'UTF8')), 'hex')
      from pg_catalog.pg_control_system() c, pg_catalog.pg_database d
     where d.datname = current_database());
exception when insufficient_privilege then
  return null;                                           -- a server that does not say stops no signature
end
$$;

grant execute on function trusted.log_head, trusted.keep_checkpoint, trusted.database_identity to hill_api_worker;
