-- What is offered to witnesses of the log, and what they signed. Rules 20.30.

-- What to offer to a witness, by its verifier key. Rules 20.30.
create or replace function trusted.log_offer(witness text, old_size bigint default null)
returns jsonb
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'generation', c.generation,
      'size', c.size,
      'note', c.note,
      'old_size', o.size,
      'proof', case when o.size <= c.size then
        (select coalesce(jsonb_agg(encode(p.hash, 'base64') order by p.n), '[]')
           from unnest(engine.prove_growth(c.generation, o.size, c.size)) with ordinality p (hash, n)) end)
    from (select * from hill.log_checkpoints order by generation desc, size desc limit 1) c
   cross join lateral (
     select max(s.size) as size from hill.log_cosignatures s
      where s.generation = c.generation and s.witness = log_offer.witness) known
   cross join lateral (select coalesce(log_offer.old_size, known.size, 0) as size) o
   where log_offer.old_size is not null or known.size is distinct from c.size
$$;

-- Keeps the line with which a witness signed a checkpoint, and when it says that it saw it. Rules 20.30.
create or replace function trusted.keep_cosignature(
  generation integer, size bigint, witness text, signature text, seen_at timestamptz)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  insert into hill.log_cosignatures (generation, size, witness, signature, seen_at)
  select c.generation, c.size, keep_cosignature.witness, keep_cosignature.signature, keep_cosignature.seen_at
    from hill.log_checkpoints c
   where c.generation = keep_cosignature.generation and c.size = keep_cosignature.size
     and starts_with(keep_cosignature.signature, format(e'\u2014 %s ', split_part(keep_cosignature.witness, '+', 1)))
  on conflict do nothing;
  if found then
    perform trusted.note_change('log');
  end if;
  return found;
end
$$;

-- A checkpoint as it is served: as the log signed it, and behind that what witnesses signed since. Rules 20.6, 20.30.
create or replace function engine.cosigned_note(generation integer, size bigint)
returns text
language sql stable parallel safe security invoker
begin atomic
  select c.note || coalesce(
           (select string_agg(s.signature || e'\n', '' order by s.seen_at, s.witness)
              from hill.log_cosignatures s
             where s.generation = c.generation and s.size = c.size), '')
    from hill.log_checkpoints c
   where c.generation = cosigned_note.generation and c.size = cosigned_note.size;
end;

grant execute on function trusted.log_offer, trusted.keep_cosignature to hill_api_worker;
