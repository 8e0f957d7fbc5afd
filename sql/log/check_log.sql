-- The log, recomputed from its entries. Rules 20.4.

-- What in a log is not as its entries have it: a sentence, and the number of the entry, tile or size. Rules 20.4.
create or replace function engine.check_log(generation integer)
returns table (fault text, number bigint)
language sql stable parallel safe security invoker
begin atomic
  with size as materialized (
    select max(h.size) as entries from hill.log_heads h where h.generation = check_log.generation)
  select 'an entry is missing', s.n
    from size, generate_series(0, size.entries - 1) s (n)
   where not exists (select from hill.log_entries e where e.generation = check_log.generation and e.index = s.n)
  union all
  select 'an entry is outside the tree', e.index
    from hill.log_entries e, size
   where e.generation = check_log.generation and e.index >= size.entries
  union all
  select 'a tile is not of its entries', t.tile
    from hill.log_tiles t
    left join lateral (
      select string_agg(engine.leaf_hash(e.entry), '' order by e.index) as hashes
        from hill.log_entries e
       where e.generation = t.generation and e.index >= t.tile << 8 and e.index < (t.tile + 1) << 8) e on true
   where t.generation = check_log.generation
     and t.level = 0
     and (t.hashes, t.root) is distinct from (e.hashes, engine.fold(e.hashes))
  union all
  select 'a tile is not of the tiles below it', t.tile
    from hill.log_tiles t
    left join lateral (
      select string_agg(b.root, '' order by b.tile) as hashes
        from hill.log_tiles b
       where b.generation = t.generation
         and b.level = t.level - 1
         and b.tile >= t.tile << 8
         and b.tile < (t.tile + 1) << 8) b on true
   where t.generation = check_log.generation
     and t.level > 0
     and (t.hashes, t.root) is distinct from (b.hashes, engine.fold(b.hashes))
  union all
  select 'a full tile is missing', s.n
    from size, generate_series(0, 6) l (level), generate_series(0, (size.entries >> 8 * (l.level + 1)) - 1) s (n)
   where not exists (select from hill.log_tiles t
                      where t.generation = check_log.generation and t.level = l.level and t.tile = s.n)
  union all
  select 'a root is not that of its size', h.size
    from hill.log_heads h
   where h.generation = check_log.generation and h.root <> engine.log_root(h.generation, h.size);
end;
