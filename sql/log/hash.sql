-- Hashes of leaves and nodes (RFC 6962, 2.1), many at once: a value of 32 n bytes is a row of n hashes.

-- The hash of an entry: SHA-256 of a byte 0 and the entry. RFC 6962, 2.1.
create or replace function engine.leaf_hash(entry bytea)
returns bytea language sql immutable strict parallel safe
return sha256('\x00'::bytea || entry);

-- The row of hashes that stands one height above a row: of each pair SHA-256 of a byte 1 and the pair.
create or replace function engine.fold_once(hashes bytea)
returns bytea language sql immutable strict parallel safe
return (
  select string_agg(case when octet_length(p.pair) = 64 then sha256('\x01'::bytea || p.pair) else p.pair end,
                    '' order by p.n)
    from (select n, substr(hashes, 64 * n + 1, 64) as pair
            from generate_series(0, (octet_length(hashes) - 1) / 64) n) p);

-- The hash of the tree over a row of hashes, 32 bytes; null for null.
create or replace function engine.fold(hashes bytea)
returns bytea
language plpgsql immutable strict parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  while octet_length(hashes) > 32 loop
    hashes := engine.fold_once(hashes);
  end loop;
  return hashes;
end
$$;
