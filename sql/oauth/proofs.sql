-- Proofs: what the web process says of the outside world is believed only with an HMAC. This covers who came from a
-- provider, what was paid, which key signs. Protocol 5.1; decisions 24.
--
-- The web process's login may call what opens sessions and credits payments. These functions ask for an HMAC under a
-- key that this login cannot read, so that whoever has the login alone opens no session and credits nothing. The key is
-- derived from HILL_SIGNING_SECRET, and the owner leaves it here when the hill starts.

-- How many seconds of real time a proof is valid, before its instant and after it, since the clocks of two machines
-- differ.
create or replace function engine.proof_seconds() returns integer language sql immutable parallel safe return 60;

-- HMAC-SHA256 (RFC 2104) of a message under a key that is given as its two blocks: padded to 64 bytes, with 0x36 and
-- with 0x5c.
create or replace function engine.hmac(inner_block bytea, outer_block bytea, message bytea)
returns bytea
language sql immutable parallel safe security invoker
begin atomic
  select sha256(hmac.outer_block || sha256(hmac.inner_block || hmac.message));
end;

-- Called by the owner at each start with the two blocks of the key (engine.hmac).
create or replace function trusted.set_proof_key(inner_block bytea, outer_block bytea)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner: nobody else may change the key
set search_path to pg_catalog, pg_temp
as $$
  insert into oauth.proof_keys as k (inner_block, outer_block, set_at)
  select set_proof_key.inner_block, set_proof_key.outer_block, clock_timestamp()
   -- while one takes the place of the other, both are believed, until the owner ends that
   where not exists (select from oauth.next_proof_keys n where n.inner_block = set_proof_key.inner_block)
  on conflict (singleton) do update
     set inner_block = excluded.inner_block, outer_block = excluded.outer_block, set_at = excluded.set_at
   where k.inner_block <> excluded.inner_block
$$;

-- Believes the key of another secret, too. It takes the place of the first with trusted.end_succession. Protocol 2.8.
create or replace function trusted.set_next_proof_key(inner_block bytea, outer_block bytea)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  insert into oauth.next_proof_keys as k (inner_block, outer_block, set_at)
  select set_next_proof_key.inner_block, set_next_proof_key.outer_block, clock_timestamp()
   where not exists (select from oauth.proof_keys p where p.inner_block = set_next_proof_key.inner_block)
  on conflict (singleton) do update
     set inner_block = excluded.inner_block, outer_block = excluded.outer_block, set_at = excluded.set_at
   where k.inner_block <> excluded.inner_block
$$;

-- The next key alone is believed from here on; nothing is changed where there is none. Protocol 2.8.
create or replace function trusted.end_succession()
returns void
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  with next as (delete from oauth.next_proof_keys n returning n.*)
  update oauth.proof_keys k
     set inner_block = n.inner_block, outer_block = n.outer_block, set_at = clock_timestamp()
    from next n
$$;

-- What a proof is made over: its purpose and the fields in order, each as a netstring. src/process/proofs.ts writes the
-- same bytes.
create or replace function engine.proof_message(purpose text, fields text[])
returns bytea
language sql stable parallel safe security invoker  -- as convert_to is
begin atomic
  -- netstrings: each field with its length in bytes before it, so that no two lists of fields give the same bytes
  select convert_to(string_agg(octet_length(f.field) || ':' || f.field || ',', '' order by f.n), 'UTF8')
    from unnest(array[proof_message.purpose] || proof_message.fields) with ordinality f (field, n);
end;

-- Whether a proof is the HMAC-SHA256 (hexadecimal) of a message under the key that the owner set, or the next one; null
-- while none is set.
create or replace function trusted.proof_holds(message bytea, proof text)
returns boolean
language sql stable parallel safe security definer  -- hill_owner: nobody else may read the key
set search_path to pg_catalog, pg_temp
as $$
  -- Both sides are hashed under the key once more before they are compared, so that the time this takes says nothing
  -- about the right one.
  select bool_or(engine.hmac(k.inner_block, k.outer_block, convert_to(encode(h.hmac, 'hex'), 'UTF8'))
                 = engine.hmac(k.inner_block, k.outer_block, convert_to(proof, 'UTF8')))
    from (select p.inner_block, p.outer_block from oauth.proof_keys p
          union all
          select n.inner_block, n.outer_block from oauth.next_proof_keys n) k,
         lateral (select engine.hmac(k.inner_block, k.outer_block, message) as hmac) h
$$;

-- Refuses what a process says unless it has a proof, made within the last minute, over the purpose, the instant
-- (milliseconds of real time since 1970) and the fields. Errors: PROOF_REFUSED.
create or replace function engine.check_proof(purpose text, fields text[], proven_at bigint, proof text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  -- real time, which is what the proving process has, whatever the hill's clock shows
  v_now_ms  numeric := floor(extract(epoch from clock_timestamp()) * 1000);
  v_good_ms numeric := engine.proof_seconds() * 1000;
begin
  -- one answer for everything that can be wrong, a null among the fields included
  if (trusted.proof_holds(engine.proof_message(purpose, proven_at::text || fields), proof)
      and num_nulls(variadic fields) = 0
      and proven_at between v_now_ms - v_good_ms and v_now_ms + v_good_ms) is not true then
    perform engine.refuse('PROOF_REFUSED', 'What the web process said was not proven.');
  end if;
end
$$;

-- Whether a process has the HILL_SIGNING_SECRET whose key the owner set last.
create or replace function engine.secret_fits(proof text)
returns boolean
language sql stable parallel safe security invoker
begin atomic
  select trusted.proof_holds(engine.proof_message('secret', '{}'), secret_fits.proof);
end;

grant execute on function trusted.proof_holds to hill_api_human, hill_api_oauth, hill_api_worker;

alter table oauth.proof_keys enable row level security, force row level security;
create policy owner_keeps on oauth.proof_keys to hill_owner using (true) with check (true);

alter table oauth.next_proof_keys enable row level security, force row level security;
create policy owner_keeps on oauth.next_proof_keys to hill_owner using (true) with check (true);

comment on table oauth.next_proof_keys is
'The key of proofs of a secret that takes the place of another: believed beside the other until that ends. Protocol '
'2.8.';
comment on column oauth.next_proof_keys.singleton is 'Always true: there is one row at most.';
comment on column oauth.next_proof_keys.inner_block is '64 bytes: the key padded with zeros, XOR 0x36 (RFC 2104).';
comment on column oauth.next_proof_keys.outer_block is '64 bytes: the key padded with zeros, XOR 0x5c.';
comment on column oauth.next_proof_keys.set_at is 'When the owner set it. Real clock.';
comment on table oauth.proof_keys is
'The key of proofs, as the two blocks of HMAC. No serving role reads it: only trusted.proof_holds does, and it answers '
'yes or no.';
comment on column oauth.proof_keys.singleton is 'Always true: there is one row.';
comment on column oauth.proof_keys.inner_block is '64 bytes: the key padded with zeros, XOR 0x36 (RFC 2104).';
comment on column oauth.proof_keys.outer_block is '64 bytes: the key padded with zeros, XOR 0x5c.';
comment on column oauth.proof_keys.set_at is 'When the owner set it, at a start. Real clock.';
