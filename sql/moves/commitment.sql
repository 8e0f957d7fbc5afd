-- What a deposit is committed to with in the log, and how a commitment is opened. Rules 20.15, 20.16; decisions 390,
-- 391.

-- The commitment to a deposit: SHA-256 of ten lines of ASCII, each with a line end. Errors: 22P02 for a backslash.
-- Rules 20.15.
create or replace function engine.commitment(
  day integer,
  account_id uuid,
  slot integer,
  move text,
  stake_cents bigint,
  message_hash bytea,
  deposited_at text,
  ends bytea,
  salt bytea)
returns bytea
-- inlined into engine.seal: casts that are immutable, and no format()
language sql immutable parallel safe
return sha256((
  'hill deposit' || E'\n'
  || day::text || E'\n'
  || account_id::text || E'\n'
  || slot::text || E'\n'
  || move || E'\n'
  || stake_cents::text || E'\n'
  || coalesce(encode(message_hash, 'hex'), '') || E'\n'
  || deposited_at || E'\n'
  || encode(ends, 'hex') || E'\n'
  || encode(salt, 'hex') || E'\n')::bytea);

-- What a commitment has of a message: SHA-256 of its own salt and its UTF-8. Null for none. Rules 20.15.
create or replace function engine.message_hash(message_salt bytea, message text)
returns bytea
language plpgsql immutable strict parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  return sha256(message_salt || convert_to(message, 'UTF8'));
end
$$;

-- What a commitment has of the one that it ends: SHA-256 of the salt and the commitment of that one. Rules 20.15.
create or replace function engine.ending(salt bytea, commitment bytea)
returns bytea language sql immutable strict parallel safe
return sha256(salt || commitment);

-- The entry of a deposit in the log: day and commitment, without account. Rules 20.16.
create or replace function engine.deposit_entry(day integer, commitment bytea)
returns bytea language sql immutable strict parallel safe
-- day::text: what is joined to a text without a cast is not immutable, and then this is called, not inlined
return ('deposit ' || day::text || ' ' || encode(commitment, 'hex'))::bytea;

create type engine.seal as (
  salt          bytea,
  ends          bytea,
  message_salt  bytea,
  message_hash  bytea,
  commitment    bytea
);

comment on type engine.seal is 'A commitment with what opens it. Rules 20.15.';

-- What engine.seal and engine.commit_announcement take their salts from.
create or replace function engine.random_salts()
returns bytea language sql volatile parallel safe
return sha512(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- Commits to a deposit with salts of engine.random_salts. ends: engine.ending of the live one that it ends; null for
-- none. Rules 20.15.
create or replace function engine.seal(
  salts bytea,
  day integer,
  account_id uuid,
  slot integer,
  move text,
  stake_cents bigint,
  message text,
  deposited_at timestamptz,
  ends bytea)
returns engine.seal
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_hash bytea := engine.message_hash(substr(salts, 17, 16), message);
begin
  ends := coalesce(ends, substr(salts, 33, 32));
  return row(substr(salts, 1, 16), ends, case when message is not null then substr(salts, 17, 16) end, v_hash,
             engine.commitment(day, account_id, slot, move, stake_cents, v_hash, engine.iso(deposited_at), ends,
                               substr(salts, 1, 16)));
end
$$;

-- It may be written by whoever deposits, and read by nobody but who numbers.
create policy deposits_wait on hill.log_waiting for insert to hill_api_agent, hill_api_human, hill_api_worker
  with check (substr(entry, 1, 8) = 'deposit '::bytea and octet_length(entry) <= 255);
grant insert on hill.log_waiting to hill_api_agent, hill_api_human, hill_api_worker;
