-- Where an entry is, and the proof of it. Nothing keeps numbers of entries: the log is sorted enough. Rules 20.3,
-- 20.20; decisions 395.

-- The proof that an entry is in the log, under the last checkpoint of that log. Rules 20.5, 20.20.
create or replace function trusted.show_proof(entry bytea, since timestamptz)
returns text
language plpgsql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
-- some hundred short statements, here and in engine.prove_entry: planned once a connection, not each time
set plan_cache_mode to force_generic_plan
as $$
declare
  v_batch  record;
  v_first  bigint;
  v_last   bigint;
  v_middle bigint;
  v_there  bytea;
  v_proof  text;
begin
  for v_batch in
    select h.generation, h.size,
           (select max(b.size) from hill.log_heads b
             where b.generation = h.generation and b.size < h.size and b.whole) as old_size
      from hill.log_heads h
     where h.at > show_proof.since and h.whole
     -- those of two days: an entry is in the first batch after its instant, or shortly behind it
     order by h.at, h.generation, h.size limit 200
  loop
    v_first := coalesce(v_batch.old_size, 0);
    v_last := v_batch.size;
    while v_first < v_last loop
      v_middle := (v_first + v_last) / 2;
      select e.entry into strict v_there
        from hill.log_entries e where e.generation = v_batch.generation and e.index = v_middle;
      if v_there = entry then
        v_proof := (
          select format(e'c2sp.org/tlog-proof@v1\nindex %s\n%s\n%s',
                        v_middle, p.path, engine.cosigned_note(v_batch.generation, c.size))
            from (select c.* from hill.log_checkpoints c
                   where c.generation = v_batch.generation order by c.size desc limit 1) c
           cross join lateral (
             select coalesce(string_agg(encode(h.hash, 'base64') || e'\n', '' order by h.n), '') as path
               from unnest(engine.prove_entry(v_batch.generation, v_middle, c.size)) with ordinality h (hash, n)) p
           where c.size > v_middle);
        if v_proof is not null then
          return v_proof;
        end if;
        exit;                                            -- of a log that ended unsigned there: a later one has it
      -- in the order in which engine.append_log numbers
      elsif (engine.is_announced(v_there), v_there) < (engine.is_announced(entry), entry) then
        v_first := v_middle + 1;
      else
        v_last := v_middle;
      end if;
    end loop;
  end loop;
  return null;
end
$$;

grant execute on function trusted.show_proof to hill_api_public, hill_api_agent, hill_api_human;
