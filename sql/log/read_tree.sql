-- Hashes of any part of the tree, from the stored tiles. Rules 20.4; C2SP tlog-tiles.
--
-- The hash of level L with number n is that of entries n 256^L up to (n + 1) 256^L. Those of full tiles stand in
-- hill.log_tiles, the others in what they are made of: the entries, or the roots of the tiles of the level below.

-- The hashes of a level from number first up to before last, all of one tile, in a row of 32 bytes each. They must
-- be of entries that are there. Rules 20.4.
create or replace function engine.log_hashes(generation integer, level integer, first bigint, last bigint)
returns bytea
language sql stable parallel safe security invoker
begin atomic
  select coalesce(
    (select substr(t.hashes, 32 * (log_hashes.first & 255)::integer + 1,
                   32 * (log_hashes.last - log_hashes.first)::integer)
       from hill.log_tiles t
      where t.generation = log_hashes.generation
        and t.level = log_hashes.level
        and t.tile = log_hashes.first >> 8),
    case log_hashes.level
      when 0 then
        (select string_agg(engine.leaf_hash(e.entry), '' order by e.index)
           from hill.log_entries e
          where e.generation = log_hashes.generation
            and e.index >= log_hashes.first
            and e.index < log_hashes.last)
      else
        (select string_agg(t.root, '' order by t.tile)
           from hill.log_tiles t
          where t.generation = log_hashes.generation
            and t.level = log_hashes.level - 1
            and t.tile >= log_hashes.first
            and t.tile < log_hashes.last)
    end);
end;

-- MTH(D[first:last]) of RFC 6962, 2.1, for a part that a tree is split into. Rules 20.4.
create or replace function engine.log_hash(generation integer, first bigint, last bigint)
returns bytea
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_level integer := 0;
  v_start bigint;
  v_rest  bytea := '';   -- the hash of the entries at the end that fill no hash of this level
begin
  loop
    v_start := case when (first & 255) = 0 then greatest(first, (last >> 8) << 8) else first end;
    v_rest := coalesce(
      engine.fold(nullif(coalesce(engine.log_hashes(generation, v_level, v_start, last), '') || v_rest, '')), '');
    exit when v_start = first;
    v_level := v_level + 1;
    first := first >> 8;
    last := last >> 8;
  end loop;
  return v_rest;
end
$$;

-- The root of the tree over the first entries of a log; of none, SHA-256 of nothing. RFC 6962, 2.1; rules 20.4.
create or replace function engine.log_root(generation integer, size bigint)
returns bytea
language sql stable parallel safe security invoker
begin atomic
  select case when log_root.size = 0 then sha256('')
              else engine.log_hash(log_root.generation, 0, log_root.size) end;
end;

-- Entries from number first up to before last as C2SP tlog-tiles bundles them. Rules 20.4.
create or replace function engine.log_bundle(generation integer, first bigint, last bigint)
returns bytea
language sql stable parallel safe security invoker
begin atomic
  select string_agg(substr(int4send(octet_length(e.entry)), 3) || e.entry, '' order by e.index)
    from hill.log_entries e
   where e.generation = log_bundle.generation and e.index >= log_bundle.first and e.index < log_bundle.last;
end;
