-- Proofs of the tree, worked out from the stored tiles. RFC 6962, 2.1.1 and 2.1.2; rules 20.5.

-- The largest power of two that is less than a number of entries, at least 2: where RFC 6962 splits a tree of them.
create or replace function engine.half_of(entries bigint)
returns bigint language sql immutable strict parallel safe
return 1::bigint << (length(ltrim((entries - 1)::bit(63)::text, '0')) - 1);

-- PATH(index, D[size]) of RFC 6962, 2.1.1. Rules 20.5.
create or replace function engine.prove_entry(generation integer, index bigint, size bigint)
returns bytea[]
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_proof bytea[] := '{}';
  v_first bigint := 0;
  v_last  bigint := size;
  v_half  bigint;
begin
  while v_last - v_first > 1 loop
    v_half := v_first + engine.half_of(v_last - v_first);
    if index < v_half then
      v_proof := engine.log_hash(generation, v_half, v_last) || v_proof;
      v_last := v_half;
    else
      v_proof := engine.log_hash(generation, v_first, v_half) || v_proof;
      v_first := v_half;
    end if;
  end loop;
  return v_proof;
end
$$;

-- PROOF(old_size, D[size]) of RFC 6962, 2.1.2: the hashes that show that the tree of one size begins with the tree of
-- another. Rules 20.5.
create or replace function engine.prove_growth(generation integer, old_size bigint, size bigint)
returns bytea[]
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_proof bytea[] := '{}';
  v_first bigint := 0;
  v_last  bigint := size;
  v_half  bigint;
begin
  if old_size = 0 then
    return v_proof;
  end if;
  while v_last > old_size loop
    v_half := v_first + engine.half_of(v_last - v_first);
    if old_size <= v_half then
      v_proof := engine.log_hash(generation, v_half, v_last) || v_proof;
      v_last := v_half;
    else
      v_proof := engine.log_hash(generation, v_first, v_half) || v_proof;
      v_first := v_half;
    end if;
  end loop;
  return case when v_first = 0 then v_proof else engine.log_hash(generation, v_first, v_last) || v_proof end;
end
$$;
