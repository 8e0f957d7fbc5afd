-- oauth/proofs.sql · What the web process says of the world outside is believed with a proof only: who came from a
-- provider, what was paid, which key signs. Specification 5; decisions 11.
--
-- The web's login may call what opens sessions and credits payments. So that whoever gets hold of that login alone
-- opens none and credits nothing, these ask for an HMAC under a key that the login cannot read: it is derived from
-- HILL_SIGNING_SECRET, and the owner leaves it here when the hill starts.

create or replace function engine.proof_seconds() returns integer language sql immutable parallel safe return 60;
comment on function engine.proof_seconds() is
$$How many seconds of real time a proof is good for, before its instant and after it: clocks of two machines
differ.$$;

create or replace function engine.set_proof_key(inner_block bytea, outer_block bytea)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_new boolean;
begin
  set local role hill_owner;
  insert into oauth.proof_keys as k (inner_block, outer_block, set_at)
  values (set_proof_key.inner_block, set_proof_key.outer_block, clock_timestamp())
  on conflict (singleton) do update
     set inner_block = excluded.inner_block, outer_block = excluded.outer_block, set_at = excluded.set_at
   where k.inner_block <> excluded.inner_block;
  v_new := found;
  reset role;
  return v_new;
end
$$;

comment on function engine.set_proof_key(bytea, bytea) is
$$Called by the owner at each start, with the two blocks of the key (RFC 2104: the key padded to 64 bytes, with 0x36
and with 0x5c). From then on proofs of the key before are refused. Returns whether it was another. No serving role may
call it.$$;

create or replace function engine.proof_message(purpose text, fields text[])
returns bytea
language sql stable parallel safe security invoker  -- as convert_to is
begin atomic
  -- netstrings: each with its length in bytes before it, so that no two lists of fields are one text
  select convert_to(string_agg(octet_length(f.field) || ':' || f.field || ',', '' order by f.n), 'UTF8')
    from unnest(array[proof_message.purpose] || proof_message.fields) with ordinality f (field, n);
end;

comment on function engine.proof_message(text, text[]) is
$$What a proof is made over: its purpose and the fields in their order, each as a netstring. src/process/proofs.ts writes the
same bytes.$$;

create or replace function engine.proof_holds(message bytea, proof text)
returns boolean
language sql stable parallel safe security definer  -- hill_owner: nobody else may read the key
set search_path to pg_catalog, pg_temp
as $$
  -- Both sides are hashed under the key once more before they are compared: how long that takes says nothing of the
  -- right one.
  select sha256(k.outer_block || sha256(k.inner_block || convert_to(encode(h.hmac, 'hex'), 'UTF8')))
       = sha256(k.outer_block || sha256(k.inner_block || convert_to(proof, 'UTF8')))
    from oauth.proof_keys k, lateral (select sha256(k.outer_block || sha256(k.inner_block || message)) as hmac) h
$$;

comment on function engine.proof_holds(bytea, text) is
$$Whether a proof is the HMAC-SHA256 (hexadecimal) of a message under the key that the owner left; null while there is
none.$$;

create or replace function engine.check_proof(purpose text, fields text[], proven_at bigint, proof text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  -- real time: the process that proves lives there, whatever the hill's clock says
  v_now_ms  numeric := floor(extract(epoch from clock_timestamp()) * 1000);
  v_good_ms numeric := engine.proof_seconds() * 1000;
begin
  -- one answer for all that can be wrong, a null among the fields included
  if (engine.proof_holds(engine.proof_message(purpose, proven_at::text || fields), proof)
      and num_nulls(variadic fields) = 0
      and proven_at between v_now_ms - v_good_ms and v_now_ms + v_good_ms) is not true then
    perform engine.refuse('PROOF_REFUSED', 'What the web process said was not proven.');
  end if;
end
$$;

comment on function engine.check_proof(text, text[], bigint, text) is
$$Refuses what a process claims unless it made a proof over the purpose, the instant (milliseconds of real time since
1970) and the fields within the last minute. That a proof is used once is for whoever asks: one of the fields becomes
a key. Errors: PROOF_REFUSED.$$;

create or replace function engine.secret_fits(proof text)
returns boolean
language sql stable parallel safe security invoker
begin atomic
  select engine.proof_holds(engine.proof_message('secret', '{}'), secret_fits.proof);
end;

comment on function engine.secret_fits(text) is
$$Whether a process has the HILL_SIGNING_SECRET that the owner last left the key of: by a proof over the purpose
"secret" alone, which proves nothing else. null while no key was left.$$;

grant execute on function engine.proof_seconds(), engine.proof_message(text, text[]), engine.proof_holds(bytea, text)
  to hill_api_human, hill_api_oauth, hill_api_worker;
grant execute on function engine.check_proof(text, text[], bigint, text) to hill_api_human, hill_api_oauth;
grant execute on function engine.secret_fits(text) to hill_api_human, hill_api_worker;

alter table oauth.proof_keys enable row level security, force row level security;
create policy owner_keeps on oauth.proof_keys to hill_owner using (true) with check (true);

comment on table oauth.proof_keys is
$$The key of proofs, as the two blocks of HMAC. No role that serves reads it: engine.proof_holds alone does, and says
yes or no.$$;
